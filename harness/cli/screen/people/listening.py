"""What a person reads when ratings of a listening page were imported."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.records.scores import Summary
from harness.scoring.listening.ratings.importing import Import
from harness.scoring.listening.ratings.result import OpinionFigure
from metrics.score import Status
from spoken_language.outside_text import one_line


def print_import(console: Console, one: Import, summary: Summary | None = None) -> None:
    """Who counts, the figures of the page, and what ``mos`` of the run is now.

    Args:
        summary: Of the run; None of voices, whose ``mos`` stands in their own table.
    """
    result = one.result

    def line(text: str, style: str = "") -> None:
        console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    line(f"{one.store.folder}: {result.counted} of {len(result.raters)} raters count (page {result.sheet})")
    for rater in result.raters:
        for reason in rater.set_aside:
            line(f"  set aside: {one_line(rater.name, most=60)}: {reason}", "yellow")
    for problem in one.problems:
        line(f"  {problem}", "yellow")
    if result.figures:
        console.print(_table(result.figures))
    if result.method == "ccr":
        line("3 much better to -3 much worse; a comparison is no mos")
        return
    spread = next((f for f in result.figures if f.kind == "run" and f.raters_sd is not None), None)
    if spread is not None:
        line(
            f"spread of {spread.of}: raters {spread.raters_sd:.2f}, clips {spread.clips_sd:.2f}, "
            f"the rest {spread.rest_sd:.2f}"
        )
    if summary is None:
        return
    mos = summary.metrics.get("mos")
    if mos is None or mos.status is not Status.MEASURED or mos.value is None:
        line("mos: not measured: nobody who counts rated a clip of this run", "yellow")
        return
    interval = (
        f" ({mos.ci_low:.2f} to {mos.ci_high:.2f})"
        if mos.ci_low is not None and mos.ci_high is not None
        else ""
    )
    why = "" if interval else f", {mos.interval_method}"
    line(f"mos of the run: {mos.value:.2f}{interval}, n = {mos.n}: {mos.reason}{why}", "bold")


def _table(figures: tuple[OpinionFigure, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("", header_style="dim")
    for heading in ("mean", "95 % interval", "n", "raters", "clips"):
        table.add_column(heading, header_style="dim", justify="right")
    for one in figures:
        interval = (
            f"{one.ci_low:.2f} to {one.ci_high:.2f}"
            if one.ci_low is not None and one.ci_high is not None
            else one.method.removeprefix("no interval: ")
        )
        name = escape(one_line(one.of, most=80))
        what = f"anchor {name}" if one.kind == "anchor" else name
        table.add_row(what, f"{one.mean:.2f}", escape(interval), str(one.n), str(one.raters), str(one.clips))
    return table
