"""What an agent's words want, by their form: labels by hand."""

from __future__ import annotations

import pytest

from voice_sim.guard.misunderstanding.wants import asking, wants_of


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("Thank you. How many card payments did you make?", {"words"}),
        ("Shall I tell you what it would cost?", {"yes_no"}),
        ("Would an evening or Sunday suit you better?", {"choice"}),
        ("Have you got a minute, or is it a bad time?", {"time", "choice"}),
        ("That's all noted. Is there anything else?", {"more"}),
        ("You had two questions. What would you like to know?", {"invites"}),
        ("So six in all. Is that right?", {"check"}),
        ("Please give me your birthday. No password, nothing else.", {"words"}),
        ("The fee is 88 yuan.", {"nothing"}),
        ("Take care, Mrs. Sun, bye bye!", {"leave"}),
    ],
)
def test_english(text: str, wants: set[str]) -> None:
    assert wants_of(text, "en") == wants


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("请问您是怎么发现这笔扣款的呢？", {"words"}),
        ("今天下午还是明早我再打？", {"choice"}),
        ("您看哪种方式方便？", {"choice"}),
        ("您现在方便吗？", {"time"}),
        ("请问您还有其他需要了解的吗？", {"more"}),
        ("今天就给您立案。", {"nothing"}),
        ("不打扰您了，再见。", {"leave"}),
    ],
)
def test_chinese(text: str, wants: set[str]) -> None:
    assert wants_of(text, "zh") == wants


def test_the_last_sentence_that_asks() -> None:
    assert asking("How are you? Which day? I can wait.", "en") == "Which day?"
    assert asking("I can wait.", "en") == ""
