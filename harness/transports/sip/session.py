"""One SIP call of ours, from the first INVITE to the last BYE."""

from __future__ import annotations

import asyncio
import contextlib
import time
import traceback
from collections.abc import Coroutine
from typing import Any

from sipmessage import Request, Response

from harness.errors import HarnessFault, SetupFailed
from harness.records.call import Event
from harness.records.timeline import AGENT_WAITS
from harness.redaction import KNOWN
from harness.transports.base import ConnectionLost, DialRequest, MediaLog
from harness.transports.sip.address import Destination
from harness.transports.sip.dialling import AtAPlace, Dialling
from harness.transports.sip.in_dialog import InDialog
from harness.transports.sip.lost_way import LostWay
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.media.rtcp import Reports
from harness.transports.sip.media.sdp import Audio, BadSdp
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.pressing import Pressing
from harness.transports.sip.refreshing import AGAIN_S, RefreshedTimer, Refreshing, Why
from harness.transports.sip.session_timer import SessionTimer
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.inviting.placing import Placing
from harness.transports.sip.signalling.lasting import LastingWire
from harness.transports.sip.signalling.message import described, said, tag_of
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import Place
from harness.transports.sip.transfers import HandedOn, Transfers
from spoken_language.outside_text import one_line

LINGER_S = 0.6
"""Just longer than the first pause between two copies of a message (T1)."""
HEARD_S = 2.0
"""An agent of which a packet came so lately is there, whatever it does not answer."""
_MAX_TRACE_CHARS = 8000
NO_SOUND_S = 2.0
"""So long after the answer an agent of which no packet has come is told of: its address, a fence or a
translator of addresses is the likely cause, and not what the agent thinks."""


