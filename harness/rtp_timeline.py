"""From packets to the time of every sample: the lower envelope of (passing time - RTP time).

A packet passes a socket late by whatever scheduler, network and queue added; it never passes early. So the
earliest packets tell where the sender's media clock stands on ours, and all others are placed by their RTP
timestamp relative to them. The envelope slides, so that a slow drift between the two clocks is followed,
and it is anchored anew where a sender's clock jumps (a pause in which its timestamps stood still, a new
stream), so that such a jump moves nothing before or after it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WINDOW_S = 5.0
"""The envelope at a packet looks this far back and this far ahead."""
JUMP_WINDOW_S = 1.0
JUMP_S = 0.03
"""Minima over the second before and the second after a packet that differ by more are a jump."""

Floats = NDArray[np.float64]


def unwrap(values: Sequence[int], *, bits: int) -> NDArray[np.int64]:
    """Continues a counter of ``bits`` bits over its overflows, in either direction (RFC 3550, A.1)."""
    raw = np.asarray(values, dtype=np.int64)
    if len(raw) == 0:
        return raw
    modulus = 1 << bits
    steps = np.diff(raw)
    steps = (steps + modulus // 2) % modulus - modulus // 2
    return np.concatenate([raw[:1], raw[0] + np.cumsum(steps)])


def envelope_offsets(passed_s: Floats, media_s: Floats) -> Floats:
    """For each packet, the offset that turns media time into our time: lower envelope of the difference.

    Args:
        passed_s: When each packet passed the socket, in seconds; ordered by media time.
        media_s: RTP time of each packet in seconds, never falling.

    Returns:
        Offsets in seconds, one a packet: ``media_s + offset`` is when the packet would have passed
        without any delay beyond the smallest one seen around it.
    """
    difference = np.asarray(passed_s - media_s, dtype=np.float64)
    offsets = np.empty_like(difference)
    for start, end in _segments(difference, media_s):
        offsets[start:end] = _sliding_minimum(difference[start:end], media_s[start:end], reach_s=WINDOW_S)
    return offsets


def _segments(difference: Floats, media_s: Floats) -> list[tuple[int, int]]:
    """Stretches of packets over which the sender's media clock ran on without a jump."""
    count = len(difference)
    if count == 0:
        return []
    before = _one_sided_minimum(difference, media_s, reach_s=JUMP_WINDOW_S)
    # Looking ahead is looking back in the reversed stream.
    ahead = _one_sided_minimum(difference[::-1], -media_s[::-1], reach_s=JUMP_WINDOW_S)[::-1]
    jumps = np.abs(ahead[1:] - before[:-1])
    cuts = [0]
    position = 0
    while position < len(jumps):
        if jumps[position] <= JUMP_S:
            position += 1
            continue
        end = position
        while end + 1 < len(jumps) and jumps[end + 1] > JUMP_S:
            end += 1
        # The step itself is where two neighbours differ most within the stretch that shows a jump.
        steps = np.abs(np.diff(difference[position : end + 2]))
        cuts.append(position + int(np.argmax(steps)) + 1)
        position = end + 1
    cuts.append(count)
    return list(itertools.pairwise(cuts))


def _one_sided_minimum(values: Floats, times: Floats, *, reach_s: float) -> Floats:
    """Minimum over the packet itself and those up to ``reach_s`` before it."""
    result = np.empty_like(values)
    window: list[int] = []
    head = 0
    for index, value in enumerate(values):
        while len(window) > head and values[window[-1]] >= value:
            window.pop()
        window.append(index)
        while times[window[head]] < times[index] - reach_s:
            head += 1
        result[index] = values[window[head]]
    return result


def _sliding_minimum(values: Floats, times: Floats, *, reach_s: float) -> Floats:
    """Minimum over the packets up to ``reach_s`` before and after each."""
    back = _one_sided_minimum(values, times, reach_s=reach_s)
    ahead = _one_sided_minimum(values[::-1], -times[::-1], reach_s=reach_s)[::-1]
    return np.minimum(back, ahead)
