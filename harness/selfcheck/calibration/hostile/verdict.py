"""What a row of the table comes to, from its answers and stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from harness.selfcheck.calibration.hostile.design import STOPS, TURNS
from harness.selfcheck.calibration.hostile.figures import TOLERANCE_MS, Figure
from harness.selfcheck.calibration.hostile.rows import Row

LEAST_SHARE = 0.9
"""Of an ordinary agent's turns at least this share must be measured."""
LEAST_TRIED = 0.6
"""Of what was planted at least this share must have come about, else the row says nothing."""


class Verdict(StrEnum):
    """Of a row; all but the first two are failures."""

    RIGHT = "right"
    INDETERMINATE = "indeterminate"
    """Nothing is measured, and nothing need be: no ordinary agent is like that."""
    WRONG = "wrong and measured"
    TOO_LITTLE = "indeterminate for everything"
    """Less is measured of an ordinary agent than must be."""
    TOO_COARSE = "measured too coarsely"
    """Of an ordinary agent too much is further off than 3 ms, though within its own bars."""
    NOT_TRIED = "too few turns came about"

    @property
    def failed(self) -> bool:
        return self not in (Verdict.RIGHT, Verdict.INDETERMINATE)


@dataclass(frozen=True, kw_only=True)
class RowResult:
    """A row with all its figures.

    Attributes:
        faults: Calls that did not go well, and how they ended.
    """

    row: Row
    figures: Sequence[Figure]
    faults: Sequence[str] = ()

    @property
    def due(self) -> list[Figure]:
        """What the agent really did."""
        return [one for one in self.figures if one.true_ms is not None]

    @property
    def measured(self) -> list[Figure]:
        """What of that has a figure."""
        return [one for one in self.due if one.reported_ms is not None]

    @property
    def share(self) -> float:
        """Measured of due; 0 where nothing was due."""
        return _share(self.measured, self.due)

    @property
    def close_share(self) -> float:
        """Measured within 3 ms of true, of due."""
        return _share([one for one in self.measured if abs(one.error_ms or 0.0) <= TOLERANCE_MS], self.due)

    @property
    def wrong(self) -> list[Figure]:
        """What is reported and is not so."""
        return [one for one in self.figures if one.wrong]

    @property
    def worst_error_ms(self) -> float | None:
        """The largest error of what was measured, with its sign."""
        return max((e for one in self.measured if (e := one.error_ms) is not None), key=abs, default=None)

    @property
    def worst_bar_ms(self) -> float | None:
        """The widest error bar of what was measured."""
        return max((one.bar_ms for one in self.measured), default=None)

    def medians_ms(self, kind: str) -> tuple[float, float] | None:
        """True and reported, over what was measured of that kind."""
        pairs = [
            (one.true_ms, one.reported_ms)
            for one in self.measured
            if one.kind == kind and one.true_ms is not None and one.reported_ms is not None
        ]
        if not pairs:
            return None
        return median(true for true, _ in pairs), median(reported for _, reported in pairs)

    @property
    def verdict(self) -> Verdict:
        """The row in a word. A wrong figure weighs more than all else."""
        if self.wrong:
            return Verdict.WRONG
        if len(self.due) < LEAST_TRIED * (TURNS + STOPS):
            return Verdict.NOT_TRIED
        if self.row.ordinary and self.share < LEAST_SHARE:
            return Verdict.TOO_LITTLE
        if self.row.ordinary and not self.row.drifts and self.close_share < LEAST_SHARE:
            return Verdict.TOO_COARSE
        return Verdict.RIGHT if self.measured else Verdict.INDETERMINATE


def _share(some: Sequence[Figure], of: Sequence[Figure]) -> float:
    return len(some) / len(of) if of else 0.0
