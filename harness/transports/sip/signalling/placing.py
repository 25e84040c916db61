"""Placing a call: INVITE until it is taken, refused, redirected or cancelled (RFC 3261, sections 9 and 13).

Credentials go to whoever asks for them on the way to the address that was given; a redirection is followed
only to hosts that the plan allows, and never with credentials.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from sipmessage import Response

from harness.errors import SetupFailed
from harness.redaction import KNOWN
from harness.transports.sip.address import (
    BadAddress,
    Destination,
    bare_host,
    in_brackets,
    is_numeric,
    parse_uri,
)
from harness.transports.sip.signalling.dialog import ALLOW, SUPPORTED, Dialog
from harness.transports.sip.signalling.login import MAX_ROUNDS, Login, Refused
from harness.transports.sip.signalling.message import (
    address_of,
    cseq_of,
    parameter,
    request_bytes,
    tag_of,
    top_via,
    values,
)
from harness.transports.sip.signalling.outcome import not_taken
from harness.transports.sip.signalling.reliable import RELIABLE, ReliableProvisionals
from harness.transports.sip.signalling.resolve import locate
from harness.transports.sip.signalling.transactions import (
    LIMIT_S,
    BrokenOff,
    ClientTransaction,
    Endpoint,
    new_branch,
)
from harness.transports.sip.signalling.wire import Place, Unreached
from spoken_language.outside_text import one_line

SESSION_S = 1800
"""What we propose for a session timer (RFC 4028)."""
MAX_SESSION_S = 86_400
CANCEL_S = 2.0
"""So long we wait for what becomes of a call that we cancelled."""
PENDING_S = 180.0
"""So long a request in the dialog may stand with a 1xx alone: proxies give it up then (timer C, 16.6)."""
NAME_S = 1.0
"""So long hanging up waits for the address of a name to which it goes."""


class Redirected(Exception):
    """The call is to be placed again at an allowed address: ``to``."""

    def __init__(self, to: str) -> None:
        super().__init__(to)
        self.to = to


@dataclass(kw_only=True)
class Placing:
    """One INVITE, with all that it takes to have it taken.

    Attributes:
        hop: Where requests go first.
        offer: SDP.
        headers: Of the request, beside those of SIP.
        on_provisional: Called with each 1xx but 100.
        unheard_s: The longest to wait for a first word, where there is another place to try; None: none is.
        dialog: Made with the first request; confirmed by the answer.
        heard: Whether anything at all came back; ``ringing``: whether somebody was found.
        answered_ns: When the answer came that made the dialog, in monotonic nanoseconds; 0: none did.
    """

    endpoint: Endpoint
    destination: Destination
    login: Login
    hop: Place
    offer: bytes
    shown: str
    headers: list[tuple[str, str]] = field(default_factory=list)
    on_provisional: Callable[[Response], None] = lambda response: None
    unheard_s: float | None = None
    heard: bool = False
    ringing: bool = False
    answered_ns: int = 0
    dialog: Dialog = field(init=False)
    _reliable: ReliableProvisionals = field(init=False)
    _transaction: ClientTransaction | None = None
    _via: str = ""
    _session_s: int = SESSION_S
    _min_session_s: int = 90
    _credentials: list[tuple[str, str]] = field(default_factory=list)
    _settling: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self._reliable = ReliableProvisionals(self._prack)
        host, port = self.endpoint.wire.local
        caller = self.destination.caller
        domain = in_brackets(host) if self.destination.proxy is None else self.destination.uri.host
        whole = caller if "@" in caller else f"{caller}@{domain}"
        uri = self.destination.uri
        self.dialog = Dialog(
            call_id=f"{secrets.token_hex(12)}@{in_brackets(host)}",
            local=f"<sip:{whole}>;tag={secrets.token_hex(6)}",
            remote=f"<{uri}>",
            target=str(uri),
            contact=self._contact(host, port),
            local_number=secrets.randbelow(10_000),
        )
        if self.destination.proxy is not None:
            proxy, proxy_port = self.destination.proxy
            named = f":{proxy_port}" if proxy_port else ""
            carrier = self.destination.carrier
            via = "" if carrier == "udp" else f";transport={carrier}"
            self.dialog.routes = [f"sip:{proxy}{named}{via};lr"]

    async def place(self) -> Response:
        """Returns the answer, acknowledged; :attr:`dialog` stands then.

        Raises:
            SetupFailed: Nobody took it; NotAnswered, where somebody did not take it; Unreached, where another
                place is to be tried (RFC 3263, 4.3).
            Redirected: It shall be placed elsewhere, where that is allowed.
        """
        for _ in range(MAX_ROUNDS):
            response = await self._invite()
            if 200 <= response.code < 300:
                self.login.settled("INVITE")
                await self._stand(response)
                return response
            if response.code in (401, 407):
                try:
                    self.login.heed(response, "INVITE")
                except Refused as error:
                    raise SetupFailed(f"{self.shown}: answered {response.code}: {error}") from None
                self._learn_own_address(response)
            elif response.code == 422:
                self._lengthen_session(response)
            elif 300 <= response.code < 400:
                raise self._redirected(response)
            elif response.code == 503 and self.unheard_s is not None:
                raise Unreached(str(not_taken(response, shown=self.shown)))
            else:
                raise not_taken(response, shown=self.shown)
        raise SetupFailed(f"{self.shown}: asked for a user and a password {MAX_ROUNDS} times")

    def confirm(self, response: Response) -> None:
        """Acknowledges an answer (13.2.2.4): the first makes the dialog; a copy is acknowledged again; a call
        that another phone took at the same moment is hung up."""
        tag = tag_of(response.headers["To"])
        if tag == self.dialog.remote_tag:
            self.acknowledge(response)
            return
        other = Dialog(
            call_id=self.dialog.call_id,
            local=self.dialog.local,
            remote="",
            target=self.dialog.target,
            contact=self.dialog.contact,
            local_number=max(cseq_of(response).number, self._reliable.counted_to(tag)),
        )
        other.confirm(response)
        self._send_ack(other, cseq_of(response).number)
        branch = new_branch()
        data = request_bytes("BYE", other.request_uri, other.headers("BYE", via=self.via(branch)))
        self.endpoint.ask(data, to=self.hop, method="BYE", branch=branch)

    async def settle_hop(self) -> None:
        """Finds where requests of the dialog go first: its first proxy, or the peer itself. A stream leads
        where it leads; where a name cannot be resolved the way of the INVITE is taken."""
        self.hop = await self._hop_of(self.dialog)

    async def cancel(self) -> None:
        """Takes an INVITE back that nobody has answered finally; what is taken all the same is hung up."""
        transaction = self._transaction
        if transaction is None or not self.heard:
            # Without a word of the peer's there may be no CANCEL (9.1), and there is nobody to want one.
            return
        data = request_bytes(
            "CANCEL",
            self.dialog.request_uri,
            [
                ("Via", self._via),
                *(("Route", f"<{route}>") for route in self.dialog.routes),
                ("Max-Forwards", "70"),
                ("From", self.dialog.local),
                ("To", self.dialog.remote),
                ("Call-ID", self.dialog.call_id),
                ("CSeq", f"{self.dialog.local_number} CANCEL"),
            ],
        )
        self.endpoint.ask(data, to=self.hop, method="CANCEL", branch=transaction.branch)
        try:
            async with asyncio.timeout(CANCEL_S):
                while (response := await transaction.responses.get()) is not None:
                    if 200 <= response.code < 300:
                        await self._stand(response)
                        await self.bye()
                    if response.code >= 200:
                        return
        except TimeoutError:
            return

    async def bye(self) -> None:
        """Hangs up; returns when the peer has said that it knows, or after :data:`CANCEL_S` (and
        :data:`NAME_S`, where it is not known yet where that goes)."""
        if self._settling is not None and (self._settling.cancelled() or not self._settling.done()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(NAME_S):
                    await self.settle_hop()
        await self.in_dialog("BYE", limit_s=CANCEL_S)

    async def in_dialog(
        self, method: str, headers: list[tuple[str, str]] | None = None, body: bytes = b"", *, limit_s: float
    ) -> Response | None:
        """A request in the dialog, with credentials where they are asked for; None: nothing came back."""
        try:
            return await self.answered(method, headers or [], body, limit_s=limit_s)
        except BrokenOff:
            return None

    async def answered(
        self,
        method: str,
        headers: list[tuple[str, str]],
        body: bytes,
        *,
        limit_s: float,
        waits_on: Callable[[], bool] = lambda: False,
    ) -> Response | None:
        """As :meth:`in_dialog`; None: nothing came back in time.

        Args:
            waits_on: Whether another ``limit_s`` is waited where a 1xx has come and no more; that may be
                :data:`PENDING_S` in all.

        Raises:
            BrokenOff: The wire was lost meanwhile.
        """
        return await self._asked(
            self.dialog, self.hop, method, headers, body, limit_s=limit_s, waits_on=waits_on
        )

    async def _asked(
        self,
        dialog: Dialog,
        hop: Place,
        method: str,
        headers: list[tuple[str, str]],
        body: bytes,
        *,
        limit_s: float,
        waits_on: Callable[[], bool] = lambda: False,
    ) -> Response | None:
        for _ in range(MAX_ROUNDS):
            branch, uri = new_branch(), dialog.request_uri
            told = dialog.headers(method, via=self.via(branch))
            told += [*headers, *self.login.headers(method, uri)]
            acknowledge = self._acknowledger(branch) if method == "INVITE" else None
            transaction = self.endpoint.ask(
                request_bytes(method, uri, told, body),
                to=hop,
                method=method,
                branch=branch,
                acknowledge=acknowledge,
            )
            response = await _final(transaction, limit_s, waits_on)
            if response is None or response.code not in (401, 407):
                self.login.settled(method)
                return response
            try:
                self.login.heed(response, method)
            except Refused:
                return response
        return None

    def acknowledge(self, response: Response) -> None:
        """The ACK for a 2xx to an INVITE of ours, by the number of that (13.2.2.4)."""
        self._send_ack(self.dialog, cseq_of(response).number)

    def answer_before(self, response: Response) -> bytes:
        """The SDP answer that whoever took the call gave, acknowledged, before taking it; empty: none."""
        return self._reliable.answer_before(response)

    def close(self) -> None:
        """Provisional responses are acknowledged no more."""
        self._reliable.close()
        if self._settling is not None:
            self._settling.cancel()

    async def _stand(self, response: Response) -> None:
        """The call was taken: the dialog stands, and goes on counting where its early one was."""
        self.dialog.confirm(response)
        counted = self._reliable.counted_to(self.dialog.remote_tag)
        self.dialog.local_number = max(self.dialog.local_number, counted)
        if self._hop_is_known:
            await self.settle_hop()
            self.confirm(response)
            return
        # A name may take its time, and whoever spoke first would not be heard. Until it is found, requests go
        # where the INVITE went; a copy of the answer is acknowledged where it leads.
        self.confirm(response)
        self._settling = asyncio.ensure_future(self.settle_hop())

    @property
    def _hop_is_known(self) -> bool:
        """Whether no name has to be looked up for where requests of the dialog go."""
        if self.endpoint.wire.reliable:
            return True
        try:
            return is_numeric(parse_uri(self.dialog.next_hop).host)
        except BadAddress:
            return True

    async def _hop_of(self, dialog: Dialog) -> Place:
        if self.endpoint.wire.reliable:
            return self.hop
        try:
            uri = parse_uri(dialog.next_hop)
            return await locate(uri.host, uri.port, self.destination.carrier, shown=self.shown)
        except (BadAddress, SetupFailed):
            return self.hop

    async def _prack(self, early: Dialog, acknowledged: str) -> None:
        """Acknowledges a provisional response (RFC 3262, 7.2)."""
        hop = await self._hop_of(early)
        with contextlib.suppress(BrokenOff):
            await self._asked(early, hop, "PRACK", [("RAck", acknowledged)], b"", limit_s=LIMIT_S)

    def via(self, branch: str) -> str:
        host, port = self.endpoint.wire.local
        return f"SIP/2.0/{self.endpoint.wire.name} {in_brackets(host)}:{port};branch={branch};rport"

    async def _invite(self) -> Response:
        branch = new_branch()
        self._via = self.via(branch)
        uri = self.dialog.request_uri
        self._credentials = self.login.headers("INVITE", uri)
        told = [
            *self.dialog.headers("INVITE", via=self._via),
            ("Allow", ALLOW),
            ("Supported", f"{SUPPORTED}, {RELIABLE}"),
            ("Session-Expires", str(self._session_s)),
            ("Min-SE", str(self._min_session_s)),
            *self.headers,
            *self._credentials,
            ("Content-Type", "application/sdp"),
        ]
        self._reliable.begin()
        transaction = self._transaction = self.endpoint.ask(
            request_bytes("INVITE", uri, told, self.offer),
            to=self.hop,
            method="INVITE",
            branch=branch,
            acknowledge=self._acknowledger(branch),
        )
        while (response := await self._next(transaction)) is not None:
            self.heard = True
            if response.code >= 200:
                self._transaction = None
                self.answered_ns = transaction.answered_ns
                return response
            if response.code > 100 and self._reliable.take(response, self.dialog):
                self.ringing = True
                self.on_provisional(response)
        self._transaction = None
        raise Unreached(f"{self.shown}: {KNOWN.scrub(transaction.lost)}")

    async def _next(self, transaction: ClientTransaction) -> Response | None:
        """What comes back next. Without a word in time the place is given up, where there is another."""
        try:
            async with asyncio.timeout(None if self.heard else self.unheard_s):
                return await transaction.responses.get()
        except TimeoutError:
            transaction.stop()
            transaction.lost = f"no answer within {self.unheard_s:g} s"
            return None

    def _acknowledger(self, branch: str) -> Callable[[Response], bytes]:
        """Makes the ACK for a response of 300 and more: of the same transaction (17.1.1.3)."""
        uri, number, via = self.dialog.request_uri, self.dialog.local_number, self.via(branch)
        routes = list(self.dialog.routes)

        def acknowledge(response: Response) -> bytes:
            return request_bytes(
                "ACK",
                uri,
                [
                    ("Via", via),
                    *(("Route", f"<{route}>") for route in routes),
                    ("Max-Forwards", "70"),
                    ("From", self.dialog.local),
                    ("To", response.headers["To"]),
                    ("Call-ID", self.dialog.call_id),
                    ("CSeq", f"{number} ACK"),
                ],
            )

        return acknowledge

    def _send_ack(self, dialog: Dialog, number: int) -> None:
        told = dialog.headers("ACK", via=self.via(new_branch()), number=number)
        uri = dialog.request_uri
        self.endpoint.wire.send(request_bytes("ACK", uri, [*told, *self._credentials]), self.hop)

    def _redirected(self, response: Response) -> Exception:
        """To the first of the places that it names where the plan lets us go; else to none of them."""
        refused, first = not_taken(response, shown=self.shown), ""
        for contact in values(response, "Contact"):
            target = address_of(contact)
            try:
                host = parse_uri(target).host.lower()
            except BadAddress:
                continue
            if host in self.destination.follow or bare_host(host) in self.destination.follow:
                return Redirected(to=target)
            first = first or target
        if first:
            shown = one_line(first, most=100)
            refused.args = (f"{refused.args[0]} to {shown}, which the plan does not allow",)
        return refused

    def _lengthen_session(self, response: Response) -> None:
        told = (response.headers.get("Min-SE") or "").partition(";")[0].strip()
        if not told.isdecimal() or not self._min_session_s < int(told) <= MAX_SESSION_S:
            raise not_taken(response, shown=self.shown)
        self._min_session_s = int(told)
        self._session_s = max(self._session_s, self._min_session_s)

    def _learn_own_address(self, response: Response) -> None:
        """Behind a translator of addresses the peer sees another one than we do (RFC 3581)."""
        via = top_via(response)
        host, port = parameter(via, "received"), parameter(via, "rport")
        own_host, own_port = self.endpoint.wire.local
        if host or port.isdecimal():
            self.dialog.contact = self._contact(
                bare_host(host) or own_host, int(port) if port.isdecimal() else own_port
            )

    def moves_to(self, local: Place) -> None:
        """Another connection was opened in place of a lost one: its end of ours is where we are now."""
        self.dialog.contact = self._contact(*local)

    def _contact(self, host: str, port: int) -> str:
        if self.destination.uri.secure:
            # Who is called by sips: is told a sips: address in return (RFC 3261, 8.1.1.8).
            return f"sips:outboundeval@{in_brackets(host)}:{port}"
        carrier = self.destination.carrier
        via = "" if carrier == "udp" else f";transport={carrier}"
        return f"sip:outboundeval@{in_brackets(host)}:{port}{via}"


async def _final(
    transaction: ClientTransaction, limit_s: float, waits_on: Callable[[], bool]
) -> Response | None:
    waited_s, has_begun = 0.0, False
    while True:
        try:
            async with asyncio.timeout(limit_s):
                while (response := await transaction.responses.get()) is not None:
                    if response.code >= 200:
                        return response
                    has_begun = True
            break
        except TimeoutError:
            waited_s += limit_s
            if not has_begun or waited_s >= PENDING_S or not waits_on():
                transaction.stop()
                break
    if transaction.is_broken_off:
        raise BrokenOff(transaction.lost)
    return None
