"""When a worker's sound was on the wire, by a capture on loopback paired with what we received by the RTP
time stamp, which a LiveKit server leaves alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes
from tests.peers.loopback_capture import Captured

SAME_S = 0.002
"""A packet is stamped by the capture and by our socket on its one way in."""
LEAST_PAIRED = 0.9


class NotPaired(Exception):
    """The capture is not of this call."""


@dataclass(frozen=True, kw_only=True)
class WorkerWire:
    """The worker's packets as they left it; one entry for each that we received.

    Attributes:
        left_s: Call time at which it came to the server; NaN where the capture has it not.
        behind_s: How much later it was at our socket: what the server took.
    """

    times: PacketTimes
    left_s: NDArray[np.float64]

    @property
    def behind_s(self) -> NDArray[np.float64]:
        return np.asarray(self.times.passed_s - self.left_s)

    def at_s(self, t_s: float) -> float:
        """When the sample that we placed at call time ``t_s`` left the worker. NaN where that is not
        known."""
        index = int(np.searchsorted(self.times.placed_s, t_s, side="right")) - 1
        return float(self.left_s[index] - self.times.codec_delay_s + (t_s - self.times.placed_s[index]))


def worker_wire(
    captured: Sequence[Captured], received: PacketTimes, *, media_port: int, zero_s: float
) -> WorkerWire:
    """Pairs the two.

    Args:
        media_port: The server's, through which all packets go.
        zero_s: Monotonic seconds at call time 0.

    Raises:
        NotPaired: Less than nine packets in ten can be.
    """
    stamps = _stamps_of(captured, received, media_port, zero_s)
    left: dict[int, float] = {}
    for one in captured:
        if one.target_port == media_port:
            left.setdefault(one.timestamp, one.ns / 1e9 - zero_s)
    left_s = np.array([left.get(stamp, np.nan) if stamp is not None else np.nan for stamp in stamps])
    if np.mean(np.isfinite(left_s)) < LEAST_PAIRED:
        raise NotPaired(f"{np.isfinite(left_s).sum()} of {len(left_s)} packets were captured on their way in")
    return WorkerWire(times=received, left_s=left_s)


def _stamps_of(
    captured: Sequence[Captured], received: PacketTimes, media_port: int, zero_s: float
) -> list[int | None]:
    """The RTP time stamp of each packet that we received: the server's stream that passed when ours did."""
    best: list[int | None] = []
    for ssrc in {one.ssrc for one in captured if one.source_port == media_port}:
        stream = [one for one in captured if one.source_port == media_port and one.ssrc == ssrc]
        at_s = np.array([one.ns / 1e9 - zero_s for one in stream])
        nearest = [int(np.argmin(np.abs(at_s - passed))) for passed in received.passed_s]
        found = [
            stream[index].timestamp if abs(at_s[index] - passed) < SAME_S else None
            for index, passed in zip(nearest, received.passed_s, strict=True)
        ]
        if sum(one is not None for one in found) > sum(one is not None for one in best):
            best = found
    if len(best) - best.count(None) < LEAST_PAIRED * len(received.passed_s):
        raise NotPaired("no stream of the server passed when our packets did")
    return best
