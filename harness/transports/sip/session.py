"""One SIP call of ours, from the first INVITE to the last BYE."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Protocol

from sipmessage import Request, Response

from harness.errors import SetupFailed
from harness.records.call import Event
from harness.records.timeline import AGENT_WAITS, TRANSFERRED
from harness.redaction import KNOWN
from harness.transports.base import DialRequest, MediaLog
from harness.transports.sip.address import Destination, bare_host, in_brackets
from harness.transports.sip.headers import call_headers
from harness.transports.sip.in_dialog import InDialog, described
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.media.ports import open_ports
from harness.transports.sip.media.rtcp import Reports
from harness.transports.sip.media.sdp import BadSdp
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.pressing import Pressing
from harness.transports.sip.session_timer import SessionTimer
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.message import said
from harness.transports.sip.signalling.placing import SESSION_S, Placing
from harness.transports.sip.signalling.reaching import first_reached
from harness.transports.sip.signalling.resolve import locate_all
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import Place, Unreached, open_wire
from spoken_language.outside_text import one_line

LINGER_S = 0.6
"""Just longer than the first pause between two copies of a message (T1)."""
_REFRESH_S = 32.0
NO_SOUND_S = 2.0
"""So long after the answer an agent of which no packet has come is told of: its address, a fence or a
translator of addresses is the likely cause, and not what the agent thinks."""


class Follows(Protocol):
    """Where a call may be handed on to."""

    def may(self, target: str) -> bool:
        """Whether an address is one to which the plan lets us follow."""
        ...

    async def go(self, session: SipSession, target: str, shown: str) -> None:
        """Calls whom the agent names, and goes on there."""
        ...


class SipSession:
    """A :class:`~harness.transports.base.MediaSession`."""

    def __init__(self, request: DialRequest, destination: Destination) -> None:
        self.log = MediaLog(codec="pcmu")
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.media_started = asyncio.Event()
        self.agent_name = ""
        self.timer = SessionTimer(
            refresh=self._refresh, expired=lambda: self.end("the agent was gone: no sign of life in time")
        )
        self.negotiation: Negotiation
        self._request = request
        self._destination = destination
        self._endpoint: Endpoint | None = None
        self._placing: Placing | None = None
        self._leg: Leg | None = None
        self._reports: Reports | None = None
        self._in_dialog: InDialog | None = None
        self._stands = False
        self._peer_left = False
        self._background: set[asyncio.Task[None]] = set()
        self._held = False
        self._early_media = False
        self.follows: Follows | None = None
        self._moving = False
        self._went_on: SipSession | None = None
        self._shares_leg = False
        self._keys: Pressing | None = None
        self._silence: asyncio.TimerHandle | None = None

    @property
    def stage(self) -> str:
        """How far it came, for messages."""
        placing = self._placing
        if placing is None:
            return "looking for the host"
        if placing.ringing:
            return "it rang, and nobody answered"
        return "the INVITE was received, and not answered" if placing.heard else "no answer to the INVITE"

    @property
    def rang(self) -> bool:
        return self._placing is not None and self._placing.ringing

    async def connect(self, leg: Leg | None = None) -> None:
        """Calls, and returns when sound flows.

        Args:
            leg: That of a call which goes on here; None: one of its own.

        Raises:
            SetupFailed: It did not come about.
            Redirected: The agent is elsewhere, where we may go.
        """
        destination = self._destination
        host, port = destination.proxy or (destination.uri.host, destination.uri.port)
        places = await locate_all(host, port, destination.carrier, shown=self._request.agent)

        async def call_at(place: Place, unheard_s: float | None) -> Response:
            return await self._call_at(place, unheard_s, leg, server_name=bare_host(host))

        answer = await first_reached(places, call_at, on_next=self._goes_on_at)
        self._stands = True
        if self._leg is None:
            self._read_answer(answer)
            self.timer.agreed(answer)
            return
        assert self._placing is not None
        self._take_answer(answer)
        self._start_sound(self._leg, self._placing)

    async def _call_at(
        self, hop: Place, unheard_s: float | None, leg: Leg | None, *, server_name: str
    ) -> Response:
        """The answer of who takes the call at one of the agent's places."""
        request, destination = self._request, self._destination
        wire = await open_wire(
            destination.carrier,
            hop,
            server_name=server_name,
            ca_file=request.to.reach.ca_file,
            shown=request.agent,
        )
        self._endpoint = endpoint = Endpoint(wire)
        endpoint.on_request = self._on_request
        endpoint.on_lost = self._on_lost
        if leg is None:
            leg = self._leg = self._new_leg(wire.local[0])
        agreed = leg.agreed
        self.negotiation = Negotiation(
            address=leg.ports.address,
            port=leg.ports.number,
            codecs=destination.codecs if agreed is None else (agreed.codec,),
            secure=destination.srtp,
        )
        self._placing = placing = Placing(
            endpoint=endpoint,
            destination=destination,
            login=Login(user=destination.user, password=destination.password),
            hop=hop,
            offer=self.negotiation.offer(),
            shown=request.agent,
            headers=call_headers(request.to),
            on_provisional=self._on_provisional,
            unheard_s=unheard_s,
        )
        endpoint.on_success = placing.confirm
        self._in_dialog = InDialog(endpoint, placing.dialog, self)
        return await placing.place()

    def _new_leg(self, address: str) -> Leg:
        try:
            ports = open_ports(address)
        except OSError as error:
            raise SetupFailed(f"{self._request.agent}: our own side has {error}") from error
        return Leg(ports, self._request, on_event=self.tell)

    async def _goes_on_at(self, left: Place, place: Place, why: Unreached) -> None:
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            endpoint.close()
            await endpoint.wire.closed()
        # The way to the next place may begin at another address of ours.
        leg, self._leg = self._leg, None
        if leg is not None:
            await leg.close()
        told = {"left": _shown(left), "place": _shown(place), "why": KNOWN.scrub(str(why))}
        self.tell("next-place", told)

    def _start_sound(self, leg: Leg, placing: Placing) -> None:
        """From now on our frames leave, keys can be pressed, and silence of the agent is told of."""
        self.media_started = leg.media_started
        leg.start()
        self._keys = Pressing(leg, placing)
        self._silence = asyncio.get_running_loop().call_later(NO_SOUND_S, self._tell_of_silence)

    def press(self, keys: str | None, frame: int) -> bool:
        """See :class:`~harness.transports.base.PressesKeys`."""
        if self._went_on is not None:
            return self._went_on.press(keys, frame)
        return self._keys is not None and self._keys.press(keys, frame)

    async def give_up(self) -> None:
        """Takes a call back that was not answered."""
        if self._placing is not None and not self._stands:
            await self._placing.cancel()

    async def close(self) -> None:
        with contextlib.suppress(asyncio.InvalidStateError):
            self.ended.cancel()
        self.timer.stop()
        if self._silence is not None:
            self._silence.cancel()
        if self._keys is not None:
            self._keys.stop()
        for task in self._background:
            task.cancel()
        if self._reports is not None:
            self._reports.close()
        if self._leg is not None and not self._shares_leg:
            await self._leg.close()
        if self._went_on is not None:
            await self._went_on.close()
        endpoint = self._endpoint
        if endpoint is None:
            return
        if self._stands and not self._peer_left and self._placing is not None:
            await self._placing.bye()
        elif self._placing is not None and self._placing.heard:
            # What we answered last may have been lost: then the agent asks once more.
            await endpoint.linger(LINGER_S)
        self._tell_what_was_odd(endpoint)
        endpoint.close()
        await endpoint.wire.closed()

    # --- what the agent does

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        self._request.on_event(
            Event(t=self._request.clock.now_s(), side="agent", kind=kind, source="wire", data=data)
        )

    def end(self, how: str) -> None:
        self._peer_left = self._peer_left or "BYE" in how
        # Who hands a call on may leave before it is taken.
        if not self._moving and not self.ended.done():
            self.ended.set_result(how)

    def media_changed(self) -> None:
        leg, theirs = self._leg, self.negotiation.theirs
        if leg is None or theirs is None or self._went_on is not None:
            return
        leg.redirect(theirs, self.negotiation.encryption)
        if leg.held != self._held:
            self._held = leg.held
            self.tell("hold" if leg.held else "resume", {"direction": theirs.direction})

    def transfer(self, target: str) -> None:
        shown = one_line(KNOWN.scrub(target), most=200)
        if self._moving:
            self._run(self.tell_of_transfer("603 Decline"))
        elif self.follows is not None and self.follows.may(target):
            self._moving = True
            self._run(self.follows.go(self, target, shown))
        else:
            self.tell(TRANSFERRED, {"to": shown, "followed": False})
            self._run(self._leave(shown))

    async def _leave(self, shown: str) -> None:
        """The call ends here for us: where it goes on is not ours to follow (RFC 3515, 2.4.5)."""
        await self.tell_of_transfer("603 Decline")
        self.end(f"the agent transferred the call to {shown}")

    async def tell_of_transfer(self, what: str, *, over: bool = True) -> None:
        """Tells the agent what becomes of a transfer that it asked for: a status line's code and phrase."""
        assert self._placing is not None
        state = "terminated;reason=noresource" if over else "active;expires=60"
        await self._placing.in_dialog(
            "NOTIFY",
            [
                ("Event", "refer"),
                ("Subscription-State", state),
                ("Content-Type", "message/sipfrag;version=2.0"),
            ],
            f"SIP/2.0 {what}\r\n".encode(),
            limit_s=2.0,
        )

    @property
    def leg(self) -> Leg | None:
        """The sound of the call."""
        return self._leg

    async def hand_over(self, to: SipSession) -> None:
        """The call goes on with somebody else, who has taken it; with this agent it is over."""
        leg, new = self._leg, to.negotiation
        assert leg is not None
        assert new.agreed is not None
        assert new.theirs is not None
        if self._reports is not None:
            self._reports.close()
        to.log, to.media_started, to._leg, to._shares_leg = self.log, self.media_started, leg, True
        to._reports = to._reports_of(leg)
        leg.hand_over(new.agreed, new.theirs, new.encryption, to._reports.add)
        self.timer.stop()
        self._reports, self._went_on = None, to
        assert to._placing is not None
        to._keys = Pressing(leg, to._placing)
        to.ended.add_done_callback(self._ended_there)
        if not self._peer_left and self._placing is not None:
            await self.tell_of_transfer("200 OK")
        if not self._peer_left and self._placing is not None:
            self._peer_left = True
            await self._placing.bye()

    async def stay(self) -> None:
        """A transfer came to nothing: the call goes on here, where the agent has not left it."""
        self._moving = False
        if not self._peer_left:
            await self.tell_of_transfer("503 Service Unavailable")
        if self._peer_left:
            self.end("the agent hung up (BYE) after a transfer that failed")

    def _ended_there(self, ended: asyncio.Future[str]) -> None:
        if not ended.cancelled() and not self.ended.done():
            self.ended.set_result(ended.result())

    def _on_request(self, request: Request, source: Place) -> None:
        if self._in_dialog is not None:
            self._in_dialog.take(request, source)

    def _on_provisional(self, response: Response) -> None:
        early = bool(described(response))
        self._early_media = self._early_media or early
        self.tell("ringing", {"answer": KNOWN.scrub(said(response)), "early_media": early})

    def _on_lost(self, why: str) -> None:
        if self._stands:
            self.end(f"the way to the agent is lost: {KNOWN.scrub(why)}")

    # --- our own side

    def _read_answer(self, answer: Response) -> None:
        agent, negotiation = self._request.agent, self.negotiation
        server = answer.headers.get("Server") or answer.headers.get("User-Agent") or ""
        self.agent_name = one_line(server, most=200)
        body = described(answer)
        if not body:
            raise SetupFailed(f"{agent}: took the call without an SDP answer: there is nowhere to speak to")
        try:
            negotiation.take_answer(body)
        except BadSdp as error:
            raise SetupFailed(f"{agent}: its SDP answer cannot be used: {KNOWN.scrub(str(error))}") from None

    def _take_answer(self, answer: Response) -> None:
        self._read_answer(answer)
        self._connect_media(answered_ns=time.monotonic_ns() if self._early_media else None)
        self.timer.agreed(answer)

    def _connect_media(self, *, answered_ns: int | None) -> None:
        """Both sides have described themselves: sound has somewhere to go, and what comes is kept.

        Args:
            answered_ns: As :meth:`Leg.connect` has it.
        """
        leg, negotiation = self._leg, self.negotiation
        assert leg is not None
        assert negotiation.agreed is not None
        assert negotiation.theirs is not None
        self.log = MediaLog(codec=negotiation.agreed.codec, path="srtp" if negotiation.secure else "direct")
        theirs = negotiation.theirs
        self._reports = self._reports_of(leg)
        leg.connect(
            negotiation.agreed,
            theirs,
            self.log,
            negotiation.encryption,
            self._reports.add,
            answered_ns=answered_ns,
        )
        if self.log.early:
            self.tell("early-media", {"packets": len(self.log.early)})
        self.tell("agreed", {"codec": negotiation.agreed.codec, "srtp": negotiation.secure})

    def _reports_of(self, leg: Leg) -> Reports:
        theirs = self.negotiation.theirs
        assert theirs is not None
        return Reports(
            leg,
            to=(theirs.address, theirs.rtcp_port or theirs.port + 1),
            encryption=self.negotiation.encryption,
        )

    def _refresh(self) -> None:
        self._run(self._refreshed())

    async def _refreshed(self) -> None:
        """A sign of life: a re-INVITE with what was agreed."""
        placing, in_dialog = self._placing, self._in_dialog
        if placing is None or in_dialog is None or in_dialog.inviting:
            return
        in_dialog.inviting = True
        try:
            response = await placing.in_dialog(
                "INVITE",
                [
                    ("Session-Expires", f"{SESSION_S};refresher=uac"),
                    ("Supported", "timer"),
                    ("Content-Type", "application/sdp"),
                ],
                self.negotiation.offer(),
                limit_s=_REFRESH_S,
            )
        finally:
            in_dialog.inviting = False
        if response is None or response.code in (408, 481):
            self.end("the agent was gone: it did not answer a sign of life")
        elif response.code < 300:
            placing.acknowledge_reinvite()
            self.timer.agreed(response)

    def _tell_of_silence(self) -> None:
        if not self.log.received and self._leg is not None and not self._leg.passed_over:
            self.tell(AGENT_WAITS, {"detail": f"no sound of the agent came in the first {NO_SOUND_S:g} s"})

    def _tell_what_was_odd(self, endpoint: Endpoint) -> None:
        leg = self._leg
        if leg is not None and leg.passed_over and not self._shares_leg:
            self.tell("packets-passed-over", {"why": dict(leg.passed_over.most_common(20))})
        if endpoint.dropped:
            self.tell("messages-dropped", {"why": dict(endpoint.dropped.most_common(20))})
        if self._shares_leg:
            return
        if self._stands and leg is not None and leg.agreed is not None and not self.log.received:
            self.tell("no-media", {"packets_sent": leg.sent_packets})

    def _run(self, coroutine: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task


def _shown(place: Place) -> str:
    return f"{in_brackets(place[0])}:{place[1]}"
