"""A cell of the table: what a defect at a strength did to one figure; and how a family's cells are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from harness.analysis.measures.base import Measure, ScoredCall
from harness.analysis.measures.table import measures
from harness.records.base import FileModel
from harness.selfcheck.selftest.effects import Effect, effect_of
from harness.selfcheck.selftest.entries import AGAIN, CLEAN, Defect, Family, Grade, Planted, run_name
from metrics.score import Status

Kind = Literal["diagonal", "beside", "related", "again"]
"""The metric that the defect is about; another one; another one of which it is not claimed that it stays
where it is (``Family.related``); any metric of a clean agent against itself."""


class Cell(FileModel):
    """What became of one figure.

    Attributes:
        kind: See :data:`Kind`.
        strength: For people; empty for a clean agent.
        direction: Of a diagonal cell: which way it has to go.
        planted: By how much the value was changed, by the count of whoever planted it; None: not in its unit.
        estimate, low, high, p, n, clean, value: See :class:`harness.selfcheck.selftest.effects.Effect`.
        reason: Why there is no effect; empty where there is one.
        skipped: The reason is something that this machine lacks.
        vanished: The clean agent has the figure, and the one that it is compared with has none.
    """

    family: str
    defect: str
    metric: str
    kind: Kind
    grade: Grade | None = None
    strength: str = ""
    direction: int = 0
    planted: float | None = None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    n: int = 0
    clean: float | None = None
    value: float | None = None
    reason: str = ""
    skipped: bool = False
    vanished: bool = False

    @property
    def found(self) -> bool:
        """The interval leaves out 0, on the side where it has to."""
        if self.low is None or self.high is None:
            return False
        return self.low > 1e-12 if self.direction > 0 else self.high < -1e-12


Runs = Mapping[str, Sequence[ScoredCall]]
"""Name of a run -> its scored calls."""


def cells_of(family: Family, runs: Runs, planted: Mapping[str, Planted], *, beside: bool) -> Iterator[Cell]:
    """Every cell of a family: its diagonal, a clean agent against itself where that was made, and with
    ``beside`` the rest."""
    clean = runs[CLEAN]
    columns = [measure for measure in measures() if measure.pool(clean).status is Status.MEASURED]
    by_name = {measure.entry.name: measure for measure in measures()}
    lacks = family.no_weights()
    for defect in family.defects:
        for grade in ("weak", "strong"):
            for metric, direction in defect.moves.items():
                bare = _bare(family, defect, metric, grade).model_copy(
                    update={
                        "kind": "diagonal",
                        "direction": direction,
                        "planted": _difference(planted, metric, run_name(defect, grade)),
                    }
                )
                if metric in lacks:
                    yield bare.model_copy(update={"reason": lacks[metric], "skipped": True})
                else:
                    yield _filled(bare, by_name[metric], clean, runs[run_name(defect, grade)])
        if beside:
            for measure in columns:
                if measure.entry.name not in defect.moves:
                    bare = _bare(family, defect, measure.entry.name, "strong")
                    if measure.entry.name in family.related and family.related & defect.moves.keys():
                        bare = bare.model_copy(update={"kind": "related"})
                    yield _filled(bare, measure, clean, runs[run_name(defect, "strong")])
    for measure in columns if AGAIN in runs else ():
        bare = Cell(family=family.name, defect=AGAIN, metric=measure.entry.name, kind="again")
        yield _filled(bare, measure, clean, runs[AGAIN])


def _bare(family: Family, defect: Defect, metric: str, grade: Grade) -> Cell:
    return Cell(
        family=family.name,
        defect=defect.name,
        metric=metric,
        kind="beside",
        grade=grade,
        strength=defect.strength(grade).told,
    )


def _difference(planted: Mapping[str, Planted], metric: str, run: str) -> float | None:
    one, other = planted[CLEAN].get(metric), planted[run].get(metric)
    return None if one is None or other is None else other - one


def _filled(
    cell: Cell, measure: Measure, clean: Sequence[ScoredCall], defective: Sequence[ScoredCall]
) -> Cell:
    effect = effect_of(measure, clean, defective)
    if isinstance(effect, str):
        measured = [measure.pool(side).status is Status.MEASURED for side in (clean, defective)]
        return cell.model_copy(update={"reason": effect, "vanished": measured == [True, False]})
    return cell.model_copy(update=_fields(effect))


def _fields(effect: Effect) -> dict[str, float | int]:
    return {
        "estimate": effect.estimate,
        "low": effect.low,
        "high": effect.high,
        "p": effect.p,
        "n": effect.n,
        "clean": effect.clean,
        "value": effect.planted,
    }
