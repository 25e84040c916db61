"""What somebody sends over SIP who calls us: INVITEs, what follows them, what is no SIP at all."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path

from harness.errors import SetupFailed
from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import OnTheWire
from harness.transports.base import DialRequest
from harness.transports.clock import CallClock
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named
from harness.transports.sip.address import read_destination
from harness.transports.sip.answering.listening import Listening
from harness.transports.sip.answering.reception import Reception
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.answering.session import AnsweredSession, Manner
from harness.transports.uplink import Uplink, silence
from tests.fuzz.targets.base import Target
from tests.fuzz.targets.telephone import BETWEEN, MAX_MESSAGES, SilentWire, settled

AGENT = "sip:127.0.0.1"
SOURCE = ("127.0.0.1", 9)


def sip_in(data: bytes, folder: Path) -> None:
    """Messages, one after the other, at a door that everybody may come through, and at one with a password.
    ``{ours}`` in them is the tag that we gave the call, ``{nonce}`` what we asked for last."""
    messages = data.split(BETWEEN)[:MAX_MESSAGES]
    for password in ("", "secret"):
        asyncio.run(_rung(messages, password))


async def _rung(messages: list[bytes], password: str) -> None:
    wire = SilentWire()
    sessions: list[AnsweredSession] = []
    calls: list[asyncio.Task[None]] = []

    def on_ring(ring: Ring) -> None:
        session = _session(ring)
        sessions.append(session)
        calls.append(asyncio.create_task(session.connect()))

    reception = Reception(
        Listening(host="127.0.0.1", port=0, user="bob" if password else "", password=password),
        from_hosts=None,
        on_ring=on_ring,
        on_unwanted=lambda why, invite, source: None,
    )
    for message in messages:
        reception.door._take(wire, _told(message, wire.sent), SOURCE)
        await settled()
    for call in calls:
        call.cancel()
        with contextlib.suppress(SetupFailed, asyncio.CancelledError):
            await call
    for session in sessions:
        # Nobody is there to answer a BYE.
        session.peer_left = True
        await session.close()
    reception.close()


def _session(ring: Ring) -> AnsweredSession:
    to = OnTheWire(url=AGENT)
    request = DialRequest(
        agent=AGENT,
        to=to,
        clock=CallClock(),
        uplink=Uplink(background=silence(codec_named(UNENCODED))),
        conditions=ConditionsPlan(),
        seed=1,
        connect_s=1.0,
        on_packet=lambda packet: None,
        on_event=lambda event: None,
    )
    return AnsweredSession(request, read_destination(to, shown=AGENT), ring, Manner())


def _told(message: bytes, sent: list[bytes]) -> bytes:
    said = b"".join(sent[-3:])
    tags, nonces = re.findall(rb"To: .*;tag=(\w+)", said), re.findall(rb'nonce="(\w+)"', said)
    message = message.replace(b"{ours}", tags[-1] if tags else b"x")
    message = message.replace(b"{nonce}", nonces[-1] if nonces else b"x")
    return message.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


TARGETS = {"sip_in": Target(run=sip_in, form="text")}
