"""A call's media side with nobody at the other end: for tests of its parts."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from aiortc.rtp import RtpPacket

from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.records.call import Event
from harness.transports.base import DialRequest, MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.media.ports import open_ports
from harness.transports.sip.media.sdp import Agreed, Audio
from harness.transports.sip.media.sender import Paced
from harness.transports.uplink import Uplink, silence

FRAME_BYTES = 160
"""Of G.711."""


class ByHand:
    """Stands in for the sender thread: the test sends."""

    def __init__(self) -> None:
        self.added: list[Paced] = []

    def add(self, paced: Paced) -> None:
        self.added.append(paced)


def request_of(events: list[Event], packets: list[ReceivedPacket]) -> DialRequest:
    return DialRequest(
        agent="AGENT",
        to=on_the_wire("sip:agent@127.0.0.1"),
        conditions=ConditionsPlan(),
        seed=0,
        connect_s=1.0,
        uplink=Uplink(background=silence(codec_named(UNENCODED))),
        clock=CallClock(),
        on_event=events.append,
        on_packet=packets.append,
    )


def agreed(payload_type: int = 0, event_type: int | None = 101, *, rate_hz: int = 8000) -> Agreed:
    return Agreed(
        codec="pcmu",
        payload_type=payload_type,
        accepted=frozenset({payload_type}),
        event_type=event_type,
        event_types=frozenset({event_type} if event_type is not None else ()),
        event_rate_hz=rate_hz,
    )


def audio(port: int) -> Audio:
    """What an agent says that listens on a port of this machine."""
    return Audio(
        address="127.0.0.1",
        port=port,
        profile="RTP/AVP",
        formats=(0, 101),
        named={0: ("pcmu", 8000), 101: ("telephone-event", 8000)},
        direction="sendrecv",
    )


@contextmanager
def listening() -> Iterator[socket.socket]:
    """Where an agent listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(5)
        yield sock


def port_of(sock: socket.socket) -> int:
    return int(sock.getsockname()[1])


def heard(sock: socket.socket) -> RtpPacket:
    """The next packet that came there."""
    return RtpPacket.parse(sock.recv(2048))


def rtp(payload_type: int, number: int, *, ssrc: int = 7) -> bytes:
    """A frame of somebody's G.711."""
    return RtpPacket(
        payload_type=payload_type,
        sequence_number=number,
        timestamp=number * FRAME_BYTES,
        ssrc=ssrc,
        payload=bytes(FRAME_BYTES),
    ).serialize()


def connected_leg(
    theirs: socket.socket, packets: list[ReceivedPacket] | None = None, told: list[str] | None = None
) -> Leg:
    """A leg that may send; who calls puts :class:`ByHand` in the sender's place, and closes it.

    Args:
        packets: What is heard goes there.
        told: The kinds of what it tells of go there.
    """
    request = request_of([], packets if packets is not None else [])
    kinds = told if told is not None else []
    leg = Leg(open_ports("127.0.0.1"), request, on_event=lambda kind, data: kinds.append(kind))
    leg.connect(
        agreed(),
        audio(port_of(theirs)),
        MediaLog(codec="pcmu"),
        None,
        lambda packet, rate_hz: None,
        answered_ns=None,
    )
    return leg
