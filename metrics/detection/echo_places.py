"""Where the agent's channel has nothing but the caller's own voice come back, and where that hides an edge.

What comes back is predicted from what was sent (:mod:`metrics.detection.echo_filter`), each stretch of the
caller's speech by the way that was found in it. The prediction is only held to the sound, and taken out of
none: a stretch is the echo's where it explains at least half of the power, or leaves no more than the
detector would not hear; all else is the agent's own. Half of the power is the bar because a voice that is as
loud as the echo fails it, and an agent's is 6 to 40 dB louder; while of echoes through G.711 and Opus at
least four fifths are explained.

The prediction is not believed where it fails: where the voice came back at a delay that is no way's, between
two stretches that it came back to by different ways, by a second way, or where what was not explained is
still a copy of what was sent. There all of what was said, as late as it may come back, is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from metrics.detection.echo_filter import (
    EXPLAINED,
    FRAME_S,
    LEAD_S,
    TAPS_S,
    EchoFilter,
    frame_peaks,
    frame_power,
    learned,
)
from metrics.detection.echo_path import FoundEcho, echo_in, slice_of
from metrics.detection.line_echo import AHEAD_S, CLOSE_S
from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span, merge_spans

OWN_S = 0.04
"""Less sound of the agent's own than this is a click."""
DENSE = 0.5
"""Of a stretch that is surely the agent's own so much is explained by no echo."""
TRUSTED = 0.5
"""A filter is no description of the way where the share that it explains of what it was learned from is less
than this of the likeness: where others speak, both are low."""
EDGE_S = 0.02
"""So far off, and no further, is where the agent's own is seen to begin and to end: frames of 10 ms, each
judged with its neighbours."""
ABOVE = 2.0
"""An agent whose power is less than this many times that of the echo may speak under it and not be told from
it (at the same level, some onsets were taken for the echo's, and what came later for the answer)."""
LONG_S = 0.1
"""A shorter sound says nothing of how loud the agent speaks: it may be a rest of the echo's."""
CERTAIN = 0.8
LEAST = 0.5
"""Of the likeness, as above, and of all: a filter that explains less (of an echo that a suppressor lets
through in parts) leaves what passes for speech, and beside it nothing is surely the agent's."""
ABSENT = 0.1
ABSENT_S = 0.3
"""Where of so much predicted sound, and more, no larger share is heard, nothing came back."""
PIECE_S = 10.0

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class EchoPlaces:
    """What of the agent's sound is the caller's own voice.

    Attributes:
        own: The agent's clusters, without those and those parts that are nothing but the echo.
        echo: What was left out of them.
        hidden: Where the echo is loud enough to be heard, or may be: edges of speech in it are not to be
            measured.
        back: Where each stretch of the caller's comes back, loud enough or not.
        sure: Where the agent's own voice is heard, by what no echo explains.
        masks: The echo is about as loud as the agent, and may hide it wherever the caller speaks: everything
            is hidden, and nothing sure.
    """

    own: tuple[Span, ...]
    echo: tuple[Span, ...]
    hidden: tuple[Span, ...]
    back: tuple[Span, ...]
    sure: tuple[Span, ...]
    masks: bool = False


@dataclass(frozen=True, kw_only=True)
class _Back:
    """Where one stretch of the caller's comes back.

    Attributes:
        by: The filter that predicts it; None where nobody knows by which way it came.
        trusted: What is predicted may be held to the sound.
        seen: The voice was found in this stretch by itself.
    """

    said: Span
    span: Span
    by: EchoFilter | None
    trusted: bool
    seen: bool


