"""What the agent did by how many calls stood at once, as a curve with its table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from harness.records.placed.placings import read_placings
from harness.reports.parts.formats import interval, not_reached, with_unit
from harness.runs.reader import RunFiles
from harness.scoring.load_curve import LoadStep, load_curve
from metrics.survival import CensoredPercentile

WIDTH, HEIGHT = 640, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 10, 24


@dataclass(frozen=True, kw_only=True)
class LoadRow:
    """One line of the table: all in words."""

    standing: str
    calls: int
    faults: int
    failed: int
    answered: str
    p50: str
    p95: str
    p95_interval: str
    late: str


@dataclass(frozen=True, kw_only=True)
class LoadDot:
    x: float
    y: float
    low: float | None
    high: float | None
    title: str


@dataclass(frozen=True, kw_only=True)
class LoadChart:
    """Attributes:
    lines: Name of a percentile -> its points and its line, which has a gap where there is no figure.
    ticks: Places and words of the number of calls.
    """

    rows: tuple[LoadRow, ...]
    lines: dict[str, tuple[tuple[LoadDot, ...], tuple[str, ...]]]
    ticks: tuple[tuple[float, str], ...]
    top: str
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def is_empty(self) -> bool:
        """No figure could be drawn: axes without one would say that something was 0."""
        return not any(dots for dots, _ in self.lines.values())


def load_chart(files: RunFiles, *, guilty: Collection[str] = ()) -> LoadChart | None:
    """None where calls were placed one after the other, or what was noted of it cannot be read.

    Args:
        guilty: See :func:`harness.scoring.load_curve.load_curve`.
    """
    try:
        steps = load_curve(files.calls, read_placings(files.folder), guilty=guilty)
    except OSError:
        return None
    if not steps:
        return None
    highest = max([1.0, *(end for step in steps for end in _ends(step))])
    return LoadChart(
        rows=tuple(_row(step) for step in steps),
        lines={name: _line(steps, name, highest) for name in ("p50", "p95")},
        ticks=tuple((_x(place, len(steps)), _standing(step)) for place, step in enumerate(steps)),
        top=with_unit(highest, "ms"),
    )


def _row(step: LoadStep) -> LoadRow:
    p50 = None if step.latency is None else step.latency.p50
    p95 = None if step.latency is None else step.latency.p95
    return LoadRow(
        standing=_standing(step),
        calls=step.calls.total(),
        faults=step.faults,
        failed=step.failed,
        answered=f"{step.answered} of {step.due}" if step.due else "–",
        p50=_shown(p50),
        p95=_shown(p95),
        p95_interval="" if p95 is None else interval(p95.interval.low, p95.interval.high, "ms"),
        late="–" if step.late_p95_ms is None else with_unit(step.late_p95_ms, "ms"),
    )


def _standing(step: LoadStep) -> str:
    return str(step.high) if step.low == step.high else f"{step.low}–{step.high}"


def _at_once(step: LoadStep) -> str:
    return f"{_standing(step)} {'call' if step.high == 1 else 'calls'} at once"


def _shown(percentile: CensoredPercentile | None) -> str:
    if percentile is None:
        return "–"
    if percentile.value is None:
        return not_reached(percentile.not_before or 0.0, "ms")
    return with_unit(percentile.value, "ms")


def _ends(step: LoadStep) -> list[float]:
    if step.latency is None:
        return []
    drawn = (step.latency.p50, step.latency.p95)
    found = [end for one in drawn if one.value is not None for end in (one.value, one.interval.high)]
    return [one for one in found if one is not None]


def _line(
    steps: Sequence[LoadStep], name: str, highest: float
) -> tuple[tuple[LoadDot, ...], tuple[str, ...]]:
    dots: list[LoadDot] = []
    pieces: list[list[str]] = [[]]
    for place, step in enumerate(steps):
        found: CensoredPercentile | None = None if step.latency is None else getattr(step.latency, name)
        if found is None or found.value is None:
            pieces.append([])
            continue
        x, y = _x(place, len(steps)), _y(found.value, highest)
        pieces[-1].append(f"{x},{y}")
        low, high = found.interval.low, found.interval.high
        dots.append(
            LoadDot(
                x=x,
                y=y,
                low=None if low is None else _y(low, highest),
                high=None if high is None else _y(high, highest),
                title=f"{_at_once(step)}: {name} {with_unit(found.value, 'ms')}",
            )
        )
    return tuple(dots), tuple(" ".join(piece) for piece in pieces if len(piece) > 1)


def _x(place: int, steps: int) -> float:
    return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * (place + 0.5) / steps, 1)


def _y(ms: float, highest: float) -> float:
    share = min(1.0, max(0.0, ms / highest))
    return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * share, 1)
