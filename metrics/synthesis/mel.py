"""From samples to the log-mel spectrogram that NISQA was trained on.

The networks know this representation and no other, so its conventions are part of the model: a Hann window
of 20 ms in a 4096 point transform, frames centred on their time with the signal reflected at both ends, a mel
scale and filters after Slaney's Auditory Toolbox (filters of equal area, not of equal height), amplitudes
(not powers) in decibels with a floor of 1e-4 and a range of 80 dB below the clip's own maximum. librosa's
``melspectrogram`` and ``amplitude_to_db`` define them; this module agrees with librosa 0.11 to 1e-4 dB
(pinned in the golden test) and does without its import of numba.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOOR_AMPLITUDE = 1e-4
"""Mel amplitudes below this count as this: -80 dB."""
RANGE_DB = 80.0
"""Nothing in a clip lies more than this below its loudest point."""
MAX_CHANNELS = 16
MAX_FLOAT_SAMPLE = 10.0
"""Float samples have full scale 1.0 and may overshoot; beyond this they were never scaled."""

_FRAMES_PER_BLOCK = 256


@dataclass(frozen=True, kw_only=True)
class MelSettings:
    """Parameters of the spectrogram; each NISQA checkpoint carries its own.

    Attributes:
        n_fft: Length of the transform in samples; the window sits in its middle.
        hop_s, window_s: Frame advance and window length in seconds, cut down to whole samples.
        n_mels: Number of mel bands between 0 and ``fmax_hz``.
        fmax_hz: Upper edge of the last band. Bands above half the sample rate stay empty (at the floor).
    """

    n_fft: int
    hop_s: float
    window_s: float
    n_mels: int
    fmax_hz: float

    def hop_samples(self, rate_hz: int) -> int:
        return int(rate_hz * self.hop_s)

    def window_samples(self, rate_hz: int) -> int:
        return int(rate_hz * self.window_s)

    def frame_count(self, samples: int, rate_hz: int) -> int:
        """Frames of a clip: one at each whole hop, the first centred on sample 0."""
        return 1 + samples // self.hop_samples(rate_hz)


def mono_float32(audio: NDArray[Any]) -> NDArray[np.float32]:
    """One channel of float32 samples, full scale 1.0: the mean over the channels.

    Args:
        audio: ``(samples,)`` or ``(samples, channels)``, as soundfile reads it; float with full scale 1.0, or
            int16 or int32 with full scale 2**15 or 2**31.

    Raises:
        ValueError: Another shape or type, samples that are not finite, or floats that were never scaled.
    """
    if audio.ndim not in (1, 2):
        raise ValueError(f"audio has {audio.ndim} dimensions; it must be (samples,) or (samples, channels)")
    if audio.ndim == 2 and not 1 <= audio.shape[1] <= MAX_CHANNELS:
        raise ValueError(
            f"audio of shape {audio.shape}: it must be (samples, channels), with 1 to {MAX_CHANNELS} channels"
        )
    if audio.dtype in (np.int16, np.int32):
        samples = (audio / -float(np.iinfo(audio.dtype).min)).astype(np.float32)
    elif np.issubdtype(audio.dtype, np.floating):
        samples = audio.astype(np.float32)
    else:
        raise ValueError(f"samples of type {audio.dtype}; they must be float, int16 or int32")
    if not np.isfinite(samples).all():
        raise ValueError("audio holds samples that are not finite numbers")
    if samples.size and float(np.abs(samples).max()) > MAX_FLOAT_SAMPLE:
        raise ValueError(f"float samples reach {np.abs(samples).max():.0f}; their full scale must be 1.0")
    mono: NDArray[np.float32] = samples if samples.ndim == 1 else samples.mean(axis=1, dtype=np.float32)
    return mono


def log_mel_spectrogram(
    samples: NDArray[np.float32], rate_hz: int, settings: MelSettings
) -> NDArray[np.float32]:
    """Mel amplitudes of a clip in dB re 1.0.

    Args:
        samples: ``(n,)``, at least one, full scale 1.0.
        rate_hz: Their sample rate; nothing is resampled, the filters follow the rate.
        settings: The model's parameters.

    Returns:
        ``(n_mels, frames)``, with one frame per hop, 1 + n // hop of them.

    Raises:
        ValueError: No samples, or a rate at which the window has no sample or does not fit the transform.
    """
    hop = settings.hop_samples(rate_hz)
    window = settings.window_samples(rate_hz)
    if hop < 1 or not 2 <= window <= settings.n_fft:
        raise ValueError(
            f"sample rate {rate_hz} Hz: a window of {window} samples does not fit {settings.n_fft} points"
        )
    if samples.size == 0:
        raise ValueError("no samples")
    half = settings.n_fft // 2
    padded = np.pad(samples, half, mode="reflect")
    # Only the window's own samples are transformed: where they lie inside the n_fft points turns the
    # phase and leaves the magnitude, and the magnitude is all that is used.
    first = (settings.n_fft - window) // 2
    frames = np.lib.stride_tricks.sliding_window_view(padded, window)[first::hop]
    frames = frames[: settings.frame_count(samples.size, rate_hz)]

    taper = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    filters = mel_filterbank(rate_hz, settings)
    mel = np.empty((settings.n_mels, len(frames)), dtype=np.float32)
    for start in range(0, len(frames), _FRAMES_PER_BLOCK):
        block = frames[start : start + _FRAMES_PER_BLOCK] * taper
        magnitude = np.abs(np.fft.rfft(block, n=settings.n_fft, axis=1)).astype(np.float32)
        mel[:, start : start + len(block)] = filters @ magnitude.T
    decibels = 20.0 * np.log10(np.maximum(mel, np.float32(FLOOR_AMPLITUDE)))
    limited: NDArray[np.float32] = np.maximum(decibels, decibels.max() - np.float32(RANGE_DB))
    return limited


@functools.lru_cache(maxsize=16)
def mel_filterbank(rate_hz: int, settings: MelSettings) -> NDArray[np.float32]:
    """Triangular filters, ``(n_mels, n_fft // 2 + 1)``: weight of each transform bin in each mel band.

    The corners are equidistant on Slaney's mel scale; each triangle is scaled to the same area. The array is
    shared between callers and cannot be written to.
    """
    corners_hz = _mel_to_hz(np.linspace(0.0, _hz_to_mel(settings.fmax_hz), settings.n_mels + 2))
    low, centre, high = corners_hz[:-2, None], corners_hz[1:-1, None], corners_hz[2:, None]
    bins_hz = np.arange(settings.n_fft // 2 + 1) * (rate_hz / settings.n_fft)
    triangle = np.minimum((bins_hz - low) / (centre - low), (high - bins_hz) / (high - centre))
    filters: NDArray[np.float32] = (np.maximum(triangle, 0.0) * (2.0 / (high - low))).astype(np.float32)
    filters.setflags(write=False)
    return filters


# Slaney (1998): linear up to 1 kHz with 200/3 Hz to a mel, above it 27 mels for a factor of 6.4.
_LINEAR_HZ_PER_MEL = 200.0 / 3.0
_BREAK_HZ = 1000.0
_BREAK_MEL = _BREAK_HZ / _LINEAR_HZ_PER_MEL
_LOG_STEP = np.log(6.4) / 27.0


def _hz_to_mel(hz: float) -> float:
    if hz < _BREAK_HZ:
        return hz / _LINEAR_HZ_PER_MEL
    return float(_BREAK_MEL + np.log(hz / _BREAK_HZ) / _LOG_STEP)


def _mel_to_hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    above = _BREAK_HZ * np.exp(_LOG_STEP * (np.maximum(mel, _BREAK_MEL) - _BREAK_MEL))
    hz: NDArray[np.float64] = np.where(mel < _BREAK_MEL, mel * _LINEAR_HZ_PER_MEL, above)
    return hz
