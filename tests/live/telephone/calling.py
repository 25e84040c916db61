"""A call of ours without a caller: dials, waits, hangs up, and tells what it saw of the agent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from harness.errors import SetupFailed
from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.plans.reach.plan import ReachPlan
from harness.records.call import Event
from harness.transports.base import DialRequest, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named
from harness.transports.sip.session import SipSession
from harness.transports.sip.transport import SipTransport
from harness.transports.uplink import Uplink, silence


@dataclass(kw_only=True)
class Called:
    """What came of it.

    Attributes:
        error: Why no call came about; empty where one did.
        ended: How the agent ended it; empty where we did.
    """

    error: str = ""
    failure: SetupFailed | None = None
    ended: str = ""
    events: list[Event] = field(default_factory=list)
    packets: list[ReceivedPacket] = field(default_factory=list)
    codec: str = ""

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def data(self, kind: str) -> dict[str, Any]:
        """What the first event of a kind told; empty where there was none."""
        return next((event.data for event in self.events if event.kind == kind), {})


@dataclass(frozen=True, kw_only=True)
class Call:
    """How a scenario's call is placed.

    Attributes:
        to: The address, with ``{port}`` in it.
        for_s: How long it is held, where the agent does not end it.
    """

    to: str = "sip:agent@127.0.0.1:{port}"
    for_s: float = 0.4
    connect_s: float = 3.0
    headers: dict[str, str] = field(default_factory=dict)
    request_data: dict[str, Any] = field(default_factory=dict)
    codecs: tuple[str, ...] = ()
    ca_file: Path | None = None
    during: Callable[[SipSession], Awaitable[None]] | None = None


async def place(call: Call, port: int) -> Called:
    """Places it."""
    called = Called()
    address = call.to.format(port=port)
    wire = on_the_wire(
        address, call.headers, call.request_data, ReachPlan(codecs=call.codecs, ca_file=call.ca_file)
    )
    request = DialRequest(
        agent=address,
        to=wire,
        clock=CallClock(),
        uplink=Uplink(background=silence(codec_named(UNENCODED))),
        conditions=ConditionsPlan(),
        seed=1,
        connect_s=call.connect_s,
        on_packet=called.packets.append,
        on_event=called.events.append,
    )
    try:
        session = cast(SipSession, await SipTransport().dial(request))
    except SetupFailed as failure:
        called.error, called.failure = str(failure), failure
        return called
    called.codec = session.log.codec
    if call.during is not None:
        await call.during(session)
    done, _ = await asyncio.wait([session.ended], timeout=call.for_s)
    called.ended = session.ended.result() if done else ""
    await session.close()
    return called
