"""An agent that stops at coughs: calls of the suite ``restraint`` to an agent that knows sounds when it hears
them (``fixtures/agents/calibration/recognising.py``), and by nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import yaml

from harness._files.atomic_file import write_text
from harness.calls.voice.medium import VoiceMedium
from harness.errors import HarnessFault
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from harness.records.call import CallStatus
from harness.runs.batch import hold_all
from harness.runs.store import RunStore
from harness.selfcheck.calibration.run import ATTEMPTS
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

QUICK_CALLS = tuple(f"restraint.en.probe.{number}" for number in (1, 2, 3, 5, 8, 9))
AT_ONCE = 6
REPLIES = 30
COUGHS, EVERYTHING = 1.0, 2.0

STOPS = Defect(
    name="stops-at-sounds",
    told="falls silent at sounds that are not meant for it",
    moves={"false_stop_rate": 1},
    weak=Strength(amount=COUGHS, told="at coughs"),
    strong=Strength(amount=EVERYTHING, told="at every sound"),
)
_KINDS: dict[float, dict[str, float]] = {0.0: {}, COUGHS: {"cough": 1.0}, EVERYTHING: {"any": 1.0}}


def _make(order: Order, progress: Progress) -> Planted:
    kinds = _KINDS[order.strength_of(STOPS.name)]
    behaviour = order.folder.parent / f"{order.folder.name}.agent.yaml"
    behaviour.parent.mkdir(parents=True, exist_ok=True)
    write_text(behaviour, yaml.safe_dump(_behaviour(kinds)))
    with serving("calibration", extra=["--behaviour", str(behaviour)]) as agent:
        plan = _plan(agent, order.size, order.seed)
        progress(f"{len(plan.units)} calls, {AT_ONCE} at a time")
        _held(plan, RunStore(order.folder))
    places = [
        one
        for call in plan.calls
        for one in (call.probe.planted if call.probe else ())
        if one.place == "over_agent" and not one.control
    ]
    return {"false_stop_rate": sum("any" in kinds or one.kind in kinds for one in places) / len(places)}


def _held(plan: RunPlan, store: RunStore) -> None:
    """Holds the calls; those that our own sender spoilt are placed again."""
    for attempt in range(ATTEMPTS):
        outcome = asyncio.run(
            hold_all(plan, store, medium=VoiceMedium(), parallel=AT_ONCE, again=attempt > 0)
        )
        if not outcome.count(CallStatus.HARNESS_FAULT):
            return
    raise HarnessFault(TOO_BUSY)


def _behaviour(kinds: dict[str, float]) -> dict[str, Any]:
    return {
        "greeting": {"after_ms": 400, "say": {"clip": "greeting"}},
        "quiet_ms": 450,
        "sounds": {"folder": "probes/restraint/sounds", "stops_at": dict(kinds)},
        # Each its own: one that stands several times is written with an anchor, and those are not read.
        "turns": [
            {"answer_after_ms": 900, "say": {"clip": ["answer_long", "account"]}} for _ in range(REPLIES)
        ],
    }


def _plan(agent: str, size: Size, seed: int) -> RunPlan:
    """The calls of the suite; quickly, those that have most sounds in the agent's speech."""
    content = {"agent": agent, "probes": [{"suite": "restraint", "size": "full"}]}
    plan = expand_plan(content)
    units = [unit for unit in plan.units if _is_wanted(unit, size)]
    return plan.model_copy(update={"units": tuple(_seeded(units, seed))})


def _is_wanted(unit: Unit, size: Size) -> bool:
    if size == "quick":
        return unit.id in QUICK_CALLS
    return ".probe." in unit.id


def _seeded(units: Sequence[Unit], seed: int) -> list[Unit]:
    return [
        unit.model_copy(update={"plan": unit.plan.model_copy(update={"seed": unit.plan.seed + seed})})
        for unit in units
    ]


FAMILIES = (Family(name="restraint", way="placed", defects=(STOPS,), only=frozenset({"timing"}), make=_make),)
