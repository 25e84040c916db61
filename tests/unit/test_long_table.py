"""The page of the long tests: what it counts, and that a failure is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.long_table import Tally, commit_of, table

CONFTEST = """
from tests import long_table, spreading

def pytest_addoption(parser):
    long_table.add_option(parser)

def pytest_configure(config):
    spreading.spread(config)
    long_table.write_at_the_end(config)
"""
TESTS = """
import pytest
def test_good(): pass
def test_bad(): assert False
def test_left_out(): pytest.skip("no reason")
@pytest.fixture
def broken():
    yield
    raise OSError
def test_breaks_afterwards(broken): pass
"""


def test_every_file_has_its_line_and_every_failure_its_name() -> None:
    tallies = {
        "tests/b.py": Tally(outcomes={"passed": 1, "failed": 1, "skipped": 0}, seconds=61.4),
        "tests/a.py": Tally(outcomes={"passed": 2, "failed": 0, "skipped": 3}, seconds=0.2),
    }
    page = table(tallies, commit="`abc`", date="2026-01-02", minutes=1.26, failed=["tests/b.py::test_c"])
    assert "on 2026-01-02, commit `abc`" in page
    assert "**3 passed, 1 failed, 3 skipped in 1.3 minutes**" in page
    lines = page.splitlines()
    assert lines.index("| `tests/a.py` | 2 | 0 | 3 | 0 |") + 1 == lines.index(
        "| `tests/b.py` | 1 | 1 | 0 | 61 |"
    )
    assert "- `tests/b.py::test_c`" in lines


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one after the other", "spread"])
def test_a_session_writes_it(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--long-table", "page.md"]
    ended = subprocess.run(
        [*command, *workers, str(tmp_path)],
        cwd=tmp_path,
        env=kept | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "1 passed, 2 failed, 1 skipped" in page
    assert "| `test_some.py` | 1 | 2 | 1 |" in page
    assert "commit unknown" in page


def test_changes_that_are_not_committed_are_told(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        about = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
        subprocess.run(["git", "-C", str(tmp_path), *about, *arguments], check=True, capture_output=True)

    if shutil.which("git") is None:
        pytest.skip("needs git, which .ci/run installs")
    git("init", "--quiet")
    (tmp_path / "file").write_text("one", encoding="utf-8")
    git("add", "file")
    git("commit", "--quiet", "--message", "one")
    assert commit_of(tmp_path).count("`") == 2
    assert "with changes" not in commit_of(tmp_path)
    (tmp_path / "file").write_text("two", encoding="utf-8")
    assert commit_of(tmp_path).endswith("` with changes")
