"""What the guard reads out of an agent's prompt."""

from __future__ import annotations

from voice_sim.guard.misunderstanding.card import Card, read_card

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
