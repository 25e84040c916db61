"""Whether a person can be won is settled when a plan is frozen, from the call's seed."""

from __future__ import annotations

from harness.plans.benchmark import text_units
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.task import TaskPlan, settled, task_of
from harness.scenarios.folders import load_entry

NEVER, CHANCE, ALWAYS = (
    "fin-wealth-renewal/resistant",
    "sales-cloud-service/resistant",
    "sales-cloud-service/cooperative",
)


def task(entry_id: str) -> TaskPlan:
    return task_of(load_entry(entry_id))


def test_always_and_never_are_what_the_card_says() -> None:
    assert [settled(task(ALWAYS), seed=seed) for seed in range(5)] == [task(ALWAYS)] * 5
    for seed in range(5):
        one = settled(task(NEVER), seed=seed)
        assert not one.winnable
        assert one.flow.declined


def test_a_chance_is_drawn_by_the_seed_and_comes_as_often_as_the_card_says() -> None:
    card = task(CHANCE)
    drawn = [settled(card, seed=seed) for seed in range(1000)]
    won = sum(one.winnable for one in drawn)
    assert card.persona.willingness.chance == 0.3
    assert 255 <= won <= 345, "0.3 of 1000, three standard deviations to each side"
    assert drawn[:20] == [settled(card, seed=seed) for seed in range(20)]
    for one in drawn:
        assert one.persona.willingness.wins == ("always" if one.winnable else "never")
        assert one.flow.declined is not one.winnable


def test_what_was_drawn_stands_in_the_plan_and_in_its_digest() -> None:
    plans = [
        text_units([load_entry(CHANCE)], policy="agenda", agent="sop", seed=seed)[0].plan for seed in range(9)
    ]
    by_draw = {plan.task.winnable: plan for plan in plans if plan.task is not None}
    assert set(by_draw) == {True, False}
    lost = by_draw[False]
    assert CallPlan.model_validate(lost.model_dump(mode="json")) == lost
    assert lost.task is not None
    other = lost.model_copy(update={"task": lost.task.model_copy(update={"winnable": True})})
    assert other.digest != lost.digest


def test_every_agent_meets_the_same_person() -> None:
    units = text_units([load_entry(CHANCE)], policy="agenda", agent="llm", models=["a:x", "b:y"], trials=12)
    drawn: dict[int, set[bool]] = {}
    for unit in units:
        assert unit.plan.task is not None
        drawn.setdefault(unit.plan.trial, set()).add(unit.plan.task.winnable)
    assert [len(each) for each in drawn.values()] == [1] * 12
    assert len(set().union(*drawn.values())) == 2


def test_a_plan_file_settles_it_too() -> None:
    call = {"scenario": NEVER}
    plan = expand_plan({"agent": "http://127.0.0.1:7860", "seed": 3, "calls": [call]}).calls[0]
    assert plan.task is not None
    assert not plan.task.winnable
