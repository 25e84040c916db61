"""When the packets of one direction passed, and where on the call's clock their sound belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

STRAY_FACTOR = 6.0
LEAST_STRAY_S = 0.002
"""A packet strays that is this many times as late as the median of those around it, and at least so late."""
LEAST_OVERTAKING_S = 0.005
"""Packets of one heap pass each other by less than this."""
AROUND_S = 2.0
"""How far on either side packets are "around" one."""
NOISE_FACTOR = 3.0
"""What jitter leaves of the envelope widens an error bar as many times as its median."""
_MEANT_S = 0.02
"""So soon before a packet behind a pause nothing begins but with it."""
_MAX_PACKET_S = 0.12
"""The longest Opus packet (RFC 6716), and longer than is usual in any other codec: a larger step in the media
time is a pause of the sender, but for what the packet's own sound fills of it."""


@dataclass(frozen=True, kw_only=True)
class WireTime:
    """When a sample passed our socket.

    Attributes:
        at_s: By the envelope; by its own packet's arrival where that strays from what is usual around it.
        bar_s: Half width that holds both: how far the two are apart, and what jitter leaves of the envelope.
        passed_s: By its own packet alone.
        strays: The sender's clock and the packet's arrival contradict each other.
    """

    at_s: float
    bar_s: float
    passed_s: float
    strays: bool


@dataclass(frozen=True, kw_only=True)
class PacketTimes:
    """One direction's packets in media order; all arrays have one entry a packet.

    Attributes:
        media_s: Media time since the first packet.
        passed_s: Call time at which the packet passed our socket.
        placed_s: Call time of its first sample by the envelope, with the codec's delay counted out.
        codec_delay_s: That delay.
        resampling_s: What our own change of the sampling rate takes of it: the sound is so much behind the
            wire, and waits for no other packet.
        noise_s: What jitter leaves of the envelope (``MediaClock.block_noise_s``).
        sound_s: How long each packet sounds; empty where that is not known.
    """

    media_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    passed_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    placed_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    codec_delay_s: float = 0.0
    resampling_s: float = 0.0
    noise_s: float = 0.0
    sound_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def due_s(self) -> NDArray[np.float64]:
        """Call time by the envelope at which each packet was to pass."""
        return np.asarray(self.placed_s + self.codec_delay_s)

    @property
    def lasts_s(self) -> NDArray[np.float64]:
        """How long each packet sounds, as far as that is known; else 0."""
        return self.sound_s if len(self.sound_s) else np.zeros(len(self.placed_s))

    @cached_property
    def late_s(self) -> NDArray[np.float64]:
        """How much later than its place each packet passed."""
        return np.asarray(self.passed_s - self.due_s)

    @cached_property
    def overtaken_s(self) -> NDArray[np.float64]:
        """How long before each packet one passed that was to follow it; 0 for most."""
        following = np.append(np.minimum.accumulate(self.passed_s[::-1])[::-1][1:], np.inf)
        return np.asarray(np.maximum(self.passed_s - following, 0.0))

    def wire_time(self, t_s: float, *, onset: bool = False) -> WireTime | None:
        """When the sample of call time ``t_s`` was on the wire: the packets' arrival is the truth where the
        sender's clock contradicts it. None outside the stream.

        Args:
            onset: Something begins there: where it may have begun with the packet behind, since our change of
                the sampling rate rings ahead of it, and that one passed later, it is that packet's.
        """
        index = self.holding(t_s)
        if onset and self.resampling_s:
            behind = self.holding(t_s + self.resampling_s)
            if behind is None:
                behind = self._first_behind_pause(t_s)
            if index is None or (behind is not None and self.late_s[behind] > self.late_s[index]):
                index = behind
        if index is None:
            return None
        late_s = float(self.late_s[index])
        first, last = np.searchsorted(self.placed_s, [t_s - AROUND_S, t_s + AROUND_S])
        usual_s = float(np.median(np.abs(self.late_s[first:last])))
        # Nothing is placed after it passed, but where sound lay that may not be covered.
        early = late_s < -LEAST_STRAY_S
        strays = early or late_s > max(LEAST_STRAY_S, STRAY_FACTOR * usual_s)
        overtaken_s = float(self.overtaken_s[index])
        if overtaken_s > LEAST_OVERTAKING_S:
            # The way was longer for this one packet. It had left when the one that overtook it passed.
            strays, late_s = early, late_s - overtaken_s
        return WireTime(
            at_s=t_s + late_s if strays else t_s,
            bar_s=abs(late_s) + NOISE_FACTOR * self.noise_s,
            passed_s=t_s + float(self.late_s[index]),
            strays=strays,
        )

    def _first_behind_pause(self, t_s: float) -> int | None:
        """The next packet, where it comes so soon that nothing else can be meant."""
        index = int(np.searchsorted(self.placed_s, t_s, side="right"))
        soon = index < len(self.placed_s) and self.placed_s[index] - t_s <= _MEANT_S
        return index if soon else None

    def heard_at(self, t_s: float, *, since_s: float) -> float | None:
        """When somebody heard the sample of call time ``t_s`` who plays every packet when it comes, or else
        when the one before it is over, from ``since_s`` on (where there was quiet to catch up in). Never
        before it was on the wire; later where packets came in heaps. None outside the stream."""
        first, last = self.holding(since_s), self.holding(t_s)
        if first is None or last is None:
            return None
        return t_s + float(np.max(self.late_s[first : last + 1]))

    def passed_at(self, t_s: float) -> float | None:
        """When the packet that holds the sample of call time ``t_s`` really passed, as a time of that
        sample: the per-packet figure that is printed beside the envelope's. None outside the stream."""
        index = self.holding(t_s)
        return None if index is None else float(t_s + self.late_s[index])

    def holding(self, t_s: float) -> int | None:
        """The packet that carried the sample of call time ``t_s``; None outside the stream. Where an encoder
        looks ahead, that may be the one after the packet that was due then."""
        on_the_wire_s = t_s - self.resampling_s
        index = int(np.searchsorted(self.placed_s, on_the_wire_s, side="right")) - 1
        if index < 0:
            return None
        longest_s = max(_MAX_PACKET_S, float(self.lasts_s[index]))
        return None if on_the_wire_s - self.placed_s[index] > longest_s else index


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
        resampling_s=times[0].resampling_s,
        noise_s=max(one.noise_s for one in times),
        sound_s=np.concatenate([one.lasts_s for one in times])[order],
    )


def jitter_ms(times: PacketTimes) -> float | None:
    """Interarrival jitter as RFC 3550 (6.4.1) estimates it, after the last packet, in ms."""
    if len(times.passed_s) < 2:
        return None
    jitter = 0.0
    for difference in np.abs(np.diff(times.passed_s - times.media_s)):
        jitter += (float(difference) - jitter) / 16.0
    return jitter * 1000.0
