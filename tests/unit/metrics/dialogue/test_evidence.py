"""Evidence phrases against sentences that a person has judged."""

from __future__ import annotations

import pytest

from metrics.dialogue.evidence import first_match, matches, parse, words


@pytest.mark.parametrize(
    ("phrase", "turn", "expected"),
    [
        ("refund", "You'll get a REFUND, of course.", True),
        ("refund", "It is refundable.", False),
        ("refund*", "It is refundable.", True),
        ("full refund", "A refund in full.", False),
        ("full + refund", "A refund in full.", True),
        ("full + refund", "You get it back in full.", False),
        ("sorry | apologi*", "My apologies!", True),
        ("block + monday | january 13", "We block it, and by January 13 you know.", True),
        ("block + monday | january 13", "By January 13 you know.", False),
        ("block + monday | january 13", "January comes, we block 13 of them.", False),
        ("i'll call", "Then I’ll call you.", True),
        ("1,200 yuan", "That is 1200 yuan.", True),
        ("1200 yuan", "That is 1,200 yuan.", True),
        ("200 yuan", "That is 1,200 yuan.", False),
        ("010-1234-5678", "My line is 010 1234 5678.", True),
        ("９点", "明天上午9点给您打电话", True),
        ("退款 + 三个工作日", "三个工作日之内给您办理退款。", True),
        ("退款", "款已经退了", False),
        ("usb接口", "请检查USB 接口。", True),
        ("c++", "we use c++", True),
    ],
)
def test_a_phrase_is_found_where_a_person_would_find_it(phrase: str, turn: str, expected: bool) -> None:
    assert matches(phrase, turn) is expected


def test_alternatives_bind_tighter_than_parts() -> None:
    assert parse("a | b + c") == ((("a",), ("b",)), (("c",),))


@pytest.mark.parametrize("phrase", ["", "+ a", "a +", "a | ", "a + | b", "..."])
def test_a_phrase_with_a_hole_is_refused(phrase: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        parse(phrase)


def test_the_first_phrase_that_matches_is_named() -> None:
    assert first_match(["nothing", "tomorrow"], "I call tomorrow.") == "tomorrow"
    assert first_match(["nothing"], "I call tomorrow.") is None


def test_words_are_folded_and_chinese_is_split_by_character() -> None:
    assert words("Ｈello, 张强 — it's 1,000!") == ("hello", "张", "强", "it's", "1000")
