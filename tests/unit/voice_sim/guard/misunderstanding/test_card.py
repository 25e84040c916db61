"""What the guard reads out of an agent's prompt."""

from __future__ import annotations

import datetime

import pytest

from voice_sim.guard.misunderstanding.card import Card, read_card, today_in

PROMPT = """# Who you are
Li Ming from the bank. Asks: "Who is there?" of nobody.

# Steps and recommended wording
1. Reach the customer
   "Is that Mrs. Sun? It's about the fee."
   - Be kind.
   "It's about the fee."

# Questions you may be asked
Q: What does it cost?
A: Nothing. It is free.
"""


def test_quoted_lines_and_answers_sentence_by_sentence_each_once() -> None:
    card = read_card(PROMPT)
    assert card.lines == ("Is that Mrs. Sun?", "It's about the fee.", "Nothing.", "It is free.")
    assert card.questions == ("Is that Mrs. Sun?",)


def test_a_prompt_of_another_form_has_no_lines() -> None:
    assert read_card("You are a helpful agent. Be brief.") == Card()


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Today is Wednesday, 2025-01-08.", datetime.date(2025, 1, 8)),
        ("今天是2025年1月8日，星期三。", datetime.date(2025, 1, 8)),
        ("Today is Wednesday, 2025-13-08.", None),
        ("They say: Today is Wednesday, 2025-01-08.", None),
        ("Be brief.", None),
    ],
)
def test_the_day_of_the_call_stands_in_the_prompt(line: str, day: datetime.date | None) -> None:
    assert today_in(f"{PROMPT}\n{line}\n") == day
