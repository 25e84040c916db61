"""What the pages say of files that a reader writes: every key has a line, and the examples can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def examples() -> list[tuple[str, str]]:
    """Every block of YAML, with the page and the line where it begins."""
    return [
        (f"{page.name}:{text[: block.start()].count(chr(10)) + 1}", block.group(1))
        for page in PAGES
        for text in [page.read_text(encoding="utf-8")]
        for block in re.finditer(r"```ya?ml\n(.*?)```", text, re.DOTALL)
    ]


@pytest.mark.parametrize(("where", "example"), examples())
def test_an_example_in_yaml_is_yaml(where: str, example: str) -> None:
    assert yaml.safe_load(example) is not None, where
