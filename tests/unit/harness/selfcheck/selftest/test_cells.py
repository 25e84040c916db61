"""What becomes of a figure that one side has and the other has not."""

from __future__ import annotations

from typing import cast

import pytest

from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.units import RATIO
from harness.records.scores import CallScores
from harness.selfcheck.selftest.cells import Cell, _filled
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
