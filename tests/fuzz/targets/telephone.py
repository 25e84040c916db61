"""What agents send over SIP: answers to an INVITE, requests in the call, descriptions, a stream of bytes."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.transports.sip.address import read_destination
from harness.transports.sip.in_dialog import InDialog
from harness.transports.sip.media.sdp import BadSdp, read_audio
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.session_timer import SessionTimer
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.inviting.placing import Placing, begun
from harness.transports.sip.signalling.inviting.redirection import Redirected
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import OnData, Place, StreamWire
from tests.fuzz.targets.base import Target

AGENT = "sip:agent@127.0.0.1"
BETWEEN = b"\n%%\n"
"""Between two messages of an input. ``{branch}``, ``{call}``, ``{ours}`` and ``{number}`` in them are put in:
a stranger who talks to us knows them."""
MAX_MESSAGES = 50


class SilentWire:
    """Sends nowhere. Says that it is reliable, so that no timer runs."""

    name = "UDP"
    reliable = True
    local: Place = ("127.0.0.1", 5060)

    def __init__(self) -> None:
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.sent: list[bytes] = []

    def send(self, data: bytes, to: Place) -> None:
        self.sent.append(data)

    def close(self) -> None:
        return


class _Call:
    """What requests within the call act on; does nothing."""

    def __init__(self) -> None:
        self.negotiation = Negotiation(address="127.0.0.1", port=4000, codecs=("pcmu", "opus"), secure=False)
        self.negotiation.offer()
        self.timer = SessionTimer(refresh=lambda: None, expired=lambda: None)

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        return

    def end(self, how: str, *, left: bool = False) -> None:
        return

    def media_changed(self) -> None:
        return

    def transfer(self, target: str) -> None:
        return


def sip(data: bytes, folder: Path) -> None:
    """Messages, one after the other, to a call of ours; then all of it as a stream, and as a description."""
    asyncio.run(_called(data.split(BETWEEN)[:MAX_MESSAGES]))
    asyncio.run(_streamed(data.replace(BETWEEN, b"")))
    with contextlib.suppress(BadSdp):
        read_audio(data)


async def _called(messages: list[bytes]) -> None:
    wire, call = SilentWire(), _Call()
    endpoint = Endpoint(wire)
    destination = read_destination(OnTheWire(url=f"{AGENT}?follow=127.0.0.1"), shown=AGENT)
    asking = Asking(
        endpoint=endpoint,
        destination=destination,
        login=Login(user="bob", password="secret"),
        hop=("127.0.0.1", 9),
        shown=AGENT,
        dialog=begun(destination, at=wire.local),
    )
    placing = Placing(asking=asking, offer=call.negotiation.offer())
    endpoint.on_request = InDialog(endpoint, asking.dialog, call).take
    endpoint.on_success = placing.confirm
    placed = asyncio.create_task(placing.place())
    for message in messages:
        await settled()
        wire.on_data(_told(message, asking.dialog, wire.sent), ("127.0.0.1", 9))
    await settled()
    placed.cancel()
    with contextlib.suppress(SetupFailed, Redirected, asyncio.CancelledError):
        await placed
    call.timer.stop()
    placing.close()
    endpoint.close()


async def _streamed(data: bytes) -> None:
    reader = asyncio.StreamReader(limit=65_535)
    reader.feed_data(data)
    reader.feed_eof()
    wire = StreamWire("TCP", reader, _Writer())  # type: ignore[arg-type]
    endpoint = Endpoint(wire)
    await asyncio.wait([wire._task], timeout=1.0)
    assert wire._task.done()
    wire._task.result()
    endpoint.close()


class _Writer:
    def get_extra_info(self, name: str) -> Place:
        return ("127.0.0.1", 1)

    def is_closing(self) -> bool:
        return True

    def write(self, data: bytes) -> None:
        return

    def close(self) -> None:
        return


def _told(message: bytes, dialog: Dialog, sent: list[bytes]) -> bytes:
    branches = re.findall(rb"branch=(\w+)", sent[-1]) if sent else [b"x"]
    known = {
        b"{branch}": branches[0] if branches else b"x",
        b"{call}": dialog.call_id.encode(),
        b"{ours}": dialog.local_tag.encode(),
        b"{number}": str(dialog.local_number).encode(),
    }
    for name, value in known.items():
        message = message.replace(name, value)
    return message.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


async def settled() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


TARGETS = {"sip": Target(run=sip, form="text")}
