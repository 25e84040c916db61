"""Figures over the nights: level by level, with where the level changed and what changed with it.

A step on a night when the benchmark or an instrument became another may be ours, not the agent's: what
changed with it is told.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from harness.analysis.measures.table import catalogue
from harness.runs.database.nights import Night, NightFigure, Place, places
from metrics.comparison.change_points import FEWEST_NIGHTS, change_points, nights_needed, scatter
from metrics.score import Status

Listen = Mapping[tuple[str, int], Sequence[Place]]
"""Places by figure and position of a night among all nights."""
WATCHED = (
    "response_latency_ms",
    "response_latency_ms.p95",
    "response_rate",
    "interruption_stop_rate",
    "interruption_delay_ms",
    "wer",
    "nisqa_mos",
    "tfc",
    "gic",
    "final",
)
_CIRCUMSTANCES = {
    "agent": "the agent",
    "address": "the agent's address",
    "revision": "your revision",
    "branch": "your branch",
    "outboundeval": "outboundeval",
    "benchmark": "the benchmark's content or callers",
    "machine": "the machine",
    "plan_digest": "the plan",
}


@dataclass(frozen=True, kw_only=True)
class Step:
    """A change of level.

    Attributes:
        night: Position of its first night among all nights.
        change: After minus before, in the figure's unit; ``in_sd``: in night-to-night standard deviations.
        worse: Which way; None where nobody says which way is better.
        with_it: What else was another from that night on.
    """

    night: int
    before: float
    after: float
    in_sd: float | None
    p: float
    worse: bool | None
    with_it: tuple[str, ...]

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, kw_only=True)
class Point:
    """A night of a figure: its position among all nights, and its value with its interval."""

    night: int
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class NoPoint:
    """A night on which a figure has no value. Not reached: too much never came for the percentile to be
    known; it lies beyond what is."""

    night: int
    why: Literal["not reached", "not measured"]


@dataclass(frozen=True, kw_only=True)
class Series:
    """A figure over the nights.

    Attributes:
        without: Nights without a value. They are in no search for a change of level: by how much a percentile
            that is not reached lies higher is not known.
        noise: Night-to-night standard deviation around its levels; None with too few nights.
        takes: About how many nights it takes to find a step of one, two, three of those; None: never, with
            so few nights behind it.
    """

    figure: str
    label: str
    unit: str
    points: tuple[Point, ...]
    without: tuple[NoPoint, ...]
    steps: tuple[Step, ...]
    noise: float | None
    takes: tuple[int | None, ...] = ()
    too_few: str = ""

    @property
    def tonight(self) -> NoPoint | None:
        """Why the last night has no value; None where it has one."""
        last = self.without[-1] if self.without else None
        return (
            last
            if last is not None and last.night > max((p.night for p in self.points), default=-1)
            else None
        )


def series_of(nights: Sequence[Night], figure: str) -> Series:
    """A figure over the nights."""
    name, _, part = figure.partition(".")
    entry = catalogue().get(name)
    points = []
    without = []
    for position, night in enumerate(nights):
        found = night.figures.get(name)
        value = None if found is None else found.p95 if part == "p95" else found.value
        if found is not None and value is not None and math.isfinite(value):
            plain = not part
            points.append(
                Point(
                    night=position,
                    value=value,
                    low=found.low if plain else None,
                    high=found.high if plain else None,
                )
            )
        else:
            without.append(NoPoint(night=position, why=_why_none(found, part)))
    values = [point.value for point in points]
    steps = change_points(values)
    noise = scatter(values, steps)
    better = entry.better if entry else None
    return Series(
        figure=figure,
        label=(entry.label if entry else name) + (f" {part}" if part else ""),
        unit=next((n.figures[name].unit for n in nights if name in n.figures), ""),
        points=tuple(points),
        without=tuple(without),
        steps=tuple(
            Step(
                night=points[step.at].night,
                before=step.before,
                after=step.after,
                in_sd=abs(step.after - step.before) / noise if noise else None,
                p=step.p,
                worse=None if better is None else (step.after > step.before) == (better == "lower"),
                with_it=_changed(nights[points[step.at - 1].night], nights[points[step.at].night]),
            )
            for step in steps
        ),
        noise=noise,
        takes=tuple(nights_needed(len(values), step_in_sd=sd) for sd in (1.0, 2.0, 3.0)) if noise else (),
        too_few=f"{len(values)} nights: from {FEWEST_NIGHTS} on a change of level can be told"
        if len(values) < FEWEST_NIGHTS
        else "",
    )


def _why_none(found: NightFigure | None, part: str) -> Literal["not reached", "not measured"]:
    """A median that is not reached is indeterminate, and tells of how many it is; a figure that has a value
    and no p95 does not reach that."""
    if found is None:
        return "not measured"
    median = found.value is None and found.status == Status.INDETERMINATE and found.n > 0
    higher = bool(part) and found.value is not None and found.p95 is None
    return "not reached" if median or higher else "not measured"


def branches(nights: Sequence[Night]) -> dict[str, int]:
    """How many nights each branch of the user's code has, most first; of some none is told."""
    found = Counter(night.branch for night in nights if night.branch)
    return dict(found.most_common())


def history(nights: Sequence[Night], figures: Sequence[str] = WATCHED) -> list[Series]:
    """Every figure that was measured on some night, or was not reached on one."""
    found = [series_of(nights, figure) for figure in figures]
    return [one for one in found if one.points or any(none.why == "not reached" for none in one.without)]


def listen_to(store: str, nights: Sequence[Night], series: Sequence[Series]) -> Listen:
    """Where to listen to each step for the worse: the worst places of that figure on the first such night.

    Raises:
        UserError: The store cannot be read.
    """
    found: dict[tuple[str, int], tuple[Place, ...]] = {}
    for one in series:
        metric = one.figure.partition(".")[0]
        entry = catalogue().get(metric)
        for step in one.steps:
            night = nights[step.night]
            if step.worse and not night.replaced:
                highest = entry is None or entry.better != "higher"
                found[one.figure, step.night] = tuple(
                    places(store, night.folder, metric, highest=highest, key=night.key)
                )
    return found


def _changed(before: Night, after: Night) -> tuple[str, ...]:
    told = [
        f"{name}: {getattr(before, key) or 'not told'}, then {getattr(after, key) or 'not told'}"
        for key, name in _CIRCUMSTANCES.items()
        if getattr(before, key) != getattr(after, key)
    ]
    told += [
        f"{name}: {before.versions.get(name, 'none')}, then {after.versions.get(name, 'none')}"
        for name in sorted(before.versions.keys() | after.versions.keys())
        if before.versions.get(name) != after.versions.get(name) and name not in _CIRCUMSTANCES
    ]
    return tuple(told[:12])
