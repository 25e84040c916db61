"""Of ``-m long`` the files without such a test are not even read.

There are ten times as many of them, and every worker of pytest-xdist collects for itself: eight of them took
seven minutes on two cores until the first test began.
"""

from __future__ import annotations

import re
from pathlib import Path

EXPRESSION = "long"
_MARK = re.compile(r"\bmark\.long\b")


def has_none(path: Path, expression: str) -> bool:
    """Whether a file of tests holds none of those that are asked for.

    Args:
        expression: What ``-m`` says.
    """
    if expression != EXPRESSION or not (path.name.startswith("test_") and path.suffix == ".py"):
        return False
    return _MARK.search(path.read_text(encoding="utf-8")) is None