@dataclass(frozen=True, kw_only=True)
class _Call:
    caller: Samples
    agent: Samples
    rate: int
    threshold: float

    def power(self, span: Span) -> float:
        """Of the agent's sound in a stretch, without its mean."""
        inside = self.agent[round(span.start_s * self.rate) : round(span.end_s * self.rate) + 1]
        return float(np.var(inside, dtype=np.float64)) if len(inside) else 0.0

    def sides(self, span: Span) -> tuple[Floats, Floats]:
        """What was sent, from :data:`LEAD_S` before a stretch on, and what came in it."""
        before = Span(start_s=span.start_s - LEAD_S, end_s=span.end_s)
        sent = slice_of(self.caller, self.rate, before, SPEECH_RATE_HZ)
        came = slice_of(self.agent, self.rate, span, SPEECH_RATE_HZ)
        return sent.astype(np.float64), came.astype(np.float64)


def echo_places(
    caller: Samples, agent: Samples, rate: int, *, found: FoundEcho, sounds: Sequence[Span], threshold: float
) -> EchoPlaces:
    """Which of the agent's sounds are the echo's, and where it may hide others.

    Args:
        sounds: The agent's clusters of sound.
        threshold: Level (linear) from which a sample of the agent's counts as voiced.
    """
    call = _Call(caller=caller, agent=agent, rate=rate, threshold=threshold)
    filters = [learned(caller, agent, rate, way=way, threshold=threshold) for way in found.ways]
    backs = [one for one in _backs(found, filters) if not _absent(one, call, sounds)]
    judged = {one: _flags(call, one, backs) for one in sounds if _touches(one, backs)}
    mine = [run for one, (flags, _, _) in judged.items() for run in _runs(flags, one.start_s)]
    backs = [_checked(one, call, mine) for one in backs]
    doubtful = [one.span for one in backs if not one.trusted]
    own: list[Span] = []
    echo: list[Span] = []
    hidden = list(doubtful)
    sure: list[Span] = []
    alone: list[Span] = []
    for cluster in sounds:
        if cluster not in judged:
            own.append(cluster)
            sure.append(cluster)
            alone.append(cluster)
            continue
        flags, loud, _ = judged[cluster]
        pieces = _pieces(cluster, flags)
        own += pieces
        echo += _rest(cluster, pieces)
        hidden += _runs(loud, cluster.start_s)
        sure += _dense(cluster, flags)
        alone += _runs(flags & ~loud, cluster.start_s)
    vague = [one.span for one in backs if one.by is not None and not one.by.explains >= _certain(one.by)]
    for span in (*doubtful, *vague):
        sure = [part for one in sure for part in less(one, span)]
    masks = _masks(
        [(one.duration_s, call.power(one)) for one in alone], [back for *_, back in judged.values()]
    )
    if masks:
        hidden, sure = [Span(start_s=0.0, end_s=max(len(agent) / rate, *(one.end_s for one in sounds)))], []
    return EchoPlaces(
        own=tuple(own),
        echo=tuple(echo),
        hidden=tuple(merge_spans(hidden)),
        back=tuple(merge_spans([one.span for one in backs])),
        sure=tuple(sure),
        masks=masks,
    )


def _certain(by: EchoFilter) -> float:
    return max(LEAST, CERTAIN * by.likeness)


def _masks(alone: Sequence[tuple[float, float]], echoes: Sequence[tuple[float, float]]) -> bool:
    """Whether an echo is about as loud as the agent where it is heard alone; both as seconds and power."""
    ours = _typical([one for one in alone if one[0] >= LONG_S])
    theirs = _typical([one for one in echoes if one[0] >= LONG_S])
    return 0 < ours < ABOVE * theirs


def _typical(levels: Sequence[tuple[float, float]]) -> float:
    """The power that half of the seconds do not reach; 0 of none."""
    if not levels:
        return 0.0
    seconds, powers = np.array(sorted(levels, key=lambda one: one[1])).T
    return float(powers[np.searchsorted(np.cumsum(seconds), np.sum(seconds) / 2)])


