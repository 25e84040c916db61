"""The caller's own voice on the agent's channel: a line echo, which is no speech of the agent's.

A telephone's hybrid and a loudspeaker send back what they are sent, later and quieter. Where the agent's
channel sounds soon after the caller does, it is held to a copy of what was sent
(:mod:`metrics.detection.echo_path`). What is found is taken away, and what is then left in its place, and is
no louder than such an echo leaves, is silenced, so that the detectors hear the agent alone. Where so much is
left that the agent's own sound may hide under it, an edge of speech there is doubtful.

Not known as an echo is what has no shape of its own any more: from a loudspeaker that distorts, or under a
room's reverberation at -40 dB through G.711 in a single short stretch.

A copy that comes later than :data:`LONGEST_ECHO_S` may be a playback as well as an echo, and nobody can tell:
it is no speech of the agent's own, and no silence either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from metrics.detection.echo_path import FIT_FRAME, Path, Peak, copy_in, path_of, predicted, whitened
from metrics.resample import SPEECH_RATE_HZ, resampled
from metrics.spans import Span, merge_spans

LONGEST_ECHO_S = 0.6
"""The longest way round of a line; what comes later is a copy of which nobody can tell what sent it back."""
LONGEST_COPY_S = 3.0
STRETCH_S = 6.0
"""Longer speech of the caller's is looked at piece by piece, as the way may change."""
PAUSE_S = 0.6
TAIL_S = 0.1
"""So long what came back rings on."""
LOUDEST_DB = 3.0
"""What is louder than what was sent is not its copy: the agent is heard on the caller's channel."""
LEAST_S = 0.1
"""Of an echo so much is heard alone, at least."""
SAME_DELAY_S = 0.002
MOSTLY = 0.5
"""Of a stretch that is a copy, at least, the prediction takes away."""
BLOCK_S = 0.005
SMEAR_S = 0.03
"""A codec spreads what a prediction misses over its frame."""
DECAY_DB_PER_S = 200.0
"""A room's reverberation falls so fast, or faster."""
LEFT_PERCENTILE = 75.0
LEFT_MARGIN = 3.0
MOST_LEFT = 1.25
AROUND_FRAMES = 9
BLIP_S = 0.04
ALONE_S = 0.15
"""What is left for a shorter time than the first, with nothing else within the second, is no speech."""
EDGE_S = 0.15

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LineEcho:
    """The caller's voice as it came back.

    Attributes:
        delay_s, level_db: Of the stretches, the median; the level is what came back over what was sent.
        heard: Where it is: from the first to the last of each stretch.
        hidden: Where it leaves too much to tell how the agent's speech began or ended.
        copies: Where the caller's voice comes so late that it may as well be a playback.
    """

    delay_s: float
    level_db: float
    heard: tuple[Span, ...] = ()
    hidden: tuple[Span, ...] = ()
    copies: tuple[Span, ...] = ()

    def hides(self, at_s: float, *, end: bool) -> str:
        """Why an edge of speech is doubtful; empty where it is not."""
        near = Span(start_s=at_s - EDGE_S, end_s=at_s + EDGE_S if end else at_s)
        if not any(one.overlap_s(near) > 0 for one in self.hidden):
            return ""
        edge = "ended" if end else "began"
        return (
            f"the caller's own voice, back after {self.delay_s * 1000:.0f} ms at {self.level_db:.0f} dB, may "
            f"hide how the agent's speech {edge}"
        )


@dataclass(frozen=True, kw_only=True)
class _Found:
    """An echo in one stretch of the caller's speech; places in samples at 16 kHz."""

    start: int
    stop: int
    peak: Peak
    path: Path


