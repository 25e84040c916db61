"""Rows by their names, each a lie that the calibration agent understands."""

from __future__ import annotations

import pytest

from fixtures.agents.calibration.behaviour import parse_behaviour
from fixtures.agents.calibration.media_clock import ClockPlan
from harness.errors import UserError
from harness.selfcheck.calibration.hostile.rows import ROWS, Row, chosen_rows


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_agent_understands_every_row(row: Row) -> None:
    clock = parse_behaviour({"clock": row.clock}).clock
    assert (clock == ClockPlan()) is (row.name == "exact")


def test_rows_are_chosen_by_name_and_keep_their_order() -> None:
    assert [row.name for row in chosen_rows("dtx, exact")] == ["exact", "dtx"]
    assert chosen_rows(None) == ROWS


@pytest.mark.parametrize(
    ("names", "words"), [("exact,slip21", "unknown: slip21; known: exact"), (" ,", "nothing")]
)
def test_an_unknown_row_lists_the_known_ones(names: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        chosen_rows(names)
