"""A reading as frames that can be laid beside those of another: cepstra, without its pauses.

Mel cepstra (Davis and Mermelstein, IEEE Trans. ASSP 28, 1980) up to 3.4 kHz, so that telephone-band sound is
described as wideband sound is. A pause is cut down to :data:`LONGEST_SILENCE_S`, since articulation rate is
counted without pauses and the closure of a stop consonant is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ, to_speech_rate
from metrics.synthesis.mel import MelSettings, log_mel_spectrogram

HOP_S = 0.01
SETTINGS = MelSettings(n_fft=512, hop_s=HOP_S, window_s=0.025, n_mels=24, fmax_hz=3400.0)
CEPSTRA = 13
DELTA_FRAMES = 2
LOUD_QUANTILE = 0.9
SILENCE_BELOW_LOUD_DB = 32.0
"""What lies further below the loud part of a reading is silence."""
LONGEST_SILENCE_S = 0.04
"""So much is kept of a silence, beside the 40 ms at its edges in which the window still hears speech."""
LEAST_S, MOST_S = 0.3, 60.0

Samples = NDArray[np.float32]
Matrix = NDArray[np.float64]


class UnreadableError(ValueError):
    """A reading that cannot be measured: too short, too long, or silent. The message says which."""


@dataclass(frozen=True, kw_only=True)
class Frames:
    """Attributes:
    features: ``(frames, numbers)``: cepstra and their slopes, each with mean 0 and deviation 1.
    times_s: ``(frames,)``: where in the sound each frame lies.
    """

    features: Matrix
    times_s: Matrix

    def index_at(self, time_s: float) -> float:
        """Frames before a time, a part of one included."""
        return float(np.interp(time_s, self.times_s, np.arange(len(self.times_s))))


def frames_of(audio: Samples, sample_rate_hz: int) -> Frames:
    """The frames of one reading, 10 ms each, pauses cut down.

    Args:
        audio: Mono, full scale 1.0.

    Raises:
        UnreadableError: See there.
    """
    seconds = len(audio) / sample_rate_hz
    if not LEAST_S <= seconds <= MOST_S:
        raise UnreadableError(f"a reading of {seconds:.1f} s; it must last {LEAST_S} to {MOST_S:.0f} s")
    narrow = to_speech_rate(audio, sample_rate_hz)
    mel = log_mel_spectrogram(narrow, SPEECH_RATE_HZ, SETTINGS).T.astype(np.float64)
    loudness = 10 * np.log10(np.mean(10 ** (mel / 10), axis=1))
    loud = float(np.quantile(loudness, LOUD_QUANTILE))
    if loud < -75.0:
        raise UnreadableError("a reading that is silent")
    silent = loudness < loud - SILENCE_BELOW_LOUD_DB
    kept = ~silent | _short_or_edge(silent)
    inside = np.nonzero(~silent)[0]
    kept[: inside[0]] = False
    kept[inside[-1] + 1 :] = False
    if np.count_nonzero(kept) * HOP_S < LEAST_S:
        raise UnreadableError(f"a reading with {np.count_nonzero(kept) * HOP_S:.2f} s of speech")
    # What is far below the loud part is all alike: the noise of a line is no likeness of two sounds.
    cepstra = np.maximum(mel, mel[~silent].max() - 60.0) @ _cosines(SETTINGS.n_mels).T
    features = np.hstack([cepstra, _slopes(cepstra)])[kept]
    features = (features - features.mean(axis=0)) / (features.std(axis=0) + 1e-6)
    return Frames(features=features, times_s=(np.arange(len(mel)) * HOP_S)[kept])


def _short_or_edge(silent: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The frames of each run of silence that are kept: its first and last, no more than is allowed."""
    kept = np.zeros(len(silent), dtype=bool)
    half = round(LONGEST_SILENCE_S / HOP_S) // 2
    edges = np.flatnonzero(np.diff(np.concatenate([[0], silent.astype(np.int8), [0]])))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        kept[start : min(start + half, end)] = True
        kept[max(end - half, start) : end] = True
    return kept


def _cosines(bands: int) -> Matrix:
    order = np.arange(CEPSTRA)[:, None]
    return np.asarray(np.cos(np.pi * order * (np.arange(bands) + 0.5) / bands), np.float64)


def _slopes(cepstra: Matrix) -> Matrix:
    padded = np.pad(cepstra, ((DELTA_FRAMES, DELTA_FRAMES), (0, 0)), mode="edge")
    steps = range(1, DELTA_FRAMES + 1)
    count = len(cepstra)
    total = sum(
        step
        * (
            padded[DELTA_FRAMES + step : DELTA_FRAMES + step + count]
            - padded[DELTA_FRAMES - step : DELTA_FRAMES - step + count]
        )
        for step in steps
    )
    return np.asarray(total / (2 * sum(step**2 for step in steps)), np.float64)
