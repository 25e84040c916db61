"""The verdict on cells that were written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from harness.selfcheck.selftest.cells import Cell
from harness.selfcheck.selftest.judged.page import markdown
from harness.selfcheck.selftest.judged.stated import Cause, NotFound, Stated
from harness.selfcheck.selftest.judged.verdict import judge
from harness.selfcheck.selftest.run import FamilyResult

NOTHING = Stated(version="1")


def diagonal(weak: float, strong: float, *, half: float = 0.05, **more: Any) -> list[Cell]:
    return [
        Cell.model_validate(
            {"family": "f", "defect": "d", "metric": "wer", "kind": "diagonal", "direction": 1}
            | {"grade": grade, "estimate": value, "low": value - half, "high": value + half, "p": 0.001}
            | {"n": 20, "clean": 0.1}
            | more
        )
        for grade, value in (("weak", weak), ("strong", strong))
    ]


def beside(metric: str, p: float, estimate: float, **more: Any) -> Cell:
    return Cell.model_validate(
        {"family": "f", "defect": "d", "metric": metric, "kind": "beside", "grade": "strong", "n": 20}
        | {"p": p, "estimate": estimate, "low": estimate, "high": estimate}
        | more
    )


@pytest.mark.parametrize(
    ("weak", "strong", "told"),
    [
        (0.1, 0.3, "found"),
        (0.04, 0.3, "not found at the weak strength"),
        (0.1, 0.04, "not found at the strong strength"),
        (-0.1, 0.3, "not found at the weak strength"),
        (0.3, 0.1, "the stronger does not move it more"),
        (0.2, 0.2, "the stronger does not move it more"),
    ],
)
def test_a_defect_is_found_at_both_strengths_the_stronger_the_more(
    weak: float, strong: float, told: str
) -> None:
    verdict = judge(diagonal(weak, strong), NOTHING, "quick")
    assert [row.told for row in verdict.rows] == [told]
    assert verdict.passed == (told == "found")
    assert bool(verdict.failures) != verdict.passed


def test_what_is_stated_not_to_be_found_must_not_be_found() -> None:
    none = NotFound(defect="d", metric="wer", grade="weak", why="it is a toy of a test")
    stated = NOTHING.model_copy(update={"not_found": (none,)})
    as_stated = judge(diagonal(0.04, 0.3), stated, "quick")
    assert as_stated.passed
    assert as_stated.rows[0].found is False
    assert as_stated.rows[0].told == "not found at the weak strength, as stated"
    differs = judge(diagonal(0.1, 0.3), stated, "quick")
    assert not differs.passed
    assert differs.failures == ["d, wer: found, though it is stated that it is not"]
    # Stated of the full table alone, it has to be found in the quick one.
    full = NOTHING.model_copy(update={"not_found": (none.model_copy(update={"sizes": ("full",)}),)})
    assert not judge(diagonal(0.04, 0.3), full, "quick").passed


def test_what_was_skipped_is_no_failure_and_nothing_at_all_is_one() -> None:
    verdict = judge(diagonal(0, 0, skipped=True, reason="no weights"), NOTHING, "quick")
    assert verdict.passed
    assert verdict.rows[0].found is None
    assert verdict.rows[0].told == "skipped: no weights"
    assert judge([], NOTHING, "quick").failures == ["nothing was tried"]


def test_off_the_diagonal_p_holds_for_the_whole_table() -> None:
    """0.02 of three cells is 0.06 by Holm, of one it is 0.02."""
    quiet = [beside("gic", 0.5, 0.01), beside("tfc", 0.6, 0.01)]
    assert judge([*diagonal(0.1, 0.3), beside("cer", 0.02, 0.1), *quiet], NOTHING, "full").passed
    moved = judge([*diagonal(0.1, 0.3), beside("cer", 0.02, 0.1)], NOTHING, "full")
    assert not moved.passed
    assert "cer +0.1 (p 0.02) moved, and no cause was stated" in moved.failures[0]
    cause = Cause(defect="d", metric="cer", why="letters are in words")
    assert judge(
        [*diagonal(0.1, 0.3), beside("cer", 0.02, 0.1)],
        NOTHING.model_copy(update={"causes": (cause,)}),
        "full",
    ).passed


def gone(metric: str, **more: Any) -> Cell:
    return beside(metric, 1.0, 0.0).model_copy(
        update={
            "p": None,
            "estimate": None,
            "low": None,
            "high": None,
            "reason": "not measured with the defect: no",
        }
        | {"vanished": True}
        | more
    )


def test_a_figure_that_vanishes_moved() -> None:
    verdict = judge([*diagonal(0.1, 0.3), gone("cer"), beside("gic", 0.5, 0.01)], NOTHING, "full")
    assert verdict.failures == [
        "f, d: cer vanished (not measured with the defect: no): it moved, and no cause was stated"
    ]
    assert verdict.beside == 2
    cause = Cause(defect="d", metric="cer", why="nothing is left to be heard")
    stated = NOTHING.model_copy(update={"causes": (cause,)})
    assert judge([*diagonal(0.1, 0.3), gone("cer")], stated, "full").passed
    again = gone("cer", kind="again", defect="clean-again")
    assert not judge([*diagonal(0.1, 0.3), again], stated, "quick").passed


def test_what_could_not_be_judged_is_counted_and_no_failure() -> None:
    few = gone("cer", vanished=False, reason="only 3 observations")
    verdict = judge([*diagonal(0.1, 0.3), few, beside("gic", 0.5, 0.01)], NOTHING, "full")
    assert verdict.passed
    assert (verdict.beside, verdict.not_judged) == (1, [few])
    result = FamilyResult(family="f", size="full", sources="commit `abc`", cells=(few,))
    page = markdown([result], verdict, NOTHING, size="full", minutes=2.0)
    assert "Not judged, off the diagonal or of a clean agent: 1 figures (1 × only 3 observations)." in page


def test_less_than_can_be_resolved_is_no_movement() -> None:
    stated = NOTHING.model_copy(update={"least": {"ms": 2.0}})
    small, large = (beside("response_latency_ms", 1e-6, by) for by in (0.4, 3.0))
    assert judge([*diagonal(0.1, 0.3), small], stated, "full").passed
    assert not judge([*diagonal(0.1, 0.3), large], stated, "full").passed


def test_a_clean_agent_against_itself_has_no_causes() -> None:
    cause = Cause(defect="clean-again", metric="cer", why="there can be none of these")
    stated = NOTHING.model_copy(update={"causes": (cause,)})
    again = beside("cer", 0.001, 0.1, kind="again", defect="clean-again", grade=None)
    verdict = judge([*diagonal(0.1, 0.3), again], stated, "quick")
    assert verdict.failures == ["f, clean-again: cer +0.1 (p 0.001) moved, of a clean agent against itself"]


def test_more_than_one_cause_in_twenty_cells_fails() -> None:
    metrics = [f"m{number}" for number in range(20)]
    cells = [beside(metric, 1.0, 0.0, defect=defect) for defect in ("a", "b") for metric in metrics]
    causes = [Cause(defect="a", metric=metric, why="a toy of a test") for metric in metrics[:3]]
    for number, passes in ((2, True), (3, False)):
        stated = NOTHING.model_copy(update={"causes": tuple(causes[:number])})
        assert judge([*diagonal(0.1, 0.3), *cells], stated, "full").passed == passes


def test_the_page_has_planted_beside_measured_and_every_failure() -> None:
    cells = [*diagonal(0.04, 0.3, planted=0.25), beside("cer", 0.001, 0.1)]
    verdict = judge(cells, NOTHING, "full")
    result = FamilyResult(family="f", size="full", sources="commit `abc`", cells=tuple(cells))
    page = markdown([result], verdict, NOTHING, size="full", minutes=2.0)
    assert "commit `abc`" in page
    assert "+0.250 | +0.300 (+0.250 to +0.350) | 20 | **not found at the weak strength**" in page
    assert "- Failed: d, wer: not found at the weak strength." in page
    assert "Off the diagonal, at the stronger strength: 1 of 1 figures moved" in page
