"""One SIP call that came in, from its first ring to the last BYE."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Literal

from sipmessage import Request, Response

from harness.errors import HarnessFault, NotAnswered, RangOff, SetupFailed
from harness.redaction import KNOWN
from harness.transports.base import ConnectionLost, DialRequest
from harness.transports.sip.address import BadAddress, Destination, parse_uri
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.in_dialog import InDialog
from harness.transports.sip.lost_way import way_back
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.media.ports import open_ports
from harness.transports.sip.media.sdp import BadSdp
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.refreshing import AGAIN_CALLED_S
from harness.transports.sip.session import SipSession
from harness.transports.sip.session_timer import refreshing_headers
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.dialog import ALLOW, MAX_ROUTES, SUPPORTED, Dialog
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.message import address_of, cseq_of, tag_of, values
from harness.transports.sip.signalling.transactions import LIMIT_S
from harness.transports.sip.signalling.wire import Place
from harness.versions import library_versions
from spoken_language.outside_text import one_line

RINGS_AT_MOST_S = 180.0
"""Timer C of proxies (RFC 3261, 16.6): longer nobody lets a telephone ring."""
_SDP = "application/sdp"

Does = Literal["pick_up", "decline", "busy", "never"]


@dataclass(frozen=True, kw_only=True)
class Manner:
    """What becomes of a ring.

    Attributes:
        ring_s: So long it rings, from its INVITE, before it is picked up or declined.
    """

    does: Does = "pick_up"
    ring_s: float = 0.0


class AnsweredSession(SipSession):
    """A :class:`~harness.transports.base.MediaSession` of a call that the agent placed."""

    _REFRESHES_AGAIN_S = AGAIN_CALLED_S

    def __init__(self, request: DialRequest, destination: Destination, ring: Ring, manner: Manner) -> None:
        super().__init__(request, replace(destination, carrier=ring.carrier))
        self._ring = ring
        self._manner = manner
        self._acknowledged = asyncio.Event()
        self._answer_awaited = False
        self._no_ack: asyncio.TimerHandle | None = None

    async def connect(self, leg: Leg | None = None) -> None:
        """Lets it ring, does with it what the plan says, and returns when sound flows.

        Raises:
            RangOff: The agent hung up first.
            NotAnswered: It was not taken, because the plan says so.
            SetupFailed: No call can be made of it.
        """
        assert leg is None, "a ring brings its own sound"
        ring = self._ring
        self.tell(
            "rung", {"from": ring.caller, "number": " ".join(ring.numbers), "over": ring.line.wire.name}
        )
        if ring.gone.done():
            raise RangOff(f"{self._request.agent}: {ring.gone.result()}")
        self._check_what_is_required()
        body = self._described()
        self._prepare_dialog()
        if self._manner.does == "busy":
            self._refuse(486)
            raise self._as_planned("busy", 486)
        await self._ring_out()
        if self._manner.does == "decline":
            self._refuse(603)
            raise self._as_planned("declined", 603)
        await self._pick_up(body)

    def end(self, how: str, *, left: bool = False) -> None:
        self._ring.over = True
        super().end(how, left=left)

    async def close(self) -> None:
        self._ring.over = True
        if self._no_ack is not None:
            self._no_ack.cancel()
        if not self._stands and not self._ring.code:
            self._refuse(480)
        await super().close()

    # --- before it is taken

    def _check_what_is_required(self) -> None:
        invite, agent = self._ring.invite, self._request.agent
        wanted = [one.lower() for one in values(invite, "Require")]
        if strange := [one for one in wanted if one != "timer"]:
            self._refuse(420, ("Unsupported", ", ".join(strange)[:200]))
            raise SetupFailed(
                f"{agent}: wants an extension that we do not speak: {one_line(strange[0], most=60)}"
            )

    def _described(self) -> bytes:
        """Our answer to its offer; empty where it makes none, and we shall."""
        invite, agent = self._ring.invite, self._request.agent
        try:
            ports = open_ports(self._ring.line.wire.local[0])
        except OSError as error:
            self._refuse(503)
            raise HarnessFault(f"{agent}: our own side has {error}") from error
        self._leg = Leg(ports, self._request, on_event=self.tell)
        self.negotiation = Negotiation(
            address=self._ring.line.wire.local[0],
            port=ports.number,
            codecs=self._destination.codecs,
            secure=self._destination.srtp,
        )
        if not invite.body.strip():
            return b""
        kind = (invite.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
        if kind != _SDP:
            self._refuse(415, ("Accept", _SDP))
            raise SetupFailed(
                f"{agent}: describes its sound as {one_line(kind, most=60) or 'nothing'}, not as SDP"
            )
        try:
            body = self.negotiation.answer(invite.body)
            assert self.negotiation.theirs is not None
            if self._destination.srtp and not self.negotiation.theirs.secure:
                raise BadSdp("it offers its audio in clear, and the plan wants it encrypted")
        except BadSdp as error:
            self._refuse(488)
            raise SetupFailed(f"{agent}: its SDP offer cannot be used: {KNOWN.scrub(str(error))}") from None
        return body

    def _prepare_dialog(self) -> None:
        """The dialog from its other end (RFC 3261, 12.1.1), and what asks in it."""
        ring, invite = self._ring, self._ring.invite
        contacts = values(invite, "Contact")
        dialog = Dialog(
            call_id=invite.headers["Call-ID"],
            local=f"{invite.headers['To']};tag={ring.tag}",
            remote=invite.headers["From"],
            target=address_of(contacts[0]) if contacts else address_of(invite.headers["From"]),
            contact=ring.contact,
            routes=[address_of(one) for one in values(invite, "Record-Route")][:MAX_ROUTES],
            remote_number=cseq_of(invite).number,
        )
        try:
            parse_uri(dialog.target)
        except BadAddress as error:
            self._refuse(400)
            raise SetupFailed(f"{self._request.agent}: its Contact leads nowhere: {error}") from None
        self._endpoint = endpoint = ring.line.endpoint
        self._asking = Asking(
            endpoint=endpoint,
            destination=self._destination,
            login=Login(user=self._destination.user, password=self._destination.password),
            hop=ring.source,
            shown=self._request.agent,
            dialog=dialog,
        )
        self._in_dialog = InDialog(endpoint, dialog, self)
        endpoint.on_request = self._on_request
        endpoint.on_success = self._on_copy
        endpoint.on_late = self._on_late
        endpoint.on_lost = self._on_wire_lost

    async def _ring_out(self) -> None:
        """Returns when it has rung for as long as it shall."""
        ring, never = self._ring, self._manner.does == "never"
        ring.rings()
        wait_s = RINGS_AT_MOST_S if never else self._manner.ring_s - (time.monotonic() - ring.arrived_s)
        await asyncio.wait([ring.gone], timeout=max(0.0, wait_s))
        if ring.gone.done() and never:
            raise self._as_planned("no answer", 487)
        if ring.gone.done():
            raise RangOff(f"{self._request.agent}: {ring.gone.result()}")
        if never:
            self._refuse(480)
            raise self._as_planned("no answer", 480)

    # --- taking it

    async def _pick_up(self, body: bytes) -> None:
        ring, leg, asking = self._ring, self._leg, self._asking
        assert leg is not None
        assert asking is not None
        headers = [
            ("Contact", f"<{asking.dialog.contact}>"),
            ("Allow", ALLOW),
            ("Supported", SUPPORTED),
            ("Server", f"outboundeval/{library_versions().get('outboundeval', '0')}"),
            *refreshing_headers(ring.invite),
            ("Content-Type", _SDP),
        ]
        self._answer_awaited = not body
        ring.code = 200
        ring.line.endpoint.reply(
            ring.invite,
            200,
            to_tag=ring.tag,
            headers=tuple(headers),
            body=body or self.negotiation.offer(),
            until_ack=True,
        )
        self._stands = True
        # Whence it came is no place to go to: a caller's end of a connection takes none.
        ring.line.wire.way = way_back(asking, ca_file=self._request.to.reach.ca_file)
        self.agent_name = one_line(ring.header("User-Agent") or ring.header("Server"), most=200)
        self.tell("picked-up", {"rang_s": round(time.monotonic() - ring.arrived_s, 3)})
        # A name may take its time: until it is found, requests go whence the INVITE came.
        self._run(asking.settle_hop())
        if not body:
            await self._answered_late()
        self._connect_media(answered_ns=None)
        self.timer.refreshed(ring.invite)
        self._start_sound(leg, asking)
        if not self._acknowledged.is_set():
            self._no_ack = asyncio.get_running_loop().call_later(LIMIT_S, self._never_acknowledged)

    async def _answered_late(self) -> None:
        """Waits for the answer to our own offer, which comes with the ACK."""
        agent = self._request.agent
        waiting = asyncio.ensure_future(self._acknowledged.wait())
        try:
            either: set[asyncio.Future[object]] = {waiting, self.ended}  # type: ignore[arg-type]
            await asyncio.wait(either, timeout=LIMIT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self.ended.done():
            raise SetupFailed(f"{agent}: {self.ended.result()} before it said where it listens")
        if not self._acknowledged.is_set():
            raise SetupFailed(f"{agent}: never acknowledged our answer (no ACK within {LIMIT_S:g} s)")
        if self.negotiation.theirs is None:
            raise SetupFailed(f"{agent}: acknowledged the call without an SDP answer that can be used")

    def _never_acknowledged(self) -> None:
        if not self._acknowledged.is_set():
            self.end(ConnectionLost(f"the agent never acknowledged our answer (no ACK within {LIMIT_S:g} s)"))

    def _on_copy(self, response: Response) -> None:
        """Our ACK of an answer to a re-INVITE was lost: it comes again, and is acknowledged again."""
        asking = self._asking
        if asking is not None and tag_of(response.headers["To"]) == asking.dialog.remote_tag:
            asking.acknowledge(response)

    def _on_request(self, request: Request, source: Place) -> None:
        if not self._stands:
            if request.method != "ACK" and not self._ring.given_up(request):
                self._ring.line.endpoint.reply(request, 500 if request.method == "INVITE" else 481)
            return
        if request.method == "CANCEL":
            # It crossed our answer, and changes nothing (RFC 3261, 9.2).
            self._ring.line.endpoint.reply(request, 200, to_tag=self._ring.tag)
            return
        if request.method == "ACK" and cseq_of(request).number == cseq_of(self._ring.invite).number:
            if self._answer_awaited:
                self._answer_awaited = False
                self._take_late_answer(request)
            self._acknowledged.set()
            return
        super()._on_request(request, source)

    def _take_late_answer(self, request: Request) -> None:
        try:
            self.negotiation.take_answer(request.body)
        except BadSdp as error:
            self.tell("answer-refused", {"why": KNOWN.scrub(str(error))})

    def _on_wire_lost(self, why: str) -> None:
        if self._stands:
            self._on_lost(why)
        else:
            self._ring.lost(why)

    def _open_again(self) -> bool:
        """Who placed the call would not learn of our new end: there is one when we have something to say."""
        return False

    def _refuse(self, code: int, *headers: tuple[str, str]) -> None:
        self._ring.refuse(code, tuple(headers))

    def _as_planned(self, reason: Literal["busy", "declined", "no answer"], code: int) -> NotAnswered:
        """What the agent met with, because the plan says so."""
        told = {
            "busy": "the line was busy",
            "declined": "the call was declined",
            "no answer": "nobody picked up",
        }
        return NotAnswered(
            f"{self._request.agent}: {told[reason]}, as the plan says", reason=reason, code=code, planned=True
        )
