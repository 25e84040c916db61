"""What we ask of an agent in a dialog (RFC 3261, 12.2.1): where it goes, who acknowledges, who hangs up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

from sipmessage import Response

from harness.errors import SetupFailed
from harness.transports.sip.address import BadAddress, Destination, is_numeric, parse_uri
from harness.transports.sip.signalling import own_address
from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.login import MAX_ROUNDS, Login, Refused
from harness.transports.sip.signalling.message import Headers, cseq_of, request_bytes
from harness.transports.sip.signalling.resolve import locate
from harness.transports.sip.signalling.sent_invite import SentInvite
from harness.transports.sip.signalling.transactions import (
    BrokenOff,
    ClientTransaction,
    Endpoint,
    new_branch,
)
from harness.transports.sip.signalling.wire import Place

BYE_S = 2.0
"""So long hanging up waits until the peer has said that it knows."""
PENDING_S = 180.0
"""So long a request in the dialog may stand with a 1xx alone: proxies give it up then (timer C, 16.6)."""
NAME_S = 1.0
"""So long hanging up waits for the address of a name to which it goes."""


@dataclass(kw_only=True)
class Asking:
    """Our requests in one dialog.

    Attributes:
        hop: Where they go first.
        shown: The address of the agent, for messages.
        invite_credentials: What the INVITE carried: the ACK of its answer carries them too (13.2.2.4).
    """

    endpoint: Endpoint
    destination: Destination
    login: Login
    hop: Place
    shown: str
    dialog: Dialog
    invite_credentials: Headers = ()
    _settling: asyncio.Task[None] | None = field(default=None, init=False)

    def send(
        self, method: str, headers: Headers = (), body: bytes = b"", *, to: Place | None = None
    ) -> ClientTransaction:
        """One request; its transaction has what comes back.

        Args:
            to: Where it goes first, if not to :attr:`hop`.
        """
        branch = new_branch()
        via, uri = self.via(branch), self.dialog.request_uri
        told = [*self.dialog.headers(method, via=via), *headers]
        invite = SentInvite.last_of(self.dialog, via=via) if method == "INVITE" else None
        return self.endpoint.ask(
            request_bytes(method, uri, told, body),
            to=to or self.hop,
            method=method,
            branch=branch,
            acknowledge=None if invite is None else invite.ack,
        )

    async def in_dialog(
        self, method: str, headers: Headers = (), body: bytes = b"", *, limit_s: float
    ) -> Response | None:
        """A request, with credentials where they are asked for; None: nothing came back."""
        try:
            return await self.answered(method, headers, body, limit_s=limit_s)
        except BrokenOff:
            return None

    async def answered(
        self,
        method: str,
        headers: Headers,
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
        hop = self.hop
        for _ in range(MAX_ROUNDS):
            credentials = self.login.headers(method, self.dialog.request_uri)
            transaction = self.send(method, [*headers, *credentials], body, to=hop)
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
        via, number = self.via(new_branch()), cseq_of(response).number
        told = self.dialog.headers("ACK", via=via, number=number)
        data = request_bytes("ACK", self.dialog.request_uri, [*told, *self.invite_credentials])
        self.endpoint.wire.send(data, self.hop)

    async def bye(self) -> None:
        """Hangs up; returns when the peer has said that it knows, or after :data:`BYE_S` (and
        :data:`NAME_S`, where it is not known yet where that goes)."""
        if self._settling is not None and (self._settling.cancelled() or not self._settling.done()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(NAME_S):
                    await self.settle_hop()
        await self.in_dialog("BYE", limit_s=BYE_S)

    def via(self, branch: str) -> str:
        return own_address.via(self.endpoint.wire, branch)

    def moves_to(self, at: Place) -> None:
        """We are there from now on: over another connection, or as the peer sees us."""
        self.dialog.contact = own_address.contact(self.destination, at)

    @property
    def hop_is_known(self) -> bool:
        """Whether no name has to be looked up for where requests of the dialog go."""
        if self.endpoint.wire.reliable:
            return True
        try:
            return is_numeric(parse_uri(self.dialog.next_hop).host)
        except BadAddress:
            return True

    async def settle_hop(self) -> None:
        """Finds where requests of the dialog go first: its first proxy, or the peer itself. A stream leads
        where it leads; where a name cannot be resolved the way stays as it was."""
        if self.endpoint.wire.reliable:
            return
        try:
            uri = parse_uri(self.dialog.next_hop)
            self.hop = await locate(uri.host, uri.port, self.destination.carrier, shown=self.shown)
        except (BadAddress, SetupFailed):
            return

    def settle_hop_meanwhile(self) -> None:
        """The same beside the call; until it is found, requests go where the INVITE went."""
        self._settling = asyncio.ensure_future(self.settle_hop())

    def close(self) -> None:
        """Looks nothing up any more."""
        if self._settling is not None:
            self._settling.cancel()


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
