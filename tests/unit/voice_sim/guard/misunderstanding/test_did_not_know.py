""" "I don't know" to a question is a suspicion; to a statement, or where more is said, it is nothing."""

from __future__ import annotations

from tests.unit.voice_sim.guard.people import call
from voice_sim.guard.check import check
from voice_sim.guard.misunderstanding.did_not_know import did_not_know

OPENING = "A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?"
UNKNOWN = "C: I really don't know."


def test_not_knowing_to_a_question_is_suspected_and_takes_nothing_out() -> None:
    session = call(OPENING, "C: Speaking.", "A: Which of the colours would you pick?", UNKNOWN)
    [finding] = did_not_know(session)
    assert (finding.kind, finding.turn, finding.certain) == ("did_not_know", 3, False)
    assert check(session).verdict in ("suspected", "guilty_turns")
    assert did_not_know(session, known={3}) == []


def test_not_to_a_statement_and_not_where_something_is_said() -> None:
    assert did_not_know(call(OPENING, "C: Speaking.", "A: The weather is fine.", UNKNOWN)) == []
    answered = "C: I really don't know. It was the green one, I think, on the left side."
    assert did_not_know(call(OPENING, "C: Speaking.", "A: Which colour was it?", answered)) == []
