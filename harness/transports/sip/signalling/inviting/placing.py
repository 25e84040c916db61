"""Placing a call: INVITE until it is taken, refused, redirected or cancelled (RFC 3261, sections 9 and 13).

Credentials go to whoever asks for them on the way to the address that was given; a redirection is followed
only to hosts that the plan allows, and never with credentials.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sipmessage import Response

from harness.errors import SetupFailed
from harness.redaction import KNOWN
from harness.transports.sip.address import Destination, in_brackets
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.dialog import ALLOW, SUPPORTED, Dialog
from harness.transports.sip.signalling.inviting.outcome import not_taken
from harness.transports.sip.signalling.inviting.redirection import redirected
from harness.transports.sip.signalling.inviting.reliable import RELIABLE, ReliableProvisionals
from harness.transports.sip.signalling.login import MAX_ROUNDS, Refused
from harness.transports.sip.signalling.message import cseq_of, number_in, tag_of
from harness.transports.sip.signalling.own_address import carried_by, contact, seen_at
from harness.transports.sip.signalling.sent_invite import SentInvite
from harness.transports.sip.signalling.transactions import LIMIT_S, ClientTransaction
from harness.transports.sip.signalling.wire import Place, Unreached

SESSION_S = 1800
"""What we propose for a session timer (RFC 4028)."""
MAX_SESSION_S = 86_400
CANCEL_S = 2.0
"""So long we wait for what becomes of a call that we cancelled."""


def begun(destination: Destination, *, at: Place) -> Dialog:
    """The dialog as an INVITE of ours begins it: nobody has taken it yet.

    Args:
        at: Our end of the wire.
    """
    host, caller, uri = in_brackets(at[0]), destination.caller, destination.uri
    domain = host if destination.proxy is None else uri.host
    whole = caller if "@" in caller else f"{caller}@{domain}"
    dialog = Dialog(
        call_id=f"{secrets.token_hex(12)}@{host}",
        local=f"<sip:{whole}>;tag={secrets.token_hex(6)}",
        remote=f"<{uri}>",
        target=str(uri),
        contact=contact(destination, at),
        local_number=secrets.randbelow(10_000),
    )
    if destination.proxy is not None:
        proxy, port = destination.proxy
        named = f":{port}" if port else ""
        dialog.routes = [f"sip:{proxy}{named}{carried_by(destination)};lr"]
    return dialog


@dataclass(kw_only=True)
class Placing:
    """One INVITE, with all that it takes to have it taken.

    Attributes:
        asking: Our requests in its dialog, as :func:`begun`; the answer confirms that.
        offer: SDP.
        headers: Of the request, beside those of SIP.
        on_provisional: Called with each 1xx but 100.
        unheard_s: The longest to wait for a first word, where there is another place to try; None: none is.
        heard: Whether anything at all came back; ``ringing``: whether somebody was found.
        answered_ns: When the answer came that made the dialog, in monotonic nanoseconds; 0: none did.
    """

    asking: Asking
    offer: bytes
    headers: list[tuple[str, str]] = field(default_factory=list)
    on_provisional: Callable[[Response], None] = lambda response: None
    unheard_s: float | None = None
    heard: bool = False
    ringing: bool = False
    answered_ns: int = 0
    _reliable: ReliableProvisionals = field(init=False)
    _transaction: ClientTransaction | None = None
    _via: str = ""
    _session_s: int = SESSION_S
    _min_session_s: int = 90

    def __post_init__(self) -> None:
        self._reliable = ReliableProvisionals(self._prack)

    async def place(self) -> Response:
        """Returns the answer, acknowledged; the dialog stands then.

        Raises:
            SetupFailed: Nobody took it; NotAnswered, where somebody did not take it; Unreached, where another
                place is to be tried (RFC 3263, 4.3).
            Redirected: It shall be placed elsewhere, where that is allowed.
        """
        login, shown = self.asking.login, self.asking.shown
        for _ in range(MAX_ROUNDS):
            response = await self._invite()
            if 200 <= response.code < 300:
                login.settled("INVITE")
                await self._stand(response)
                return response
            if response.code in (401, 407):
                try:
                    login.heed(response, "INVITE")
                except Refused as error:
                    raise SetupFailed(f"{shown}: answered {response.code}: {error}") from None
                self._learn_own_address(response)
            elif response.code == 422:
                self._lengthen_session(response)
            elif 300 <= response.code < 400:
                raise redirected(response, allowed=self.asking.destination.follow, shown=shown)
            elif response.code == 503 and self.unheard_s is not None:
                raise Unreached(str(not_taken(response, shown=shown)))
            else:
                raise not_taken(response, shown=shown)
        raise SetupFailed(f"{shown}: asked for a user and a password {MAX_ROUNDS} times")

    def confirm(self, response: Response) -> None:
        """Acknowledges an answer (13.2.2.4): the first makes the dialog; a copy is acknowledged again; a call
        that another phone took at the same moment is hung up."""
        tag, dialog = tag_of(response.headers["To"]), self.asking.dialog
        if tag == dialog.remote_tag:
            self.asking.acknowledge(response)
            return
        other = Dialog(
            call_id=dialog.call_id,
            local=dialog.local,
            remote="",
            target=dialog.target,
            contact=dialog.contact,
            local_number=max(cseq_of(response).number, self._reliable.counted_to(tag)),
        )
        other.confirm(response)
        asking = replace(self.asking, dialog=other)
        asking.acknowledge(response)
        asking.send("BYE")

    async def cancel(self) -> None:
        """Takes an INVITE back that nobody has answered finally; what is taken all the same is hung up."""
        transaction, asking = self._transaction, self.asking
        if transaction is None or not self.heard:
            # Without a word of the peer's there may be no CANCEL (9.1), and there is nobody to want one.
            return
        data = SentInvite.last_of(asking.dialog, via=self._via).cancel()
        asking.endpoint.ask(data, to=asking.hop, method="CANCEL", branch=transaction.branch)
        try:
            async with asyncio.timeout(CANCEL_S):
                while (response := await transaction.responses.get()) is not None:
                    if 200 <= response.code < 300:
                        await self._stand(response)
                        await asking.bye()
                    if response.code >= 200:
                        return
        except TimeoutError:
            return

    def answer_before(self, response: Response) -> bytes:
        """The SDP answer that whoever took the call gave, acknowledged, before taking it; empty: none."""
        return self._reliable.answer_before(response)

    def close(self) -> None:
        """Provisional responses are acknowledged no more."""
        self._reliable.close()
        self.asking.close()

    async def _stand(self, response: Response) -> None:
        """The call was taken: the dialog stands, and goes on counting where its early one was."""
        dialog = self.asking.dialog
        dialog.confirm(response)
        dialog.local_number = max(dialog.local_number, self._reliable.counted_to(dialog.remote_tag))
        if self.asking.hop_is_known:
            await self.asking.settle_hop()
            self.confirm(response)
            return
        # A name may take its time, and whoever spoke first would not be heard. Until it is found, requests go
        # where the INVITE went; a copy of the answer is acknowledged where it leads.
        self.confirm(response)
        self.asking.settle_hop_meanwhile()

    async def _prack(self, early: Dialog, acknowledged: str) -> None:
        """Acknowledges a provisional response (RFC 3262, 7.2)."""
        asking = replace(self.asking, dialog=early)
        await asking.settle_hop()
        await asking.in_dialog("PRACK", [("RAck", acknowledged)], limit_s=LIMIT_S)

    async def _invite(self) -> Response:
        asking = self.asking
        asking.invite_credentials = asking.login.headers("INVITE", asking.dialog.request_uri)
        told = [
            ("Allow", ALLOW),
            ("Supported", f"{SUPPORTED}, {RELIABLE}"),
            ("Session-Expires", str(self._session_s)),
            ("Min-SE", str(self._min_session_s)),
            *self.headers,
            *asking.invite_credentials,
            ("Content-Type", "application/sdp"),
        ]
        self._reliable.begin()
        transaction = self._transaction = asking.send("INVITE", told, self.offer)
        self._via = asking.via(transaction.branch)
        while (response := await self._next(transaction)) is not None:
            self.heard = True
            if response.code >= 200:
                self._transaction = None
                self.answered_ns = transaction.answered_ns
                return response
            if response.code > 100 and self._reliable.take(response, asking.dialog):
                self.ringing = True
                self.on_provisional(response)
        self._transaction = None
        raise Unreached(f"{asking.shown}: {KNOWN.scrub(transaction.lost)}")

    async def _next(self, transaction: ClientTransaction) -> Response | None:
        """What comes back next. Without a word in time the place is given up, where there is another."""
        try:
            async with asyncio.timeout(None if self.heard else self.unheard_s):
                return await transaction.responses.get()
        except TimeoutError:
            transaction.stop()
            transaction.lost = f"no answer within {self.unheard_s:g} s"
            return None

    def _lengthen_session(self, response: Response) -> None:
        least_s = number_in((response.headers.get("Min-SE") or "").partition(";")[0])
        if least_s is None or not self._min_session_s < least_s <= MAX_SESSION_S:
            raise not_taken(response, shown=self.asking.shown)
        self._min_session_s = least_s
        self._session_s = max(self._session_s, self._min_session_s)

    def _learn_own_address(self, response: Response) -> None:
        seen = seen_at(response, self.asking.endpoint.wire.local)
        if seen is not None:
            self.asking.moves_to(seen)
