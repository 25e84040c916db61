"""Agents that answer late or stop late: calls to the calibration agent, whose delays are programmed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.errors import HarnessFault
from harness.plans.call import ConditionsPlan
from harness.records.call import CallStatus
from harness.selfcheck.calibration.design import CalibrationCall, interruption_call, response_call
from harness.selfcheck.calibration.run import ATTEMPTS, place_all
from harness.selfcheck.reference_agents import serving
from harness.selfcheck.selftest.entries import (
    TOO_BUSY,
    Defect,
    Family,
    Order,
    Planted,
    Progress,
    Size,
    Strength,
)
from harness.selfcheck.selftest.made.calls import keep
from harness.transports.by_scheme import transport_for

TURNS: dict[Size, int] = {"quick": 9, "full": 24}
AT_ONCE = 3
ANSWERS_AFTER_MS, STOPS_AFTER_MS = 600, 250
"""Of the clean agent."""
UNSTEADY_MS = 15
"""Give or take, turn by turn, by the seed."""

LATE = Defect(
    name="late",
    told="begins its answers late",
    moves={"response_latency_ms": 1, "response_latency_answered_ms": 1},
    weak=Strength(amount=80, told="+80 ms"),
    strong=Strength(amount=240, told="+240 ms"),
)
STOPS_LATE = Defect(
    name="stops-late",
    told="goes on speaking when it is interrupted",
    moves={"interruption_delay_ms": 1, "interruption_delay_stopped_ms": 1},
    weak=Strength(amount=150, told="+150 ms"),
    strong=Strength(amount=450, told="+450 ms"),
)
Design = Callable[..., CalibrationCall]


def _make(
    name: str, defect: Defect, base_ms: int, design: Design, order: Order, progress: Progress
) -> Planted:
    """Calls in which every answer, or stop, has the delay of its turn."""
    random = Random(order.seed)
    delays = [
        round(base_ms + order.strength_of(defect.name)) + random.randint(-UNSTEADY_MS, UNSTEADY_MS)
        for _ in range(TURNS[order.size])
    ]
    with serving("calibration") as agent:
        calls = [
            design(
                delays[index::AT_ONCE],
                sound="natural",
                index=index,
                agent=agent,
                conditions=ConditionsPlan(),
                seed=order.seed,
            )
            for index in range(AT_ONCE)
        ]
        keep(order.folder, name, asyncio.run(_placed(calls, agent, progress)))
    return {metric: sum(delays) / len(delays) for metric in defect.moves}


async def _placed(calls: Sequence[CalibrationCall], agent: str, progress: Progress) -> list[Held]:
    """The calls as they were held; those that our own sender spoilt are placed again."""
    waiting, done = list(calls), dict[str, Held]()
    async with Ears() as ears:
        for _ in range(ATTEMPTS):
            placed = await place_all(
                waiting,
                transport=transport_for(agent),
                at_once=AT_ONCE,
                ears=ears,
                on_placed=lambda call, held: progress(f"{call.plan.call_id}: {held.record.status}"),
            )
            done |= {one.call.plan.call_id: one.held for one in placed}
            waiting = [
                call for call in waiting if done[call.plan.call_id].record.status is CallStatus.HARNESS_FAULT
            ]
            if not waiting:
                break
    if waiting:
        raise HarnessFault(TOO_BUSY)
    return [done[call.plan.call_id] for call in calls]


FAMILIES = (
    Family(
        name="answers",
        way="placed",
        defects=(LATE,),
        only=frozenset({"timing"}),
        make=partial(_make, "answers", LATE, ANSWERS_AFTER_MS, response_call),
    ),
    Family(
        name="stops",
        way="placed",
        defects=(STOPS_LATE,),
        only=frozenset({"timing"}),
        make=partial(_make, "stops", STOPS_LATE, STOPS_AFTER_MS, interruption_call),
    ),
)
