"""The rules judge as a judge: whole sessions, what it does not claim, and quotes that hold."""

from __future__ import annotations

import asyncio
import time

import pytest

from metrics.dialogue.judging import judge_session
from metrics.dialogue.rules.judge import BEYOND_RULES, RulesJudge
from metrics.dialogue.text_scores import TextScores
from metrics.dialogue.verdicts import Dimension
from spoken_language.dialogue import Dialogue
from tests.unit.metrics.dialogue.rules.replies import PROMPT
from tests.unit.metrics.dialogue.sessions import dialogue, flow, node

NODES = flow(
    node("greet", key=True, evidence="changjiang bank"),
    node("plan", key=True, requires=["greet"], evidence="result + january 13"),
    node("call", requires=["plan"], evidence="three working days"),
)
CALL = dialogue(
    "A: Hello, this is Li Ming from Changjiang Bank.",
    "C: Nobody called me back, this is ridiculous!",
    "A: You're right to be angry. I'll call you within three working days.",
    "C: And then?",
    "A: You get the result by January thirteenth, and a voucher for 500 yuan.",
)


def judged(call: Dialogue) -> TextScores:
    return asyncio.run(judge_session(RulesJudge(), call, NODES, agent_prompt=PROMPT, language="en"))


def test_a_whole_session_by_hand() -> None:
    # All three nodes: Cov 1. "call" (turn 2) before "plan" (turn 4): Proc 2/3. TFC = 0.7 + 0.3 x 2/3 = 0.9.
    found = judged(CALL)
    assert found.score("coverage").value == 1.0
    assert found.score("process").value == pytest.approx(2 / 3)
    assert found.score("tfc").value == pytest.approx(0.9)
    # Three replies, one with an invented voucher.
    assert found.score("gic_hallucination").value == pytest.approx(2 / 3)
    assert found.failed == 0


def test_dimensions_beyond_rules_are_not_applicable_and_make_the_scores_partial() -> None:
    judge = RulesJudge()
    assert judge.dimensions == frozenset(Dimension) - frozenset(BEYOND_RULES)
    for dimension in BEYOND_RULES:
        verdict = asyncio.run(judge.judge_reply(CALL, 2, dimension, agent_prompt=PROMPT, language="en"))
        assert verdict.outcome == "not_applicable"
        assert verdict.reason.startswith("rules cannot judge it")
    found = judged(CALL)
    assert found.partial
    assert (
        "partial: rules cannot judge naturalness, coherence, emotional_richness, intent_understanding"
        in found.score("final").reason
    )


def test_the_same_session_gets_the_same_scores() -> None:
    assert judged(CALL) == judged(CALL)


def test_an_empty_call_and_odd_text_are_judged_too() -> None:
    assert judged(dialogue()).score("final").value == 0.0
    odd = judged(dialogue("A: ?!…", "C: \u0000", "A: {}[]<>" + "word " * 3000, "C: 嗯", "A: 😀"))
    assert odd.failed == 0


def test_a_call_of_thirty_turns_is_judged_in_a_moment() -> None:
    turns = []
    for number in range(15):
        turns.append(
            f"A: Reply {number}: the 88 yuan went off in week {number}, and that is what we check now."
        )
        turns.append(f"C: Why does that take {number} days? I'm worried.")
    judged(dialogue("A: Warm."))
    begun = time.process_time()
    judged(dialogue(*turns))
    # 0.04 s on an idle machine.
    assert time.process_time() - begun < 1.0
