"""The caller talks past the agent's words, by everything that may tell so: a judgement, never certain.

A logistic regression over the signs of :mod:`.signs`, fitted on turns of calls with agents of other makers
that two people read (``python -m bench.dialogues.fit``); ``weights/talked_past.json`` has it, with what each
set came to when the others alone were fitted. The thresholds stand where at most 0.03 of the turns are found
though in order.

Its findings are suspicions: two to three in ten are wrong on calls that it was not fitted on, so that they
take nothing out of the figures. They stand in for two rules of earlier versions, ``did_not_know`` and
``wrong_kind``. Cannot see: most of what is wrong with a yes, a no, or a fact.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from voice_sim.guard.misunderstanding.nearness import evidence_for
from voice_sim.guard.misunderstanding.signs import Signs, signs_of
from voice_sim.guard.session import Finding, Session

FILE = Path(__file__).parent / "weights" / "talked_past.json"
_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The regression.

    Attributes:
        version: Digest of the numbers.
        bias, of: Log odds without a sign, and what one unit of each sign adds.
        unsure_from: Log odds from which a turn is found in which the caller says that it does not know. Each
            kind has half of the false alarms that are allowed: how often callers say so differs from one
            state of the caller to the next, and one bound for both would move with it.
        other_from: The same for all other turns.
    """

    version: str
    bias: float
    of: Mapping[str, float]
    unsure_from: float
    other_from: float

    def log_odds(self, signs: Signs) -> float:
        """Of a turn that it talks past the agent's words; signs without a weight do not count."""
        return self.bias + sum(self.of.get(name, 0.0) * value for name, value in signs.items())

    def finds(self, signs: Signs) -> bool:
        """Whether the signs are enough."""
        return self.log_odds(signs) >= (self.unsure_from if is_unsure(signs) else self.other_from)

    def strongest(self, signs: Signs) -> list[str]:
        """The signs that speak most for it."""
        adds = {name: self.of.get(name, 0.0) * value for name, value in signs.items()}
        return sorted((name for name in adds if adds[name] > 0), key=lambda name: -adds[name])[:_NAMED]


def is_unsure(signs: Signs) -> bool:
    """Whether the caller says that it does not know."""
    return "reply unsure" in signs


@cache
def weights() -> Weights:
    """Those that come along."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return Weights(
        version=content["version"],
        bias=content["bias"],
        of=content["weights"],
        unsure_from=content["unsure_from"],
        other_from=content["other_from"],
    )


def talked_past(session: Session, *, known: Collection[int] = ()) -> list[Finding]:
    """Findings, in the order of the turns.

    Args:
        known: Turns at which something was found already.
    """
    using, found = weights(), []
    for position, signs in signs_of(session, evidence_for(session.persona.language)).items():
        if position not in known and using.finds(signs):
            found.append(
                Finding(
                    kind="talked_past",
                    turn=position,
                    quote=session.turns[position].text,
                    detail="may talk past the agent's words: " + "; ".join(using.strongest(signs)),
                    certain=False,
                    aside="turn",
                )
            )
    return found
