"""The way by which one side's own voice comes back on the other's channel: its delay and its filter.

A copy is known by its shape. Both sides are whitened (the magnitudes of each frame are flattened, the
phases stay), so that neither loudness nor the common spectrum of speech makes two voices alike. Then a copy
is one sharp peak of their correlation at its delay, through G.711, Opus and a filter alike, and another
voice that says the same words at the same time is none. What came back is then predicted by least squares
(a filter of :data:`TAPS_S`), from the frames in which nobody else is heard.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz
from scipy.signal import fftconvolve

from metrics.resample import SPEECH_RATE_HZ

TAPS_S = 0.064
BEFORE_PEAK_S = 0.008
"""Of the filter so much lies before the strongest path."""
FRAME = 512
"""Samples of a whitened frame (32 ms at 16 kHz)."""
FAINT = 1e-4
"""Root mean square (-80 dBFS) under which a frame is nothing but rounding and a codec's noise."""
SHARPNESS = 14.0
SHARE = 0.08
"""A copy's peak stands so many standard deviations above the correlation at all other delays, and so much of
the whitened sound is it. Of 306 pairs of sentences in one voice the highest were 10.7 and 0.06, of the
same words in time at another pitch 4.8 and 0.02, of two readings of them by one synthetic voice 16.6 and
0.074; of echoes 20 to 40 dB down through G.711, Opus, a hybrid and a room the lowest were 16 and 0.09."""
WEAK = 0.65
"""A peak of this share of both is a copy's where another stretch has one at the same delay."""
PEAK_WIDTH_S = 0.02
FIT_FRAME = 320
"""Samples (20 ms) that are told apart as an echo alone, or somebody beside it."""
EXPLAINED = 0.5
"""Of a frame's power, at least, that the prediction takes away where the echo is alone."""
ROUNDS = 4
RIDGE = 1e-4

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Peak:
    """A copy's delay, how much of the whitened sound it is (0..1), and by how many standard deviations its
    peak stands out."""

    delay_s: float
    share: float
    sharpness: float

    @property
    def sure(self) -> bool:
        """Whether it needs no other stretch to confirm it."""
        return self.sharpness >= SHARPNESS and self.share >= SHARE


