"""What goes wrong in a voice on its way out, without a model: drop-outs, clipping, level jumps, cut ends.

Each rule was chosen on three voices and tried once on others (``docs/artefacts.md``, ``python -m
bench.artefacts``). Levels are relative to the loud part of the same stretch of speech, so that none of them
depends on how loud the agent is. All hold for telephone-band sound as well as for wideband.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from metrics.detection.levels import BLOCK_S, Levels, Samples, block_levels, loud_part
from metrics.spans import Span

VERSION = "1"
LEAST_S = 1.0
"""Shorter stretches tell nothing of their peaks or their level."""

DROP_DB = 20.0
DROP_BELOW_LOUD_DB = 15.0
DROP_EDGE_BLOCKS = 3
"""Speech falls to silence and comes back within so many blocks; a stop consonant takes longer to close."""
DROP_AROUND_BLOCKS = 4
LONGEST_DROP_S = 0.21

PEAK_FRAME_S = 0.02
PEAK_QUANTILE = 0.98
LOUDEST_SHARE = 0.4
CLIPPED_BELOW = 0.12
"""Frames of one voice differ in their peaks; those of one that is clipped do not."""

JUMP_WINDOW_S = 1.0
JUMP_DB = 7.0
JUMP_SPEECH_SHARE = 0.6
JUMP_SPEECH_DB = 20.0

END_FROM_DB, END_TO_DB = 8.0, 25.0
END_WITHIN_BLOCKS = 3
"""A voice takes longer than this from loud to silence, and the ringing of a codec hardly longer."""
END_QUIET_S = 0.05
"""So long before the last that is looked at it has to have been quiet: a noise that comes and goes about the
level at which speech is over says neither that speech broke off nor that it did not."""


@dataclass(frozen=True, kw_only=True)
class Jump:
    """A step of the level: when, and by how many dB."""

    at_s: float
    db: float


@dataclass(frozen=True, kw_only=True)
class StretchArtefacts:
    """What was found in one stretch of speech; times are those of the recording.

    Attributes:
        peak_spread: Standard deviation over mean of the peaks of the loud frames; None: too short a stretch.
        cut_end: Whether it ends at full level; None: it is never loud, or what follows it is not quiet.
    """

    span: Span
    drop_outs: tuple[Span, ...] = ()
    jumps: tuple[Jump, ...] = ()
    peak_spread: float | None = None
    cut_end: bool | None = None

    @property
    def clipped(self) -> bool | None:
        """None: not known."""
        return None if self.peak_spread is None else self.peak_spread < CLIPPED_BELOW


def find_artefacts(audio: Samples, sample_rate_hz: int, span: Span) -> StretchArtefacts:
    """Looks at one stretch of a recording.

    Args:
        audio: The recording, mono.
        span: From the first voiced sample of the stretch to its last; what follows it is looked at as well.
    """
    first, last = round(span.start_s * sample_rate_hz), round(span.end_s * sample_rate_hz)
    speech = audio[first:last]
    levels = block_levels(speech, sample_rate_hz)
    loud = loud_part(levels)
    if loud is None:
        return StretchArtefacts(span=span)
    long_enough = span.duration_s >= LEAST_S
    after = round(0.1 * sample_rate_hz)
    return StretchArtefacts(
        span=span,
        drop_outs=tuple(
            Span(start_s=span.start_s + one.start_s, end_s=span.start_s + one.end_s)
            for one in drop_outs(levels, loud)
        ),
        jumps=tuple(Jump(at_s=span.start_s + one.at_s, db=one.db) for one in level_jumps(levels, loud)),
        peak_spread=peak_spread(speech, sample_rate_hz) if long_enough else None,
        cut_end=ends_at_full_level(block_levels(_padded(audio, first, last + after), sample_rate_hz), loud),
    )


def drop_outs(levels: Levels, loud: float) -> list[Span]:
    """Holes of 10 to 207 ms in the middle of loud speech, in seconds from the first block."""
    return [Span(start_s=start * BLOCK_S, end_s=end * BLOCK_S) for start, end in _holes(levels, loud)]


def _holes(levels: Levels, loud: float) -> Iterator[tuple[int, int]]:
    floor = loud - DROP_BELOW_LOUD_DB
    at, last = DROP_AROUND_BLOCKS, len(levels) - DROP_AROUND_BLOCKS
    while at < last:
        before = float(levels[at - DROP_AROUND_BLOCKS : at].min())
        fallen = np.flatnonzero(levels[at : at + DROP_EDGE_BLOCKS] <= before - DROP_DB)
        if before >= floor and len(fallen):
            end = _end_of_hole(levels, at + int(fallen[0]), before, floor)
        else:
            end = None
        if end is None:
            at += 1
        else:
            yield at, end
            at = end


def _end_of_hole(levels: Levels, start: int, before: float, floor: float) -> int | None:
    """The first loud block after a hole; None: it is none, since speech comes back slowly or not in time."""
    for end in range(
        start + 2, min(start + round(LONGEST_DROP_S / BLOCK_S), len(levels) - DROP_AROUND_BLOCKS)
    ):
        after = float(levels[end : end + DROP_AROUND_BLOCKS].min())
        if after < floor:
            continue
        inside = end - DROP_EDGE_BLOCKS
        silent = levels[start:inside]
        rises = float(levels[max(inside, start) : end].min()) <= after - DROP_DB
        if len(silent) and rises and float(silent.max()) <= min(before, after) - DROP_DB + 4:
            return end
        return None
    return None


def peak_spread(audio: Samples, sample_rate_hz: int) -> float | None:
    """How unlike the peaks of loud frames are: 0.16 to 0.4 in clean speech, 0.03 to 0.12 where it is clipped
    by 12 dB, after Opus as well. None without loud frames."""
    size = round(PEAK_FRAME_S * sample_rate_hz)
    count = len(audio) // size
    frames = audio[: count * size].astype(np.float64).reshape(count, size)
    energies = np.sqrt(np.mean(frames**2, axis=1))
    heard = energies > energies.max(initial=0.0) * 10 ** (-35 / 20)
    if np.count_nonzero(heard) < 10:
        return None
    loud = heard & (energies >= np.quantile(energies[heard], 1 - LOUDEST_SHARE))
    peaks = np.quantile(np.abs(frames[loud]), PEAK_QUANTILE, axis=1)
    return float(np.std(peaks) / np.mean(peaks))


def level_jumps(levels: Levels, loud: float) -> list[Jump]:
    """Where the speech of the second after is 7 dB or more off that of the second before: of each such place
    the sharpest step."""
    window = round(JUMP_WINDOW_S / BLOCK_S)
    speech = levels > loud - JUMP_SPEECH_DB
    power = np.where(speech, 10 ** (levels / 10), 0.0)
    count, total = (np.concatenate([[0.0], np.cumsum(one)]) for one in (speech.astype(np.float64), power))
    found: list[Jump] = []
    for at in range(window, len(levels) - window, 8):
        spoken = count[at] - count[at - window], count[at + window] - count[at]
        if min(spoken) < JUMP_SPEECH_SHARE * window:
            continue
        before, after = (
            (total[at] - total[at - window]) / spoken[0],
            (total[at + window] - total[at]) / spoken[1],
        )
        step = Jump(at_s=at * BLOCK_S, db=float(10 * np.log10(after / before)))
        if abs(step.db) < JUMP_DB:
            continue
        if found and step.at_s - found[-1].at_s < JUMP_WINDOW_S:
            found[-1] = max(found[-1], step, key=lambda one: abs(one.db))
        else:
            found.append(step)
    return found


def ends_at_full_level(levels: Levels, loud: float) -> bool | None:
    """Whether from loud to silence it takes no more than 7.5 ms. None: nothing is loud, or what follows is
    not 25 dB below it, as where a noise goes on beneath the voice.

    Args:
        levels: Of a stretch of speech and the 0.1 s after it.
    """
    at = np.flatnonzero(levels >= loud - END_FROM_DB)
    if not len(at) or float(np.median(levels[-round(END_QUIET_S / BLOCK_S) :])) >= loud - END_TO_DB:
        return None
    below = np.flatnonzero(levels[at[-1] :] < loud - END_TO_DB)
    return int(below[0]) <= END_WITHIN_BLOCKS if len(below) else None


def _padded(audio: Samples, first: int, last: int) -> Samples:
    return np.pad(audio[first:last], (0, max(0, last - max(len(audio), first))))