class SipSession:
    """A :class:`~harness.transports.base.MediaSession`."""

    _REFRESHES_AGAIN_S = AGAIN_S

    def __init__(self, request: DialRequest, destination: Destination) -> None:
        self.log = MediaLog(codec="pcmu")
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.media_started = asyncio.Event()
        self.agent_name = ""
        self.peer_left = False
        timer = RefreshedTimer(
            refresh=lambda: self._refresh("due"),
            expired=lambda: self.end(ConnectionLost("the agent was gone: no sign of life in time")),
        )
        self.timer: SessionTimer = timer
        self._refreshing = Refreshing(
            self,
            timer,
            self._refresh,
            again_s=self._REFRESHES_AGAIN_S,
            after=asyncio.get_running_loop().call_later,
            heard=self._is_heard,
        )
        self.negotiation: Negotiation
        self._request = request
        self._destination = destination
        self._endpoint: Endpoint | None = None
        self._asking: Asking | None = None
        self._placing: Placing | None = None
        self._leg: Leg | None = None
        self._reports: Reports | None = None
        self._in_dialog: InDialog | None = None
        self._stands = False
        self._background: set[asyncio.Task[None]] = set()
        self._held = False
        self._has_moved = False
        self._asked_for_codec = False
        self._early_media = False
        self.transfers = Transfers(self, run=self._run)
        self._lost_way = LostWay(self, run=self._run, open_again=self._open_again)
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
        dialling = Dialling(
            request=self._request,
            destination=self._destination,
            handed=leg,
            on_place=lambda at: self._stands_at(at, own_leg=leg is None),
            on_left=self._left_place,
            on_provisional=self._on_provisional,
            on_request=self._on_request,
            on_lost=self._on_lost,
            on_moved=self._on_moved,
            tell=self.tell,
        )
        answer = await dialling.reach()
        self._stands = True
        self._look_back()
        if self._leg is None:
            self._read_answer(answer)
            self.timer.agreed(answer)
            return
        assert self._asking is not None
        self._take_answer(answer)
        self._start_sound(self._leg, self._asking)

    def _stands_at(self, at: AtAPlace, *, own_leg: bool) -> None:
        self._has_moved = False
        self._endpoint, self._placing, self.negotiation = at.endpoint, at.placing, at.negotiation
        at.endpoint.on_late = self._on_late
        self._asking = at.placing.asking
        self._in_dialog = InDialog(at.endpoint, self._asking.dialog, self)
        if own_leg:
            self._leg = at.leg

    def _look_back(self) -> None:
        """What became of the connection between the answer and now holds for the call that stands."""
        wire = None if self._endpoint is None else self._endpoint.wire
        if isinstance(wire, LastingWire) and wire.why_lost:
            self._on_lost(wire.why_lost)
        if self._has_moved:
            self._on_moved()

    def _left_place(self) -> None:
        self._endpoint = self._leg = None

    def _start_sound(self, leg: Leg, asking: Asking) -> None:
        """From now on our frames leave, keys can be pressed, and silence of the agent is told of."""
        self.media_started = leg.media_started
        leg.on_fault, leg.on_other = self._failed, self._came_otherwise
        leg.start()
        self._keys = Pressing(leg, asking)
        self._silence = asyncio.get_running_loop().call_later(NO_SOUND_S, self._tell_of_silence)

    def _failed(self, error: Exception) -> None:
        """Our own side can send no more: that ends the call, in which the agent would only seem alone."""
        trace = "".join(traceback.format_exception(error))[-_MAX_TRACE_CHARS:]
        self._request.on_event(
            Event(
                t=self._request.clock.now_s(),
                side="caller",
                kind="fault",
                source="harness",
                data={"trace": trace},
            )
        )
        if not self.ended.done():
            what = one_line(KNOWN.scrub(f"{type(error).__name__}: {error}"), most=500)
            self.ended.set_exception(HarnessFault(f"our own side could not go on sending: {what}"))

    def _came_otherwise(self, payload_type: int) -> None:
        """An agent that named several codecs may send in any of them: it is asked for the first one alone, in
        which the call is recorded (RFC 3264, 10.2)."""
        theirs = self.negotiation.theirs
        if self._asked_for_codec or theirs is None or payload_type not in theirs.named:
            return
        self._asked_for_codec = True
        self.tell("asked-for-codec", {"codec": self.log.codec, "came": payload_type})
        self._refresh("codec")

    def press(self, keys: str | None, frame: int) -> bool:
        """See :class:`~harness.transports.base.PressesKeys`."""
        if self.transfers.went_on is not None:
            return self.transfers.went_on.press(keys, frame)
        return self._keys is not None and self._keys.press(keys, frame)

    async def give_up(self) -> None:
        """Takes a call back that was not answered."""
        if self._placing is not None and not self._stands:
            await self._placing.cancel()

    async def close(self) -> None:
        with contextlib.suppress(asyncio.InvalidStateError):
            self.ended.cancel()
        self.timer.stop()
        self._refreshing.stop()
        if self._silence is not None:
            self._silence.cancel()
        if self._keys is not None:
            self._keys.stop()
        if self._placing is not None:
            self._placing.close()
        for task in self._background:
            task.cancel()
        if self._reports is not None:
            self._reports.close()
        if self._leg is not None and not self._shares_leg:
            await self._leg.close()
        if self.transfers.went_on is not None:
            await self.transfers.went_on.close()
        endpoint = self._endpoint
        if endpoint is None:
            return
        if self._stands and not self.peer_left and self._asking is not None:
            await self._asking.bye()
        elif self._placing is None or self._placing.heard:
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

    def end(self, how: str, *, left: bool = False) -> None:
        self.peer_left = self.peer_left or left
        # Who hands a call on may leave before it is taken.
        if not self.transfers.moving and not self.ended.done():
            self.ended.set_result(how)

    def media_changed(self) -> None:
        leg, theirs, agreed = self._leg, self.negotiation.theirs, self.negotiation.agreed
        if leg is None or leg.agreed is None or self.transfers.went_on is not None:
            return
        assert theirs is not None
        assert agreed is not None
        leg.redirect(agreed, theirs, self.negotiation.encryption)
        if self._reports is not None:
            self._reports.redirect(_reports_place(theirs), self.negotiation.encryption)
        if leg.held != self._held:
            self._held = leg.held
            self.tell("hold" if leg.held else "resume", {"direction": theirs.direction})

    def transfer(self, target: str) -> None:
        self.transfers.asked(target)

    @property
    def leg(self) -> Leg | None:
        """The sound of the call."""
        return self._leg

    @property
    def asking(self) -> Asking | None:
        """What asks in its dialog."""
        return self._asking

    def hand_on(self) -> HandedOn:
        """See :class:`~harness.transports.sip.transfers.Standing`."""
        assert self._leg is not None
        if self._reports is not None:
            self._reports.close()
        self._reports = None
        self.timer.stop()
        self._refreshing.stop()
        return HandedOn(leg=self._leg, log=self.log, media_started=self.media_started)

    def go_on(self, handed: HandedOn) -> None:
        """See :class:`~harness.transports.sip.transfers.Standing`."""
        new, leg = self.negotiation, handed.leg
        assert new.agreed is not None
        assert new.theirs is not None
        assert self._asking is not None
        self.log, self.media_started = handed.log, handed.media_started
        self._leg, self._shares_leg = leg, True
        self._reports = self._reports_of(leg)
        leg.hand_over(new.agreed, new.theirs, new.encryption, self._reports.add)
        leg.on_other = self._came_otherwise
        self._keys = Pressing(leg, self._asking)

    def _on_request(self, request: Request, source: Place) -> None:
        if self._in_dialog is not None:
            self._in_dialog.take(request, source)

    def _on_provisional(self, response: Response) -> None:
        early = bool(described(response))
        self._early_media = self._early_media or early
        self.tell("ringing", {"answer": KNOWN.scrub(said(response)), "early_media": early})

    def _on_late(self, response: Response) -> None:
        """A re-INVITE of ours has its answer after all."""
        asking = self._asking
        if not self._stands or asking is None or self.ended.done() or self.transfers.went_on is not None:
            return
        if tag_of(response.headers["To"]) == asking.dialog.remote_tag:
            self._refreshing.late(asking, response)
            self._run(asking.settle_hop())

    def _on_lost(self, why: str) -> None:
        # Proxies close connections on which nothing passes, and a port may be closed to a datagram while the
        # agent is there: the call goes on.
        if self._stands and not self.ended.done():
            self._lost_way.lost(why)

    def _open_again(self) -> bool:
        """The agent may have something to say before we have, and knows our old end alone."""
        wire = None if self._endpoint is None else self._endpoint.wire
        return isinstance(wire, LastingWire) and wire.open_again()

    def _on_moved(self) -> None:
        """The agent is told where we are: nobody hears at our old end of a connection, not even its BYE."""
        self._has_moved = True
        if self._stands and not self.peer_left and not self.ended.done():
            self._refresh("moved")

    # --- our own side

    def _read_answer(self, answer: Response) -> None:
        agent, negotiation = self._request.agent, self.negotiation
        server = answer.headers.get("Server") or answer.headers.get("User-Agent") or ""
        self.agent_name = one_line(server, most=200)
        body = described(answer) or (b"" if self._placing is None else self._placing.answer_before(answer))
        if not body:
            raise SetupFailed(f"{agent}: took the call without an SDP answer: there is nowhere to speak to")
        try:
            negotiation.take_answer(body)
        except BadSdp as error:
            raise SetupFailed(f"{agent}: its SDP answer cannot be used: {KNOWN.scrub(str(error))}") from None

    def _take_answer(self, answer: Response) -> None:
        self._read_answer(answer)
        assert self._placing is not None
        self._connect_media(answered_ns=self._placing.answered_ns if self._early_media else None)
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
            to=_reports_place(theirs),
            encryption=self.negotiation.encryption,
        )

    def _refresh(self, why: Why | None = None) -> None:
        self._run(self._refreshed(why))

    async def _refreshed(self, why: Why | None) -> None:
        asking, in_dialog = self._asking, self._in_dialog
        if asking is not None and in_dialog is not None:
            await self._refreshing.ask(asking, in_dialog, why)

    def _is_heard(self) -> bool:
        came = self.log.received
        return bool(came) and time.monotonic_ns() - came[-1].stamp.monotonic_ns < HEARD_S * 1e9

    def _tell_of_silence(self) -> None:
        leg = self._leg
        # What our key does not open is told of where it is opened.
        if leg is None or self.log.received or leg.passed_over["cannot be decrypted"]:
            return
        came = ", ".join(
            f"{why} ({times} {'packet' if times == 1 else 'packets'})"
            for why, times in leg.passed_over.most_common(3)
        )
        more = f"; passed over: {came}" if came else ""
        self.tell(AGENT_WAITS, {"detail": f"no sound of the agent came in the first {NO_SOUND_S:g} s{more}"})

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

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task


def _reports_place(theirs: Audio) -> tuple[str, int]:
    """Where an agent wants reports (RTCP)."""
    return theirs.address, theirs.rtcp_port or theirs.port + 1
