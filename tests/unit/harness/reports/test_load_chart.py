"""The curve over calls at once: what is drawn, and that nothing is where nothing was measured."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.records.call import CallStatus
from harness.records.placed.placings import PLACINGS_FILE, Placing
from harness.reports import load_chart as load_chart_module
from harness.reports.load_chart import load_chart
from harness.runs.reader import RunFiles
from harness.scoring.load_curve import LoadStep
from metrics.intervals import Interval
from metrics.survival import CensoredDistribution, CensoredPercentile
from tests.unit.harness.scoring.test_load_curve import _call, _placed


def _files(folder: Path, placings: list[Placing], *, late: bool = False) -> RunFiles:
    lines = [one.model_dump_json(exclude_defaults=True) + "\n" for one in placings]
    (folder / PLACINGS_FILE).write_text("".join(lines), encoding="utf-8")
    alone = [(float(10 + 5 * one), 400.0) for one in range(6)]
    together = [(float(60 + 5 * one), 900.0) for one in range(6)]
    status = CallStatus.HARNESS_FAULT if late else CallStatus.COMPLETED
    calls = (_call("a", [*alone, *together], status), _call("b", [], status))
    return RunFiles(folder=folder, info=None, summary=None, calls=calls, problems=())


def test_the_curve_has_a_point_and_a_row_a_number_of_calls(tmp_path: Path) -> None:
    chart = load_chart(_files(tmp_path, _placed({"a": (0.0, 100.0), "b": (50.0, 100.0)})))
    assert chart is not None
    assert [(row.standing, row.answered, row.p50) for row in chart.rows] == [
        ("1", "6 of 6", "400\u202fms"),
        ("2", "6 of 6", "900\u202fms"),
    ]
    dots, paths = chart.lines["p50"]
    assert [dot.title for dot in dots] == [
        "1 call at once: p50 400\u202fms",
        "2 calls at once: p50 900\u202fms",
    ]
    assert dots[0].y > dots[1].y, "slower is higher"
    assert len(paths) == 1
    assert not chart.is_empty


def test_the_axis_reaches_to_the_upper_end_of_every_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The median's interval ends at 2000 ms; the 95th percentile, of few calls, has none."""
    step = LoadStep(
        low=1,
        high=1,
        calls=Counter({CallStatus.COMPLETED: 2}),
        due=10,
        answered=10,
        latency=CensoredDistribution(
            n=10,
            censored=0,
            p50=_percentile(500.0, 2000.0),
            p90=_percentile(900.0, None),
            p95=_percentile(1000.0, None),
        ),
        late_p95_ms=None,
    )
    monkeypatch.setattr(load_chart_module, "load_curve", lambda *_, **__: [step])
    chart = load_chart(_files(tmp_path, []))
    assert chart is not None
    assert chart.top == "2,000\u202fms"
    ((dot,), _) = chart.lines["p50"]
    # A quarter of the height of 146 above the axis at 156, and all of it.
    assert (dot.y, dot.high) == (119.5, 10.0)


def _percentile(value: float, high: float | None) -> CensoredPercentile:
    interval = Interval(low=None, high=high, confidence=0.95, method="by hand", n=10, calls=2)
    return CensoredPercentile(value=value, not_before=None, interval=interval)


def test_nothing_is_drawn_where_our_sender_was_late(tmp_path: Path) -> None:
    chart = load_chart(_files(tmp_path, _placed({"a": (0.0, 100.0), "b": (50.0, 100.0)}), late=True))
    assert chart is not None
    assert [(row.p50, row.p95, row.answered) for row in chart.rows] == [("–", "–", "–")] * 2
    assert chart.rows[1].faults == 2
    assert chart.lines["p95"] == ((), ())
    assert chart.is_empty, "axes without a figure would say that something was 0"


def test_calls_one_after_the_other_have_none(tmp_path: Path) -> None:
    assert load_chart(_files(tmp_path, _placed({"a": (0.0, 40.0), "b": (50.0, 100.0)}))) is None
