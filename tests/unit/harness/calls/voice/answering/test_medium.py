"""A call that the agent placed is over: nothing that comes while it is tidied up takes it away."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import Any, cast

from harness.calls.conversation import Held, Watcher
from harness.calls.voice.answering.medium import Answering, _Awaited, _Desk
from harness.calls.voice.answering.switchboard import Switchboard
from harness.calls.voice.medium import VoiceCall
from harness.plans.reach.answer import TriggerPlan
from harness.records.call import CallStatus
from harness.records.placed.rings import RingRecord
from harness.transports.sip.answering.listening import Listening
from harness.transports.sip.answering.reception import Reception
from harness.transports.sip.answering.ring import Ring
from tests.nights import night_call
from tests.report.make_run import record_of
from tests.unit.harness.calls.voice.answering.test_switchboard import FakeRing, entry


class Call:
    """Is over as soon as it is held."""

    def __init__(self) -> None:
        self.unplaced_as: list[CallStatus] = []

    def by(self, transport: object) -> Call:
        return self

    async def hold(self) -> Held:
        return Held(record=record_of(night_call("a")), events=[])

    def unplaced(self, *, why: str, status: CallStatus) -> Held:
        self.unplaced_as.append(status)
        return Held(record=record_of(night_call("a", status=status)), events=[])


async def test_ctrl_c_while_the_command_that_had_it_called_ends_keeps_the_call() -> None:
    def on_ring(ring: RingRecord) -> None:
        # What follows is the end of the command alone.
        task.cancel()

    trigger = TriggerPlan(command=f"{sys.executable} -c 'import time; time.sleep(60)'")
    plan = entry("a", trigger=trigger)
    board = Switchboard([plan], on_refused=lambda *_: None)
    answering = Answering(listening=Listening(host="127.0.0.1", port=5060), on_ring=on_ring)
    reception = SimpleNamespace(door=SimpleNamespace(address=("127.0.0.1", 5060)))
    desk = _Desk(cast(Reception, reception), board, answering, "127.0.0.1")
    ring: Any = FakeRing()
    ring.caller, ring.source = "sip:bot@127.0.0.1", ("127.0.0.1", 5062)
    board.put_through(cast(Ring, ring))
    call = Call()
    awaited = _Awaited(cast(VoiceCall, call), plan, desk, Watcher())
    task = asyncio.create_task(awaited.hold())
    held = await asyncio.wait_for(task, 30.0)
    assert (held.record.status, held.broken_off) == (CallStatus.COMPLETED, True)
    assert call.unplaced_as == [], "what was opened for it is let go once"
    # Served, and not to be called anew.
    late: Any = FakeRing()
    board.put_through(cast(Ring, late))
    assert late.code == 486
