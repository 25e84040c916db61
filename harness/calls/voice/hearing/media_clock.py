"""Where the agent's packets belong on the call's clock, told while they come.

The recording knows better, afterwards (``received``): it sees what came later, too. This is for who listens
along.
"""

from __future__ import annotations

from harness.transports.clock import CallClock
from harness.transports.stamp import PacketStamp

_JUMP_S = 0.5
_GIVES_WAY_S = 4e-4
"""A packet: 20 ms a second at frames of 20 ms. A sender that sleeps 20 ms between frames drifts by 12."""


class MediaClock:
    """One stream: a running lower envelope of (arrival - media time), which a jump of the sender resets.

    Args:
        clock: The call's.
        clock_rate_hz: Of the ticks in the packets' stamps.
    """

    def __init__(self, clock: CallClock, *, clock_rate_hz: int) -> None:
        self._clock = clock
        self._clock_rate_hz = clock_rate_hz
        self._offset_s: float | None = None

    def place(self, stamp: PacketStamp) -> float:
        """Call time of the first sample of a packet that has just come."""
        media_s = stamp.media_ticks / self._clock_rate_hz
        offset = self._clock.at_s(stamp.monotonic_ns) - media_s
        known = self._offset_s
        if known is not None and abs(offset - known) <= _JUMP_S:
            offset = min(offset, known + _GIVES_WAY_S)
        self._offset_s = offset
        return media_s + offset
