"""All checks of a session, and the verdict."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from voice_sim.guard.claims import claims
from voice_sim.guard.faults.broke_character import broke_character
from voice_sim.guard.faults.contradicted_fact import contradicted_facts
from voice_sim.guard.faults.garbled_speech import garbled_speech
from voice_sim.guard.faults.hung_up_early import hung_up_early
from voice_sim.guard.faults.hung_up_late import hung_up_late
from voice_sim.guard.faults.invented_fact import invented_facts
from voice_sim.guard.faults.left_language import left_language
from voice_sim.guard.faults.repeated_itself import repeated_itself
from voice_sim.guard.faults.role_flip import role_flips
from voice_sim.guard.misunderstanding.answered_unasked import answered_unasked
from voice_sim.guard.misunderstanding.asked_again import asked_again
from voice_sim.guard.misunderstanding.did_not_answer import did_not_answer
from voice_sim.guard.misunderstanding.nearness import Evidence, evidence_for
from voice_sim.guard.misunderstanding.satisfied_without_cause import satisfied_without_cause
from voice_sim.guard.misunderstanding.talked_past import talked_past
from voice_sim.guard.session import Finding, Session

VERSION = "9"
"""Of the rules: verdicts of different versions are not comparable."""

Verdict = Literal["clean", "suspected", "guilty_turns", "guilty"]


class Guarded(BaseModel):
    """What the guard says about one session.

    Attributes:
        verdict: ``guilty`` where at least one certain finding makes the whole call worthless;
            ``guilty_turns`` where certain ones make single turns so (the rest stays in the scores);
            ``suspected`` where there are only uncertain ones (the session stays in; somebody should read it);
            else ``clean``.
        evidence: What misunderstanding was told by: ``words`` where the encoder for it is not installed, or
            there is none for the language; more of it then stays unseen.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    version: str = VERSION
    evidence: Evidence = "words"


def check(session: Session) -> Guarded:
    """Every rule on a session. Pure: the same session gives the same answer, without a model or a network."""
    stated = claims(session)
    findings = [
        *broke_character(session),
        *role_flips(session),
        *left_language(session),
        *contradicted_facts(session, stated),
        *invented_facts(session, stated),
        *repeated_itself(session),
        *hung_up_early(session),
        *hung_up_late(session),
        *garbled_speech(session),
        *_misunderstandings(session),
    ]
    return judged(findings, evidence=evidence_for(session.persona.language))


def certain_misunderstandings(session: Session) -> list[Finding]:
    """What rules are certain of.

    What was told instead of an answer is one fault, unless the outcome hung on the answer.
    """
    unasked = answered_unasked(session)
    instead = {finding.turn for finding in unasked}
    unanswered = [one for one in did_not_answer(session) if one.aside == "call" or one.turn not in instead]
    return [*unanswered, *asked_again(session), *satisfied_without_cause(session), *unasked]


def _misunderstandings(session: Session) -> list[Finding]:
    sure = certain_misunderstandings(session)
    return [*sure, *talked_past(session, known={one.turn for one in sure if one.turn is not None})]


def judged(findings: list[Finding], *, evidence: Evidence = "words") -> Guarded:
    """The verdict on findings of rules, and of a model where one was asked."""
    ordered = sorted(findings, key=lambda finding: (finding.turn is None, finding.turn or 0))
    verdict: Verdict = "clean"
    if ordered:
        aside = {finding.aside for finding in ordered if finding.certain}
        verdict = "guilty" if "call" in aside else "guilty_turns" if aside else "suspected"
    return Guarded(verdict=verdict, findings=tuple(ordered), evidence=evidence)
