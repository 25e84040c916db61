"""What is stated beforehand fits what is tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.analysis.measures.table import catalogue
from harness.errors import UserError
from harness.selfcheck.selftest.families.table import FAMILIES, defects_of
from harness.selfcheck.selftest.judged.stated import stated

DEFECTS = {defect.name: defect for _, defect in defects_of(FAMILIES)}


def test_every_defect_has_a_name_of_its_own_and_moves_figures_that_there_are() -> None:
    assert len(DEFECTS) == len(defects_of(FAMILIES))
    for defect in DEFECTS.values():
        assert defect.moves
        assert set(defect.moves) <= set(catalogue())
        assert defect.weak != defect.strong


def test_causes_are_of_figures_that_are_not_the_defects_own() -> None:
    for cause in stated().causes:
        assert cause.metric in catalogue()
        assert cause.metric not in DEFECTS[cause.defect].moves


def test_what_is_not_found_is_a_figure_of_the_defects_own() -> None:
    for one in stated().not_found:
        assert one.metric in DEFECTS[one.defect].moves


def test_a_file_that_says_something_else_is_told(tmp_path: Path) -> None:
    path = tmp_path / "stated.yaml"
    path.write_text('version: "1"\ncauses:\n  - {defect: d, metric: wer}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"stated\.yaml.*\n?.*why"):
        stated(path)
