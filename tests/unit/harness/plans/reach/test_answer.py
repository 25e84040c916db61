"""``answer`` and ``trigger`` of a plan."""

from __future__ import annotations

from typing import Any

import pytest

from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.plans.run import RunPlan
from harness.plans.unit import Unit

CALL = {"id": "a", "script": {"lines": [{"say": "Hello?"}]}}


def plan(answering: bool = True, **fields: Any) -> RunPlan:
    return expand_plan({"agent": "sip:127.0.0.1", "trials": 3, "calls": [CALL | fields]}, answering=answering)


def test_how_long_it_rings_is_drawn_once_and_for_all() -> None:
    drawn = [call.answer.ring_s for call in plan(answer={"ring_s": [1, 9]}).calls if call.answer is not None]
    assert len(set(drawn)) == 3
    assert all(1 <= one <= 9 for one in drawn)
    again = plan(answer={"ring_s": [1, 9]})
    assert [call.answer.ring_s for call in again.calls if call.answer is not None] == drawn
    assert all(
        call.answer is not None and call.answer.ring_s == 4.0 for call in plan(answer={"ring_s": 4}).calls
    )


def test_what_is_written_of_an_entry_is_that_of_the_call() -> None:
    second = plan(answer={"number": "49-{entry}", "header": {"X-Entry": "{entry}"}}).calls[1]
    assert second.answer is not None
    assert (second.answer.number, second.answer.header) == ("49-a.2", {"X-Entry": "a.2"})


def test_it_decides_the_call_and_is_in_its_digest() -> None:
    one, other = plan(answer={"ring_s": 1}).calls[0], plan(answer={"ring_s": 2}).calls[0]
    placed = plan(answering=False).calls[0]
    assert len({one.digest, other.digest, placed.digest}) == 3
    assert "answer" not in placed.model_dump(exclude_none=True)
    # As JSON to wherever it is taken up.
    assert Unit.model_validate_json(Unit(plan=one).model_dump_json()).plan.digest == one.digest


def test_where_we_call_there_is_nothing_to_answer() -> None:
    for field, value in (("answer", {"ring_s": 1}), ("trigger", {"command": "dial"})):
        with pytest.raises(UserError, match=rf"calls\[0\]\.{field}: here it is the agent who calls"):
            plan(answering=False, **{field: value})


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"answer": {"ring_s": [5, 1]}}, "from less to more"),
        ({"answer": {"ring_s": 1e9}}, "ring_s"),
        ({"answer": {"does": "sing"}}, "does"),
        ({"answer": {"header": {"A": "1", "B": "2"}}}, "header"),
        ({"answer": {"within_s": 0}}, "within_s"),
        ({"answer": {"number": "a b"}}, "number"),
        ({"trigger": {}}, "give a url, or a command"),
        ({"trigger": {"url": "http://x/", "command": "y"}}, "give a url, or a command"),
        ({"trigger": {"url": "ftp://x/"}}, "http"),
        ({"trigger": {"command": "a 'b"}}, "cannot be read as a command"),
        ({"trigger": {"command": "a", "body": {}}}, "headers and body go with a url"),
        ({"trigger": {"url": "http://x/", "body": float("nan")}}, "JSON"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told):
        plan(**fields)


def test_nobody_to_be_called_by() -> None:
    with pytest.raises(UserError, match="who calls\\? give 'agent: sip:HOST'"):
        expand_plan({"calls": [CALL]}, answering=True)
    found = expand_plan({"calls": [CALL]}, answering=True, agent_otherwise="sip:pbx.example")
    assert found.calls[0].agent == "sip:pbx.example"
