"""What wants a yes and what wants to know something, told by grammar; lines of no agent's."""

from __future__ import annotations

import pytest

from voice_sim.understanding.acts import Language, acts_of
from voice_sim.understanding.proposals import wants_the_floor


@pytest.mark.parametrize(
    "question",
    [
        "Will you give the pool a try on Monday?",
        "Would you say yes to a second visit?",
        "Are you in for a round of chess?",
        "Do I have your go-ahead for the roof?",
        "Do we send the gardener on Thursday?",
        "Would the early boat be fine with you?",
        "I'll put you down for the choir, all right?",
        "Which one shall I wrap up for you?",
        "How about the second of May?",
        "Is it something you could live with?",
        "Shall I ring the plumber?",
    ],
)
def test_wants_a_yes(question: str) -> None:
    assert acts_of(question, "en").sentences[-1].proposes


@pytest.mark.parametrize(
    "question",
    [
        "Do you have a dog living with you?",
        "Would you say it was loud?",
        "Will you tell me where it hurts?",
        "May I ask how old the roof is?",
        "Can you hear me all right?",
        "Which street do you live in?",
        "Did the plumber ring you?",
        "Have you been to the pool before?",
    ],
)
def test_wants_to_know(question: str) -> None:
    assert not acts_of(question, "en").sentences[-1].proposes


@pytest.mark.parametrize(
    ("question", "proposes"),
    [
        ("我给您记在礼拜三上午？", True),
        ("您答应我试一次，成不成？", True),
        ("那就这么定下来，行不？", True),
        ("您来不来？", True),
        ("您家里几口人？", False),
        ("您去过那家店没有？", False),
        ("您平时几点起床？", False),
    ],
)
def test_chinese(question: str, proposes: bool) -> None:
    assert acts_of(question, "zh").sentences[-1].proposes is proposes


def test_to_ask_since_when_is_not_to_ask_who_it_is() -> None:
    assert not acts_of("请问您是怎么知道的呢？", "zh").asks_identity
    assert acts_of("请问您是何先生吗？", "zh").asks_identity


@pytest.mark.parametrize(
    ("language", "question", "floor"),
    [
        ("en", "Is it all right if I tell you about the garden next?", True),
        ("en", "Shall I explain the two ways?", True),
        ("en", "May I quickly run through the list?", True),
        ("en", "Shall I put you down for the choir?", False),
        ("en", "Is it all right if I send the gardener?", False),
        ("zh", "我先给您介绍一下花园，行吗？", True),
        ("zh", "我再问一句，花园的门有没有锁？", False),
        ("zh", "您给我说清楚点。", False),
        ("zh", "我给您订一把，行吗？", False),
    ],
)
def test_leave_to_speak_is_told_from_a_proposal(language: Language, question: str, floor: bool) -> None:
    assert wants_the_floor(question, language) is floor
