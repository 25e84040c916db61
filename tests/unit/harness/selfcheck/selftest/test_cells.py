"""What becomes of a figure that one side has and the other has not."""

from __future__ import annotations

from typing import cast

import pytest

from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.units import RATIO
from harness.records.scores import CallScores
from harness.selfcheck.selftest import cells
from harness.selfcheck.selftest.cells import Cell, _filled, cells_of
from harness.selfcheck.selftest.entries import Defect, Family, Strength
from metrics.score import Score, Status, not_measured

CLEAN = [ScoredCall(scores=CallScores(call_id="clean"))]
LACKING = [ScoredCall(scores=CallScores(call_id="lacking"))]


class Toy(Measure):
    """Measured but where a call is called lacking."""

    def pool(self, calls: object) -> Score:
        if any(one.scores.call_id == "lacking" for one in cast(list[ScoredCall], calls)):
            return not_measured("toy", "ratio", "there is none")
        return Score(metric="toy", unit="ratio", value=0.5, n=1, status=Status.MEASURED)


@pytest.mark.parametrize(
    ("clean", "defective", "vanished"),
    [(CLEAN, LACKING, True), (LACKING, CLEAN, False), (CLEAN, CLEAN, False)],
)
def test_only_what_was_measured_before_can_vanish(
    clean: list[ScoredCall], defective: list[ScoredCall], vanished: bool
) -> None:
    toy = Toy(MetricEntry(name="toy", label="Toy", unit=RATIO, better="lower", definition="a toy"))
    bare = Cell(family="f", defect="d", metric="toy", kind="beside")
    cell = _filled(bare, toy, clean, defective)
    assert cell.p is None
    assert cell.reason
    assert cell.vanished == vanished


def test_of_what_hangs_together_no_claim_is_made_whatever_else_the_defect_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A voice that clips moves a predictor and a count of ours: its other predictors are told alone."""
    toys = [
        Toy(MetricEntry(name=name, label=name, unit=RATIO, better="lower", definition="a toy"))
        for name in ("predictor", "other_predictor", "count", "latency")
    ]
    monkeypatch.setattr(cells, "measures", lambda: toys)
    strength = Strength(amount=1, told="much")
    defect = Defect(
        name="clipped",
        told="is cut off",
        moves={"predictor": -1, "count": 1},
        weak=strength,
        strong=strength,
    )
    family = Family(
        name="sound",
        way="made",
        defects=(defect,),
        only=frozenset({"sound"}),
        make=lambda order, progress: {},
        related=frozenset({"predictor", "other_predictor"}),
    )
    runs = {"clean": CLEAN, "clipped.weak": CLEAN, "clipped.strong": CLEAN}
    found = cells_of(family, runs, {name: {} for name in runs}, beside=True)
    kinds = {cell.metric: cell.kind for cell in found if cell.kind != "diagonal"}
    assert kinds == {"other_predictor": "related", "latency": "beside"}
