"""A call that comes in, with no caller of ours behind it: rings, is taken, ends, and tells what it saw."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from harness.errors import SetupFailed
from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.plans.reach.plan import ReachPlan
from harness.transports.base import DialRequest
from harness.transports.clock import CallClock
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named
from harness.transports.sip.answering.listening import Listening, read_registrar
from harness.transports.sip.answering.reception import Reception
from harness.transports.sip.answering.registration import Registration
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.answering.session import AnsweredSession, Does, Manner
from harness.transports.sip.answering.transport import RungTransport
from harness.transports.uplink import Uplink, silence
from tests.live.telephone.calling import Called
from tests.live.telephone.certificates import Certificates

RINGS_WITHIN_S = 6.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """How a scenario's call is taken.

    Attributes:
        for_s: How long it is held, where the agent does not end it.
        password: Of the user ``sipp``, where whoever rings has to know one.
        registrar: Where we are known meanwhile, as ``--register`` has it.
        tls: What whoever rings is shown: calls come over TLS alone.
    """

    does: Does = "pick_up"
    ring_s: float = 0.1
    for_s: float = 0.4
    codecs: tuple[str, ...] = ()
    agent: str = "sip:127.0.0.1"
    from_hosts: frozenset[str] | None = frozenset({"127.0.0.1"})
    password: str = ""
    registrar: str = ""
    tls: Certificates | None = None
    during: Callable[[AnsweredSession], Awaitable[None]] | None = None


@dataclass(kw_only=True)
class Rung(Called):
    """What came of it besides.

    Attributes:
        rings: Calls that were let in; only the first is taken.
        unwanted: Why others were not.
    """

    rings: list[Ring] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)


async def be_called(answer: Answer, agent: Callable[[int], Awaitable[object]]) -> Rung:
    """Listens at a port, has the agent call there, and takes the first call until both are done."""
    rung = Rung()
    first: asyncio.Future[Ring] = asyncio.get_running_loop().create_future()

    def on_ring(ring: Ring) -> None:
        rung.rings.append(ring)
        if first.done():
            ring.refuse(486)
        else:
            first.set_result(ring)

    reception = Reception(
        Listening(
            host="127.0.0.1",
            port=0,
            user="sipp" if answer.password else "",
            password=answer.password,
            certificate=None if answer.tls is None else answer.tls.certificate,
            key=None if answer.tls is None else answer.tls.key,
        ),
        from_hosts=answer.from_hosts,
        on_ring=on_ring,
        on_unwanted=lambda why, invite, source: rung.unwanted.append(why),
    )
    await reception.open()
    try:
        async with _known_at(answer.registrar, reception):
            calling = asyncio.ensure_future(agent(reception.door.address[1]))
            try:
                await asyncio.wait(
                    {first, calling}, timeout=RINGS_WITHIN_S, return_when=asyncio.FIRST_COMPLETED
                )
                if first.done():
                    await _take(answer, first.result(), rung)
                await calling
            finally:
                calling.cancel()
    finally:
        reception.close()
        await reception.closed()
    return rung


@contextlib.asynccontextmanager
async def _known_at(registrar: str, reception: Reception) -> AsyncIterator[None]:
    if not registrar:
        yield
        return
    registration = Registration(read_registrar(registrar), on_note=lambda note: None)
    await registration.locate()
    try:
        await registration.begin(reception.door)
        yield
    finally:
        await registration.end()


async def _take(answer: Answer, ring: Ring, rung: Rung) -> None:
    request = DialRequest(
        agent=answer.agent,
        to=on_the_wire(answer.agent, {}, {}, ReachPlan(codecs=answer.codecs)),
        clock=CallClock(),
        uplink=Uplink(background=silence(codec_named(UNENCODED))),
        conditions=ConditionsPlan(),
        seed=1,
        connect_s=3.0,
        on_packet=rung.packets.append,
        on_event=rung.events.append,
    )
    manner = Manner(does=answer.does, ring_s=answer.ring_s)
    try:
        session = await RungTransport(ring, manner).dial(request)
    except SetupFailed as failure:
        rung.error, rung.failure = str(failure), failure
        return
    assert isinstance(session, AnsweredSession)
    rung.codec = session.log.codec
    if answer.during is not None:
        await answer.during(session)
    done, _ = await asyncio.wait([session.ended], timeout=answer.for_s)
    rung.ended = session.ended.result() if done else ""
    await session.close()
