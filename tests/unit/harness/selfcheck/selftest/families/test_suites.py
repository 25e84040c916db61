"""How many observations the families of spoken suites plant, and that a planted share is what was counted."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from harness.plans.call import CallPlan
from harness.selfcheck.selftest.entries import Order, Size
from harness.selfcheck.selftest.families import suites
from harness.selfcheck.selftest.families.suites import ACCEPTS, ANSWERS_NOISE, FAMILIES, REJECTS
from harness.selfcheck.selftest.made.calls import MadeLine

ENOUGH = 20
"""Observations that a cell of the full table wants at least."""


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[CallPlan, list[MadeLine]]]:
    """The calls that are made, of which nothing is written."""
    calls: list[tuple[CallPlan, list[MadeLine]]] = []

    def made_call(plan: CallPlan, lines: list[MadeLine], *, random: Any) -> None:
        calls.append((plan, lines))

    monkeypatch.setattr(suites, "made_call", made_call)
    monkeypatch.setattr(suites, "keep", lambda folder, name, calls: None)
    return calls


def _make(name: str, size: Size, *, defect: str | None = None, amount: float = 0.0) -> dict[str, float]:
    family = next(one for one in FAMILIES if one.name == name)
    order = Order(folder=Path("nowhere"), defect=defect, amount=amount, seed=1, size=size)
    return dict(family.make(order, lambda _: None))


@pytest.mark.parametrize("name", ["noise", "accent"])
def test_in_full_every_setting_says_twenty_english_sentences_and_the_same(
    name: str, made: list[tuple[CallPlan, list[MadeLine]]]
) -> None:
    _make(name, "full")
    said = defaultdict[str, list[str]](list)
    for plan, lines in made:
        assert plan.probe is not None
        assert len(plan.probe.asked) == len(lines)
        if plan.language == "en":
            said[plan.probe.setting] += [line.said for line in lines]
    assert len(said) > 5
    assert {len(own) for own in said.values()} == {ENOUGH}
    assert len({frozenset(own) for own in said.values()}) == 1
    assert all(len(set(own)) == ENOUGH for own in said.values())


@pytest.mark.parametrize("name", ["noise", "accent"])
def test_the_quick_size_says_its_own_sentences_alone(
    name: str, made: list[tuple[CallPlan, list[MadeLine]]]
) -> None:
    _make(name, "quick")
    assert {plan.language for plan, _ in made} == {"en"}
    assert {asked.item for plan, _ in made if plan.probe for asked in plan.probe.asked} == {
        f"s-en-{number}" for number in range(1, 11)
    }


@pytest.mark.parametrize("size", ["quick", "full"])
def test_of_input_of_each_use_there_are_twenty(
    size: Size, made: list[tuple[CallPlan, list[MadeLine]]]
) -> None:
    planted = _make("rejection", size)
    assert planted == {
        "false_rejection_rate": 0.0,
        "rejection_rate": 1.0,
        "silence_at_noise_rate": 1.0,
    }
    asked = [one for plan, _ in made if plan.probe for one in plan.probe.asked]
    for use in ("good", "speech", "sound"):
        assert len({one.item for one in asked if one.usable == use}) >= ENOUGH


@pytest.mark.parametrize("defect", [REJECTS, ACCEPTS, ANSWERS_NOISE])
def test_the_planted_rate_is_that_of_the_answers_given(
    defect: Any, made: list[tuple[CallPlan, list[MadeLine]]]
) -> None:
    [metric] = defect.moves
    planted = _make("rejection", "full", defect=defect.name, amount=defect.weak.amount)[metric]
    replies = defaultdict[str, list[str | None]](list)
    for plan, lines in made:
        assert plan.probe is not None
        for one, line in zip(plan.probe.asked, lines, strict=True):
            replies[one.usable].append(line.tells)
    again = suites.SAYS_AGAIN[1]
    by_hand = {
        REJECTS.name: replies["good"].count(again) / len(replies["good"]),
        ACCEPTS.name: replies["speech"].count(again) / len(replies["speech"]),
        ANSWERS_NOISE.name: replies["sound"].count(None) / len(replies["sound"]),
    }
    assert planted == pytest.approx(by_hand[defect.name])
    assert 0.1 <= abs(planted - (0.0 if defect is REJECTS else 1.0)) <= 0.5
