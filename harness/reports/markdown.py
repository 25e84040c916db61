"""The run in a screenful of Markdown, for a comment on a pull request.

Text from outside (ids, messages, addresses) goes into code spans only: there it can be no markup, no link and
no mention of a person.
"""

from __future__ import annotations

from pathlib import Path

from harness._files.code_span import code_span
from harness.reports.call import CallView
from harness.reports.junit import FAILURES
from harness.reports.parts.figures import Figure
from harness.reports.run import RunView, build_view

MAX_LISTED = 20


def render_markdown(run_dir: Path) -> str:
    """Verdict, figures, failed calls, and how much to trust them.

    Raises:
        UserError: ``run_dir`` is no run.
    """
    return markdown(build_view(run_dir, drawn=False))


def markdown(view: RunView) -> str:
    """The same from a view."""
    statuses = ", ".join(f"{status.n} {status.label}" for status in view.statuses)
    agents = ", ".join(map(code_span, view.agents)) or "unknown"
    parts = [
        f"### outboundeval: {code_span(view.name)}",
        f"**{view.verdict}** ({statuses or 'no calls'}). Agent: {agents}.",
        "\n".join(_figure_table(view.cards)),
        *_call_list("Calls that failed", [call for call in view.calls if call.status in FAILURES]),
        *_call_list("Harness faults (ours, in no figure)", list(view.faulty)),
        *(["\n".join(f"Simulator: {code_span(line)}  " for line in view.guard)] if view.guard else []),
        *_problems(view),
        "\n".join(f"Error bar: {code_span(line)}  " for line in view.instrument),
    ]
    return "\n\n".join(parts) + "\n"


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


def _call_list(title: str, calls: list[CallView]) -> list[str]:
    if not calls:
        return []
    lines = [
        f"- {code_span(call.id)} {call.status_label}: {code_span(call.detail)}" for call in calls[:MAX_LISTED]
    ]
    if len(calls) > MAX_LISTED:
        lines.append(f"- and {len(calls) - MAX_LISTED} more")
    return [f"**{title}**", "\n".join(lines)]


def _problems(view: RunView) -> list[str]:
    if not view.problems:
        return []
    lines = [
        f"- {code_span(problem.file)} {code_span(problem.what)}" for problem in view.problems[:MAX_LISTED]
    ]
    if len(view.problems) > MAX_LISTED:
        lines.append(f"- and {len(view.problems) - MAX_LISTED} more")
    return ["**Files that could not be used as written**", "\n".join(lines)]
