"""The rules judge against the labelled set that ships: what it claims, it must keep.

The items and the scenarios' evidence phrases are part of what is measured: a change to either shows here.
"""

from __future__ import annotations

import asyncio

import pytest

from harness.judging.checking.agreement_check import check_judge
from harness.judging.checking.judge_check import JudgeCheck, percent
from harness.judging.checking.labelled_set import read_judge_set
from metrics.dialogue.rules.judge import BEYOND_RULES, RulesJudge

pytestmark = pytest.mark.long

REPLIES_MIN, NODES_MIN = 0.8, 0.9


@pytest.fixture(scope="module")
def check() -> JudgeCheck:
    return asyncio.run(check_judge(RulesJudge(), read_judge_set()))


def test_every_dimension_that_the_rules_claim_agrees_with_the_labels(check: JudgeCheck) -> None:
    assert check.dimensions, "the rules claim no dimension at all"
    assert set(check.not_claimed) == {one.value for one in BEYOND_RULES}
    for name, found in check.dimensions.items():
        print(f"{name}: {percent(found)} of {found.n}, confusion {found.confusion}")
        assert found.n >= 40
        assert found.failed == 0
        assert found.accuracy is not None
        assert found.accuracy >= REPLIES_MIN, name
        # Better than always giving the score that is given most.
        assert found.weighted_kappa is not None
        assert found.weighted_kappa >= 0.6, name


def test_the_nodes_agree_with_the_labels(check: JudgeCheck) -> None:
    print(f"nodes: {percent(check.nodes)} of {check.nodes.n}, confusion {check.nodes.confusion}")
    print(f"turns: {percent(check.turns)} of {check.turns.n}; by language: {check.by_language}")
    assert check.nodes.n >= 60 * 8
    assert check.nodes.accuracy is not None
    assert check.nodes.accuracy >= NODES_MIN
    assert check.nodes.failed == 0
    # The cited turn is what the order is scored by.
    assert check.turns.accuracy is not None
    assert check.turns.accuracy >= NODES_MIN
