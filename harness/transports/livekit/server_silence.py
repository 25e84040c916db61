"""Silence that a LiveKit server makes itself, where a track is muted or its sender leaves the room.

It sends two packets at once (livekit-server 1.13): one with the time stamp of the last of the sender's, one
with a time stamp that is up to a frame ahead of real time. Taken for the agent's, the second one would say
that all packets of the last five seconds had come 20 ms late, and every answer in them would read 20 ms too
fast.
"""

from __future__ import annotations

from dataclasses import replace

from harness.transports.base import ReceivedPacket
from harness.transports.stamp import RtpStamp

FRAME = bytes.fromhex("f8fffe") + bytes(77)
"""What is in them: 20 ms of digital silence, as Opus encodes it at a constant 32 kbit/s."""
TICKS = 960


class ServerSilence:
    """Sifts the packets of one voice."""

    def __init__(self) -> None:
        self._last: RtpStamp | None = None
        self._taken_out = 0
        self._run = 0
        self._newest_out = 0

    def sift(self, packet: ReceivedPacket) -> ReceivedPacket | None:
        """The packet, numbered as if the server had sent none of its own; None for one that it made.

        An agent that encodes at a constant rate may send the same frame. Its time stamps go on as its numbers
        do, and the server's do not: by that they are told apart.
        """
        stamp = packet.stamp
        if not isinstance(stamp, RtpStamp):
            return packet
        if self._last is None or self._last.ssrc != stamp.ssrc:
            self._taken_out = self._run = 0
        elif packet.payload == FRAME and not self._goes_on(stamp):
            self._run = self._run + 1 if stamp.sequence == (self._newest_out + 1) & 0xFFFF else 1
            self._taken_out += 1
            self._newest_out = stamp.sequence
            return None
        if self._taken_out:
            before = (stamp.sequence - self._newest_out) & 0xFFFF >= 0x8000
            earlier = self._taken_out - (self._run if before else 0)
            numbered = replace(stamp, sequence=(stamp.sequence - earlier) & 0xFFFF)
            packet = replace(packet, stamp=numbered)
        self._last = stamp
        return packet

    def _goes_on(self, stamp: RtpStamp) -> bool:
        assert self._last is not None
        frames = (stamp.sequence - self._last.sequence + 0x8000 & 0xFFFF) - 0x8000
        return (stamp.media_ticks - self._last.media_ticks - frames * TICKS) & 0xFFFFFFFF == 0
