"""Which files ``-m long`` leaves unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.long_ones import has_none

LONG = "import pytest\n@pytest.mark.long\ndef test_a(): ...\n"
PARAMETER = "CASES = [pytest.param(1, marks=pytest.mark.long)]\n"
SHORT = "def test_how_long_it_takes(): ...\n"


@pytest.mark.parametrize(
    ("name", "text", "expression", "none"),
    [
        ("test_a.py", LONG, "long", False),
        ("test_a.py", PARAMETER, "long", False),
        ("test_a.py", SHORT, "long", True),
        ("test_a.py", SHORT, "", False),
        ("test_a.py", SHORT, "not long", False),
        ("conftest.py", SHORT, "long", False),
        ("helpers.py", SHORT, "long", False),
    ],
)
def test_only_files_of_tests_without_the_mark(
    name: str, text: str, expression: str, none: bool, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert has_none(tmp_path / name, expression) is none


def test_folders_are_entered(tmp_path: Path) -> None:
    (tmp_path / "test_folder").mkdir()
    assert not has_none(tmp_path / "test_folder", "long")


def test_the_mark_is_written_where_the_tests_are() -> None:
    """From another module nobody would find it."""
    tests = Path(__file__).parents[1]
    others = [path for path in tests.rglob("*.py") if not path.name.startswith("test_")]
    assert len(others) > 50
    assert [path for path in others if "mark.long" in path.read_text(encoding="utf-8")] == []
