"""What ``make test-long`` came to, as a page for ``docs``: ``pytest -m long --long-table=docs/test-long.md``.

Written when the session ends, whether it is green or not: the page says so. A session that was cut short,
or that ran no test, writes none.
"""

from __future__ import annotations

import datetime
import os
import subprocess
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

OPTION = "long_table"
COMMAND = "make test-long"
OUTCOMES = ("passed", "failed", "skipped")


def add_option(parser: pytest.Parser) -> None:
    parser.addoption("--long-table", dest=OPTION, type=Path, help="write a page of what the tests came to")


def write_at_the_end(config: pytest.Config) -> None:
    """To be called when pytest is configured; the workers of pytest-xdist write nothing."""
    page = config.getoption(OPTION, default=None)
    if page is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Table(page, config.rootpath), "long-table")


@dataclass
class Tally:
    """Of the tests of one file."""

    outcomes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    seconds: float = 0.0
    """Of all of them one after the other, with their preparations."""

    @property
    def tests(self) -> int:
        return sum(self.outcomes.values())


class _Table:
    def __init__(self, page: Path, root: Path) -> None:
        self._page = page
        self._root = root
        self._began = time.monotonic()
        self._outcome_of: dict[str, str] = {}
        self._seconds_of: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds_of[report.nodeid] += report.duration
        known = self._outcome_of.get(report.nodeid, "passed")
        # An error before or after a test is one of the test.
        self._outcome_of[report.nodeid] = max(
            known, report.outcome, key=("passed", "skipped", "failed").index
        )

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or not self._outcome_of:
            return
        tallies: dict[str, Tally] = defaultdict(Tally)
        for nodeid, outcome in self._outcome_of.items():
            tally = tallies[nodeid.split("::", 1)[0]]
            tally.outcomes[outcome] += 1
            tally.seconds += self._seconds_of[nodeid]
        failed = sorted(nodeid for nodeid, outcome in self._outcome_of.items() if outcome == "failed")
        minutes = (time.monotonic() - self._began) / 60
        page = table(tallies, commit=commit_of(self._root), date=_today(), minutes=minutes, failed=failed)
        self._page.write_text(page, encoding="utf-8")


def table(tallies: dict[str, Tally], *, commit: str, date: str, minutes: float, failed: list[str]) -> str:
    """The page, in Markdown."""
    total = {outcome: sum(one.outcomes[outcome] for one in tallies.values()) for outcome in OUTCOMES}
    lines = [
        "# The last long test",
        "",
        f"`{COMMAND}` on {date}, commit {commit}, {os.cpu_count()} cores: "
        f"**{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped "
        f"in {minutes:.1f} minutes**. Written by the command.",
        "",
        "| Tests | passed | failed | skipped | seconds, one after the other |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| `{file}` | {one.outcomes['passed']} | {one.outcomes['failed']} | {one.outcomes['skipped']} "
        f"| {one.seconds:.0f} |"
        for file, one in sorted(tallies.items())
    ]
    if failed:
        lines += ["", "Failed:", "", *(f"- `{nodeid}`" for nodeid in failed)]
    return "\n".join([*lines, ""])


def commit_of(root: Path) -> str:
    """The commit that is checked out, in code quotes; says where files differ from it."""
    try:
        commit = _git(root, "rev-parse", "--short", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"`{commit}`" + (" with changes" if changed else "")


def _git(root: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()
