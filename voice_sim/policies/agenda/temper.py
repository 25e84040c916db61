"""What sets the five user types apart in this policy, as numbers.

The paper names the types (section 4.3.2, step 7) and gives no figures; these are ours, chosen so that the
named traits can be measured in the dialogues (``tests/unit/harness/test_agenda_calls.py`` prints them).
"""

from __future__ import annotations

from dataclasses import dataclass

from voice_sim.person.archetypes import Archetype

MOOD_MIN, MOOD_MAX = -3.0, 3.0


@dataclass(frozen=True, kw_only=True)
class Temper:
    """How a user type goes about a call. Rates are probabilities for one turn.

    Attributes:
        mood: At the start, on a scale from -3 (about to hang up) to 3.
        parts: How many of the persona's lines a turn has at most.
        questions_from: The first of the agent's turns after which an own question is asked.
        question_gap: Turns without an own question between two of them.
        asks_after_answer_rate: Adds an own question to an answer.
        asks_what_was_told: Asks also what has already been said, to be sure.
        makes_sure_rate: Puts a question again that has been answered, to be certain.
        overwhelmed_rate: Asks to have a long explanation once more, slowly; twice in a call at most.
        lead_in_rate: A word of acknowledgement before a fact or a question.
        volunteers_rate: Tells a fact that fits although nobody asked.
        doubts_rate: Says that they are not sure before they agree.
        ignored_questions: Own questions that may stay without any answer.
        reasons: Good reasons that it takes before a yes: answers, objections met, words to the point.
        arguments: Words to the point that it takes to get over an objection which nothing else has met.
        pushed: Asked again after a no, without a reason, this often: then the person refuses.
        push_sours: What each of these costs of the mood.
        waits: "One moment" this often, then the person has waited enough.
        lost_turns: Turns in a row that lead nowhere, after which the person gives up.
        turns: Own turns after which any call has lasted too long.
    """

    mood: float
    parts: int
    questions_from: int
    question_gap: int
    asks_after_answer_rate: float
    asks_what_was_told: bool = False
    makes_sure_rate: float = 0.0
    overwhelmed_rate: float = 0.0
    lead_in_rate: float = 0.0
    volunteers_rate: float = 0.0
    doubts_rate: float = 0.0
    ignored_questions: int = 3
    reasons: int = 0
    arguments: int = 1
    pushed: int = 4
    push_sours: float = 0.5
    waits: int = 3
    lost_turns: int = 4
    turns: int = 36


TEMPERS = {
    Archetype.COOPERATIVE: Temper(
        mood=1.0,
        parts=3,
        questions_from=3,
        question_gap=1,
        asks_after_answer_rate=0.5,
        lead_in_rate=0.3,
        volunteers_rate=0.6,
        lost_turns=5,
        turns=40,
    ),
    Archetype.ANALYTICAL: Temper(
        mood=0.0,
        parts=3,
        questions_from=2,
        question_gap=0,
        asks_after_answer_rate=0.6,
        makes_sure_rate=0.4,
        lead_in_rate=0.3,
        volunteers_rate=0.1,
        lost_turns=5,
        turns=42,
    ),
    Archetype.HESITANT: Temper(
        mood=0.0,
        parts=2,
        questions_from=3,
        question_gap=1,
        asks_after_answer_rate=0.4,
        asks_what_was_told=True,
        makes_sure_rate=0.6,
        overwhelmed_rate=0.4,
        lead_in_rate=0.1,
        doubts_rate=0.5,
        reasons=3,
        arguments=2,
        pushed=3,
        waits=4,
        lost_turns=5,
        turns=46,
    ),
    Archetype.RESISTANT: Temper(
        mood=-1.0,
        parts=2,
        questions_from=3,
        question_gap=1,
        asks_after_answer_rate=0.4,
        ignored_questions=2,
        reasons=2,
        arguments=2,
        pushed=2,
        push_sours=0.75,
        waits=2,
        lost_turns=3,
        turns=36,
    ),
    Archetype.EFFICIENT: Temper(
        mood=0.5,
        parts=2,
        questions_from=2,
        question_gap=0,
        asks_after_answer_rate=0.7,
        volunteers_rate=0.3,
        ignored_questions=2,
        waits=2,
        lost_turns=3,
        turns=30,
    ),
}
