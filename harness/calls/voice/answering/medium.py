"""Calls by voice that the agent places: each waits to be rung, and is answered."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from sipmessage import Request

from harness.calls.conversation import Conversation, Held, Watcher
from harness.calls.voice.answering.switchboard import Switchboard, answer_of
from harness.calls.voice.answering.trigger import Told, triggered
from harness.calls.voice.medium import VoiceCall, VoiceMedium
from harness.errors import HarnessFault, SetupFailed, UserError
from harness.plans.call import CallPlan
from harness.plans.on_the_wire import on_the_wire
from harness.plans.unit import Unit
from harness.records.call import CallStatus
from harness.records.endings import BY_PERSON
from harness.records.placed.rings import RingRecord, RingStatus
from harness.redaction import KNOWN
from harness.transports.sip.address import Destination, in_brackets
from harness.transports.sip.answering.door import EVERYWHERE
from harness.transports.sip.answering.listening import DEFAULT_PORT, Listening
from harness.transports.sip.answering.reception import Reception, Unwanted
from harness.transports.sip.answering.registration import Registration
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.answering.session import Manner
from harness.transports.sip.answering.transport import RungTransport
from harness.transports.sip.answering.whereabouts import addresses_of
from harness.transports.sip.signalling.message import address_of
from harness.transports.sip.signalling.wire import Place, local_address_towards
from spoken_language.outside_text import one_line

_OF_CALLS: dict[CallStatus, RingStatus] = {
    CallStatus.RANG_OFF: RingStatus.HUNG_UP_RINGING,
    CallStatus.SETUP_FAILED: RingStatus.NO_CALL,
}
NOBODY = "sip:nobody@0.0.0.0"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, kw_only=True)
class Answering:
    """How a run is called.

    Attributes:
        registrars: Where we are known; each is one of ours that can be called.
        from_anywhere: Calls are taken from any address.
        on_ring: Told of each ring, when it is decided.
        on_note: Told what a person should know, as of a registration that was lost.
    """

    listening: Listening
    registrars: Sequence[Destination] = ()
    from_anywhere: bool = False
    on_ring: Callable[[RingRecord], None] = lambda ring: None
    on_note: Callable[[str], None] = lambda note: None


@dataclass
class _Desk:
    """What the calls of a run share while it waits. ``host``: of ours, as the agent reaches it."""

    reception: Reception
    switchboard: Switchboard
    answering: Answering
    host: str
    registrations: list[Registration] = field(default_factory=list)

    def address_for(self, plan: CallPlan) -> str:
        """Where the agent shall call for an entry."""
        number = answer_of(plan).number
        if self.registrations:
            of_ours = self.registrations[0].destination.uri
            return f"sip:{number or of_ours.user}@{of_ours.host}"
        port = self.reception.door.address[1]
        scheme = "sips" if self.answering.listening.secure else "sip"
        return f"{scheme}:{number or 'outboundeval'}@{in_brackets(self.host)}:{port}"


class AnsweringMedium(VoiceMedium):
    """See the module's docstring. Its door is open while in the context.

    Args:
        entries: Of the run, in order.
        served: Those that have had their call in an earlier start.
    """

    def __init__(self, answering: Answering, entries: Sequence[CallPlan], served: Iterable[str] = ()) -> None:
        super().__init__()
        self._served = tuple(served)
        self._answering = answering
        self._entries = entries
        self._desk: _Desk | None = None

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        try:
            await self._open()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._desk is not None:
            self._desk.switchboard.close()
            await asyncio.gather(*(one.end() for one in self._desk.registrations))
            self._desk.reception.close()
            await self._desk.reception.closed()
        await super().__aexit__()

    def check(self, unit: Unit) -> None:
        super().check(unit)
        if not unit.plan.agent.lower().startswith(("sip:", "sips:")):
            raise UserError(
                f"{unit.id}: whoever calls us does so over SIP: the agent's address begins with sip: "
                f"(sip:HOST, where its calls come from), not {unit.plan.agent}"
            )

    async def prepare(self, unit: Unit, watcher: Watcher) -> Conversation:
        assert self._desk is not None, "the door is not open"
        conversation = await super().prepare(unit, watcher)
        if isinstance(conversation, VoiceCall):
            return _Awaited(conversation, unit.plan, self._desk, watcher)
        self._desk.switchboard.served(unit.id)
        return conversation

    async def _open(self) -> None:
        answering = self._answering
        allowed: set[str] = set()
        known = {one.uri.host.lower() for one in answering.registrars}
        if not answering.from_anywhere:
            for agent in {plan.agent: plan for plan in self._entries}.values():
                allowed |= await addresses_of(on_the_wire(agent.agent).url, but_of=known)
        switchboard = Switchboard(self._entries, on_refused=self._refused)
        for entry in self._served:
            switchboard.served(entry)
        registrations = [Registration(one, on_note=answering.on_note) for one in answering.registrars]
        for one in registrations:
            await one.locate()
            allowed.add(one.hop[0])
        reception = Reception(
            answering.listening,
            from_hosts=None if answering.from_anywhere else frozenset(allowed),
            on_ring=switchboard.put_through,
            on_unwanted=self._unwanted,
        )
        await reception.open()
        host = _reached(answering.listening.host, allowed)
        self._desk = _Desk(reception, switchboard, answering, host)
        for one in registrations:
            self._desk.registrations.append(one)
            await one.begin(reception.door)

    def _refused(self, ring: Ring, status: RingStatus, entry: str, why: str) -> None:
        self._answering.on_ring(ring_record(ring, status, entry=entry, code=ring.code, detail=why))

    def _unwanted(self, why: Unwanted, invite: Request, source: Place) -> None:
        self._answering.on_ring(
            RingRecord(
                at=_now(),
                status=RingStatus(why),
                caller=one_line(KNOWN.scrub(address_of(invite.headers["From"])), most=200),
                number=one_line(KNOWN.scrub(str(invite.uri.user or "")), most=200),
                source=f"{source[0]}:{source[1]}",
                code=403,
            )
        )


@dataclass(frozen=True)
class _Awaited:
    """A call that can be taken, when it comes."""

    call: VoiceCall
    plan: CallPlan
    desk: _Desk
    watcher: Watcher

    async def hold(self) -> Held:
        answer = answer_of(self.plan)
        held: Held | None = None
        try:
            told = Told(
                address=self.desk.address_for(self.plan),
                entry=self.plan.call_id,
                number=answer.number or "",
                request_data=on_the_wire(NOBODY, request_data=self.plan.request_data).request_data,
            )
            async with triggered(answer.trigger, told) as failed:
                self.watcher.on_waiting(self.plan, told.address)
                held = await self._held(failed)
        except SetupFailed as failure:
            held = self.call.unplaced(why=str(failure), status=CallStatus.SETUP_FAILED)
        except (HarnessFault, UserError) as fault:
            held = self.call.unplaced(why=str(fault), status=CallStatus.HARNESS_FAULT)
        except asyncio.CancelledError:
            # Perhaps told while what had the agent call was ended: that call is over, and whole.
            if held is None:
                held = self.call.unplaced(why=BY_PERSON, status=CallStatus.INTERRUPTED)
            else:
                held = replace(held, broken_off=True)
        finally:
            self.desk.switchboard.served(self.plan.call_id)
        if held.record.status is CallStatus.INTERRUPTED:
            self.desk.switchboard.again(self.plan.call_id)
        return held

    async def _held(self, failed: asyncio.Future[str]) -> Held:
        answer = answer_of(self.plan)
        waiting = asyncio.create_task(self.desk.switchboard.wait_for(self.plan.call_id, answer.within_s))
        try:
            either: set[asyncio.Future[Any]] = {waiting, failed}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                raise SetupFailed(f"{failed.result()}; the agent was not told to call")
        except asyncio.CancelledError:
            if waiting.done() and (put_through := waiting.result()) is not None:
                put_through.refuse(480)
            raise
        finally:
            waiting.cancel()
        ring = waiting.result()
        if ring is None:
            return self.call.unplaced(
                why=f"{self.plan.agent}: never rang within {answer.within_s:g} s",
                status=CallStatus.NEVER_RUNG,
            )
        manner = Manner(does=answer.does, ring_s=answer.ring_s)
        held = await self.call.by(RungTransport(ring, manner)).hold()
        self.desk.answering.on_ring(self._became(ring, held))
        return held

    def _became(self, ring: Ring, held: Held) -> RingRecord:
        record = held.record
        if record.as_planned:
            status = RingStatus.AS_PLANNED
        else:
            status = _OF_CALLS.get(record.status, RingStatus.TAKEN)
        if record.connected_after_s is None and status is RingStatus.TAKEN:
            status = RingStatus.NO_CALL
        return ring_record(ring, status, entry=self.plan.call_id, code=ring.code, detail=record.status_detail)


def ring_record(ring: Ring, status: RingStatus, *, entry: str, code: int, detail: str) -> RingRecord:
    """A ring as it is kept."""
    return RingRecord(
        at=_now(),
        status=status,
        entry=entry,
        caller=ring.caller,
        number=" ".join(ring.numbers)[:300],
        source=f"{ring.source[0]}:{ring.source[1]}",
        code=code or None,
        detail=one_line(KNOWN.scrub(detail), most=400),
    )


def _reached(host: str, by: set[str]) -> str:
    """Where we are reached that listen at an address."""
    if host not in EVERYWHERE:
        return host
    try:
        return local_address_towards((min(by, default=LOOPBACK), DEFAULT_PORT))
    except SetupFailed:
        return LOOPBACK


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