def less(span: Span, other: Span) -> list[Span]:
    """What of a stretch lies outside another."""
    if span.overlap_s(other) == 0:
        return [span]
    before = (span.start_s, min(span.end_s, other.start_s))
    after = (max(span.start_s, other.end_s), span.end_s)
    return [Span(start_s=a, end_s=b) for a, b in (before, after) if b > a]


def _backs(found: FoundEcho, filters: Sequence[EchoFilter]) -> list[_Back]:
    """Where each stretch comes back, by the way that was found in it, or in those before and after it."""
    by_said = {one.said: (one, place) for place, way in enumerate(found.ways) for one in way}
    elsewhere = {one.said: one for one in found.others}
    every = [one.delay_s for one in filters]
    seconds = [one.other_s for way in found.ways for one in way if one.other_s is not None]
    known = [by_said[said][1] if said in by_said else None for said in found.stretches]
    certain = [said in by_said or said in elsewhere for said in found.stretches]
    backs = []
    for place, said in enumerate(found.stretches):
        way = known[place]
        delays = list(seconds)
        if said in elsewhere:
            delays = [elsewhere[said].delay_s, *delays]
        elif way is None:
            near = [
                known[at]
                for at in (
                    next((at for at in range(place - 1, -1, -1) if certain[at]), None),
                    next((at for at in range(place + 1, len(known)) if certain[at]), None),
                )
                if at is not None
            ]
            way = near[0] if len(set(near)) == 1 else None
            delays += [*every, *(one.delay_s for one in found.others)] if way is None else []
        by = None if way is None else filters[way]
        delays += [] if by is None else [by.delay_s]
        span = Span(start_s=said.start_s + min(delays) - AHEAD_S, end_s=said.end_s + max(delays) + TAPS_S)
        trusted = by is not None and not seconds and by.explains >= TRUSTED * by.likeness
        backs.append(_Back(said=said, span=span, by=by, trusted=trusted, seen=certain[place]))
    return backs


def _absent(back: _Back, call: _Call, sounds: Sequence[Span]) -> bool:
    """Whether nothing came back of a stretch, though it would have been heard."""
    if back.by is None or back.seen or not back.trusted:
        return False
    sent, came = call.sides(back.span)
    loud = frame_peaks(back.by.came_back(sent, len(came))) >= call.threshold
    near = [sound for sound in sounds if sound.overlap_s(back.span) > 0]
    runs = _runs(loud, back.span.start_s)
    there_s = sum(run.duration_s for run in runs if any(run.overlap_s(sound) > 0 for sound in near))
    expected_s = sum(run.duration_s for run in runs)
    return expected_s >= ABSENT_S and there_s < ABSENT * expected_s


def _checked(back: _Back, call: _Call, mine: Sequence[Span]) -> _Back:
    """A stretch; no more trusted where of what was not explained some is a copy of what was sent."""
    if not back.trusted:
        return back
    left = [one for one in mine if one.overlap_s(back.span) > 0]
    copy = echo_in(call.caller, call.agent, call.rate, back.said, sounds=left)
    if copy is None:
        return back
    first_s = min(back.span.start_s, back.said.start_s + copy.delay_s - AHEAD_S)
    last_s = max(back.span.end_s, back.said.end_s + copy.delay_s + TAPS_S)
    return replace(back, span=Span(start_s=first_s, end_s=last_s), trusted=False)


def _touches(cluster: Span, backs: Sequence[_Back]) -> bool:
    return any(one.span.overlap_s(cluster) > 0 for one in backs)


def _dense(cluster: Span, mine: Flags) -> list[Span]:
    """What of a cluster is the agent's own for the greater part, as far as it surely goes on."""
    found = []
    # A few frames are what an echo leaves: they neither are the agent's nor prolong what is.
    runs = [one for one in _runs(mine, cluster.start_s) if one.duration_s >= OWN_S - FRAME_S / 2]
    for run in merge_spans(runs, max_gap_s=CLOSE_S):
        first, last = (round((at_s - cluster.start_s) / FRAME_S) for at_s in (run.start_s, run.end_s))
        own_s = np.count_nonzero(mine[first:last]) * FRAME_S
        first_s = cluster.start_s if first == 0 else run.start_s + EDGE_S
        last_s = cluster.end_s if last >= len(mine) else run.end_s - EDGE_S
        if own_s >= max(OWN_S, DENSE * run.duration_s) and first_s < last_s:
            found.append(Span(start_s=first_s, end_s=last_s))
    return found


