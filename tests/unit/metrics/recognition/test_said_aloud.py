"""By hand: which words of a sentence stand in what was said, in their order."""

from __future__ import annotations

import pytest

from metrics.recognition.said_aloud import SAID_SHARE, share_said


@pytest.mark.parametrize(
    ("text", "key", "heard", "share"),
    [
        ("The total comes to $4.99 today.", "$4.99", "The total comes to four ninety nine today.", 1.0),
        ("The total comes to $4.99 today.", "$4.99", "Sure. The total comes to dollar four today!", 1.0),
        ("The total comes to $4.99 today.", "$4.99", "the total came to four ninety nine", 3 / 5),
        ("The total comes to $4.99 today.", "$4.99", "today comes the total to", 3 / 5),
        ("The total comes to $4.99 today.", "$4.99", "I am sorry, I cannot do that.", 0.0),
        ("The total comes to $4.99 today.", "$4.99", "", 0.0),
        ("Good morning", "Good morning", "good evening", 0.5),
        ("Red green blue pink", "", "red blue pink", 0.75),
    ],
)
def test_english_by_words(text: str, key: str, heard: str, share: float) -> None:
    assert share_said(text, heard, key=key, language="en") == pytest.approx(share)


def test_chinese_by_characters() -> None:
    assert share_said("一共是50元。", "一共是五十元", key="50元", language="zh") == 1.0
    assert share_said("一共是50元。", "一起是五十块", key="50元", language="zh") == pytest.approx(2 / 3)


def test_a_refusal_and_a_question_are_below_what_counts_as_said() -> None:
    for reply in ("I'm sorry, I can't read that to you.", "Which number was that, please?"):
        for text in ("Please send it to the office at 7.30 on Monday.", "The code is A-17 for your locker."):
            assert share_said(text, reply, key="", language="en") < SAID_SHARE
