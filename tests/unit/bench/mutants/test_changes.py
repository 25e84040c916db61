"""The changes of small modules, written out; and that a change which a test notices is told from others."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.mutants.changes import changed_tree, changes_of

ROOT = Path(__file__).parents[4]


def _changed(source: str) -> list[str]:
    return [ast.unparse(changed_tree(source, one.place, one.variant)) for one in changes_of(source, "m")]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("x = a < b", ["x = a <= b", "x = a >= b"]),
        ("x = a + b", ["x = a - b"]),
        ("x = a and b", ["x = a or b", "x = b", "x = a"]),
        ("x = not a", ["x = a"]),
        ("x = 3", ["x = 4", "x = 2"]),
        ("x = 0.5", ["x = 0.525", "x = 1.0"]),
        ("x = True", ["x = False"]),
        ("x = min(a)", ["x = max(a)"]),
        ("x = f(a, b=c)", ["x = f(a)"]),
        ("x = a[b:]", ["x = a[:]", "x = a[b + 1:]"]),
        ("x = {a: b}", ["x = {}"]),
        ("x = [a for a in b if a]", ["x = [a for a in b]"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        ("if a:\n    b()", ["pass", "if not a:\n    b()", "if a:\n    pass"]),
        ("raise ValueError(1)", ["pass"]),
    ],
)
def test_changes_of_one_line(source: str, changed: list[str]) -> None:
    assert sorted(_changed(source)) == sorted(changed)


@pytest.mark.parametrize(
    "source",
    [
        '"""Text of 3 words."""',
        "x: Literal[3]",
        "@dataclass(frozen=True)\nclass A:\n    pass",
        "def f(x: int) -> int:\n    pass",
        "model_config = ConfigDict(frozen=True)",
        "import a",
    ],
)
def test_what_decides_no_figure_is_left_alone(source: str) -> None:
    assert _changed(source) == []


def test_a_change_is_named_by_its_code_and_not_by_its_line() -> None:
    source = "def f(a):\n    g(a + 1)\n    g(a + 1)\n"
    names = [one.id for one in changes_of(source, "m")]
    assert "m:f: g(a + 1) -> g(a - 1)" in names
    assert "m:f: g(a + 1) -> g(a - 1) #2" in names
    assert names == [one.id for one in changes_of("\n\n" + source, "m")]
    assert len(names) == len(set(names))


def test_a_trial_tells_what_a_test_notices_from_what_none_does(tmp_path: Path) -> None:
    source = "def f(a):\n    while a > 5:\n        a -= 1\n    return a\n"
    (tmp_path / "toy.py").write_text(source)
    (tmp_path / "test_toy.py").write_text("from toy import f\n\n\ndef test_f():\n    assert f(7) in (4, 5)\n")
    changes = changes_of(source, "toy")
    asked = {
        "module": "toy",
        "path": str(tmp_path / "toy.py"),
        "tests": [str(tmp_path / "test_toy.py")],
        "changes": [(one.place, one.variant) for one in changes],
    }
    ran = subprocess.run(
        [sys.executable, "-m", "bench.mutants.trial"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MUTANTS_LEAST_LIMIT_S": "1"},
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    baseline, *answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert baseline["green"]
    assert len(answers) == len(changes)
    outcomes = [(changes[one["n"]], one["outcome"]) for one in answers]
    found = {one.becomes: outcome for one, outcome in outcomes if one.was != "a -= 1"}
    assert [becomes for becomes, outcome in found.items() if outcome == "open"] == [
        "while a >= 5: a -= 1",
        "while a > 4: a -= 1",
    ]
    steps = {one.becomes: outcome for one, outcome in outcomes if one.was == "a -= 1"}
    assert steps == {
        "pass": "killed by time",
        "a += 1": "killed by time",
        "a -= 2": "open",
        "a -= 0": "killed by time",
    }
