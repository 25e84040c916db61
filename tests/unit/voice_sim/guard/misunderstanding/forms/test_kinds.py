"""What a question wants by its kind, and a reply that has none of it."""

from __future__ import annotations

import pytest

from voice_sim.guard.misunderstanding.forms.afterwards import afterwards
from voice_sim.guard.misunderstanding.forms.kinds import kind_mismatches
from voice_sim.guard.misunderstanding.line_book import Role
from voice_sim.understanding.acts import Language

NUMBER, TIME = "a number is wanted and none is said", "a time is wanted and none is said"
BARE = "a bare yes to whether anybody or ever"


@pytest.mark.parametrize(
    ("language", "question", "reply", "role", "named"),
    [
        ("en", "How much comes in a month?", "It lies in the drawer.", "fact", [NUMBER]),
        ("en", "How much comes in a month?", "About four thousand.", "fact", []),
        ("en", "How much comes in a month?", "I couldn't tell you.", "unsure", []),
        ("en", "What is the house number?", "Birch Road sixteen.", "fact", []),
        ("en", "When did it begin?", "The handle is loose.", "fact", [TIME]),
        ("en", "When did it begin?", "After the storm.", "fact", []),
        ("en", "Has anybody borrowed it?", "Yes, sure.", "yes", [BARE]),
        ("en", "Shall I send it?", "Yes, sure.", "yes", []),
        ("en", "Which do you want?", "Either is fine.", "either", ["has no preference"]),
        ("zh", "一共多少钱？", "在抽屉里。", "fact", [NUMBER]),
        ("zh", "一共多少钱？", "三百块。", "fact", []),
        ("zh", "借给过别人没有？", "嗯，行。", "yes", [BARE]),
    ],
)
def test_a_mismatch_of_kinds_is_named(
    language: Language, question: str, reply: str, role: Role, named: list[str]
) -> None:
    assert list(kind_mismatches(question, reply, role, language)) == named


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What I meant is the second box.", "says it was not answered"),
        ("Let's go slow. Which box?", "asks once more"),
        ("Then I leave it open. Next one.", "goes without"),
        ("As I said, it is free.", "says it has said so"),
        ("我再问一句，几号？", "asks once more"),
    ],
)
def test_what_follows_shows_how_it_was_taken(text: str, name: str) -> None:
    assert name in afterwards(text)


def test_plain_thanks_show_nothing() -> None:
    assert afterwards("Thank you. And the second one?") == []
