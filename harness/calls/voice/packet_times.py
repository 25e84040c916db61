"""When the packets of one direction passed, and where on the call's clock their sound belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_MAX_PACKET_S = 0.12
"""The longest Opus packet (RFC 6716), and longer than is usual in any other codec: a larger step in the media
time is a pause of the sender."""


@dataclass(frozen=True, kw_only=True)
class PacketTimes:
    """One direction's packets in media order; all arrays have one entry a packet.

    Attributes:
        media_s: Media time since the first packet.
        passed_s: Call time at which the packet passed our socket.
        placed_s: Call time of its first sample by the envelope, with the codec's delay counted out.
        codec_delay_s: That delay.
    """

    media_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    passed_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    placed_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    codec_delay_s: float = 0.0

    def passed_at(self, t_s: float) -> float | None:
        """When the packet that holds the sample of call time ``t_s`` really passed, as a time of that
        sample: the per-packet figure that is printed beside the envelope's. None outside the stream."""
        index = int(np.searchsorted(self.placed_s, t_s, side="right")) - 1
        if index < 0 or t_s - self.placed_s[index] > _MAX_PACKET_S:
            return None
        return float(t_s + self.passed_s[index] - self.placed_s[index] - self.codec_delay_s)


def joined(times: Sequence[PacketTimes]) -> PacketTimes:
    """All streams' packets in the order of their places."""
    if not times:
        return PacketTimes()
    placed = np.concatenate([one.placed_s for one in times])
    order = np.argsort(placed, kind="stable")
    return PacketTimes(
        media_s=np.concatenate([one.media_s for one in times])[order],
        passed_s=np.concatenate([one.passed_s for one in times])[order],
        placed_s=placed[order],
        codec_delay_s=times[0].codec_delay_s,
    )


def jitter_ms(times: PacketTimes) -> float | None:
    """Interarrival jitter as RFC 3550 (6.4.1) estimates it, after the last packet, in ms."""
    if len(times.passed_s) < 2:
        return None
    jitter = 0.0
    for difference in np.abs(np.diff(times.passed_s - times.media_s)):
        jitter += (float(difference) - jitter) / 16.0
    return jitter * 1000.0
