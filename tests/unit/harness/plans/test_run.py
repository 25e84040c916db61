"""Units and runs: what a worker anywhere picks up."""

from __future__ import annotations

import zlib

from harness.plans.benchmark import text_units
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan, derive_seed
from harness.plans.unit import Unit
from tests.unit.harness.stand_ins.chatting import entry


def test_a_unit_goes_through_json_and_is_the_same() -> None:
    [in_text] = text_units([entry()], policy="agenda", agent="sop", seed=3)
    call = {"scenario": "cs-bank-complaint/hesitant", "voice": {"engine": "piper", "name": "joe"}}
    [by_voice] = expand_plan({"agent": "http://127.0.0.1:1", "calls": [call]}).units
    for unit in (in_text, by_voice):
        again = Unit.model_validate_json(unit.model_dump_json())
        assert again == unit
        assert again.plan.digest == unit.plan.digest
    assert in_text.entry is not None
    assert Unit.model_validate_json(in_text.model_dump_json()).entry == in_text.entry
    assert in_text.id == in_text.plan.call_id


def test_a_run_is_its_units_in_their_order() -> None:
    units = tuple(text_units([entry(), entry("cs-bank-complaint/efficient")], policy="agenda", agent="sop"))
    run = RunPlan(name="both", units=units)
    turned = RunPlan(name="both", units=units[::-1])
    assert [call.call_id for call in run.calls] == [unit.id for unit in units]
    assert run.digest != turned.digest
    assert RunPlan.of("both", run.calls).digest == run.digest, "the digest is the plans' alone"


def test_a_seed_is_a_calls_own_and_stays_when_others_come_and_go() -> None:
    assert derive_seed(3, "cs-bank-complaint/hesitant", 0) == zlib.crc32(b"3/cs-bank-complaint/hesitant/0")
    assert len({derive_seed(3, name, trial) for name in "ab" for trial in (0, 1)}) == 4
