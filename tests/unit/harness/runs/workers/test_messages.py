"""What a run and its processes tell each other."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from harness.plans.plan import expand_plan
from harness.plans.unit import Unit, for_own_process, has_secrets_written_out
from harness.records.call import CallStatus, EarlierAttempt
from harness.runs.workers.messages import Hold, Order, Told, read_order


def _unit(agent: str = "http://127.0.0.1:7860", **fields: object) -> Unit:
    call = {"id": "a", "script": {"lines": [{"say": "Hello"}]}}
    return expand_plan({"agent": agent, "calls": [call], **fields}).units[0]


def test_a_unit_goes_to_a_process_of_ours_with_what_its_plan_withholds_and_keeps_its_digest() -> None:
    unit = _unit(
        "http://bob:hunter22@127.0.0.1:7860/offer", headers={"Authorization": "Bearer seventeen-secrets"}
    )
    there = read_order(Hold(unit=unit).line())
    assert isinstance(there, Hold)
    assert there.unit.plan.digest == unit.plan.digest
    assert there.unit.plan.agent == "http://bob:***@127.0.0.1:7860/offer"
    assert there.unit.plan.agent.given == "http://bob:hunter22@127.0.0.1:7860/offer"  # type: ignore[attr-defined]
    header = there.unit.plan.headers["Authorization"]
    assert header.given == "Bearer seventeen-secrets"  # type: ignore[attr-defined]
    assert b"hunter22" not in there.model_dump_json().encode()


def test_what_is_written_out_is_told_from_what_is_named() -> None:
    assert has_secrets_written_out(_unit("http://bob:hunter22@127.0.0.1:7860/offer"))
    assert not has_secrets_written_out(_unit("http://bob:{env:BOB}@127.0.0.1:7860/offer"))
    assert json.loads(for_own_process(_unit()))["plan"]["agent"] == "http://127.0.0.1:7860"


def test_a_unit_has_its_earlier_attempts_with_it() -> None:
    earlier = EarlierAttempt(status=CallStatus.HARNESS_FAULT, status_detail="killed", started_at="then")
    there = read_order(Hold(unit=_unit(), earlier=(earlier,)).line())
    assert isinstance(there, Hold)
    assert there.earlier == (earlier,)


def test_orders_and_what_is_told_come_back_as_they_were() -> None:
    assert read_order(Order(kind="dial", call="a").line()) == Order(kind="dial", call="a")
    told = Told(kind="held", call="a", data={"status": "completed"})
    assert Told.of(told.line()) == told


def test_what_is_no_order_is_refused() -> None:
    with pytest.raises(ValidationError, match="validation error"):
        read_order(b'{"kind": "dance"}\n')
