"""What language models are asked when personas are made: one file a step, its version in its name.

Whoever changes a file gives it a new version here; what was written under the old one is then written again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

VERSIONS: Mapping[str, int] = {
    "curate": 1,
    "persona": 2,
    "extract": 1,
    "generalise": 1,
    "enrich": 1,
    "humanise": 1,
    "scale": 1,
    "examples": 1,
}
"""``persona`` says what the fields of a persona are, for all steps that write one."""


@cache
def prompt(name: str) -> str:
    """The text of a prompt in its present version."""
    path = Path(__file__).parent / f"{name}.v{VERSIONS[name]}.md"
    return path.read_text(encoding="utf-8").strip()


def version_of(*names: str) -> str:
    """``extract1.persona2``."""
    return ".".join(f"{name}{VERSIONS[name]}" for name in names)
