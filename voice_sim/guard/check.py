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
from voice_sim.guard.session import Finding, Session

VERSION = "3"
"""Of the rules: verdicts of different versions are not comparable."""

Verdict = Literal["clean", "suspected", "guilty"]


class Guarded(BaseModel):
    """What the guard says about one session.

    Attributes:
        verdict: ``guilty`` where at least one finding is certain; ``suspected`` where there are only
            uncertain ones (the session stays in the scores; somebody should read it); else ``clean``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    version: str = VERSION


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
    ]
    return judged(findings)


def judged(findings: list[Finding]) -> Guarded:
    """The verdict on findings of rules, and of a model where one was asked."""
    ordered = sorted(findings, key=lambda finding: (finding.turn is None, finding.turn or 0))
    verdict: Verdict = "clean"
    if ordered:
        verdict = "guilty" if any(finding.certain for finding in ordered) else "suspected"
    return Guarded(verdict=verdict, findings=tuple(ordered))
