"""A ramp: how many calls may stand at once, by time."""

from __future__ import annotations

import pytest

from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.plans.run import Load, RunPlan

CALLS = [{"id": "a", "script": {"lines": [{"say": "Hello"}]}}]


def _plan(**fields: object) -> RunPlan:
    return expand_plan({"agent": "http://127.0.0.1:7860", "calls": CALLS, **fields})


def test_a_ramp_goes_up_in_its_time_and_stays_there() -> None:
    load = Load(begin=1, to=41, over_s=80)
    assert [load.wanted(t) for t in (0, 40, 80, 1000)] == [1, 21, 41, 41]


def test_a_ramp_may_go_down() -> None:
    load = Load(begin=10, to=2, over_s=8)
    assert [load.wanted(t) for t in (0, 4, 8)] == [10, 6, 2]
    assert load.most == 10


def test_a_plan_says_how_many_at_once() -> None:
    assert _plan().most_at_once == 1
    assert _plan(parallel=20).most_at_once == 20
    assert _plan(load={"from": 1, "to": 40, "over_s": 300}).most_at_once == 40


def test_what_is_at_once_is_no_part_of_the_digest() -> None:
    assert _plan().digest == _plan(parallel=20).digest == _plan(load={"to": 3, "over_s": 1}).digest


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"parallel": 0}, "parallel"),
        ({"load": {"to": 3}}, "over_s"),
        ({"load": {"from": 0, "to": 3, "over_s": 9}}, "load"),
        ({"parallel": 2, "load": {"to": 3, "over_s": 9}}, "leave out parallel"),
    ],
)
def test_what_is_no_number_of_calls_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        _plan(**fields)
