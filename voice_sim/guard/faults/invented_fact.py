"""The caller tells a particular about themselves that nobody has given them.

Sees: an amount of money, a percentage, a row of digits, a date, a year, an email address, an age or a count
of 13 and more that is neither in the persona (facts, lines, background) nor was said by the agent before;
the name of a person ("my boss Mr. Feng", "Dr. Hu"), of an employer ("I work at …") or of a street or place
of theirs.

Cannot see: invented particulars without a value or a name ("I've had it repaired before"); small counts; a
value that by chance stands elsewhere in the persona; how long or at what time somebody can talk, which
people may say as it suits them. Brands are nobody's invention ("like on Amazon").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from voice_sim.guard.claims import Claim, is_short_time
from voice_sim.guard.faults.contradicted_fact import contradicted
from voice_sim.guard.names import particulars
from voice_sim.guard.session import Finding, Session

_SMALL = 13
_AGE = re.compile(r"\b(i'm|i am|turned|turning|aged?)\b|years? old|岁", re.IGNORECASE)


def invented_facts(session: Session, stated: Sequence[Claim]) -> list[Finding]:
    """Findings, in the order of the turns.

    Args:
        stated: :func:`voice_sim.guard.claims.claims` of the session.
    """
    found = [
        Finding(
            kind="invented_fact",
            turn=claim.turn,
            quote=claim.sentence,
            detail=f"{claim.value.text}: neither the persona nor the agent has that",
        )
        for claim in stated
        if not claim.supported and _particular(claim) and contradicted(session, claim) is None
    ]
    found += [
        Finding(
            kind="invented_fact",
            turn=position,
            quote=sentence,
            detail=f"{name}: neither the persona nor the agent has that name",
        )
        for position, name, sentence in particulars(session)
    ]
    return found


def _particular(claim: Claim) -> bool:
    """Whether the value is one that a person would have to know, not one that anybody may say."""
    value = claim.value
    if value.kind in ("date", "email"):
        return True
    if value.kind != "number" or is_short_time(value):
        return value.kind == "day" and not is_short_time(value)
    number = value.number or 0
    if value.unit in ("yuan", "dollar", "euro", "pound", "percent"):
        return number > 0
    if value.digits:
        return True
    if _AGE.search(claim.sentence) and value.unit in ("", "year", "岁", "old"):
        return number >= _SMALL
    return number >= _SMALL
