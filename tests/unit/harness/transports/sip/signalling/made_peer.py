"""A peer that says what a test has it say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sipmessage import Request

from harness.transports.sip.signalling.message import Headers, read_message, response_bytes
from harness.transports.sip.signalling.wire import OnData, Place

HOP = ("127.0.0.1", 5060)
SDP = "application/sdp"


class MadePeer:
    """A wire with nobody behind it but the test: says that it is reliable, so that no timer runs, unless it
    shall not be."""

    name = "TCP"
    local: Place = ("127.0.0.1", 40_000)

    def __init__(self, *, reliable: bool = True) -> None:
        self.reliable = reliable
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.got: list[Request] = []
        self.went: list[Place] = []
        """Where each of them went."""

    def send(self, data: bytes, to: Place) -> None:
        message = read_message(data)
        assert isinstance(message, Request)
        self.got.append(message)
        self.went.append(to)

    def close(self) -> None:
        return

    async def closed(self) -> None:
        return

    def asked(self, method: str) -> list[Request]:
        return [one for one in self.got if one.method == method]

    async def says(
        self,
        code: int,
        *,
        to: Request | None = None,
        tag: str = "a",
        sequence: str = "",
        more: Headers = (),
        body: bytes = b"",
    ) -> None:
        """Answers a request, the INVITE if none is given; ``sequence``: reliably, by that number."""
        told = [("Contact", "<sip:desk@127.0.0.9:5070>"), *more]
        if sequence:
            told += [("Require", "100rel"), ("RSeq", sequence)]
        if body:
            told.append(("Content-Type", SDP))
        asked = to or self.asked("INVITE")[-1]
        self.on_data(response_bytes(asked, code, "X", to_tag=tag, headers=told, body=body), HOP)
        for _ in range(8):
            await asyncio.sleep(0)