def without_echo(
    caller: Samples,
    agent: Samples,
    rate: int,
    *,
    said: Sequence[Span],
    sounds: Sequence[Span],
    threshold: float,
    floor: float,
) -> tuple[Samples, LineEcho] | None:
    """The agent's channel without the caller's echo; None where there is none.

    Args:
        caller, agent: Both sides at ``rate``, from the same instant on.
        said, sounds: Where each side sounds.
        threshold: Level from which a sample of the agent's counts as voiced.
        floor: Its noise floor, linear.
    """
    stretches = [one for one in _stretches(said) if _sounds_back(one, sounds)]
    if not stretches:
        return None
    sent, came = (resampled(one, rate, SPEECH_RATE_HZ) for one in (caller, agent))
    sent = np.pad(sent, (0, max(0, len(came) - len(sent))))[: len(came)]
    found = _echoes(sent, came, stretches)
    if not found:
        return None
    guess = np.zeros(len(came))
    alone = np.zeros(-(-len(came) // FIT_FRAME), dtype=bool)
    lead = round((LONGEST_ECHO_S + TAIL_S) * SPEECH_RATE_HZ)
    padded = np.pad(sent, (lead, 0))
    for one in found:
        guess[one.start : one.stop] = predicted(
            padded[one.start : one.stop + lead], one.path, lead=lead, length=one.stop - one.start
        )
        first = one.start // FIT_FRAME
        held = alone[first : first + len(one.path.alone)]
        held |= one.path.alone[: len(held)]
    cleaned, hidden = _taken_away(agent, guess, alone, rate, threshold=threshold, floor=floor)
    delays = [one.peak.delay_s for one in found]
    return cleaned, LineEcho(
        delay_s=float(np.median(delays)),
        level_db=float(np.median([one.path.level_db for one in found])),
        heard=tuple(
            Span(start_s=one.start / SPEECH_RATE_HZ, end_s=one.stop / SPEECH_RATE_HZ) for one in found
        ),
        hidden=tuple(hidden),
    )


def late_copies(
    caller: Samples, agent: Samples, rate: int, *, said: Sequence[Span], talks: Sequence[Span]
) -> list[tuple[Span, float, float]]:
    """Which of these stretches are the caller's own voice, later than an echo; with delay and level."""
    near = [
        one
        for one in talks
        if any(spoke.start_s < one.start_s <= spoke.end_s + LONGEST_COPY_S for spoke in said)
    ]
    if not near:
        return []
    sent, came = (resampled(one, rate, SPEECH_RATE_HZ) for one in (caller, agent))
    lags = round(LONGEST_COPY_S * SPEECH_RATE_HZ)
    sent = np.pad(sent, (lags, max(0, len(came) - len(sent))))[: len(came) + lags]
    flat = whitened(sent)
    found = []
    for one in near:
        start = round(one.start_s * SPEECH_RATE_HZ)
        stop = min(len(came), round(min(one.end_s, one.start_s + STRETCH_S) * SPEECH_RATE_HZ))
        peak = copy_in(flat[start : stop + lags], whitened(came[start:stop]), longest_s=LONGEST_COPY_S)
        if peak is None or not peak.sure:
            continue
        path = path_of(sent[start : stop + lags], came[start:stop], delay_s=peak.delay_s, lead=lags)
        if float(np.mean(path.alone)) >= MOSTLY and path.level_db <= LOUDEST_DB:
            found.append((one, peak.delay_s, path.level_db))
    return found


def with_copies(echo: LineEcho | None, copies: Sequence[tuple[Span, float, float]]) -> LineEcho | None:
    """An echo, and what came later than one."""
    spans = tuple(span for span, _, _ in copies)
    if echo is not None or not copies:
        return None if echo is None else replace(echo, copies=spans)
    return LineEcho(
        delay_s=float(np.median([delay_s for _, delay_s, _ in copies])),
        level_db=float(np.median([level_db for _, _, level_db in copies])),
        copies=spans,
    )


def _stretches(said: Sequence[Span]) -> list[Span]:
    found = []
    for one in merge_spans(said, max_gap_s=PAUSE_S):
        pieces = max(1, round(one.duration_s / STRETCH_S))
        edges = np.linspace(one.start_s, one.end_s, pieces + 1).tolist()
        found += [Span(start_s=a, end_s=b) for a, b in pairwise(edges)]
    return found


def _sounds_back(one: Span, sounds: Sequence[Span]) -> bool:
    back = Span(start_s=one.start_s, end_s=one.end_s + LONGEST_ECHO_S)
    return any(sound.overlap_s(back) > 0 for sound in sounds)


def _echoes(sent: Samples, came: Samples, stretches: Sequence[Span]) -> list[_Found]:
    """The echo in each stretch; in one where it does not show by itself, by the way of the nearest."""
    lags = round(LONGEST_ECHO_S * SPEECH_RATE_HZ)
    tail = round(TAIL_S * SPEECH_RATE_HZ)
    found: list[_Found] = []
    unknown: list[tuple[int, int]] = []
    looked: list[tuple[int, int, Samples, Peak | None]] = []
    for one in stretches:
        # On a frame's border, so that the frames of all stretches are the same.
        start = round(one.start_s * SPEECH_RATE_HZ) // FIT_FRAME * FIT_FRAME
        stop = min(len(came), round(one.end_s * SPEECH_RATE_HZ) + lags + tail)
        before = np.pad(sent[max(0, start - lags) : stop], (max(0, lags - start), 0))
        peak = copy_in(whitened(before), whitened(came[start:stop]), longest_s=LONGEST_ECHO_S)
        looked.append((start, stop, before, peak))
    for place, (start, stop, before, peak) in enumerate(looked):
        others = [one[3] for one in looked[:place] + looked[place + 1 :]]
        if peak is None or not _is_sure(peak, others):
            unknown.append((start, stop))
            continue
        path = path_of(before, came[start:stop], delay_s=peak.delay_s, lead=lags)
        heard_alone = float(np.sum(path.alone)) * FIT_FRAME >= LEAST_S * SPEECH_RATE_HZ
        if heard_alone and path.level_db <= LOUDEST_DB:
            found.append(_Found(start=start, stop=stop, peak=peak, path=path))
        else:
            unknown.append((start, stop))
    known = list(found)
    for start, stop in unknown if known else ():
        nearest = min(known, key=lambda one: abs(one.start - start))
        nothing = np.zeros(-(-(stop - start) // FIT_FRAME), dtype=bool)
        path = replace(nearest.path, alone=nothing)
        found.append(_Found(start=start, stop=stop, peak=nearest.peak, path=path))
    return sorted(found, key=lambda one: one.start)


def _is_sure(peak: Peak, others: Sequence[Peak | None]) -> bool:
    return peak.sure or any(
        other is not None and abs(other.delay_s - peak.delay_s) <= SAME_DELAY_S for other in others
    )


def _taken_away(
    agent: Samples, guess: Floats, alone: NDArray[np.bool_], rate: int, *, threshold: float, floor: float
) -> tuple[Samples, list[Span]]:
    """The agent's channel without what was predicted, and where so much is left that speech may hide."""
    block = round(BLOCK_S * rate)
    count = -(-len(agent) // block)
    echo = resampled(guess.astype(np.float32), SPEECH_RATE_HZ, rate)
    echo = np.pad(echo, (0, max(0, len(agent) - len(echo))))[: len(agent)]
    whole = np.pad(agent, (0, count * block - len(agent))).reshape(count, block)
    taken = np.pad(agent - echo, (0, count * block - len(agent))).reshape(count, block)
    told = np.max(np.abs(np.pad(echo, (0, count * block - len(agent))).reshape(count, block)), axis=1)
    # Where nothing came back, as behind an echo suppressor, nothing is taken away.
    less = _smooth(np.sum(np.square(taken), axis=1)) <= _smooth(np.sum(np.square(whole), axis=1))
    left = np.where(less[:, None], taken, whole)
    peaks = np.max(np.abs(left), axis=1)
    reach = _reach(told)
    per_frame = round(FIT_FRAME / SPEECH_RATE_HZ / BLOCK_S)
    mostly = np.repeat(_mostly(alone, _frames(told, per_frame) > threshold / 4), per_frame)[:count]
    mostly = np.pad(mostly, (0, count - len(mostly))) & (told > threshold / 4)
    share = peaks[mostly] / reach[mostly]
    ratio = float(np.percentile(share, LEFT_PERCENTILE)) * LEFT_MARGIN if len(share) else MOST_LEFT
    # Where the way was not found by itself, all of what is told may be left.
    known = np.repeat(_near(alone), per_frame)[:count]
    known = np.pad(known, (0, count - len(known)))
    gate = reach * np.where(known, min(MOST_LEFT, ratio), MOST_LEFT)
    held = reach >= threshold / 2
    shut = held & (peaks <= gate)
    shut |= held & _blips(~shut & (peaks >= threshold / 2))
    loud = np.sqrt(np.mean(np.square(left), axis=1))
    gain = np.where(shut, np.minimum(1.0, floor / np.maximum(loud, 1e-9)), 1.0)
    cleaned = np.asarray((left * gain[:, None]).ravel()[: len(agent)], dtype=np.float32)
    return cleaned, _runs(gate >= threshold)


def _smooth(power: Floats) -> Floats:
    return np.asarray(np.convolve(power, np.ones(5), mode="same"))


def _frames(blocks: Floats, per_frame: int) -> Floats:
    padded = np.pad(blocks, (0, -len(blocks) % per_frame))
    return np.asarray(np.max(padded.reshape(-1, per_frame), axis=1))


def _mostly(alone: NDArray[np.bool_], sounding: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Frames around which the echo is alone in most that sound: what is left there is the echo's, too."""
    count = min(len(alone), len(sounding))
    near = np.ones(AROUND_FRAMES)
    lone = np.convolve(alone[:count] & sounding[:count], near, mode="same")
    every = np.convolve(sounding[:count], near, mode="same")
    return np.asarray((every > 0) & (lone >= 0.6 * every))


def _near(alone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Frames within a second of one in which the echo is alone."""
    return np.asarray(maximum_filter1d(alone.astype(np.int8), 101) > 0)


def _reach(peaks: Floats) -> Floats:
    """How high what is left of an echo may be: its own level around, and what rings on after it."""
    near = 2 * round(SMEAR_S / BLOCK_S) + 1
    reach = np.asarray(maximum_filter1d(np.asarray(peaks, dtype=np.float64), near))
    fall = 10 ** (-DECAY_DB_PER_S * BLOCK_S / 20)
    level = 0.0
    for place, value in enumerate(reach.tolist()):
        level = max(value, level * fall)
        reach[place] = level
    return reach


def _blips(open_blocks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Blocks of what is left for a moment only, with nothing else around it."""
    found = np.zeros(len(open_blocks), dtype=bool)
    for run in merge_spans(_runs(open_blocks), max_gap_s=ALONE_S):
        first, last = round(run.start_s / BLOCK_S), round(run.end_s / BLOCK_S)
        if np.count_nonzero(open_blocks[first:last]) * BLOCK_S < BLIP_S:
            found[first:last] = True
    return found


def _runs(flags: NDArray[np.bool_]) -> list[Span]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [
        Span(start_s=first * BLOCK_S, end_s=last * BLOCK_S)
        for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    ]
