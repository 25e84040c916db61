"""A question that is put once more, before and after it was answered."""

from __future__ import annotations

from tests.unit.voice_sim.guard.people import kinds

ASKED = (
    "A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?",
    "C: On what basis was it charged?",
)
AGAIN = "C: But on what basis was it charged?"
ANSWER = "A: On the basis of the annual card fee it was charged."


def test_only_after_the_answer() -> None:
    assert ("asked_again", 3) in kinds(*ASKED, ANSWER, AGAIN)
    assert ("asked_again", 3) not in kinds(*ASKED, "A: I have to look that up.", AGAIN)


def test_not_where_the_agent_did_not_hear_it() -> None:
    assert ("asked_again", 3) not in kinds(*ASKED, f"{ANSWER} Could you say that again, please?", AGAIN)
