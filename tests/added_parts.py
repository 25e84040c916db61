"""Parts that another package adds through an entry point: the package is written by the test."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


def add_package(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    group: str,
    name: str,
    module: str,
    attribute: str,
    source: str,
) -> None:
    """Writes a package of one module and one entry point, and makes it importable here and in workers.

    Args:
        folder: Where; may hold several such packages.
        group, name: The entry point.
        module, attribute: What it points to.
        source: The module's text.
    """
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8"
    )
    (about / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}:{attribute}\n", encoding="utf-8")
    # Another test's module of that name must not be taken for this one.
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(str(folder))
    known = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{known}" if known else str(folder))
