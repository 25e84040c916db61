from __future__ import annotations

from collections import Counter

import pytest

from metrics.dialogue.evidence import matches
from tests.unit.voice_sim.understanding.cards import clean_lines_and_cues
from voice_sim.understanding.cues import Found, find, find_any


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("sorry | apologi* + trouble | inconvenience", "We apologise for the trouble."),
        ("400-123-4000", "It is four zero zero, one two three, four zero zero zero."),
        ("2,300 | twenty-three hundred", "That's 2300 yuan a month."),
        ("january 15 | fifteenth", "by Wednesday, January fifteenth, at the latest"),
        ("can't see that", "I cannot see that from here"),
        ("先锁上 | 先把卡锁 + 网点", "我先把卡锁上，您明天去网点。"),
    ],
)
def test_found_exactly(phrase: str, text: str) -> None:
    assert find(phrase, text) is Found.EXACTLY


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("changjiang bank", "this is Li Ming from Chang Jiang Bank"),
        ("changjiang bank", "from changjang bank"),
        ("reimbursement", "the reimbursment takes a week"),
        ("instalment plan", "an installment plan"),
        ("您的账户安全", "您的帐户安全"),
    ],
)
def test_recognition_errors_are_found_nearly(phrase: str, text: str) -> None:
    assert find(phrase, text) is Found.NEARLY


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("refund + days", "You get a refund."),
        ("500", "five thousand"),
        ("400-123-4000", "400-123-4001"),
        ("price", "the prize"),
        ("month", "your mouth"),
        ("sign", "sing"),
        ("back of your card", ""),
        ("在干什么", "在做什么"),
    ],
)
def test_not_found(phrase: str, text: str) -> None:
    assert find(phrase, text) is Found.NOT


def test_the_best_of_several_counts() -> None:
    assert find_any(["refund", "changjiang bank"], "chang jiang bank") is Found.NEARLY
    assert find_any(["refund", "bank"], "the bank gives a refund") is Found.EXACTLY
    assert find_any([], "anything") is Found.NOT


@pytest.mark.parametrize("phrase", ["", "a + ", " | b"])
def test_a_phrase_with_an_empty_part_is_refused(phrase: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        find(phrase, "anything")


def test_on_clean_text_it_finds_what_the_strict_matcher_finds_and_little_more() -> None:
    """All words of the cards are right: a near match there is a changed ending or a false alarm."""
    found: Counter[str] = Counter()
    missed = []
    for phrase, line in clean_lines_and_cues():
        strict, ours = matches(phrase, line), find(phrase, line)
        found["pairs"] += 1
        found["strict"] += strict
        found["nearly"] += ours is Found.NEARLY
        if strict and ours is Found.NOT:
            missed.append((phrase, line))
    print(dict(found))
    assert found["strict"] > 500
    assert missed == []
    assert found["nearly"] < 0.05 * found["strict"]
