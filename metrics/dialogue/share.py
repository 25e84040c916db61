"""A share whose exact value may be out of reach because some verdicts failed.

What a failed verdict would have been is bounded, not guessed: the share then lies between ``low`` and
``high``, and such a share becomes an ``indeterminate`` score that tells both and carries no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metrics.score import Evidence, Score, Status, not_measured


@dataclass(frozen=True, kw_only=True)
class Share:
    """Between ``low`` and ``high`` (both 0-1), which are equal where nothing failed.

    Attributes:
        n: Observations behind it.
        failed: Judgements that failed among what it is made of.
        none: Nothing at all was judged: not even bounds mean anything.
        notes: What qualifies it, for a person.
    """

    low: float
    high: float
    n: int
    failed: int = 0
    none: bool = False
    notes: tuple[str, ...] = ()

    @property
    def value(self) -> float | None:
        """None where failed judgements leave it open."""
        return None if self.none or self.failed else self.low

    def score(self, metric: str, *, version: str, evidence: Sequence[Evidence] = ()) -> Score:
        """As a score: measured, or indeterminate with the bounds, or failed where nothing was judged."""
        if self.value is not None:
            return Score(
                metric=metric,
                unit="ratio",
                value=self.value,
                status=Status.MEASURED,
                reason="; ".join(self.notes),
                n=self.n,
                evidence=tuple(evidence),
                version=version,
            )
        count = f"{self.failed} judgement{'' if self.failed == 1 else 's'} failed"
        if self.none:
            reason = f"{count}, and none succeeded"
            return not_measured(metric, "ratio", reason, status=Status.FAILED, version=version)
        reason = f"{count}; it lies between {self.low:.3f} and {self.high:.3f}"
        return Score(
            metric=metric,
            unit="ratio",
            status=Status.INDETERMINATE,
            reason="; ".join([reason, *self.notes]),
            n=self.n,
            evidence=tuple(evidence),
            version=version,
        )


ZERO = Share(low=0.0, high=0.0, n=0)
"""Of what has no value, where it counts as nothing."""


def weighted(parts: Iterable[tuple[float, Share]], *, n: int, notes: Sequence[str] = ()) -> Share:
    """The sum of weight x share. Weights that do not add up to 1 are taken in proportion."""
    parts = list(parts)
    total = sum(weight for weight, _ in parts)
    return Share(
        low=sum(weight * share.low for weight, share in parts) / total,
        high=sum(weight * share.high for weight, share in parts) / total,
        n=n,
        failed=sum(share.failed for _, share in parts),
        none=all(share.none for _, share in parts),
        notes=tuple(notes),
    )
