"""Which runs of a family are made: each defect at both strengths, and the clean agent once or twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.selfcheck.selftest.cells import cells_of
from harness.selfcheck.selftest.entries import AGAIN, CLEAN, Family, Size
from harness.selfcheck.selftest.families.table import FAMILIES
from harness.selfcheck.selftest.run import OTHER_SEED, SEED, _runs_of

BY_NAME = {family.name: family for family in FAMILIES}


@pytest.mark.parametrize(
    ("name", "size", "again"),
    [("words", "quick", True), ("words", "full", True), ("rate", "quick", False), ("rate", "full", True)],
)
def test_the_clean_agent_is_made_again_where_the_size_asks_for_it(name: str, size: Size, again: bool) -> None:
    runs = {run: seed for run, _, _, seed in _runs_of(BY_NAME[name], size)}
    assert runs.pop(CLEAN) == SEED
    assert runs.pop(AGAIN, None) == (OTHER_SEED if again else None)
    defects = [defect.name for defect in BY_NAME[name].defects]
    assert set(runs) == {f"{defect}.{grade}" for defect in defects for grade in ("weak", "strong")}


def test_in_full_every_family_is_held_to_itself() -> None:
    assert [family.name for family in FAMILIES if "full" not in family.again] == []


def test_a_clean_agent_that_was_not_made_again_gives_no_cells() -> None:
    family: Family = replace(BY_NAME["words"], defects=())
    assert list(cells_of(family, {CLEAN: []}, {CLEAN: {}}, beside=False)) == []
