"""Geometry of the page's two charts; the templates turn it into SVG.

Positions along the time axis are percent of the plot's width, so that one drawing fits a desktop and a phone
without scaling its text. Heights are pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from harness.reports.parts.formats import interval, not_reached, number, with_unit
from metrics.score import PercentileName, Score
from metrics.survival import Waited, kaplan_meier

MAX_DOTS = 600
"""Above this many observations bars are drawn instead of dots."""

BINS = 72
"""Columns of dots: at a usual width each is about as wide as a dot."""

LIMIT_MS = 500.0

DOT_PITCH = 11
"""Pixels from one dot of a column to the next, as long as the lane has room for it."""

MAX_LANE_HEIGHT = 110

Tone = Literal["good", "bad", "open", "idle", "plain"]
"""Colour of a dot or mark: "open" is undecided, "idle" counts for nothing."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """One observation and where it happened. ``censored``: the true value lies to the right of ``ms``."""

    ms: float
    href: str
    title: str
    tone: Tone = "plain"
    resolution_ms: float | None = None
    censored: bool = False


@dataclass(frozen=True, kw_only=True)
class Dot:
    """A point as drawn; ``error_x`` is its error bar, ``rise`` its height in pixels above the floor."""

    x: float
    rise: float
    href: str
    title: str
    tone: Tone
    error_x: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A column of a histogram: from ``x``, ``width`` wide, ``height`` of the plot (0-1)."""

    x: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, kw_only=True)
class Level:
    """A percentile with its interval; an end, or a place, that is not known is None."""

    name: str
    shown: str
    interval: str
    x: float | None
    low_x: float | None
    high_x: float | None


@dataclass(frozen=True, kw_only=True)
class Tick:
    x: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A distribution over a time axis.

    Attributes:
        censored_label: What the censored ones have in common.
        curve: SVG path of the cumulative share in a box of 1000 x 100, 100 being nobody; empty for no curve.
            What is censored keeps it from the top (Kaplan-Meier).
        limit_x: Where 500 ms lie, for interruptions.
        zero_x: Where 0 lies, when the axis begins below it.
        height: Of the lane of dots or bars, in pixels.
    """

    dots: tuple[Dot, ...]
    bars: tuple[Bar, ...]
    censored: tuple[Dot, ...]
    levels: tuple[Level, ...]
    ticks: tuple[Tick, ...]
    curve: str
    censored_label: str = ""
    limit_x: float | None = None
    zero_x: float | None = None
    height: int = MAX_LANE_HEIGHT


def distribution_chart(
    points: Sequence[Point], summary: Score | None, *, limit: bool = False, censored_label: str = ""
) -> Chart | None:
    """The chart of one metric's observations; None where there is none to draw.

    ``censored_label``: what its censored observations have in common, in two or three words.
    """
    if not points:
        return None
    seen = sorted((point for point in points if not point.censored), key=lambda point: point.ms)
    # Censored ones only say "beyond here"; they must not squeeze the measured ones into a corner.
    axis = _Axis.around([point.ms for point in seen], include=(LIMIT_MS * 1.6,) if limit else ())
    crowded = len(seen) > MAX_DOTS
    dots = _dots(seen, axis)
    return Chart(
        dots=() if crowded else dots,
        bars=_bars(seen, axis) if crowded else (),
        censored=_dots([replace(point, resolution_ms=None) for point in points if point.censored], axis),
        levels=_levels(summary, axis),
        ticks=tuple(Tick(x=axis.x(ms), label=number(ms, "ms")) for ms in axis.ticks),
        curve=_curve(points, axis),
        censored_label=censored_label,
        limit_x=axis.x(LIMIT_MS) if limit else None,
        zero_x=axis.x(0.0) if axis.low < 0 else None,
        height=MAX_LANE_HEIGHT if crowded else _lane_height(dots),
    )


@dataclass(frozen=True, kw_only=True)
class _Axis:
    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def around(cls, values: Sequence[float], *, include: Sequence[float] = ()) -> _Axis:
        """From 0 (or below, for negative values) to just beyond the largest, on round ticks."""
        low, high = min([0.0, *values]), max([1.0, *values, *include])
        step = _round_step((high - low) / 8)
        first, last = int(low // step), int(-(-high * 1.02 // step))
        ticks = tuple(step * position for position in range(first, last + 1))
        return cls(low=ticks[0], high=ticks[-1], ticks=ticks)

    def x(self, ms: float) -> float:
        """Percent of the width, within the axis."""
        share = (ms - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 3)


def _round_step(rough: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least ``rough``."""
    power = 1.0
    while power * 10 <= rough:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def _dots(points: Sequence[Point], axis: _Axis) -> tuple[Dot, ...]:
    columns: dict[int, list[Point]] = {}
    for point in points:
        columns.setdefault(int(axis.x(point.ms) / 100 * BINS), []).append(point)
    highest = max((len(column) for column in columns.values()), default=1)
    pitch = min(DOT_PITCH, (MAX_LANE_HEIGHT - 2 * DOT_PITCH) / highest)
    dots = []
    for column in columns.values():
        for position, point in enumerate(column):
            error = point.resolution_ms
            dots.append(
                Dot(
                    x=axis.x(point.ms),
                    rise=round(DOT_PITCH + pitch * position, 2),
                    href=point.href,
                    title=point.title,
                    tone=point.tone,
                    error_x=(axis.x(point.ms - error), axis.x(point.ms + error)) if error else None,
                )
            )
    return tuple(dots)


def _lane_height(dots: Sequence[Dot]) -> int:
    """High enough for the highest dot, and for the label of the 500 ms line above it."""
    return round(max((dot.rise for dot in dots), default=0.0)) + 2 * DOT_PITCH + 4


def _bars(points: Sequence[Point], axis: _Axis) -> tuple[Bar, ...]:
    counts = [0] * BINS
    for point in points:
        counts[min(BINS - 1, int(axis.x(point.ms) / 100 * BINS))] += 1
    width_ms = (axis.high - axis.low) / BINS
    return tuple(
        Bar(
            x=100 * position / BINS,
            width=100 / BINS,
            height=count / max(counts),
            title=f"{count} from {with_unit(axis.low + position * width_ms, 'ms')}",
        )
        for position, count in enumerate(counts)
        if count
    )


def _levels(summary: Score | None, axis: _Axis) -> tuple[Level, ...]:
    levels = []
    names: tuple[PercentileName, ...] = ("p50", "p90", "p95")
    for name in names:
        value = getattr(summary, name, None)
        beyond = summary.not_reached.get(name, 0.0) if summary is not None else 0.0
        if summary is None or (value is None and name not in summary.not_reached):
            continue
        low, high = summary.percentile_intervals.get(name, (None, None))
        levels.append(
            Level(
                name=name,
                shown=not_reached(beyond, "ms") if value is None else with_unit(value, "ms"),
                interval=interval(low, high, "ms"),
                x=None if value is None else axis.x(value),
                low_x=None if low is None else axis.x(low),
                high_x=None if high is None else axis.x(high),
            )
        )
    return tuple(levels)


def _curve(points: Sequence[Point], axis: _Axis) -> str:
    """The share that has come by each time: a step up at each value, drawn to the axis's end."""
    if all(point.censored for point in points):
        return ""
    curve = kaplan_meier([Waited(time=point.ms, came=not point.censored) for point in points])
    path = ["M0 100"]
    for value, beyond in zip(curve.times, curve.beyond, strict=True):
        path.append(f"H{10 * axis.x(value):.1f}V{100 * beyond:.2f}")
    return "".join([*path, "H1000"])
