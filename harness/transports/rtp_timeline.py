"""From packets to the time of every sample: the lower envelope of (passing time - RTP time).

A packet passes a socket late by whatever scheduler, network and queue added; it never passes early. So the
earliest packets tell where the sender's media clock stands on ours, and all others are placed by their RTP
timestamp relative to them. The envelope is the lower convex hull of the packets within some seconds: it
bridges what was held up, and it follows the drift between the two clocks, be it the 100 ppm of two crystals
or the 1 % of a sender that sleeps 20 ms between frames and forgets the time that it needs itself. It is
anchored anew where a sender's clock jumps (a pause in which its timestamps stood still, a new stream), so
that such a jump moves nothing before or after it. A few packets that passed long before those around them
were sent ahead (or their stamp is wrong): they tell nothing of the others, and are placed with them.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WINDOW_S = 5.0
"""The envelope at a packet looks this far back and this far ahead."""
LEAST_STEP_S, LARGEST_STEP_S = 0.002, 0.03
"""A sender's clock is anchored anew where it steps by more than the jitter leaves open: never for less than
the first, which no ear and no figure misses, always for more than the second."""
STEP_OVER_NOISE = 6.0
"""A step is as many times what jitter leaves of the envelope (``MediaClock.block_noise_s``)."""
MAX_DRIFT = 0.03
"""No clock drifts faster, in seconds a second: a steeper fall is a queue that empties."""
LEAP = 1.25
"""A clock that grows by more than this many times the sound between two packets has leapt. One that grows as
the sound does while packets come faster is a queue that empties."""
MOST_AHEAD = 5
"""So few packets within some seconds that are earlier than all others there by more than the largest step
were sent ahead of their time."""
_ENOUGH_AROUND = 4 * MOST_AHEAD
FROM_ANOTHER_TIME_S = 1.0
"""What would lie over what was sent before it by more than this is placed behind that."""
_BLOCK_S = 1.0
"""The hull is drawn through the earliest packet of each stretch of this length."""
_STEP_WINDOW_S = 0.1
_STEP_SEARCH = 10
_PAUSE_S = 0.3
"""By so much packets that a leap comes soon after are late for having been sent after a pause, not on their
way."""
_SLOPE_SPAN_S = 2.0

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def unwrap(values: Sequence[int], *, bits: int) -> NDArray[np.int64]:
    """Continues a counter of ``bits`` bits over its overflows, in either direction (RFC 3550, A.1)."""
    raw = np.asarray(values, dtype=np.int64)
    if len(raw) == 0:
        return raw
    modulus = 1 << bits
    steps = np.diff(raw)
    steps = (steps + modulus // 2) % modulus - modulus // 2
    return np.concatenate([raw[:1], raw[0] + np.cumsum(steps)])


def envelope_offsets(
    passed_s: Floats,
    media_s: Floats,
    *,
    sound_s: Floats | None = None,
    pace: float = 0.0,
    noise_s: float = LARGEST_STEP_S,
) -> Floats:
    """For each packet, the offset that turns media time into our time: lower envelope of the difference.

    Args:
        passed_s: When each packet passed the socket, in seconds; ordered by media time.
        media_s: Media time of each packet in seconds, never falling.
        sound_s: By how much media time should grow from each packet to the next, lost ones between them
            included; without it any growth is believed.
        pace: How much slower than real time the sender sends (``MediaClock.pace``).
        noise_s: What jitter leaves of the envelope (``MediaClock.block_noise_s``). Where that is not known,
            no less than the largest step is one.

    Returns:
        Offsets in seconds, one a packet: ``media_s + offset`` is when the packet would have passed
        without any delay beyond the smallest one seen around it; never later than it did pass, unless it
        was sent ahead of those around it (:data:`MOST_AHEAD`). A sender that fell behind for long, and then
        sends all that it has at once, is not taken for one that was on time: what came before it was heard
        by then.
    """
    ahead = _sent_ahead(passed_s - media_s * (1.0 + pace), media_s)
    if np.any(ahead):
        others = np.flatnonzero(~ahead)
        should_s = None
        if sound_s is not None:
            should_s = np.append(np.diff(np.append(0.0, np.cumsum(sound_s))[others]), sound_s[others[-1]])
        found = envelope_offsets(
            passed_s[others], media_s[others], sound_s=should_s, pace=pace, noise_s=noise_s
        )
        return np.interp(np.arange(len(media_s)), others, found)
    difference = passed_s - media_s * (1.0 + pace)
    step_s = float(np.clip(STEP_OVER_NOISE * noise_s, LEAST_STEP_S, LARGEST_STEP_S))
    leaps = np.ones(len(difference), bool)
    if sound_s is not None:
        leaps[1:] = np.diff(media_s) > LEAP * sound_s[:-1]
    offsets = np.empty_like(difference)
    at_s = media_s * (1.0 + pace)
    for start, end in _segments(difference, np.maximum.accumulate(passed_s), leaps, step_s):
        offsets[start:end] = _lower_envelope(difference[start:end], media_s[start:end])
        if (
            start
            and at_s[start] + offsets[start] < at_s[start - 1] + offsets[start - 1] - FROM_ANOTHER_TIME_S
        ):
            behind_s = at_s[start - 1] + offsets[start - 1] - at_s[start]
            behind = np.maximum(offsets[start:end], behind_s)
            offsets[start:end] = np.minimum(behind, difference[start:end])
    return offsets + media_s * pace


def _sent_ahead(difference: Floats, media_s: Floats) -> Flags:
    """Packets that passed before their time, few at once: nearly all around them, before and behind, say that
    they should have passed later."""
    found = np.zeros(len(difference), bool)
    if len(difference) < _ENOUGH_AROUND or np.ptp(difference) <= LARGEST_STEP_S:
        return found
    block = np.floor((media_s - media_s[0]) / _BLOCK_S).astype(np.int64)
    reach = round(WINDOW_S / _BLOCK_S)
    for number in np.unique(block):
        near = difference[(block >= number - reach) & (block <= number + reach)]
        if len(near) < _ENOUGH_AROUND:
            continue
        usual_s = np.partition(near, MOST_AHEAD)[MOST_AHEAD]
        if np.median(near) - usual_s > LARGEST_STEP_S:
            # Where the others do not agree, the earliest are what there is.
            continue
        here = block == number
        found[here] = difference[here] < usual_s - LARGEST_STEP_S
    # Of the first and the last packets nobody knows whether they are the first of another time.
    others = np.flatnonzero(~found)
    found[: others[0]] = found[others[-1] :] = False
    return found


def _segments(difference: Floats, at_s: Floats, leaps: Flags, step_s: float) -> list[tuple[int, int]]:
    """Stretches of packets over which the sender's media clock ran on without a jump.

    A clock that stood still makes every later packet late, for good; a queue makes some late, and then
    gives them out faster than they were made. A clock that jumped ahead makes a packet earlier than all
    before it, at once.
    """
    count = len(difference)
    if count == 0:
        return []
    leapt = _leapt_for_good(difference, at_s, leaps)
    later = _lowest_from_each_on(difference, at_s, leapt)
    few_follow = np.convolve(leapt, np.ones(_STEP_SEARCH))[_STEP_SEARCH - 1 :] > 0
    cuts = [0]
    just_before, before = _RecentMinimum(_STEP_WINDOW_S), _RecentMinimum(WINDOW_S)
    lowest_just_before = lowest_before = difference[0]
    index = 0
    while index < count:
        # The last packets of a stream, or before a leap, have too few after them to tell lateness from a
        # step.
        certain_s = step_s if count - index > _STEP_SEARCH else LARGEST_STEP_S
        if few_follow[index]:
            certain_s = _PAUSE_S
        stood_still = later[index] - lowest_just_before > certain_s
        jumped_ahead = leaps[index] and lowest_before - difference[index] > step_s
        if stood_still or jumped_ahead:
            if stood_still and not few_follow[index]:
                index = _where_it_stood(later, index, step_s)
            cuts.append(index)
            just_before, before = _RecentMinimum(_STEP_WINDOW_S), _RecentMinimum(WINDOW_S)
        lowest_just_before = just_before.add(at_s[index], difference[index])
        lowest_before = before.add(at_s[index], difference[index])
        index += 1
    return list(itertools.pairwise([*cuts, count]))


def _leapt_for_good(difference: Floats, at_s: Floats, leaps: Flags) -> Flags:
    """Packets with which the clock leapt to before all that was seen, by more than any jitter: what comes
    after says nothing of those before. A queue that was thrown away looks like this (FastRTC): the clock
    stood still over a pause, and leaps by the length of that queue two packets after it."""
    found = np.zeros(len(difference), bool)
    recent = _RecentMinimum(WINDOW_S)
    # The first has none before it; whether it leapt is nothing to anybody.
    lowest = np.inf
    for index in range(len(difference)):
        found[index] = leaps[index] and lowest - difference[index] > LARGEST_STEP_S
        lowest = recent.add(at_s[index], difference[index])
    return found


def _lowest_from_each_on(difference: Floats, at_s: Floats, ends: Flags) -> Floats:
    """For each packet, the least difference from it to those some seconds later, or to the next end."""
    lowest = []
    recent = _RecentMinimum(WINDOW_S)
    for back_s, value, is_end in zip(-at_s[::-1], difference[::-1], ends[::-1], strict=True):
        lowest.append(recent.add(back_s, value))
        if is_end:
            recent = _RecentMinimum(WINDOW_S)
    return np.array(lowest[::-1])


def _where_it_stood(later: Floats, found: int, step_s: float) -> int:
    """The first packet after a step up of which ``found`` was the first sign: the last packets before it may
    have been late, every one of them, and look like part of it."""
    near = later[found : found + _STEP_SEARCH]
    return found + int(np.argmax(near >= np.max(near) - step_s / 2))


def _lower_envelope(difference: Floats, media_s: Floats) -> Floats:
    """The lower convex hull around each packet, nowhere steeper than a clock can drift."""
    block = np.floor((media_s - media_s[0]) / _BLOCK_S).astype(np.int64)
    starts = np.append(0, np.flatnonzero(np.diff(block)) + 1)
    ends = np.append(starts[1:], len(block))
    lowest = np.array(
        [start + np.argmin(difference[start:end]) for start, end in zip(starts, ends, strict=True)]
    )
    envelope = np.empty_like(difference)
    for start, end in zip(starts, ends, strict=True):
        first_s, last_s = media_s[start] - WINDOW_S, media_s[end - 1] + WINDOW_S
        near = lowest[(media_s[lowest] >= first_s) & (media_s[lowest] <= last_s)]
        envelope[start:end] = _hull_at(media_s[start:end], media_s[near], difference[near])
    envelope = np.minimum(envelope, difference)
    reach = MAX_DRIFT * np.abs(np.diff(media_s))
    for index in range(1, len(envelope)):
        envelope[index] = min(envelope[index], envelope[index - 1] + reach[index - 1])
    for index in range(len(envelope) - 1, 0, -1):
        envelope[index - 1] = min(envelope[index - 1], envelope[index] + reach[index - 1])
    return envelope


def _hull_at(at_s: Floats, times_s: Floats, values: Floats) -> Floats:
    """The lower convex hull of points, read at some times; beyond its ends it goes on as it does overall."""
    # A stranger's timestamps may run back, whatever their order says.
    order = np.lexsort((values, times_s))
    times_s, values = times_s[order], values[order]
    hull: list[int] = []
    for index in range(len(times_s)):
        while len(hull) > 1 and _lies_above(hull[-2], hull[-1], index, times_s, values):
            hull.pop()
        hull.append(index)
    corners_s, corners = times_s[hull], values[hull]
    read = np.interp(at_s, corners_s, corners)
    span_s = corners_s[-1] - corners_s[0]
    if span_s < _SLOPE_SPAN_S:
        return np.asarray(read)
    slope = np.clip((corners[-1] - corners[0]) / span_s, -MAX_DRIFT, MAX_DRIFT)
    beyond_s = np.minimum(at_s - corners_s[0], 0.0) + np.maximum(at_s - corners_s[-1], 0.0)
    return np.asarray(read + slope * beyond_s)


def _lies_above(first: int, middle: int, last: int, times_s: Floats, values: Floats) -> bool:
    """Whether the middle point is on or above the line between the others."""
    rise = (values[middle] - values[first]) * (times_s[last] - times_s[first])
    return bool(rise >= (values[last] - values[first]) * (times_s[middle] - times_s[first]))


class _RecentMinimum:
    """The smallest value of the last ``reach_s`` seconds."""

    def __init__(self, reach_s: float) -> None:
        self._reach_s = reach_s
        self._rising: deque[tuple[float, float]] = deque()

    def add(self, at_s: float, value: float) -> float:
        """Takes a value and returns the smallest one from ``reach_s`` before it up to now."""
        rising = self._rising
        while rising and rising[-1][1] >= value:
            rising.pop()
        rising.append((at_s, value))
        while rising[0][0] < at_s - self._reach_s:
            rising.popleft()
        return rising[0][1]