def whitened(audio: Samples) -> Floats:
    """The sound with the magnitudes of each frame flattened; frames under :data:`FAINT` are silent."""
    hop = FRAME // 2
    window = np.sqrt(np.hanning(FRAME + 1)[:-1])
    count = max(1, -(-len(audio) // hop) + 1)
    padded = np.zeros((count + 1) * hop)
    padded[hop : hop + len(audio)] = audio[: len(padded) - hop]
    frames = np.lib.stride_tricks.sliding_window_view(padded, FRAME)[::hop] * window
    spectra = np.fft.rfft(frames, axis=1)
    magnitudes = np.abs(spectra)
    # Bins that hold next to nothing (above a telephone's band) stay so: their phases are noise.
    least = 1e-2 * np.max(magnitudes, axis=1, keepdims=True) + 1e-12
    flat = spectra / np.maximum(magnitudes, least)
    flat[np.sqrt(np.mean(np.square(frames), axis=1)) < FAINT] = 0.0
    parts = np.fft.irfft(flat, n=FRAME, axis=1) * window
    result = np.zeros_like(padded)
    result[: len(parts) * hop] += parts[:, :hop].ravel()
    result[hop : hop + len(parts) * hop] += parts[:, hop:].ravel()
    return np.asarray(result[hop : hop + len(audio)])


def copy_in(source: Floats, heard: Floats, *, longest_s: float) -> Peak | None:
    """The delay at which ``heard`` may hold a copy of ``source``, both whitened; None where it holds none.

    Args:
        source: Begins ``longest_s`` before ``heard`` does, and ends with it.
    """
    lags = round(longest_s * SPEECH_RATE_HZ)
    assert len(source) == len(heard) + lags
    loud = float(np.sqrt(np.sum(np.square(heard))))
    if loud == 0.0:
        return None
    correlation = fftconvolve(source, heard[::-1], mode="valid")[::-1]
    place = int(np.argmax(np.abs(correlation)))
    apart = np.abs(np.arange(lags + 1) - place) > PEAK_WIDTH_S * SPEECH_RATE_HZ
    spread = float(np.sqrt(np.mean(np.square(correlation[apart])))) if apart.any() else 0.0
    copied = source[lags - place : lags - place + len(heard)]
    power = float(np.sqrt(np.sum(np.square(copied))))
    if power == 0.0 or spread == 0.0:
        return None
    height = abs(float(correlation[place]))
    share = height / (loud * power)
    if height < WEAK * SHARPNESS * spread or share < WEAK * SHARE:
        return None
    return Peak(delay_s=place / SPEECH_RATE_HZ, share=share, sharpness=height / spread)


@dataclass(frozen=True, kw_only=True)
class Path:
    """An echo's way over one stretch.

    Attributes:
        first: Delay of the filter's first tap, in samples at 16 kHz.
        alone: Of :data:`FIT_FRAME` samples each: the echo is heard and nobody else.
    """

    first: int
    taps: Floats
    alone: NDArray[np.bool_]

    @property
    def level_db(self) -> float:
        """Power of the filter: how much quieter what came back is."""
        return float(10 * np.log10(max(1e-12, float(np.sum(np.square(self.taps))))))


def predicted(source: Samples, path: Path, *, lead: int, length: int) -> Floats:
    """What comes back of ``source`` over a stretch of ``length`` samples that begins ``lead`` later."""
    return np.asarray(fftconvolve(source, path.taps)[lead - path.first : lead - path.first + length])


def path_of(source: Samples, heard: Samples, *, delay_s: float, lead: int) -> Path:
    """The filter between what was sent and what came back of it, from where that is heard alone.

    Args:
        source: What was sent; begins ``lead`` samples before ``heard``.
    """
    before, count = round(BEFORE_PEAK_S * SPEECH_RATE_HZ), round(TAPS_S * SPEECH_RATE_HZ)
    first = max(0, round(delay_s * SPEECH_RATE_HZ) - before)
    sent, came = _emphasised(source), _emphasised(heard)
    begins = lead - first - count
    sent = sent[begins:] if begins > 0 else np.pad(sent, (-begins, 0))
    sent = sent[: len(came) + count]
    size = 1 << (len(sent) + count).bit_length()
    spectrum = np.fft.rfft(sent, size)
    own = np.fft.irfft(np.square(np.abs(spectrum)), size)[:count]
    own[0] *= 1 + RIDGE
    frames = -(-len(came) // FIT_FRAME)
    # In the beginning the quieter half is taken: whoever else speaks is louder than an echo.
    target, alone = _limited(came), np.ones(frames, dtype=bool)
    taps = np.zeros(count)
    if own[0] <= 0.0:
        return Path(first=first, taps=taps, alone=np.zeros(frames, dtype=bool))
    for _ in range(ROUNDS):
        padded = np.concatenate([np.zeros(count), target])
        across = np.fft.irfft(np.fft.rfft(padded, size) * np.conj(spectrum), size)[:count]
        taps = solve_toeplitz(own, across)
        guess = np.asarray(fftconvolve(sent, taps)[count : count + len(came)])
        there, left, told = _power(came), _power(came - guess), _power(guess)
        alone = (left <= (1 - EXPLAINED) * there) & (told > FAINT**2)
        # Where somebody else is heard, the prediction stands for what was not heard by itself.
        # So it does where nothing came back, as behind a suppressor of echoes.
        quiet = (there < FAINT**2) & (told < FAINT**2)
        mask = np.repeat(alone | quiet, FIT_FRAME)[: len(came)]
        target = np.where(mask, came, guess)
    return Path(first=first, taps=taps, alone=alone)


def _emphasised(audio: Samples) -> Floats:
    wide = np.asarray(audio, dtype=np.float64)
    return np.concatenate([wide[:1], wide[1:] - 0.95 * wide[:-1]])


def _limited(audio: Floats) -> Floats:
    """Frames that are louder than most are brought down to these."""
    power = np.sqrt(_power(audio))
    sounding = power[power > FAINT]
    most = float(np.percentile(sounding, 40)) * 2 if len(sounding) else 1.0
    gain = np.repeat(np.minimum(1.0, most / np.maximum(power, 1e-12)), FIT_FRAME)[: len(audio)]
    return np.asarray(audio * gain, dtype=np.float64)


def _power(audio: Floats) -> Floats:
    frames = -(-len(audio) // FIT_FRAME)
    padded = np.zeros(frames * FIT_FRAME)
    padded[: len(audio)] = audio
    return np.asarray(np.mean(np.square(padded.reshape(frames, FIT_FRAME)), axis=1))
