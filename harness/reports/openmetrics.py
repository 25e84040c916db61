"""``RUN/metrics.prom``: the run's figures and its verdict as OpenMetrics text, for a scraper of files.

A figure without a value has no sample. Units are those of ``summary.json``; nothing of a call is in it.
"""

from __future__ import annotations

import re
from pathlib import Path

from harness._files.atomic_file import write_text
from harness.errors import NotWritten
from harness.records.verdict import Word
from harness.reports.run import RunPage, run_page
from harness.runs.reader import read_run
from metrics.score import Status

OPENMETRICS_FILE = "metrics.prom"
_WORDS: tuple[Word, ...] = ("passed", "failed", "inconclusive", "not_placed")


def write_openmetrics(run_dir: Path) -> Path:
    """Writes the file and returns where it is.

    Raises:
        UserError: ``run_dir`` is no run.
        NotWritten: The file cannot be written.
    """
    path = run_dir / OPENMETRICS_FILE
    try:
        write_text(path, openmetrics(run_dir))
    except OSError as error:
        raise NotWritten.of(path, error) from error
    return path


def openmetrics(run_dir: Path) -> str:
    """The text of the file."""
    page = run_page(run_dir, drawn=False)
    summary = read_run(run_dir).summary
    run = f'run="{_label(page.name)}"'
    lines = [*_verdict(page, run)]
    lines += ["# TYPE outboundeval_calls gauge", "# HELP outboundeval_calls Calls by status."]
    lines += [f'outboundeval_calls{{{run},status="{one.status}"}} {one.n}' for one in page.statuses]
    for name, score in (summary.metrics if summary else {}).items():
        if score.status is not Status.MEASURED or score.value is None:
            continue
        metric = "outboundeval_" + re.sub(r"[^a-zA-Z0-9_]", "_", name)
        lines += [f"# TYPE {metric} gauge", f"{metric}{{{run}}} {score.value!r}"]
        ends = (("low", score.ci_low), ("high", score.ci_high), ("p90", score.p90), ("p95", score.p95))
        for part, value in ends:
            if value is not None:
                lines += [f"# TYPE {metric}_{part} gauge", f"{metric}_{part}{{{run}}} {value!r}"]
    return "\n".join([*lines, "# EOF"]) + "\n"


def _verdict(page: RunPage, run: str) -> list[str]:
    lines = ["# TYPE outboundeval_verdict stateset"]
    lines += [
        f'outboundeval_verdict{{{run},outboundeval_verdict="{word}"}} {int(page.verdict_list.word == word)}'
        for word in _WORDS
    ]
    lines.append("# TYPE outboundeval_checks gauge")
    for result in ("passed", "failed", "inconclusive", "undecided"):
        found = len([one for one in page.verdict_list.checks if one.result == result])
        lines.append(f'outboundeval_checks{{{run},result="{result}"}} {found}')
    return lines


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