def _pieces(cluster: Span, mine: Flags) -> list[Span]:
    """What is left of a cluster where no longer stretch is nothing but the echo."""
    runs = merge_spans(_runs(mine, cluster.start_s), max_gap_s=CLOSE_S)
    found = []
    for run in runs:
        first, last = (round((at_s - cluster.start_s) / FRAME_S) for at_s in (run.start_s, run.end_s))
        if np.count_nonzero(mine[first:last]) * FRAME_S >= OWN_S:
            # A cut closer to the cluster's edge than a pause is long is none.
            start_s = cluster.start_s if run.start_s - cluster.start_s < CLOSE_S else run.start_s
            end_s = cluster.end_s if cluster.end_s - run.end_s < CLOSE_S else run.end_s
            found.append(Span(start_s=start_s, end_s=end_s))
    return found


def _rest(cluster: Span, pieces: Sequence[Span]) -> list[Span]:
    edges = [cluster.start_s, *(edge for one in pieces for edge in (one.start_s, one.end_s)), cluster.end_s]
    return [
        Span(start_s=start_s, end_s=end_s)
        for start_s, end_s in zip(edges[::2], edges[1::2], strict=True)
        if end_s > start_s
    ]


def _flags(call: _Call, cluster: Span, backs: Sequence[_Back]) -> tuple[Flags, Flags, tuple[float, float]]:
    """For each frame of a cluster: whether the agent's own sound is in it, and whether an echo is audible;
    and for how many seconds, and with what power."""
    mine, loud, back = [], [], [np.zeros(0)]
    at_s = cluster.start_s
    while at_s < cluster.end_s:
        piece = Span(start_s=at_s, end_s=min(at_s + PIECE_S, cluster.end_s))
        sent, came = call.sides(piece)
        guess = _predicted(sent, len(came), piece, backs)
        left = came - guess
        audible = maximum_filter1d(frame_peaks(guess), 2 * round(AHEAD_S / FRAME_S) + 1) >= call.threshold / 2
        explained = frame_power(left) <= EXPLAINED * frame_power(came)
        quiet = frame_peaks(left) < call.threshold
        mine.append((frame_peaks(came) >= call.threshold) & ~(audible & (explained | quiet)))
        loud.append(audible)
        back.append(frame_power(guess)[frame_peaks(guess) >= call.threshold])
        at_s = piece.end_s
    powers = np.concatenate(back)
    level = (len(powers) * FRAME_S, float(np.mean(powers)) if len(powers) else 0.0)
    return np.concatenate(mine), np.concatenate(loud), level


def _predicted(sent: Floats, length: int, piece: Span, backs: Sequence[_Back]) -> Floats:
    """What comes back in a piece, each stretch by its own way."""
    guess = np.zeros(length)
    by_way: dict[int, Floats] = {}
    for back in backs:
        if back.by is None or back.span.overlap_s(piece) == 0:
            continue
        if id(back.by) not in by_way:
            by_way[id(back.by)] = back.by.came_back(sent, length)
        first, last = (
            min(length, max(0, round((at_s - piece.start_s) * SPEECH_RATE_HZ)))
            for at_s in (back.span.start_s, back.span.end_s)
        )
        guess[first:last] = by_way[id(back.by)][first:last]
    return guess


def _runs(flags: Flags, from_s: float) -> list[Span]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [
        Span(start_s=from_s + first * FRAME_S, end_s=from_s + last * FRAME_S)
        for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    ]
