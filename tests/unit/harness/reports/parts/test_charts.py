"""Positions of charts against positions worked by hand."""

from __future__ import annotations

import pytest

from harness.reports.parts.charts import Point, distribution_chart
from metrics.score import Score, Status


def points(*values: float) -> list[Point]:
    return [Point(ms=value, href="#x", title=str(value)) for value in values]


def test_dots_lie_on_a_round_axis_from_zero() -> None:
    chart = distribution_chart(points(250, 1000), None)
    assert chart is not None
    # 1000 / 8 asks for steps of 200; 1020 (2 % of air) ends at 1200.
    assert [tick.label for tick in chart.ticks] == ["0", "200", "400", "600", "800", "1,000", "1,200"]
    assert [dot.x for dot in chart.dots] == pytest.approx([250 / 12, 1000 / 12], abs=0.001)
    assert chart.zero_x is None


def test_negative_latencies_move_the_axis_below_zero() -> None:
    chart = distribution_chart(points(-150, 450), None)
    assert chart is not None
    assert chart.ticks[0].label == "−200"
    # -200 .. 500 in steps of 100: zero at 2/7.
    assert chart.zero_x == pytest.approx(200 / 7, abs=0.001)
    assert chart.dots[0].x == pytest.approx(50 / 7, abs=0.001)


def test_equal_values_are_stacked_not_hidden() -> None:
    chart = distribution_chart(points(500, 500, 500, 900), None)
    assert chart is not None
    stacked = [dot.rise for dot in chart.dots if dot.x == chart.dots[0].x]
    assert len(stacked) == 3
    assert len(set(stacked)) == 3
    assert max(stacked) < chart.height


def test_every_dot_of_a_high_column_stays_inside() -> None:
    chart = distribution_chart(points(*([500.0] * 300), 900), None)
    assert chart is not None
    assert len(chart.dots) == 301
    assert all(0 < dot.rise < chart.height for dot in chart.dots)


def test_a_crowd_becomes_bars_that_hold_everyone() -> None:
    values = [float(n) for n in range(1000)]
    chart = distribution_chart(points(*values), None)
    assert chart is not None
    assert chart.dots == ()
    assert sum(int(bar.title.split()[0]) for bar in chart.bars) == 1000
    assert max(bar.height for bar in chart.bars) == 1.0


def test_the_curve_steps_up_by_one_nth_at_each_value() -> None:
    chart = distribution_chart(points(100, 300, 300, 800), None)
    assert chart is not None
    # Axis 0 .. 900 in steps of 100; y runs from 100 (nobody) to 0 (all).
    assert chart.curve == "M0 100H111.1V75.00H333.3V25.00H888.9V0.00H1000"


def test_censored_points_do_not_stretch_the_axis() -> None:
    chart = distribution_chart(
        [*points(320), Point(ms=6000, href="#y", title="on", censored=True)], None, limit=True
    )
    assert chart is not None
    assert float(chart.ticks[-1].label) <= 1000
    assert chart.censored[0].x == 100
    assert len(chart.dots) == 1
    assert chart.limit_x == pytest.approx(100 * 500 / float(chart.ticks[-1].label), abs=0.001)


def test_what_never_came_keeps_the_curve_from_the_top() -> None:
    """100 and 300 came of three that were waited for; the third until 500: a third is beyond 300."""
    never = Point(ms=500, href="#y", title="no answer", censored=True)
    chart = distribution_chart([*points(100, 300), never], None, censored_label="not answered")
    assert chart is not None
    # Axis 0 .. 350 in steps of 50: 100 at 2/7, 300 at 6/7.
    assert chart.curve == "M0 100H285.7V66.67H857.1V33.33H1000"
    assert chart.censored_label == "not answered"
    assert len(chart.censored) == 1


def test_a_percentile_that_is_not_reached_has_words_and_no_place() -> None:
    summary = Score(
        metric="response_latency_ms",
        value=400,
        unit="ms",
        n=30,
        status=Status.MEASURED,
        p50=400,
        not_reached={"p90": 8000, "p95": 8000},
        percentile_intervals={"p90": (8000, None)},
    )
    chart = distribution_chart(points(100, 800), summary)
    assert chart is not None
    p50, p90, p95 = chart.levels
    assert (p50.x, p50.shown) == (pytest.approx(100 * 400 / 900, abs=0.001), "400\u202fms")
    assert (p90.x, p90.shown) == (None, "not reached (>\u202f8,000\u202fms)")
    assert (p90.interval, p95.interval) == ("at least 8,000\u202fms", "")


def test_only_censored_points_still_make_a_chart() -> None:
    chart = distribution_chart([Point(ms=6000, href="#y", title="on", censored=True)], None, limit=True)
    assert chart is not None
    assert chart.curve == ""
    assert chart.limit_x is not None


def test_no_point_no_chart() -> None:
    assert distribution_chart([], None) is None


def test_percentiles_carry_the_ends_that_are_known() -> None:
    summary = Score(
        metric="response_latency_ms",
        value=400,
        unit="ms",
        n=30,
        status=Status.MEASURED,
        p50=400,
        p90=700,
        p95=800,
        percentile_intervals={"p50": (300, 500), "p90": (600, None)},
    )
    chart = distribution_chart(points(100, 800), summary)
    assert chart is not None
    p50, p90, p95 = chart.levels
    assert (p50.shown, p50.interval) == ("400\u202fms", "300 – 500\u202fms")
    assert (p90.interval, p90.high_x) == ("at least 600\u202fms", None)
    assert (p95.interval, p95.low_x, p95.high_x) == ("", None, None)


def test_error_bars_are_as_wide_as_the_resolution() -> None:
    point = Point(ms=450, href="#x", title="x", resolution_ms=50)
    chart = distribution_chart([point, *points(900)], None)
    assert chart is not None
    first = chart.dots[0]
    assert first.error_x is not None
    assert first.error_x[1] - first.error_x[0] == pytest.approx(10, abs=0.01)
