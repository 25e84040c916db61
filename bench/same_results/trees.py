"""A commit checked out beside the repository, and our command line run with its code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND_S = 3600.0


class CommandFailed(Exception):
    """A command ended in a way in which it has no result; the message has what it said."""


@dataclass(frozen=True, kw_only=True)
class Tree:
    """Code, and a folder for what it makes.

    Attributes:
        commit: Under which results may be kept; None for a tree with changes.
        work: Empty at first, for all that this tree makes.
    """

    root: Path
    work: Path
    commit: str | None

    def outboundeval(self, *arguments: str, ends_with: tuple[int, ...] = (0,), home: str = "home") -> str:
        """What a command printed on stdout; run in :attr:`work`. ``home``: where its measures are kept."""
        return self.python("-m", "harness.cli", *arguments, ends_with=ends_with, home=home)

    def python(self, *arguments: str, ends_with: tuple[int, ...] = (0,), home: str = "home") -> str:
        """Runs this interpreter with the code of the tree, a home and a cache of its own."""
        self.work.mkdir(parents=True, exist_ok=True)
        own = {
            "PYTHONPATH": str(self.root),
            "OUTBOUNDEVAL_HOME": str(self.work / home),
            "OUTBOUNDEVAL_CACHE": str(self.work / "cache"),
            "COLUMNS": "200",
        }
        ran = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.work,
            env={**os.environ, **own},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        if ran.returncode not in ends_with:
            raise CommandFailed(
                f"{self.root}: {' '.join(arguments)[:200]}: {ran.returncode}\n{ran.stderr[-3000:]}"
            )
        return ran.stdout


@contextmanager
def checked_out(rev: str, work: Path) -> Iterator[Tree]:
    """A commit in a worktree, which is taken away afterwards."""
    commit = _git("rev-parse", "--verify", f"{rev}^{{commit}}")
    root = work / "trees" / commit[:12]
    if root.exists():
        _git("worktree", "remove", "--force", str(root))
    _git("worktree", "add", "--quiet", "--detach", str(root), commit)
    try:
        yield Tree(root=root, work=work / commit[:12], commit=commit)
    finally:
        _git("worktree", "remove", "--force", str(root))


@contextmanager
def standing_in(work: Path) -> Iterator[Tree]:
    """The tree of this file."""
    yield Tree(root=ROOT, work=work / f"tree-{os.getpid()}", commit=None)


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()
