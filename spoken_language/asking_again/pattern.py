"""Patterns that are too long for a line."""

from __future__ import annotations

import re


def pattern(lines: str) -> re.Pattern[str]:
    """A pattern that is written over several lines: line ends and indents do not count, nor does the case."""
    return re.compile(re.sub(r"\n *", "", lines.strip()), re.IGNORECASE)
