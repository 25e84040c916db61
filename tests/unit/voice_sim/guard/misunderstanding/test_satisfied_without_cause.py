"""Satisfied with nothing, and ends that only look so."""

from __future__ import annotations

from tests.unit.voice_sim.guard.people import PERSON, call
from voice_sim.guard.misunderstanding.satisfied_without_cause import satisfied_without_cause
from voice_sim.guard.session import Ended, Finding
from voice_sim.person.persona import Obstacle, Persona, Phrases, Willingness

OPENING = "A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?"
END = "C: Perfect. Until then."
UNANSWERED = (OPENING, "C: On what basis was it charged?", "A: Our canteen is famous for its soup.", END)
HESITANT = PERSON.model_copy(
    update={
        "must_ask": (),
        "phrases": Phrases(decline=("No, I do not want that.",)),
        "willingness": Willingness(wins="never", say=("My mind is made up about this.",)),
        "obstacles": (Obstacle(id="trust", when="At once.", say=("Such calls have cheated my neighbour.",)),),
    }
)
PROPOSAL = "A: Shall we agree on the refund to your card?"


def ending(*lines: str, ended: Ended = "satisfied", person: Persona = PERSON) -> list[Finding]:
    return satisfied_without_cause(call(*lines, ended=ended, person=person))


def test_a_question_that_nothing_answered() -> None:
    (finding,) = ending(*UNANSWERED)
    assert (finding.turn, finding.aside, finding.certain) == (3, "call", True)
    assert finding.detail.endswith("answers: basis")


def test_an_answer_or_an_honest_no_is_cause_enough() -> None:
    for answer in ("It is the annual card fee.", "I'm sorry, I don't know that."):
        assert ending(OPENING, "C: On what basis was it charged?", f"A: {answer}", END) == []


def test_courteous_ends_without_a_yes_or_an_answer_are_their_own() -> None:
    assert ending(*UNANSWERED, ended="unanswered") == []
    no = (OPENING, "C: No, I do not want that.", PROPOSAL, END)
    assert ending(*no, person=HESITANT) != []
    assert ending(*no, ended="declined", person=HESITANT) == []


def test_satisfied_after_a_no_in_the_cards_words() -> None:
    no = "C: My mind is made up about this."
    (finding,) = ending(OPENING, no, PROPOSAL, "C: Until then.", person=HESITANT)
    assert "after a refusal" in finding.detail
    assert ending(OPENING, no, PROPOSAL, "C: All right, do that.", person=HESITANT) == []


def test_who_objects_and_then_answers_has_let_it_go_but_a_no_stands() -> None:
    told = ("A: How many card payments were there? Shall we agree?", "C: Forty-one card payments.")
    objection, no = "C: Such calls have cheated my neighbour.", "C: No, I do not want that."
    assert ending(OPENING, objection, PROPOSAL, "C: Until then.", person=HESITANT) != []
    assert ending(OPENING, objection, *told, person=HESITANT) == []
    assert ending(OPENING, no, *told, person=HESITANT) != []


def test_the_agents_goodbye_takes_anybody_along() -> None:
    assert ending(*UNANSWERED[:-1], "C: Hm.", "A: Goodbye, then.", END) == []
