"""Tables of measurements in pages of the documentation, and what they were made with."""

from __future__ import annotations

import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from harness._files.atomic_file import write_text


def put_into(path: Path, part: str, *, begin: str, end: str) -> None:
    """Puts a part in its place in a page, which its markers tell; at the end of a page without them.

    Args:
        part: With both markers.
    """
    page = path.read_text(encoding="utf-8") if path.is_file() else ""
    before, found_begin, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if found_begin and found_end:
        page = before + part + after
    else:
        page = (page.rstrip("\n") + "\n\n" if page else "") + part + "\n"
    write_text(path, page)


def made_with() -> str:
    """The commit of the sources that run, where they lie in a repository; else the installed version."""
    root = Path(__file__).resolve().parents[3]
    try:
        # Installed below somebody else's repository we are no part of it.
        if Path(_git(root, "rev-parse", "--show-toplevel")).resolve() == root:
            commit = _git(root, "rev-parse", "--short", "HEAD")
            changed = _git(root, "status", "--porcelain", "--untracked-files=no")
            return f"commit `{commit}`" + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        return f"version {version('outboundeval')}"
    except PackageNotFoundError:
        return "unknown version"


def _git(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout.strip()
