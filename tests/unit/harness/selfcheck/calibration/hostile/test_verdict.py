"""What a row comes to: a wrong figure fails it, and so does measuring nothing of an ordinary agent."""

from __future__ import annotations

import pytest

from harness.selfcheck.calibration.hostile.design import STOPS, TURNS
from harness.selfcheck.calibration.hostile.figures import Figure
from harness.selfcheck.calibration.hostile.rows import ROWS, Row
from harness.selfcheck.calibration.hostile.verdict import RowResult, Verdict

DUE = TURNS + STOPS


def _figure(
    reported_ms: float | None = 500.0, *, true_ms: float | None = 500.0, bar_ms: float = 1.0
) -> Figure:
    return Figure(kind="answer", where="c turn 1", true_ms=true_ms, reported_ms=reported_ms, bar_ms=bar_ms)


def _result(figures: list[Figure], *, ordinary: bool = True, drifts: bool = False) -> RowResult:
    row = Row(name="x", title="x", clock={}, ordinary=ordinary, drifts=drifts)
    return RowResult(row=row, figures=figures)


def test_all_measured_and_right() -> None:
    result = _result([_figure(502.0)] * DUE)
    assert result.verdict is Verdict.RIGHT
    assert not result.verdict.failed
    assert (result.share, result.worst_error_ms, result.worst_bar_ms) == (1.0, 2.0, 1.0)
    assert result.medians_ms("answer") == (500.0, 502.0)
    assert result.medians_ms("stop") is None


def test_one_wrong_figure_fails_the_row_whatever_the_others_are() -> None:
    result = _result([_figure()] * (DUE - 1) + [_figure(480.0)])
    assert result.verdict is Verdict.WRONG
    assert result.verdict.failed
    assert result.worst_error_ms == -20.0
    assert _result([_figure(480.0, bar_ms=25.0)] * DUE, ordinary=False).verdict is Verdict.RIGHT
    # A figure of something that never was counts, though it was never due.
    assert _result([_figure()] * DUE + [_figure(true_ms=None)]).verdict is Verdict.WRONG


@pytest.mark.parametrize(
    ("missing", "ordinary", "verdict"),
    [
        (0, True, Verdict.RIGHT),
        (DUE // 10, True, Verdict.RIGHT),
        (DUE // 10 + 1, True, Verdict.TOO_LITTLE),
        (DUE, True, Verdict.TOO_LITTLE),
        (DUE // 2, False, Verdict.RIGHT),
        (DUE, False, Verdict.INDETERMINATE),
    ],
)
def test_of_an_ordinary_agent_nine_tenths_must_be_measured(
    missing: int, ordinary: bool, verdict: Verdict
) -> None:
    figures = [_figure(None)] * missing + [_figure()] * (DUE - missing)
    assert _result(figures, ordinary=ordinary).verdict is verdict


@pytest.mark.parametrize(
    ("far", "drifts", "verdict"),
    [
        (DUE // 10, False, Verdict.RIGHT),
        (DUE // 10 + 1, False, Verdict.TOO_COARSE),
        (DUE, True, Verdict.RIGHT),
    ],
)
def test_of_an_ordinary_agent_nine_tenths_must_be_within_three_milliseconds(
    far: int, drifts: bool, verdict: Verdict
) -> None:
    """A wide bar keeps a figure from being wrong, and not from being useless; of a drift it is enough."""
    figures = [_figure(504.0, bar_ms=8.0)] * far + [_figure(497.5)] * (DUE - far)
    assert _result(figures, drifts=drifts).verdict is verdict


def test_a_row_of_which_little_came_about_says_nothing() -> None:
    result = _result([_figure()] * (DUE // 2), ordinary=False)
    assert result.verdict is Verdict.NOT_TRIED
    assert result.verdict.failed
    assert _result([], ordinary=False).verdict is Verdict.NOT_TRIED
    assert _result([]).share == 0.0


def test_which_rows_must_be_measured() -> None:
    """Drift up to 2 %, slips of one frame, DTX and a change of the SSRC are everyday agents."""
    ordinary = {row.name for row in ROWS if row.ordinary}
    assert ordinary >= {"exact", "ppm200", "slow2", "fast2", "slip20", "slip28", "ssrc", "dtx"}
    assert len({row.name for row in ROWS}) == len(ROWS)
