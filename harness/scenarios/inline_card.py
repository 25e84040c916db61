"""An entry's agent card as what an agent without a language model needs: what to say, in order.

::

    {"title": ..., "role": ..., "opening": ...,
     "steps": ["...", ...],                                  # one turn of the agent each
     "faq": [{"questions": ["...", ...], "answer": ...}],    # the person's own ways of asking among them
     "closing": ...}

The steps are the lines of the standard operating procedure, joined up to the next question: an agent that
asks two things at once gets one answer. Under ``faq`` stand the card's questions and, where the procedure has
an answer to something that this person is known to say (a must-ask, an obstacle), the person's words for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.scenarios.agent_card import AgentCard
from harness.scenarios.scenario import Entry
from metrics.dialogue.evidence import first_match

MAX_SPOKEN_CHARS = 900


def inline_card(entry: Entry) -> dict[str, Any]:
    """The card of an entry; JSON."""
    card = entry.card
    steps, tail = _steps(card)
    return {
        "title": entry.scenario.title[:200],
        "role": card.role[:2000],
        "opening": card.opening[:MAX_SPOKEN_CHARS],
        "steps": steps,
        "faq": _answers(entry),
        "closing": " ".join([tail, _closing(card)]).strip()[:MAX_SPOKEN_CHARS],
    }


def _steps(card: AgentCard) -> tuple[list[str], str]:
    """What is said in turn, and what is left behind the last question: it goes before the closing."""
    steps: list[str] = []
    said: list[str] = []
    for step in card.sop:
        if said:
            steps.append(" ".join(said))
            said = []
        for line in step.say:
            if said and len(" ".join([*said, line])) > MAX_SPOKEN_CHARS:
                steps.append(" ".join(said))
                said = []
            said.append(line[:MAX_SPOKEN_CHARS])
            if line.rstrip().endswith(("?", "？")):
                steps.append(" ".join(said))
                said = []
    return steps, " ".join(said)


def _answers(entry: Entry) -> list[dict[str, Any]]:
    """Answers with the questions that lead to them, the person's own first: they are the surest to come."""
    card, persona = entry.card, entry.persona
    # An answer that goes on with the call comes before one that gives it up.
    branches = [
        line
        for kind in ("objection", "question", "other", "refusal")
        for step in card.sop
        for branch in step.branches
        if branch.kind == kind
        for line in branch.say
    ]
    lines = [line for step in card.sop for line in step.say]
    answers: dict[str, list[str]] = {}

    def add(questions: Sequence[str], phrases: Sequence[str], candidates: Sequence[str]) -> None:
        answer = next((text for text in candidates if first_match(phrases, text)), None)
        if answer is not None:
            answers.setdefault(answer, []).extend(questions)

    replies = [item.answer for item in card.faq]
    for question in persona.must_ask:
        add(question.ask, question.answered_by, [*replies, *branches, *lines])
    for obstacle in persona.obstacles:
        add(obstacle.say, obstacle.overcome_cues, [*branches, *replies, *lines])
    for item in card.faq:
        answers.setdefault(item.answer, []).append(item.question)
    return [
        {"questions": list(dict.fromkeys(questions)), "answer": answer[:MAX_SPOKEN_CHARS]}
        for answer, questions in answers.items()
    ]


def _closing(card: AgentCard) -> str:
    endings = sorted(card.termination, key=lambda ending: ending.outcome != "success")
    return next((line for ending in endings for line in ending.closing), "")
