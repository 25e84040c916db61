"""Transactions over one wire (RFC 3261, section 17): requests repeated, responses matched, no copies."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from sipmessage import Request, Response

from harness.transports.sip.signalling.message import (
    BadMessage,
    bad_request,
    branch_of,
    cseq_of,
    read_message,
    reply_place,
    response_bytes,
    top_via,
)
from harness.transports.sip.signalling.wire import Place, Wire

T1_S = 0.5
T2_S = 4.0
LIMIT_S = 64 * T1_S
"""Timers B, F, H and J."""
MAX_KEPT = 200
"""Transactions of a peer that are remembered at once."""
MAX_WAITING = 100
"""Responses to one request that nobody has looked at."""

PHRASES = {
    100: "Trying",
    180: "Ringing",
    200: "OK",
    202: "Accepted",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    415: "Unsupported Media Type",
    420: "Bad Extension",
    422: "Session Interval Too Small",
    480: "Temporarily Unavailable",
    481: "Call/Transaction Does Not Exist",
    486: "Busy Here",
    487: "Request Terminated",
    488: "Not Acceptable Here",
    491: "Request Pending",
    500: "Server Internal Error",
    503: "Service Unavailable",
    603: "Decline",
}


class BrokenOff(Exception):
    """The wire was lost before an answer came: nothing is known of the peer."""


def new_branch() -> str:
    """RFC 3261, 8.1.1.7."""
    return f"z9hG4bK{secrets.token_hex(10)}"


@dataclass(kw_only=True)
class ClientTransaction:
    """A request of ours and what comes back.

    Attributes:
        responses: As they come, copies of final ones left out; None at the end of its time, or when the wire
            is lost: ``lost`` says which, and ``is_broken_off`` whether it was the wire.
        acknowledge: Makes the ACK for a failed INVITE, sent again for each copy of the response.
        answered_ns: When the first 2xx came, in monotonic nanoseconds; 0: none did yet.
    """

    data: bytes
    to: Place
    method: str
    branch: str
    wire: Wire
    acknowledge: Callable[[Response], bytes] | None = None
    responses: asyncio.Queue[Response | None] = field(default_factory=asyncio.Queue)
    lost: str = ""
    is_broken_off: bool = False
    answered_ns: int = 0
    _timer: asyncio.TimerHandle | None = None
    _give_up: asyncio.TimerHandle | None = None
    _final: bool = False
    _interval_s: float = T1_S

    def start(self) -> None:
        """Sends it, and again until something comes back."""
        loop = asyncio.get_running_loop()
        self._give_up = loop.call_later(LIMIT_S, self._over, f"no answer within {LIMIT_S:g} s")
        if not self.wire.reliable:
            self._timer = loop.call_later(T1_S, self._again)
        self.wire.send(self.data, self.to)

    def take(self, response: Response) -> bool:
        """A response to it. False for a copy of a final one."""
        if response.code >= 200 and self.method == "INVITE" and self.acknowledge is not None:
            if response.code >= 300:
                self.wire.send(self.acknowledge(response), self.to)
            elif self._final:
                return False
        if self._final:
            return False
        if response.code < 200:
            if self.method == "INVITE":
                self._stop_timers()
            else:
                self._interval_s = T2_S
        else:
            self._final = True
            self._stop_timers()
            if response.code < 300:
                self.answered_ns = time.monotonic_ns()
        if self.responses.qsize() < MAX_WAITING:
            self.responses.put_nowait(response)
        return True

    def break_off(self, why: str) -> None:
        """The wire is lost."""
        if not self._final:
            self.is_broken_off = True
            self._over(why)

    def stop(self) -> None:
        """Nobody waits any more."""
        self._final = True
        self._stop_timers()

    def _again(self) -> None:
        self.wire.send(self.data, self.to)
        self._interval_s *= 2
        if self.method != "INVITE":
            self._interval_s = min(self._interval_s, T2_S)
        self._timer = asyncio.get_running_loop().call_later(self._interval_s, self._again)

    def _over(self, why: str) -> None:
        self.lost = why
        self._final = True
        self._stop_timers()
        self.responses.put_nowait(None)

    def _stop_timers(self) -> None:
        for timer in (self._timer, self._give_up):
            if timer is not None:
                timer.cancel()


@dataclass(kw_only=True)
class _Served:
    """A request of the peer that was answered, or is being looked at.

    Attributes:
        to: Where its answer goes. Its port is told to the peer only where it is the one that it came from.
    """

    to: Place
    call_id: str
    number: int
    method: str
    reply: bytes = b""
    repeat: asyncio.TimerHandle | None = None


class Endpoint:
    """Our end of a wire.

    Attributes:
        on_request: Called with each request of the peer, once, and whence it came. To be answered with
            :meth:`reply`, but for an ACK.
        on_success: Called with each 2xx to an INVITE after the first: a copy, or another phone's; and with
            the first where nobody waits for it any more.
        on_late: Called with that one before.
        dropped: Why messages were not read -> how many.
        copies: How many requests and responses came more than once.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.on_request: Callable[[Request, Place], None] = lambda request, source: None
        self.on_success: Callable[[Response], None] = lambda response: None
        self.on_late: Callable[[Response], None] = lambda response: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.dropped: Counter[str] = Counter()
        self.copies = 0
        self.copy_seen = asyncio.Event()
        self._ours: dict[tuple[str, str], ClientTransaction] = {}
        self._served: dict[tuple[str, str, str], _Served] = {}
        self._hosts: set[str] = set()
        wire.on_data = self.take
        wire.on_lost = self._lost

    def ask(
        self,
        data: bytes,
        *,
        to: Place,
        method: str,
        branch: str,
        acknowledge: Callable[[Response], bytes] | None = None,
    ) -> ClientTransaction:
        """Sends a request."""
        transaction = ClientTransaction(
            data=data, to=to, method=method, branch=branch, wire=self.wire, acknowledge=acknowledge
        )
        self._ours[branch, method] = transaction
        self._hosts.add(to[0])
        transaction.start()
        return transaction

    def reply(
        self,
        request: Request,
        code: int,
        *,
        to_tag: str = "",
        headers: tuple[tuple[str, str], ...] = (),
        body: bytes = b"",
        phrase: str = "",
        until_ack: bool = False,
    ) -> None:
        """Answers a request, and every copy of it alike.

        Args:
            until_ack: The response is sent again until it is acknowledged: a 2xx to an INVITE.
        """
        served = self._served.get(_key(request))
        if served is None:
            return
        served.reply = response_bytes(
            request,
            code,
            phrase or PHRASES.get(code, "OK"),
            to_tag=to_tag,
            headers=headers,
            body=body,
            source=served.to,
        )
        self.wire.send(served.reply, served.to)
        if request.method == "INVITE" and code >= 200 and (until_ack or not self.wire.reliable):
            self._repeat(served, T1_S, 0.0)

    def acknowledged(self, request: Request) -> None:
        """The ACK of a response to an INVITE of the peer has come: it is not sent again."""
        of = ("INVITE", request.headers["Call-ID"], cseq_of(request).number)
        for served in self._served.values():
            if (served.method, served.call_id, served.number) == of and served.repeat is not None:
                served.repeat.cancel()
                served.repeat = None

    def take(self, data: bytes, source: Place) -> None:
        """What came over the wire."""
        if not data.strip():
            return
        try:
            message = read_message(data)
        except BadMessage as error:
            self.dropped[str(error)] += 1
            # Over UDP anybody may send something; only whom we speak with is answered.
            known = self.wire.reliable or source[0] in self._hosts
            if known and (refusal := bad_request(data, source)) is not None:
                self.wire.send(*refusal)
            return
        if isinstance(message, Response):
            self._take_response(message)
        else:
            self._take_request(message, source)

    async def linger(self, limit_s: float) -> None:
        """Waits a little for copies of what was answered, as they come where our answer was lost."""
        if self.wire.reliable:
            return
        for _ in range(4):
            self.copy_seen.clear()
            try:
                async with asyncio.timeout(limit_s):
                    await self.copy_seen.wait()
            except TimeoutError:
                return

    def close(self) -> None:
        for transaction in self._ours.values():
            transaction.stop()
        for served in self._served.values():
            if served.repeat is not None:
                served.repeat.cancel()
        self.wire.close()

    def _take_response(self, response: Response) -> None:
        cseq = cseq_of(response)
        transaction = self._ours.get((branch_of(response), cseq.method))
        if transaction is None:
            self.dropped["a response to nothing that was asked"] += 1
            return
        if transaction.take(response):
            return
        is_taken = cseq.method == "INVITE" and 200 <= response.code < 300
        if is_taken and not transaction.answered_ns:
            transaction.answered_ns = time.monotonic_ns()
            self.on_late(response)
        else:
            self.copies += 1
        self.copy_seen.set()
        if is_taken:
            self.on_success(response)

    def _take_request(self, request: Request, source: Place) -> None:
        key = _key(request)
        served = self._served.get(key)
        if request.method == "ACK":
            self.acknowledged(request)
            self.on_request(request, source)
            return
        if served is not None:
            self.copies += 1
            self.copy_seen.set()
            if served.reply:
                self.wire.send(served.reply, served.to)
            return
        if len(self._served) >= MAX_KEPT:
            del self._served[next(iter(self._served))]
        self._served[key] = _Served(
            to=reply_place(request, source),
            call_id=request.headers["Call-ID"],
            number=cseq_of(request).number,
            method=request.method,
        )
        self.on_request(request, source)

    def _repeat(self, served: _Served, after_s: float, so_far_s: float) -> None:
        if so_far_s > LIMIT_S:
            return

        def again() -> None:
            self.wire.send(served.reply, served.to)
            self._repeat(served, min(2 * after_s, T2_S), so_far_s + after_s)

        served.repeat = asyncio.get_running_loop().call_later(after_s, again)

    def _lost(self, why: str) -> None:
        for transaction in list(self._ours.values()):
            transaction.break_off(why)
        self.on_lost(why)


def _key(request: Request) -> tuple[str, str, str]:
    # A request without the branch of RFC 3261 is told by its number as well.
    return branch_of(request) or top_via(request), request.method, str(cseq_of(request).number)
