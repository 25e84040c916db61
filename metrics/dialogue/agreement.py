"""How often two labellers, or a judge and people, agree: accuracy, Cohen's kappa, and the confusions.

Kappa (Cohen 1960) sets agreement against what chance would give with the same habits: 1 is perfect, 0 is
chance. For scores 0, 1, 2 it is weighted (Cohen 1968) with linear weights: taking a 0 for a 2 is twice as bad
as taking it for a 1.

The interval of an accuracy depends on what was labelled. Items that have nothing to do with one another:
Wilson. Several items of one dialogue (its nodes, its replies) are alike, and to take them for independent
ones would make the interval too narrow: there whole dialogues are resampled
(:func:`metrics.intervals.bootstrap_mean_by_call`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from metrics.intervals import Interval, bootstrap_mean_by_call, wilson

FAILED = "failed"
"""Where a judge gave no verdict: it agrees with nobody."""

SCORES = ("0", "1", "2")

_SEED = 20


class Agreement(BaseModel):
    """One labeller against another, over the same items.

    Attributes:
        n: Items.
        agreed: Items with the same label.
        failed: Items for which the judge gave no verdict; they count as not agreed.
        accuracy: ``agreed / n``; None without items.
        ci_low, ci_high: Its 95 % interval; None without items, or where all are of one dialogue.
        interval: How it was found: ``wilson``, or ``by_dialogue`` where several items are of one dialogue.
        dialogues: How many dialogues the items are of, where those were resampled.
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
    interval: Literal["wilson", "by_dialogue"] = "wilson"
    dialogues: int | None = Field(default=None, ge=0)
    kappa: float | None = None
    weighted_kappa: float | None = None
    confusion: dict[str, dict[str, int]] = Field(default_factory=dict)


def agreement(pairs: Sequence[tuple[str, str]], *, dialogues: Sequence[Hashable] | None = None) -> Agreement:
    """Agreement over pairs of (reference label, the other's label or :data:`FAILED`).

    Args:
        dialogues: Of which dialogue each pair is; None: each of one of its own.

    Raises:
        ValueError: Not one dialogue for each pair.
    """
    n = len(pairs)
    groups = _hits_by_dialogue(pairs, range(n) if dialogues is None else dialogues)
    agreed = sum(one == other for one, other in pairs)
    given = [pair for pair in pairs if pair[1] != FAILED]
    scored = [pair for pair in given if pair[0] in SCORES and pair[1] in SCORES]
    confusion: dict[str, dict[str, int]] = {}
    for (one, other), count in sorted(Counter(pairs).items()):
        confusion.setdefault(one, {})[other] = count
    clustered = len(groups) < n
    interval = (_by_dialogue(groups) if clustered else wilson(agreed, n)) if n else None
    return Agreement(
        n=n,
        agreed=agreed,
        failed=n - len(given),
        accuracy=agreed / n if n else None,
        ci_low=interval.low if interval else None,
        ci_high=interval.high if interval else None,
        interval="by_dialogue" if clustered else "wilson",
        dialogues=len(groups) if clustered else None,
        kappa=cohens_kappa(given),
        weighted_kappa=cohens_kappa(scored, order=SCORES) if scored else None,
        confusion=confusion,
    )


def _hits_by_dialogue(
    pairs: Sequence[tuple[str, str]], dialogues: Sequence[Hashable]
) -> dict[Hashable, list[float]]:
    groups: dict[Hashable, list[float]] = {}
    for (one, other), dialogue in zip(pairs, dialogues, strict=True):
        groups.setdefault(dialogue, []).append(float(one == other))
    return groups


def _by_dialogue(groups: Mapping[Hashable, Sequence[float]]) -> Interval | None:
    """None of a single dialogue of which some is right and some is not: nothing tells how others differ.

    Where all items agree, or none, every resample is the same and would claim certainty: Wilson's interval
    then, and for as many as there are dialogues, not items.
    """
    hits = [hit for group in groups.values() for hit in group]
    if all(hits) or not any(hits):
        return wilson(len(groups) if all(hits) else 0, len(groups))
    if len(groups) < 2:
        return None
    # Named by their place: the same items in the same order give the same interval, whatever they are called.
    named = {f"{place:09d}": group for place, group in enumerate(groups.values())}
    return bootstrap_mean_by_call(named, seed=_SEED)


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
