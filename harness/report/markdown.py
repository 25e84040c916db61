"""The run in a screenful of Markdown, for a comment on a pull request.

Text from outside (ids, messages, addresses) goes into code spans only: there it can be no markup, no link and
no mention of a person.
"""

from __future__ import annotations

import re
from pathlib import Path

from harness.report.call_view import CallView
from harness.report.figure_view import Figure
from harness.report.junit import FAILURES
from harness.report.view import RunView, build_view

MAX_LISTED = 20
_MAX_CHARS = 200


def render_markdown(run_dir: Path) -> str:
    """Verdict, figures, failed calls, and how much to trust them.

    Raises:
        UserError: ``run_dir`` is no run.
    """
    return markdown(build_view(run_dir, drawn=False))


def markdown(view: RunView) -> str:
    """The same from a view."""
    statuses = ", ".join(f"{status.n} {status.label}" for status in view.statuses)
    agents = ", ".join(map(_code, view.agents)) or "unknown"
    parts = [
        f"### outboundeval: {_code(view.name)}",
        f"**{view.verdict}** ({statuses or 'no calls'}). Agent: {agents}.",
        "\n".join(_figure_table(view.cards)),
        *_call_list("Calls that failed", [call for call in view.calls if call.status in FAILURES]),
        *_call_list("Harness faults (ours, in no figure)", list(view.faulty)),
        *(["\n".join(f"Simulator: {_code(line)}  " for line in view.guard)] if view.guard else []),
        *_problems(view),
        "\n".join(f"Error bar: {_code(line)}  " for line in view.instrument),
    ]
    return "\n\n".join(parts) + "\n"


def _figure_table(cards: tuple[Figure, ...]) -> list[str]:
    rows = ["| Metric | Value | 95 % interval | From |", "|---|---|---|---|"]
    for figure in cards:
        if figure.value is None:
            rows.append(f"| {figure.label} | *{figure.absent}* | | {_code(figure.reason)} |")
            continue
        upper = [f"{part.name} {part.shown}" for part in figure.percentiles if part.name != "p50"]
        value = f"**{figure.shown} {figure.unit}**" + (f" ({', '.join(upper)})" if upper else "")
        rows.append(f"| {figure.label} | {value} | {figure.interval or '–'} | {figure.counted} |")
    return rows


def _call_list(title: str, calls: list[CallView]) -> list[str]:
    if not calls:
        return []
    lines = [f"- {_code(call.id)} {call.status_label}: {_code(call.detail)}" for call in calls[:MAX_LISTED]]
    if len(calls) > MAX_LISTED:
        lines.append(f"- and {len(calls) - MAX_LISTED} more")
    return [f"**{title}**", "\n".join(lines)]


def _problems(view: RunView) -> list[str]:
    if not view.problems:
        return []
    lines = [f"- {_code(problem.file)} {_code(problem.what)}" for problem in view.problems[:MAX_LISTED]]
    if len(view.problems) > MAX_LISTED:
        lines.append(f"- and {len(view.problems) - MAX_LISTED} more")
    return ["**Files that could not be used as written**", "\n".join(lines)]


def _code(text: str) -> str:
    """A code span on one line, safe in a table too."""
    plain = re.sub(r"\s+", " ", text).strip().replace("`", "'").replace("|", "¦")
    plain = "".join(char for char in plain if char.isprintable())
    return f"`{plain[:_MAX_CHARS] + '…' if len(plain) > _MAX_CHARS else plain or '-'}`"
