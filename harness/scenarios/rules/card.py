"""Rules for the agent card: the seven fields of section 4.3.1, filled with what a call really needs."""

from __future__ import annotations

from collections.abc import Iterator

from harness.scenarios.agent_card import AgentCard

Problem = tuple[str, str]
"""Field path inside the part that is checked, and what is wrong there."""

SOP_STEPS_MIN, SOP_STEPS_MAX = 5, 8
FAQ_MIN = 5
PROFILE_MIN = 2
BRANCH_KINDS = ("busy", "wrong_person", "refusal", "objection")


def card_problems(card: AgentCard, *, benchmark: bool) -> Iterator[Problem]:
    """Every rule that a written card breaks; ``benchmark`` adds how much there has to be of everything."""
    for field in ("role", "core_task", "opening"):
        if not getattr(card, field):
            yield field, "is empty"
    for field in ("sop", "termination"):
        if not getattr(card, field):
            yield field, "is empty: at least one"
    yield from _steps(card)
    for number, ending in enumerate(card.termination):
        if not ending.when:
            yield f"termination.{number}.when", "empty: say when the call ends like this"
        if not ending.closing:
            yield f"termination.{number}.closing", "empty: give the closing statement"
    if benchmark:
        yield from _amounts(card)


def _steps(card: AgentCard) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, step in enumerate(card.sop):
        if step.id in seen:
            yield f"sop.{number}.id", f"'{step.id}' twice"
        seen.add(step.id)
        if not step.say:
            yield f"sop.{number}.say", "empty: give at least one line as it is spoken"
        for place, branch in enumerate(step.branches):
            if not branch.say:
                yield f"sop.{number}.branches.{place}.say", "empty: what does the agent say then?"


def _amounts(card: AgentCard) -> Iterator[Problem]:
    if not SOP_STEPS_MIN <= len(card.sop) <= SOP_STEPS_MAX:
        yield "sop", f"{len(card.sop)} steps; allowed: {SOP_STEPS_MIN}-{SOP_STEPS_MAX}"
    if len(card.target_profile) < PROFILE_MIN:
        yield "target_profile", f"{len(card.target_profile)} lines; at least {PROFILE_MIN}"
    if len(card.faq) < FAQ_MIN:
        yield "faq", f"{len(card.faq)} entries; at least {FAQ_MIN}"
    kinds = {branch.kind for step in card.sop for branch in step.branches}
    for kind in BRANCH_KINDS:
        if kind not in kinds:
            yield "sop", f"no step has a branch of kind '{kind}'"
    outcomes = {ending.outcome for ending in card.termination}
    for outcome in ("success", "failure"):
        if outcome not in outcomes:
            yield "termination", f"no ending with outcome '{outcome}'"
