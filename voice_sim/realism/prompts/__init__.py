"""What a language model is asked about realism: one file a question, its version in its name.

Whoever changes a file gives it a new version here: verdicts of two versions are not of one kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

VERSIONS: Mapping[str, int] = {"score": 1, "detect": 1, "compare": 1}


@cache
def prompt(name: str) -> str:
    """The text of a question in its present version."""
    path = Path(__file__).parent / f"{name}.v{VERSIONS[name]}.md"
    return path.read_text(encoding="utf-8").strip()


def prompts_version() -> str:
    """``score1.detect1.compare1``."""
    return ".".join(f"{name}{version}" for name, version in VERSIONS.items())
