"""How often two labellers, or a judge and people, agree: accuracy, Cohen's kappa, and the confusions.

Kappa (Cohen 1960) sets agreement against what chance would give with the same habits: 1 is perfect, 0 is
chance. For scores 0, 1, 2 it is weighted (Cohen 1968) with linear weights: taking a 0 for a 2 is twice as bad
as taking it for a 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from metrics.intervals import wilson

FAILED = "failed"
"""Where a judge gave no verdict: it agrees with nobody."""

SCORES = ("0", "1", "2")


class Agreement(BaseModel):
    """One labeller against another, over the same items.

    Attributes:
        n: Items.
        agreed: Items with the same label.
        failed: Items for which the judge gave no verdict; they count as not agreed.
        accuracy: ``agreed / n``; None without items.
        ci_low, ci_high: Its 95 % interval (Wilson).
        kappa: Over items where both gave a label; None where it is not defined (one label throughout).
        weighted_kappa: Over items where both gave a score of 0, 1 or 2; None where there are none, or it is
            not defined.
        confusion: Reference label -> the other's label -> items.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    n: int = Field(ge=0)
    agreed: int = Field(ge=0)
    failed: int = Field(ge=0)
    accuracy: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    kappa: float | None = None
    weighted_kappa: float | None = None
    confusion: dict[str, dict[str, int]] = Field(default_factory=dict)


def agreement(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """Agreement over pairs of (reference label, the other's label or :data:`FAILED`)."""
    n = len(pairs)
    agreed = sum(one == other for one, other in pairs)
    given = [pair for pair in pairs if pair[1] != FAILED]
    scored = [pair for pair in given if pair[0] in SCORES and pair[1] in SCORES]
    confusion: dict[str, dict[str, int]] = {}
    for (one, other), count in sorted(Counter(pairs).items()):
        confusion.setdefault(one, {})[other] = count
    interval = wilson(agreed, n) if n else None
    return Agreement(
        n=n,
        agreed=agreed,
        failed=n - len(given),
        accuracy=agreed / n if n else None,
        ci_low=interval.low if interval else None,
        ci_high=interval.high if interval else None,
        kappa=cohens_kappa(given),
        weighted_kappa=cohens_kappa(scored, order=SCORES) if scored else None,
        confusion=confusion,
    )


def cohens_kappa(pairs: Sequence[tuple[str, str]], *, order: Sequence[str] | None = None) -> float | None:
    """Cohen's kappa; with ``order``, weighted by the distance of the labels in it (linear weights).

    None where chance alone would agree on everything, so that there is nothing to measure.
    """
    if not pairs:
        return None
    places = {label: place for place, label in enumerate(order or ())}

    def disagreement(one: str, other: str) -> float:
        return abs(places[one] - places[other]) if order else float(one != other)

    n = len(pairs)
    left = Counter(one for one, _ in pairs)
    right = Counter(other for _, other in pairs)
    observed = sum(disagreement(one, other) for one, other in pairs) / n
    expected = sum(disagreement(one, other) * left[one] * right[other] for one in left for other in right) / (
        n * n
    )
    return 1.0 - observed / expected if expected else None


def pooled(groups: Mapping[str, Sequence[tuple[str, str]]]) -> list[tuple[str, str]]:
    """The pairs of all groups."""
    return [pair for pairs in groups.values() for pair in pairs]
