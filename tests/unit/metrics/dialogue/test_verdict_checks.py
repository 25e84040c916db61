"""What a verdict must keep to: quotes that were said, turns that are the agent's, one verdict a node."""

from __future__ import annotations

import pytest

from metrics.dialogue.quotes import is_quoted_from
from metrics.dialogue.task_flow import flow_without_yes
from metrics.dialogue.verdict_checks import checked_nodes, checked_reply
from metrics.dialogue.verdicts import Dimension, NodeVerdict
from tests.unit.metrics.dialogue.sessions import (
    absent,
    achieved,
    dialogue,
    flow,
    missed,
    node,
    scored,
    unscored,
)

CALL = dialogue("A: I'm sorry, Mrs. Sun. You get 1,288 yuan back.", "C: When?", "A: 我明天下午三点打给您。")
FLOW = flow(node("greet", key=True), node("calm", branch=True))


@pytest.mark.parametrize(
    "quote",
    [
        "I'm sorry",
        "i’m SORRY mrs sun",
        "1288 yuan",
        "sorry, Mrs. Sun … 1,288 yuan back",
        "sorry ... back",
        "ｙｏｕ　get",
    ],
)
def test_case_width_and_punctuation_do_not_count(quote: str) -> None:
    assert is_quoted_from(quote, CALL.turns[0].text)


@pytest.mark.parametrize(
    "quote", ["", "...", "I am sorry", "sorry Mr Sun", "back … sorry", "sor", "128 yuan", "refund"]
)
def test_other_words_half_words_and_nothing_are_no_quote(quote: str) -> None:
    assert not is_quoted_from(quote, CALL.turns[0].text)


def test_chinese_is_quoted_by_characters() -> None:
    assert is_quoted_from("下午三点，打给您", CALL.turns[2].text)
    assert not is_quoted_from("下午四点打给您", CALL.turns[2].text)


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (achieved("greet", 0, "We refund everything"), "quotes words that turn 0 does not have"),
        (achieved("greet", 0, ""), "quotes words that turn 0 does not have: nothing"),
        (achieved("greet", 2, "sorry"), "quotes words that turn 2 does not have"),
        (achieved("greet", 1, "When"), "cites turn 1, which is the caller's"),
        (achieved("greet", 7, "sorry"), "cites turn 7 of a dialogue of 3"),
        (absent("greet"), "on the main line and always applies"),
    ],
)
def test_a_verdict_that_breaks_a_rule_failed_and_says_why(verdict: NodeVerdict, reason: str) -> None:
    found = checked_nodes(CALL, FLOW, [verdict, absent("calm")])
    assert (found[0].outcome, found[0].turn) == ("failed", None)
    assert reason in found[0].reason
    assert found[1].outcome == "not_applicable"


def test_each_node_has_one_verdict_in_the_order_of_the_flow() -> None:
    found = checked_nodes(CALL, FLOW, [missed("calm"), missed("stranger"), achieved("greet", 0, "sorry")])
    assert [(one.node, one.outcome) for one in found] == [("greet", "achieved"), ("calm", "not_achieved")]
    lacking = checked_nodes(CALL, FLOW, [missed("calm")])
    assert (lacking[0].outcome, lacking[0].reason) == ("failed", "the judge gave no verdict")
    double = checked_nodes(CALL, FLOW, [missed("calm"), missed("calm"), missed("greet")])
    assert (double[1].outcome, double[1].reason) == ("failed", "the judge gave 2 verdicts")


def test_a_reply_verdict_may_do_without_a_quote_but_not_make_one_up() -> None:
    good = scored(0, Dimension.SAFETY, 2)
    assert checked_reply(CALL, good) == good
    assert checked_reply(CALL, scored(0, Dimension.SAFETY, 0, quote="you idiot")).outcome == "failed"
    assert checked_reply(CALL, scored(1, Dimension.SAFETY, 2)).outcome == "failed"
    assert checked_reply(CALL, scored(9, Dimension.SAFETY, 2)).outcome == "failed"


def test_a_reply_to_a_planted_place_is_where_its_dimension_applies() -> None:
    turns = list(CALL.turns)
    turns[1] = turns[1].model_copy(update={"planted": ("safety",)})
    planted = CALL.model_copy(update={"turns": tuple(turns)})
    verdict = unscored(2, Dimension.SAFETY, "not_applicable")
    assert checked_reply(CALL, verdict) == verdict
    assert checked_reply(planted, verdict).outcome == "failed"
    assert "was planted to try it" in checked_reply(planted, verdict).reason
    other = unscored(2, Dimension.NOISE_RESISTANCE, "not_applicable")
    assert checked_reply(planted, other) == other


def test_with_somebody_who_cannot_be_won_a_yes_does_not_apply_and_respect_takes_its_place() -> None:
    book = node("book", key=True).model_copy(update={"needs_yes": True})
    respect = node("respect", branch=True).model_copy(update={"instead_when_declined": True})
    open_flow = flow(node("greet", key=True), book, respect)
    given = [missed("greet"), missed("book"), absent("respect")]
    assert [one.outcome for one in checked_nodes(CALL, open_flow, given)] == [
        "not_achieved",
        "not_achieved",
        "not_applicable",
    ]
    closed = flow_without_yes(open_flow)
    assert [one.key for one in closed.nodes] == [True, True, True]
    assert [one.outcome for one in checked_nodes(CALL, closed, given)] == [
        "not_achieved",
        "not_applicable",
        "not_achieved",
    ]
    done = [missed("greet"), missed("book"), achieved("respect", 0, "I'm sorry")]
    assert checked_nodes(CALL, closed, done)[2].outcome == "achieved"
