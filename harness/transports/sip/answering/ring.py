"""A call that rings: whose it is, that it rings, that it is refused, or that the caller gave up."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from dataclasses import dataclass, field

from sipmessage import Request

from harness.redaction import KNOWN
from harness.transports.sip.address import BadAddress, Carrier, in_brackets, parse_uri
from harness.transports.sip.answering.line import Line
from harness.transports.sip.signalling.message import address_of, branch_of, tag_of
from harness.transports.sip.signalling.wire import Place
from spoken_language.outside_text import one_line

FORGOTTEN_S = 32.0
"""So long the answer to a call that was not taken is given to whoever asks again (RFC 3261, timer H)."""


@dataclass(kw_only=True, eq=False)
class Ring:
    """One INVITE of somebody who may ring.

    Attributes:
        source: Whence it came.
        tag: Ours, in all that is answered.
        arrived_s: On the monotonic clock.
        gone: Done when the caller has given up; says how.
        code: With which it was refused, or the call ended that was given up; 0 while it may be taken.
        over: The call that came of it is over.
    """

    invite: Request
    line: Line
    source: Place
    tag: str = field(default_factory=lambda: secrets.token_hex(6))
    arrived_s: float = field(default_factory=time.monotonic)
    gone: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    code: int = 0
    over: bool = False

    def __post_init__(self) -> None:
        self.line.endpoint.on_request = self._on_request
        self.line.endpoint.on_lost = self.lost

    @property
    def numbers(self) -> tuple[str, ...]:
        """Whom it is for: the user of the request's own address, and that of To, where a registrar has put
        ours in its place."""
        found = [str(self.invite.uri.user or "")]
        with contextlib.suppress(BadAddress):
            found.append(parse_uri(address_of(self.invite.headers["To"])).user)
        return tuple(dict.fromkeys(one_line(one, most=256) for one in found if one))

    @property
    def caller(self) -> str:
        """Who rings, as it may be shown."""
        return one_line(KNOWN.scrub(address_of(self.invite.headers["From"])), most=200)

    @property
    def carrier(self) -> Carrier:
        """How it came."""
        name = self.line.wire.name.lower()
        return "tcp" if name == "tcp" else "tls" if name == "tls" else "udp"

    @property
    def contact(self) -> str:
        """Where we are reached in this call."""
        host, port = self.line.wire.local
        if self.carrier == "tls" and self.invite.uri.scheme == "sips":
            # Who calls a sips: address is told one in return (RFC 3261, 12.1.1).
            return f"sips:outboundeval@{in_brackets(host)}:{port}"
        via = "" if self.carrier == "udp" else f";transport={self.carrier}"
        return f"sip:outboundeval@{in_brackets(host)}:{port}{via}"

    def header(self, name: str) -> str:
        return self.invite.headers.get(name) or ""

    def rings(self) -> None:
        """Tells the caller that it rings."""
        if not self.code:
            contact = ("Contact", f"<{self.contact}>")
            self.line.endpoint.reply(self.invite, 180, to_tag=self.tag, headers=(contact,))

    def refuse(self, code: int, headers: tuple[tuple[str, str], ...] = ()) -> None:
        """Does not take it."""
        if self.code:
            return
        self.code = code
        self.line.endpoint.reply(self.invite, code, to_tag=self.tag, headers=headers)
        self.forget()

    def forget(self) -> None:
        """Nobody takes it any more: its line is closed when its answer has arrived, or nobody asks again."""
        asyncio.get_running_loop().call_later(FORGOTTEN_S, self.line.endpoint.close)

    def given_up(self, request: Request) -> bool:
        """Whether a request takes the call back that has not been taken: then it is answered."""
        by_bye = request.method == "BYE" and tag_of(request.headers["To"]) == self.tag
        by_cancel = request.method == "CANCEL" and branch_of(request) == branch_of(self.invite)
        if not by_bye and not by_cancel:
            return False
        self.line.endpoint.reply(request, 200, to_tag=self.tag)
        if not self.code:
            self.code = 487
            self.line.endpoint.reply(self.invite, 487, to_tag=self.tag)
            self._is_gone(f"the agent hung up while it rang ({request.method})")
        return True

    def _on_request(self, request: Request, source: Place) -> None:
        if request.method == "ACK":
            if self.code:
                self.line.endpoint.close()
        elif not self.given_up(request):
            self.line.endpoint.reply(request, 481 if request.method != "INVITE" else 500, to_tag=self.tag)

    def lost(self, why: str) -> None:
        if not self.code:
            self.code = 487
            self._is_gone(f"the way to the agent was lost while it rang: {KNOWN.scrub(why)}")

    def _is_gone(self, how: str) -> None:
        if not self.gone.done():
            self.gone.set_result(how)
