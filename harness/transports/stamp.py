"""When a packet passed, and where its sender's media clock stood: all that timing is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketStamp:
    """A packet of any transport.

    Attributes:
        media_ticks: Where its first sample lies in its sender's stream, in ticks of the codec's clock; from
            any zero, and it may wrap at 32 bits.
        monotonic_ns: When it passed, as ``time.monotonic_ns()`` tells.
    """

    media_ticks: int
    monotonic_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RtpStamp(PacketStamp):
    """A packet of RTP: its timestamp is what counts the ticks.

    Without these two a stream is taken to be one, whole and in order, as a WebSocket gives it.

    Attributes:
        sequence: 16 bits; by it losses, repeats and packets out of order are told.
        ssrc: Which stream of the sender it belongs to.
    """

    sequence: int
    ssrc: int
