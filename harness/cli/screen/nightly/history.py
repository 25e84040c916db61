"""What a person reads of many nights: the last thirty at a glance, then each change of level."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.analysis.measures.units import unit_named
from harness.reports.history import now_told, without_told
from harness.runs.database.nights import Night, Place
from harness.scoring.history import Listen, Series, Step, branches
from spoken_language.outside_text import one_line

GLANCE = 30
_BARS = "▁▂▃▄▅▆▇█"
_BEYOND = "↑"
"""A night on which a percentile was not reached."""
_WORDS = {
    "passed": "[green]✓[/]",
    "failed": "[red]✗[/]",
    "inconclusive": "[yellow]?[/]",
    "not_placed": "[red]–[/]",
}


def print_history(
    console: Console, name: str, nights: Sequence[Night], series: Sequence[Series], listen: Listen
) -> None:
    """The whole history of one plan; ``listen``: where to listen to what got worse."""
    last = nights[-GLANCE:]
    since, newest = (escape(one_line(night.started_at[:10])) for night in (nights[0], nights[-1]))
    told = f"{len(nights)} nights, {since} to {newest}"
    console.print(f"[bold]{escape(one_line(name))}[/]  {told}", highlight=False)
    console.print("  " + "".join(_WORDS.get(night.word, "·") for night in last), highlight=False)
    several = branches(nights)
    if len(several) > 1:
        counts = ", ".join(f"{branch} {count}" for branch, count in several.items())
        told = f"branches: {counts} (--branch NAME shows one)"
        console.print(f"  [dim]{escape(one_line(told, most=400))}[/]", highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for heading in ("figure", f"last {len(last)}", "now", "night to night", ""):
        table.add_column(heading, header_style="dim")
    first = len(nights) - len(last)
    for one in series:
        table.add_row(escape(one.label), _glance(one, first, len(nights)), *_now(one, nights))
    console.print(table)
    for one in series:
        for step in one.steps:
            places = listen.get((one.figure, step.night), ())
            console.print(_told(one, step, nights, places), highlight=False, soft_wrap=True)


def _glance(one: Series, first: int, nights: int) -> str:
    shown = {point.night: point.value for point in one.points if point.night >= first}
    beyond = {point.night for point in one.without if point.why == "not reached"}
    low, high = min(shown.values(), default=0.0), max(shown.values(), default=0.0)
    return "".join(
        (_BEYOND if night in beyond else " ")
        if night not in shown
        else _BARS[int((shown[night] - low) / (high - low) * 7) if high > low else 3]
        for night in range(first, nights)
    ).rstrip()


def _now(one: Series, nights: Sequence[Night]) -> tuple[str, str, str]:
    unit = unit_named(one.unit)
    noise = f"±{unit.number(one.noise)} {unit.column}".rstrip() if one.noise is not None else ""
    if one.too_few:
        takes = one.too_few
    else:
        found = [f"{sd}× in {n}" for sd, n in zip((1, 2, 3), one.takes, strict=False) if n is not None]
        takes = f"a step of it is found: {', '.join(found)} nights" if found else ""
    told = "; ".join(filter(None, [takes, without_told(one, nights)]))
    return escape(one_line(now_told(one, nights, unit.column))), noise, f"[dim]{escape(told)}[/]"


def _told(one: Series, step: Step, nights: Sequence[Night], places: Sequence[Place]) -> str:
    unit = unit_named(one.unit)
    style = "red" if step.worse else "green" if step.worse is not None else "yellow"
    sd = f", {step.in_sd:.1f}× the night-to-night scatter" if step.in_sd is not None else ""
    night = nights[step.night]
    what = (
        f"[{style}]{escape(one.label)}[/] {unit.number(step.before)} → {unit.number(step.after)} "
        f"{unit.column} from {escape(one_line(night.started_at[:10]))} on{sd}, p {step.p:.3f}"
    )
    with_it = "; ".join(step.with_it) or "nothing that we know of changed with it"
    where = ", ".join(f"{place.call_id} at {place.second:.1f} s" for place in places)
    return f"{what}\n    with it: {escape(one_line(with_it, most=400))}" + (
        f"\n    listen: {escape(one_line(f'{night.folder}: {where}', most=300))}" if where else ""
    )
