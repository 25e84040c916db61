"""How long packets were on their way between us and the agent: a server in between takes its time.

Both sides stamp packets at their sockets, by the clock of one machine, and a server that forwards them
leaves their time stamps alone: a packet that left here and one that arrived there are told to be the same by
their media time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes
from harness.transports.rtp_timeline import unwrap

LEAST_PACKETS = 50

Floats = NDArray[np.float64]


@dataclass(kw_only=True)
class PathDelays:
    """Delays of single packets in ms, of any number of calls.

    Attributes:
        there: Of ours to the agent.
        back: Of the agent's to us.
    """

    there: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)

    @property
    def known(self) -> bool:
        return min(len(self.there), len(self.back)) >= LEAST_PACKETS

    @property
    def both_ways_ms(self) -> float:
        """What a response or a stop is late by for the caller: the usual delay there and back. 0 where it is
        not known."""
        return float(np.median(self.there) + np.median(self.back)) if self.known else 0.0

    def add(
        self,
        *,
        ours: PacketTimes,
        arrived: Sequence[Sequence[int]],
        theirs: Sequence[Sequence[int]],
        received: PacketTimes,
        zero_s: float,
        clock_rate_hz: int,
    ) -> None:
        """The packets of one call.

        Args:
            arrived, theirs: The agent's stamps of what came to it and of what it sent: sequence number, RTP
                time stamp, monotonic nanoseconds.
            zero_s: Monotonic seconds at call time 0.
            clock_rate_hz: Of both sides' RTP time stamps: 8000 over G.711 and G.722 (RFC 3551, 4.5.2).
        """
        if not arrived or not theirs:
            return
        self.there += (_delays(_ours(ours, zero_s), _stamped(arrived, clock_rate_hz)) * 1000).tolist()
        self.back += (_delays(_stamped(theirs, clock_rate_hz), _ours(received, zero_s)) * 1000).tolist()


def _ours(times: PacketTimes, zero_s: float) -> tuple[Floats, Floats]:
    return times.media_s, times.passed_s + zero_s


def _stamped(stamps: Sequence[Sequence[int]], clock_rate_hz: int) -> tuple[Floats, Floats]:
    ticks = unwrap([stamp[1] for stamp in stamps], bits=32)
    return (ticks - ticks[0]) / clock_rate_hz, np.array([stamp[2] for stamp in stamps]) / 1e9


def _delays(sent: tuple[Floats, Floats], received: tuple[Floats, Floats]) -> Floats:
    """By how much each packet passed later at the other end. Media times of the two ends begin anywhere, a
    whole number of packets apart: the shift is the one by which the earliest packets agree to the nearest
    packet."""
    sent_media, sent_at = sent
    media, at = received
    if min(len(media), len(sent_media)) < LEAST_PACKETS:
        return np.zeros(0)
    step_s = float(np.median(np.diff(np.sort(sent_media))))
    if step_s <= 0:
        return np.zeros(0)
    apart_s = float(np.median(at - media) - np.median(sent_at - sent_media))
    shifted = media + round(apart_s / step_s) * step_s
    order = np.argsort(sent_media)
    # A server may set a stream's first time stamps a little differently: the nearest packet is the same one.
    place = np.searchsorted(sent_media[order], shifted - step_s / 2)
    inside = place < len(order)
    found = order[place[inside]]
    same = np.abs(sent_media[found] - shifted[inside]) < step_s / 2
    return np.asarray((at[inside] - sent_at[found])[same])
