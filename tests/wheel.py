"""The wheel as it would be published, built from a copy of the tree so that no earlier build is in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build_wheel(folder: Path) -> Path:
    """Builds it below ``folder``; gives the file."""
    source = folder / "source"
    source.mkdir()
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, source)
        elif (path / "__init__.py").is_file():
            # The tests and the bench too: they lie there to tempt, and must not come into the wheel.
            shutil.copytree(path, source / path.name, ignore=shutil.ignore_patterns("__pycache__"))
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder / "wheel"), str(source))
    [wheel] = (folder / "wheel").glob("outboundeval-*.whl")
    return wheel


def pip(*arguments: str) -> None:
    """Runs pip, quietly unless it fails."""
    done = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
