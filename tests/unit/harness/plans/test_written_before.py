"""Plans as version 0.1 wrote them: read as what they were, and of the digest that they had then."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from harness.plans.benchmark import text_units
from harness.plans.call import CallPlan, ConditionsPlan
from harness.plans.plan import expand_plan
from harness.plans.written_before import plan_of_first_format
from tests.unit.harness.stand_ins.chatting import entry
from voice_sim.person.examples import without_examples

# The digests that version 0.1 printed for these plans (its ``CallPlan.digest`` and ``ChatPlan.digest``).
VOICE_DIGEST = "d15f238e60f1d161"
TEXT_DIGEST = "1c882f4f45efd07b"
LOSSY_DIGEST = "6e02b3f214db1d1b"


def _voice() -> CallPlan:
    call = {"id": "plain", "script": {"lines": [{"say": "Hello?"}]}, "limits": {"call_s": 30}}
    return expand_plan({"agent": "http://127.0.0.1:7860", "seed": 3, "calls": [call]}).calls[0]


def _text() -> CallPlan:
    plan = text_units([entry()], policy="agenda", agent="llm", models=["a:x"], seed=3, understanding="words")[
        0
    ].plan
    assert plan.task is not None
    persona = without_examples(plan.task.persona).model_copy(update={"stimuli": ()})
    nodes = [
        node.model_copy(update={"needs_yes": False, "instead_when_declined": False})
        for node in plan.task.flow.nodes
    ]
    flow = plan.task.flow.model_copy(update={"nodes": tuple(nodes)})
    task = plan.task.model_copy(update={"persona": persona, "flow": flow})
    return plan.model_copy(update={"task": task})


def test_a_plan_has_the_digest_that_it_had() -> None:
    assert _voice().digest == VOICE_DIGEST
    assert _text().digest == TEXT_DIGEST


def test_examples_are_part_of_a_plan_that_has_them() -> None:
    plan = text_units([entry()], policy="agenda", agent="llm", models=["a:x"], seed=3)[0].plan
    assert plan.task is not None
    assert plan.task.persona.nothing
    assert plan.digest != TEXT_DIGEST


def test_a_plan_of_a_dialogue_is_read_as_it_was_written_then() -> None:
    plan = _text()
    old = plan_of_first_format(plan.model_dump(mode="json"))
    assert {"dialogue_id", "competitor", "caller_model", "model"} <= old.keys()
    assert "call_id" not in old
    read = CallPlan.model_validate(old)
    assert (read.call_id, read.medium, read.competitor) == (plan.call_id, "text", "a:x")
    assert read.language_model is None
    assert read.language == "en"
    assert read.digest == plan.digest == _digest(old)


def test_a_plan_by_voice_is_read_as_it_was_written_then() -> None:
    old = plan_of_first_format(_voice().model_dump(mode="json"))
    assert not {"medium", "agent_model", "temperature"} & old.keys()
    assert not {"turns", "turn_chars", "answer_s"} & old["limits"].keys()
    assert CallPlan.model_validate(old) == _voice()


def test_what_is_new_and_says_something_changes_the_digest() -> None:
    plan = _text()
    assert plan.model_copy(update={"temperature": 0.5}).digest != plan.digest
    assert plan.model_copy(update={"agent_model": "b:y"}).digest != plan.digest


def test_networks_that_could_not_be_planned_then_change_the_digest_and_others_do_not() -> None:
    plan = _voice()
    lossy = ConditionsPlan(loss=0.03, delay_ms=40, jitter_ms=20)
    # As version 0.1 printed it for the plan with these conditions.
    assert plan.model_copy(update={"conditions": lossy}).digest == LOSSY_DIGEST
    worse = [
        lossy.model_copy(update=update)
        for update in (
            {"loss_burst": 3.0},
            {"jitter_shape": "normal"},
            {"reorder": 0.02},
            {"reorder_ms": 30.0},
            {"duplicates": 0.02},
            {"outage_ms": 200.0},
            {"outage_at_s": (3.0,)},
            {"outages_per_minute": 2.0},
        )
    ]
    digests = {plan.model_copy(update={"conditions": one}).digest for one in [lossy, *worse]}
    assert len(digests) == 1 + len(worse)


def _digest(content: dict[str, Any]) -> str:
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
