"""Sentences of the caller by the person's lines, and by their form where they are none of them."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.guard.people import PERSON
from voice_sim.guard.misunderstanding.line_book import LineBook
from voice_sim.guard.misunderstanding.signs import reply_of

BOOK = LineBook(PERSON)


@pytest.mark.parametrize(
    ("text", "role", "fact"),
    [
        ("Two hundred even.", "fact", "amount"),
        ("Forty-one card payments, yes.", "fact", "payments"),
        ("On what basis was it charged?", "asks", ""),
        ("What does that cost?", "asks", ""),
        ("No. Goodbye.", "leaves", ""),
        ("No, thanks.", "no", ""),
        ("Yes, all right.", "yes", ""),
        ("I couldn't tell you.", "unsure", ""),
        ("How do you mean?", "asks_back", ""),
        ("Not that I know of.", "nothing_more", ""),
        ("The green one is mine.", "other", ""),
    ],
)
def test_one_sentence(text: str, role: str, fact: str) -> None:
    said = BOOK.said(text)[0]
    assert (said.role, said.fact) == (role, fact)


def test_the_reply_is_what_is_left_without_the_own_question() -> None:
    role, answer = reply_of(BOOK.said("Two hundred even. On what basis was it charged?"))
    assert (role, [one.fact for one in answer]) == ("fact", ["amount"])
    assert reply_of(BOOK.said("On what basis was it charged?"))[0] == "asks"
