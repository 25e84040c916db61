"""What happens where one language meets another: pause, level and timbre at the seams of a switched phrase.

A voice that hands a foreign word to another model is heard at the seams: it pauses, the word is louder or
quieter, or somebody else says it. Each is told against the same voice's own speech: the pause against its
gaps between other words, level and timbre of the phrase against the same place of a control, which has a
native word there, since words differ in level by themselves, and voices pause where a phrase ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ, to_speech_rate
from metrics.spans import Span
from metrics.synthesis.mel import MelSettings, log_mel_spectrogram

VERSION = "2"
"""1 told the level by the mean over bands of the spectrum in dB, which is another for other vowels, too, and
took every pause for too long that was 150 ms beyond the median gap."""
BLOCK_S = 0.005
SILENCE_BELOW_LOUD_DB = 32.0
SILENT_DBFS = -75.0
"""A reading whose loud blocks lie below this is silent."""
REACH_S = 0.2
"""Within so much of where a word is said to begin or end its gap is looked for."""
LEAST_PHRASE_S = 0.15
ACTIVE_BELOW_LOUD_DB = 25.0
"""A frame that lies so far below the loud ones, or further, is not heard."""
LEVEL_WINDOW_S = 0.05
LEVEL_EDGE_S = 0.03
"""At either end of the phrase it may be the word beside it that is heard."""
LEVEL_FROM_HZ, LEVEL_UP_TO_HZ = 150.0, 3400.0
SPECTRUM = MelSettings(n_fft=512, hop_s=0.01, window_s=0.025, n_mels=24, fmax_hz=3400.0)

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class SeamSounds:
    """One reading around a phrase.

    Attributes:
        pause_before_s, pause_after_s: Silence at its seams; None: the reading begins or ends there.
        own_gap_s, longest_gap_s: Silence at the other word boundaries of the reading: its median, 0 in fluent
            speech, and the longest, as where the voice ends a phrase.
        level_db: Of the phrase over the words around it: power of the louder half of its frames.
        timbre_db: Distance of their mean spectra, level taken out, as root of the mean square over bands.
    """

    pause_before_s: float | None
    pause_after_s: float | None
    own_gap_s: float
    longest_gap_s: float
    level_db: float
    timbre_db: float

    def pauses_beyond(self, control: SeamSounds) -> tuple[float | None, float | None]:
        """The pauses before and after the phrase beyond the voice's own gaps, below 0 where they are shorter.

        Before the phrase its own are the median of the others and what is in the same place of the control;
        behind it, where a phrase may end, the longest of the control as well. None: there is no seam.
        """
        before_s = max(self.own_gap_s, control.pause_before_s or 0.0)
        after_s = max(self.own_gap_s, control.pause_after_s or 0.0, control.longest_gap_s)
        return (
            None if self.pause_before_s is None else self.pause_before_s - before_s,
            None if self.pause_after_s is None else self.pause_after_s - after_s,
        )


def seam_sounds(
    audio: Samples, sample_rate_hz: int, *, phrase: Span, words: Sequence[Span]
) -> SeamSounds | None:
    """Measures the seams of one reading; None: the phrase or what surrounds it is too short or silent.

    Args:
        audio: The reading and nothing else, mono, full scale 1.0.
        phrase: Where the switched phrase is said, within 0.1 s.
        words: Of the whole reading, those of the phrase included.
    """
    narrow = to_speech_rate(audio, sample_rate_hz)
    silent = _silence(narrow)
    if silent is None:
        return None
    rest = [one for one in words if one.overlap_s(phrase) < 0.5 * one.duration_s]
    edges = [one.end_s for one in rest[:-1]]
    inner = [at for at in edges if min(abs(at - phrase.start_s), abs(at - phrase.end_s)) > REACH_S]
    own = [_gap_s(silent, at) for at in inner] or [0.0]
    spoken = np.flatnonzero(~silent) * BLOCK_S
    first_s, last_s = float(spoken[0]), float(spoken[-1])
    inside, outside = _loud_halves(narrow, phrase)
    if inside is None or outside is None:
        return None
    shapes = [one.bands_db - one.bands_db.mean() for one in (inside, outside)]
    return SeamSounds(
        pause_before_s=None if phrase.start_s - first_s < REACH_S else _gap_s(silent, phrase.start_s),
        pause_after_s=None if last_s - phrase.end_s < REACH_S else _gap_s(silent, phrase.end_s),
        own_gap_s=float(np.median(own)),
        longest_gap_s=max(own),
        level_db=inside.level_db - outside.level_db,
        timbre_db=float(np.sqrt(np.mean((shapes[0] - shapes[1]) ** 2))),
    )


def _silence(narrow: Samples) -> NDArray[np.bool_] | None:
    size = round(BLOCK_S * SPEECH_RATE_HZ)
    count = len(narrow) // size
    blocks = narrow[: count * size].astype(np.float64).reshape(count, size)
    levels = 10 * np.log10(np.mean(blocks**2, axis=1) + 1e-12)
    if not len(levels) or (loud := float(np.quantile(levels, 0.9))) < SILENT_DBFS:
        return None
    return np.asarray(levels < loud - SILENCE_BELOW_LOUD_DB)


def _gap_s(silent: NDArray[np.bool_], at_s: float) -> float:
    """The longest silence that touches the time within :data:`REACH_S`, with all of its length."""
    first, last = (round((at_s + off) / BLOCK_S) for off in (-REACH_S, REACH_S))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], silent.astype(np.int8), [0]])))
    runs = zip(edges[::2], edges[1::2], strict=True)
    inside = [
        end - start for start, end in runs if end > first and start < last and start and end < len(silent)
    ]
    return float(max(inside, default=0) * BLOCK_S)


class _Loud(NamedTuple):
    """The louder half of some frames: mean level of each band, and mean of their whole level."""

    bands_db: NDArray[np.float64]
    level_db: float


def _loud_halves(narrow: Samples, phrase: Span) -> tuple[_Loud | None, _Loud | None]:
    """Inside the phrase and outside of it."""
    mel = log_mel_spectrogram(narrow, SPEECH_RATE_HZ, SPECTRUM).T.astype(np.float64)
    times = np.arange(len(mel)) * SPECTRUM.hop_s
    levels = _levels(narrow)
    inside = (times >= phrase.start_s) & (times < phrase.end_s)
    sure = (times >= phrase.start_s + LEVEL_EDGE_S) & (times < phrase.end_s - LEVEL_EDGE_S)
    found: list[_Loud | None] = []
    for part, level_part in ((inside, sure), (~inside, ~inside)):
        active = part & (mel.max(axis=1) > np.quantile(mel.max(axis=1), 0.9) - ACTIVE_BELOW_LOUD_DB)
        if np.count_nonzero(active) * SPECTRUM.hop_s < LEAST_PHRASE_S:
            found.append(None)
            continue
        loud = active & (levels >= np.median(levels[active]))
        within = levels[active & level_part]
        loudest = within[within >= np.median(within)]
        found.append(_Loud(mel[loud].mean(axis=0), float(loudest.mean())))
    return found[0], found[1]


def _levels(narrow: Samples) -> NDArray[np.float64]:
    """Power between :data:`LEVEL_FROM_HZ` and :data:`LEVEL_UP_TO_HZ` of each frame of the spectrum, in dB
    that are for comparison only."""
    size, hop = (round(length_s * SPEECH_RATE_HZ) for length_s in (LEVEL_WINDOW_S, SPECTRUM.hop_s))
    window = np.hanning(size)
    around = np.pad(narrow.astype(np.float64), size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(around, size)[::hop] * window
    hz = np.fft.rfftfreq(size, 1 / SPEECH_RATE_HZ)
    band = (hz >= LEVEL_FROM_HZ) & (hz <= LEVEL_UP_TO_HZ)
    power = np.sum(np.abs(np.fft.rfft(frames)[:, band]) ** 2, axis=1)
    return np.asarray(10 * np.log10(np.maximum(power, np.finfo(np.float64).tiny)))
