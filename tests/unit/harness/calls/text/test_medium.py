"""Units that are taken up elsewhere, and what is refused before the first conversation."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.calls.conversation import Watcher
from harness.calls.text.medium import TextMedium
from harness.errors import UserError
from harness.plans.benchmark import text_units
from harness.plans.unit import Unit
from harness.records.call import CallRecord, CallStatus
from tests.unit.harness.stand_ins.chatting import entry

ROOT = Path(__file__).parents[5]

ELSEWHERE = """
import asyncio, sys
from harness.calls.conversation import Watcher
from harness.calls.text.medium import TextMedium
from harness.plans.unit import Unit

async def held(unit):
    async with TextMedium([unit]) as medium:
        return await (await medium.prepare(unit, Watcher())).hold()

print(asyncio.run(held(Unit.model_validate_json(sys.stdin.read()))).record.model_dump_json())
"""


def _held_here(unit: Unit) -> CallRecord:
    async def held() -> CallRecord:
        async with TextMedium([unit]) as medium:
            return (await (await medium.prepare(unit, Watcher())).hold()).record

    return asyncio.run(held())


@pytest.mark.long
def test_another_process_takes_a_unit_from_json_and_holds_the_same_conversation() -> None:
    [unit] = text_units([entry()], policy="agenda", agent="sop", seed=5)
    ran = subprocess.run(
        [sys.executable, "-P", "-c", ELSEWHERE],
        input=unit.model_dump_json(),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    there, here = CallRecord.model_validate_json(ran.stdout), _held_here(unit)
    assert here.status is CallStatus.COMPLETED
    assert there.plan == unit.plan
    assert there.status is here.status
    assert [(turn.speaker, turn.text, turn.why) for turn in there.turns] == [
        (turn.speaker, turn.text, turn.why) for turn in here.turns
    ]


def test_an_agent_or_a_caller_that_nobody_knows_is_refused_before_anything_is_held() -> None:
    [unit] = text_units([entry()], policy="agenda", agent="sop", understanding="words")
    for changed, named in (({"agent": "nobody"}, "sop"), ({"policy": "nobody"}, "agenda")):
        plan = unit.plan.model_copy(update=changed)
        with pytest.raises(UserError, match=named):
            TextMedium([]).check(Unit(plan=plan, entry=unit.entry))


def test_a_unit_without_its_entry_is_refused() -> None:
    [unit] = text_units([entry()], policy="agenda", agent="sop")
    medium = TextMedium([])
    with pytest.raises(UserError, match="needs the entry"):
        asyncio.run(medium.prepare(Unit(plan=unit.plan), Watcher()))
