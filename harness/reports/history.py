"""Many nights as one page that needs no network: each figure as a line, each point leading to its run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from harness._files.self_contained_page import render
from harness.analysis.measures.units import unit_named
from harness.reports import TEMPLATES
from harness.runs.database.nights import Night
from harness.scoring.history import Listen, Series, branches

WIDTH, HEIGHT, MARGIN = 900.0, 150.0, 12.0
GLANCE = 30

Link = Callable[[Night], str]
"""From a night to the page of its run."""


@dataclass(frozen=True, kw_only=True)
class Dot:
    """A night of a figure, in pixels."""

    x: float
    y: float
    low: float | None
    high: float | None
    href: str
    told: str


@dataclass(frozen=True, kw_only=True)
class StepLine:
    """A change of level: where it is, and what is told of it."""

    x: float
    tone: str
    told: str
    with_it: tuple[str, ...]
    href: str
    listen: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Row:
    """A figure."""

    figure: str
    label: str
    unit: str
    now: str
    noise: str
    bottom: str
    top: str
    path: str
    dots: tuple[Dot, ...]
    steps: tuple[StepLine, ...]
    note: str


def history_page(
    name: str,
    nights: Sequence[Night],
    series: Sequence[Series],
    *,
    link: Link,
    listen: Listen,
    branch_link: Callable[[str], str] | None = None,
) -> str:
    """The page as HTML.

    Args:
        link: From a night to the page of its run.
        listen: Where to listen to what got worse.
        branch_link: From a branch of the user's code to its own page, where there are such pages.
    """
    several = branches(nights)
    return render(
        "history.html.j2",
        folder=TEMPLATES,
        styles=("page.css", "history.css"),
        scripts=("page.js",),
        name=name,
        first=nights[0].started_at[:10],
        last=nights[-1].started_at[:10],
        count=len(nights),
        glance=[
            {
                "word": night.word or "none",
                "href": link(night),
                "told": " ".join(part for part in (night.started_at[:10], night.word, night.branch) if part),
            }
            for night in nights[-GLANCE:]
        ],
        branches=[
            {"name": name, "count": count, "href": branch_link(name) if branch_link else ""}
            for name, count in several.items()
        ]
        if len(several) > 1
        else [],
        branch=next(iter(several)) if list(several.values()) == [len(nights)] else "",
        rows=[_row(one, nights, link, listen) for one in series],
        width=WIDTH,
        height=HEIGHT,
    )


def _row(one: Series, nights: Sequence[Night], link: Link, listen: Listen) -> Row:
    unit = unit_named(one.unit)
    ends = [end for point in one.points for end in (point.value, point.low, point.high) if end is not None]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    span = (high - low) or 1.0

    def x(night: int) -> float:
        return round(MARGIN + night / max(1, len(nights) - 1) * (WIDTH - 2 * MARGIN), 1)

    def y(value: float) -> float:
        return round(HEIGHT - MARGIN - (value - low) / span * (HEIGHT - 2 * MARGIN), 1)

    dots = tuple(
        Dot(
            x=x(point.night),
            y=y(point.value),
            low=None if point.low is None else y(point.low),
            high=None if point.high is None else y(point.high),
            href=link(nights[point.night]),
            told=f"{nights[point.night].started_at[:10]}: {unit.number(point.value)} {unit.suffix}"
            + (f", {nights[point.night].branch}" if nights[point.night].branch else ""),
        )
        for point in one.points
    )
    steps = tuple(
        StepLine(
            x=x(step.night),
            tone="bad" if step.worse else "good" if step.worse is not None else "open",
            told=f"{nights[step.night].started_at[:10]}: {unit.number(step.before)} to "
            f"{unit.number(step.after)} {unit.suffix}"
            + (f", {step.in_sd:.1f} times the night-to-night scatter" if step.in_sd is not None else "")
            + f" (p {step.p:.3f})",
            with_it=step.with_it,
            href=link(nights[step.night]),
            listen=tuple(
                (
                    f"{place.call_id} at {place.second:.1f} s",
                    f"{link(nights[step.night])}#call-{quote(place.call_id)}",
                )
                for place in listen.get((one.figure, step.night), ())
            ),
        )
        for step in one.steps
    )
    takes = [
        f"{sd} times it in {n} nights" for sd, n in zip((1, 2, 3), one.takes, strict=False) if n is not None
    ]
    step_told = one.too_few or (f"A step would be found: {', '.join(takes)}" if takes else "")
    return Row(
        figure=one.figure,
        label=one.label,
        unit=unit.suffix,
        now=now_told(one, nights, unit.suffix),
        noise="" if one.noise is None else f"±{unit.number(one.noise)} {unit.suffix} from night to night",
        bottom=unit.number(low) if ends else "",
        top=unit.number(high) if ends else "",
        path=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
        steps=steps,
        note=". ".join(filter(None, [step_told, without_told(one, nights).capitalize()])),
    )


def now_told(one: Series, nights: Sequence[Night], suffix: str) -> str:
    """The figure's last night: its value, or that it has none, with the last one that had, if one had."""
    if not one.points:
        return one.without[-1].why if one.without else "not measured"
    last = one.points[-1]
    value = f"{unit_named(one.unit).number(last.value)} {suffix}".rstrip()
    if one.tonight is None:
        return value
    return f"{one.tonight.why} (last: {value} on {nights[last.night].started_at[:10]})"


def without_told(one: Series, nights: Sequence[Night]) -> str:
    """On how many nights a figure has no value; empty: on none."""
    counts = Counter(point.why for point in one.without)
    told = [f"{why} on {n} of {len(nights)} nights" for why, n in sorted(counts.items(), reverse=True)]
    return f"{', '.join(told)}, which are in no search for a change of level" if told else ""


def beside(folder: Path) -> Link:
    """Links from a page in a folder to the pages of runs, wherever they lie on the same disk; where another
    run has taken a run's folder, to nothing."""

    def link(night: Night) -> str:
        if night.replaced:
            return "#"
        page = night.folder / "report" / "index.html"
        return quote(os.path.relpath(page, folder.resolve()))

    return link
