"""The run in a screenful of Markdown, for a comment on a pull request.

Text from outside (ids, messages, addresses) goes into code spans only: there it can be no markup, no link and
no mention of a person.
"""

from __future__ import annotations

from pathlib import Path

from harness._files.code_span import code_span
from harness.reports.call import CallPanel
from harness.reports.junit import failed_calls
from harness.reports.parts.figures import Figure
from harness.reports.run import RunPage, run_page

MAX_LISTED = 20


def render_markdown(run_dir: Path) -> str:
    """Verdict, figures, failed calls, and how much to trust them.

    Raises:
        UserError: ``run_dir`` is no run.
    """
    return markdown(run_page(run_dir, drawn=False))


def markdown(run: RunPage) -> str:
    """The same from a run."""
    statuses = ", ".join(f"{status.n} {status.label}" for status in run.statuses)
    agents = ", ".join(map(code_span, run.agents)) or "unknown"
    red = failed_calls(run.verdict_list)
    parts = [
        f"### outboundeval: {code_span(run.name)}",
        f"**{run.headline}**. {run.verdict} ({statuses or 'no calls'}). Agent: {agents}.",
        *_checks(run),
        "\n".join(_figure_table(run.cards)),
        *_call_list("Calls that failed", [call for call in run.calls if call.id in red]),
        *_call_list("Harness faults (ours, in no figure)", list(run.faults)),
        *_call_list("Cut off (nobody's fault, in no figure)", list(run.cut_off)),
        *(["\n".join(f"Caller: {code_span(line)}  " for line in run.callers)] if run.callers else []),
        *(["\n".join(f"Simulator: {code_span(line)}  " for line in run.guard)] if run.guard else []),
        *_problems(run),
        "\n".join(f"Error bar: {code_span(line)}  " for line in run.instrument),
    ]
    return "\n\n".join(parts) + "\n"


def _checks(run: RunPage) -> list[str]:
    lines = [f"- {line.mark} {code_span(line.name)} {code_span(line.told)}" for line in run.checks]
    if len(lines) > MAX_LISTED:
        lines = [*lines[:MAX_LISTED], f"- and {len(lines) - MAX_LISTED} more"]
    told = [*lines, *(f"- {code_span(note)}" for note in run.check_notes)]
    return ["\n".join(told)] if told else []


def _figure_table(cards: tuple[Figure, ...]) -> list[str]:
    rows = ["| Metric | Value | 95 % interval | From |", "|---|---|---|---|"]
    for figure in cards:
        if figure.value is None:
            rows.append(f"| {figure.label} | *{figure.absent}* | | {code_span(figure.reason)} |")
            continue
        upper = [f"{part.name} {part.shown}" for part in figure.percentiles if part.name != "p50"]
        value = f"**{figure.shown} {figure.unit}**" + (f" ({', '.join(upper)})" if upper else "")
        rows.append(f"| {figure.label} | {value} | {figure.interval or '–'} | {figure.counted} |")
    return rows


def _call_list(title: str, calls: list[CallPanel]) -> list[str]:
    if not calls:
        return []
    lines = [
        f"- {code_span(call.id)} {call.status_label}: {code_span(call.detail)}" for call in calls[:MAX_LISTED]
    ]
    if len(calls) > MAX_LISTED:
        lines.append(f"- and {len(calls) - MAX_LISTED} more")
    return [f"**{title}**", "\n".join(lines)]


def _problems(run: RunPage) -> list[str]:
    if not run.problems:
        return []
    lines = [
        f"- {code_span(problem.file)} {code_span(problem.what)}" for problem in run.problems[:MAX_LISTED]
    ]
    if len(run.problems) > MAX_LISTED:
        lines.append(f"- and {len(run.problems) - MAX_LISTED} more")
    return ["**Files that could not be used as written**", "\n".join(lines)]
