"""When the caller's samples were at the agent's wire, by the agent's own stamps, whatever was lost of them.

The agent logs what it heard. Where the packet with the caller's last sample never came, it heard an earlier
end: true of the agent, and no error of ours, who know when that sample left. The agent's raw stamps tell when
it would have come: sample for sample by the timestamps, with the least delay of the packets around it.

A packet that left us late came late, too: by what is left of its stamp when the delay is taken off that the
simulated network drew for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes
from harness.transports.rtp_timeline import unwrap

AROUND_S = 5.0
_MAX_APART_S = 0.005
"""The fastest packets come within this of the least injected delay, or the stamps are of another call."""


class WireTruth:
    """The caller's stream as the agent's socket saw it.

    Args:
        arrived: The agent's stamps (sequence number, RTP timestamp, monotonic ns), in order of arrival.
        sent: Our frames; only their order and media time are used, and roughly when they left.
        zero_s: Monotonic seconds at call time 0.
        least_delay_s: What the fastest packets to the agent are delayed by.
        delays_s: What the simulated network drew for each of our frames: the delay of each copy, none where
            it dropped it. Empty where that is not known.
        clock_rate_hz: Of the RTP timestamps: 8000 over G.711 and G.722 (RFC 3551, 4.5.2).
        frame_s: Seconds of sound in a packet.
    """

    def __init__(
        self,
        arrived: Sequence[Sequence[int]],
        sent: PacketTimes,
        *,
        zero_s: float,
        least_delay_s: float,
        delays_s: Sequence[Sequence[float]] = (),
        clock_rate_hz: int,
        frame_s: float = 0.02,
    ) -> None:
        self._sent = sent
        self._due_s = sent.due_s
        ticks = unwrap([stamp[1] for stamp in arrived], bits=32)
        ours = _in_step(ticks, round(frame_s * clock_rate_hz))
        self._media_s = ticks[ours] / clock_rate_hz
        self._offset_s = np.array([stamp[2] for stamp in arrived])[ours] / 1e9 - self._media_s
        self._least_delay_s = least_delay_s
        self._zero_s = zero_s
        self._frame_s = frame_s
        self._first_s = self._first_frame_s()
        self._undelayed_s = self._without(delays_s)

    def at_s(self, t_s: float) -> float:
        """Monotonic seconds at which the caller's sample of call time ``t_s`` was due at the agent, had it
        met no more than the least delay.

        Raises:
            ValueError: The agent got nothing around it.
        """
        frame = int(np.searchsorted(self._due_s, t_s, side="right")) - 1
        media_s = self._first_s + self._sent.media_s[frame] + (t_s - self._due_s[frame])
        return float(media_s + self._least_offset_s(media_s))

    def late_s(self, t_s: float) -> float:
        """How much later than usual (the median of those around it) the packet with the caller's sample of
        call time ``t_s`` left, by the agent's stamps. 0 where it never came, or where the network's draws are
        not known."""
        # The packet that carried it, which is not always the one that was due then: an encoder looks ahead.
        frame = self._sent.holding(t_s)
        if frame is None or frame not in self._undelayed_s:
            return 0.0
        around = round(AROUND_S / self._frame_s)
        near = [left_s for one, left_s in self._undelayed_s.items() if abs(one - frame) <= around]
        return self._undelayed_s[frame] - float(np.median(near))

    def _without(self, delays_s: Sequence[Sequence[float]]) -> dict[int, float]:
        """By frame that came: its stamp against its media time, without what the network drew for it. Nothing
        where one came that the network had dropped: then the draws are of other packets."""
        left: dict[int, float] = {}
        for media_s, offset_s in zip(self._media_s, self._offset_s, strict=True):
            frame = round((media_s - self._first_s) / self._frame_s)
            if not 0 <= frame < len(delays_s):
                continue
            if not delays_s[frame]:
                return {}
            left.setdefault(frame, float(offset_s) - min(delays_s[frame]))
        return left

    def _least_offset_s(self, media_s: float) -> float:
        near = self._offset_s[np.abs(self._media_s - media_s) <= AROUND_S]
        if len(near) == 0:
            raise ValueError(f"no packet reached the agent within {AROUND_S:g} s")
        return float(near.min())

    def _first_frame_s(self) -> float:
        """Media time of our first frame on the agent's scale. The first packets may be lost, so it is told by
        the clock, to the nearest frame: far finer than that the two sides' stamps agree."""
        # In the middle of the call, where both sides have settled.
        middle = len(self._due_s) // 2
        left_s = self._zero_s + float(self._due_s[middle] - self._sent.media_s[middle])
        due_s = left_s + self._least_delay_s
        apart_s = due_s - self._least_offset_s(float(np.median(self._media_s))) - self._media_s[0]
        frames = round(apart_s / self._frame_s)
        if abs(apart_s - frames * self._frame_s) > _MAX_APART_S:
            raise ValueError("the agent's stamps are not of this call")
        return float(self._media_s[0] + frames * self._frame_s)


def _in_step(ticks: NDArray[np.int64], frame: int) -> NDArray[np.bool_]:
    """Which packets are ours: whole frames apart. A server in between may add some of its own when we leave
    (LiveKit: silence, its time stamp ahead of real time), by which all others would seem late."""
    steps = (ticks - ticks[0]) % frame
    values, counts = np.unique(steps, return_counts=True)
    return np.asarray(steps == values[np.argmax(counts)])
