"""The table of recognisers or voices on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.analysis.components.figures import BY_GROUP, ComponentTable, SystemDifference
from metrics.score import Score, Status

_DIGITS = {"ratio": 3, "s": 2, "mos": 2}
CLEARLY = 0.05


def print_table(console: Console, table: ComponentTable) -> None:
    """Each figure with its interval, a column a system; then what differs, then why figures are missing."""
    if not table.complete:
        console.print("cut off: figures of what was done", style="yellow", highlight=False)
    for language in dict.fromkeys(row.language for row in table.rows):
        rows = [row for row in table.rows if row.language == language]
        shown = Table(title=f"{'Recognisers' if table.kind == 'asr' else 'Voices'}, {language}")
        shown.add_column("figure")
        for row in rows:
            failed = f", {row.failed} failed" if row.failed else ""
            shown.add_column(f"{escape(row.system)}\n{row.items} items{failed}")
        for metric in rows[0].scores:
            scores = [row.scores.get(metric) for row in rows]
            if any(one is not None and one.status is not Status.NOT_APPLICABLE for one in scores):
                shown.add_row(metric, *(_cell(one) for one in scores))
        console.print(shown)
    for difference in table.differences:
        _print_difference(console, difference)
    for line in _reasons(table):
        console.print(line, style="dim", markup=False, highlight=False)
    console.print(f"kept in {table.folder}", style="dim", markup=False, highlight=False)


def _cell(score: Score | None) -> str:
    if score is None or score.value is None:
        return "" if score is None else f"({score.status.replace('_', ' ')})"
    digits = _DIGITS.get(score.unit, 3)
    told = f"{score.value:.{digits}f}"
    if score.ci_low is not None and score.ci_high is not None:
        told += f" ({score.ci_low:.{digits}f} to {score.ci_high:.{digits}f})"
    return told


def _print_difference(console: Console, one: SystemDifference) -> None:
    ends = f" (90 % {one.low:+.3f} to {one.high:+.3f})" if None not in (one.low, one.high) else ""
    console.print(
        f"{one.metric}, {one.language}: {one.candidate} minus {one.baseline} {one.estimate:+.3f}{ends}, "
        f"p {one.p:.3f}, {one.p_adjusted:.3f} over the table, {one.pairs} pairs",
        style="bold" if one.p_adjusted < CLEARLY else "",
        markup=False,
        highlight=False,
    )


def _reasons(table: ComponentTable) -> list[str]:
    found = {
        f"{score.metric}: {score.reason}"
        for row in table.rows
        for score in row.scores.values()
        if score.reason and score.status is not Status.MEASURED
    }
    measured = {
        f"{row.system}, {score.metric}: {score.reason}"
        for row in table.rows
        for score in row.scores.values()
        if score.reason and score.status is Status.MEASURED
    }
    failed = {f"{row.system}: {row.failed} failed: {row.why_failed}" for row in table.rows if row.failed}
    return [*sorted(failed), *sorted(measured), *_doubts(table), *sorted(found), *table.notes]


def _doubts(table: ComponentTable) -> list[str]:
    """What makes intervals doubtful, with the figures that it is about."""
    about: dict[str, dict[str, None]] = {}
    for row in table.rows:
        for score in row.scores.values():
            if score.ci_low is not None and score.interval_method not in ("", BY_GROUP):
                about.setdefault(score.interval_method, {})[score.metric] = None
    return [f"interval of {', '.join(metrics)}: {method}" for method, metrics in sorted(about.items())]
