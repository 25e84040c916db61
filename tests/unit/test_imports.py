"""Who may import whom. Every module is parsed, none is run.

- ``voice_sim`` and ``metrics`` import neither each other nor ``harness``; ``harness`` imports both.
- ``spoken_language`` is below both: it imports none of ours.
- ``fixtures`` is data, which ``harness`` finds by its folder and imports nothing of: installed it has another
  name. ``fixtures.agents`` are strangers to be called: they import none of the others.
- ``outboundeval`` is what a program of somebody else imports: it imports nothing else of ours.
- No product code imports the tests or the bench.
- Inside ``harness`` a room imports only rooms below it: :data:`ROOMS` is the house from the top floor down.
- Our own code is imported at the top of a module, never inside a function, and modules form no cycle: an
  import that has to be hidden in a function means that something is in the wrong place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = ("spoken_language", "voice_sim", "metrics", "harness", "fixtures", "outboundeval")
OURS = (*PRODUCT, "tests", "bench")

FORBIDDEN = {
    "outboundeval": ("spoken_language", "voice_sim", "metrics", "harness", "fixtures", "tests", "bench"),
    "spoken_language": ("voice_sim", "metrics", "harness", "outboundeval", "fixtures", "tests", "bench"),
    "voice_sim": ("metrics", "harness", "outboundeval", "fixtures", "tests", "bench"),
    "metrics": ("voice_sim", "harness", "outboundeval", "fixtures", "tests", "bench"),
    "harness": ("outboundeval", "fixtures", "tests", "bench"),
    "fixtures": ("tests", "bench"),
    "fixtures.agents": ("spoken_language", "voice_sim", "metrics", "harness"),
}
"""Who (with everything below) -> what it must not import (with everything below)."""

ROOMS = (
    "cli",
    "reports",
    "selfcheck",
    "scoring",
    "judging",
    "runs",
    "analysis",
    "calls",
    "transports",
    "records",
    "plans",
    "scenarios",
    "models",
    "_files",
)
"""The rooms of ``harness``, from the top floor down; modules at its root are the ground under all."""
MOST_FILES = 14
"""Directly in a folder: in more nobody finds anything. ``harness/cli/commands`` is a list of commands."""

Sources = Mapping[str, str]
"""Module name -> its text. A package's own module ends in ``.__init__``."""


@dataclass(frozen=True, kw_only=True)
class Import:
    """One import of our own code."""

    importer: str
    target: str
    line: int
    in_function: bool


def test_product_keeps_the_rules() -> None:
    sources = read_sources(ROOT)
    assert {name.partition(".")[0] for name in sources} == set(PRODUCT)
    assert broken_rules(sources) == []


def test_every_room_has_its_place() -> None:
    rooms = {path.name for path in (ROOT / "harness").iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(ROOMS)


def test_no_folder_is_a_heap() -> None:
    heaps = {
        str(folder.relative_to(ROOT)): len(files)
        for package in ("harness", "metrics", "spoken_language", "voice_sim")
        for folder in [ROOT / package, *(ROOT / package).rglob("*/")]
        if folder.name != "__pycache__"
        and len(files := [path for path in folder.iterdir() if path.is_file()]) > MOST_FILES
    }
    heaps.pop("harness/cli/commands", None)
    assert heaps == {}


def test_every_unit_test_lies_where_its_module_lies() -> None:
    strays = []
    for package in ("harness", "metrics", "spoken_language", "voice_sim"):
        for path in sorted((ROOT / "tests" / "unit" / package).rglob("test_*.py")):
            place = path.relative_to(ROOT / "tests" / "unit")
            if not (ROOT / place.parent).is_dir():
                strays.append(str(place))
    assert strays == []


PLANTED = {
    "out of the ground": (
        {"spoken_language.a": "import metrics.score"},
        "spoken_language.a:1 imports metrics.score",
    ),
    "direction": ({"voice_sim.a": "import metrics.score"}, "voice_sim.a:1 imports metrics.score"),
    "from a package": ({"metrics.a": "x = 1\nfrom voice_sim import tts"}, "metrics.a:2 imports voice_sim"),
    "stranger": ({"fixtures.agents.a": "from harness import clock"}, "fixtures.agents.a:1 imports harness"),
    "tests in product": ({"harness.a": "import tests.conftest"}, "harness.a:1 imports tests.conftest"),
    "relative, out of its package": (
        {"metrics.a.b": "from ...harness import plan"},
        "metrics.a.b:1 leaves its package by a relative import",
    ),
    "under TYPE_CHECKING": (
        {"metrics.a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import harness.plans.plan"},
        "metrics.a:3 imports harness.plans.plan",
    ),
    "by name": (
        {"metrics.a": "import importlib\nm = importlib.import_module('harness.plans.plan')"},
        "metrics.a:2 imports harness.plans.plan",
    ),
    "in a function": (
        {"harness.a": "def f():\n    from harness.b import g", "harness.b": "g = 1"},
        "harness.a:2 imports harness.b inside a function",
    ),
    "in a method, relative": (
        {"harness.a": "class C:\n    async def f(self):\n        from . import b", "harness.b": ""},
        "harness.a:3 imports harness.b inside a function",
    ),
    "up the house": (
        {"harness.records.a": "from harness.runs.b import x", "harness.runs.b": "x = 1"},
        "harness.records.a:1 imports harness.runs.b, which lies above it",
    ),
    "up the house, a room itself": (
        {"harness.calls.a": "import harness.cli", "harness.cli.__init__": ""},
        "harness.calls.a:1 imports harness.cli, which lies above it",
    ),
    "from the ground": (
        {"harness.errors": "from harness.models.b import x", "harness.models.b": "x = 1"},
        "harness.errors:1 imports harness.models.b, which lies above it",
    ),
    "cycle": (
        {
            "harness.a": "from harness import b",
            "harness.b": "from .c import x",
            "harness.c": "import harness.a",
        },
        "harness.a, harness.b, harness.c import each other in a circle",
    ),
    "cycle through a package": (
        {"harness.p.__init__": "from harness.p.a import x", "harness.p.a": "from harness.p import y"},
        "harness.p.__init__, harness.p.a import each other in a circle",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_violation_is_found(planted: str) -> None:
    sources, complaint = PLANTED[planted]
    assert broken_rules(sources) == [complaint]


def test_what_is_allowed_is_not_complained_about() -> None:
    sources = {
        "metrics.a": "import spoken_language.b",
        "voice_sim.a": "from spoken_language import b",
        "harness.c": "import spoken_language.b",
        "harness.a": "import metrics.score\nfrom voice_sim.policies import script\nfrom harness import b",
        "harness.b": "def f():\n    import torch\n    from faster_whisper import WhisperModel",
        "harness.p.__init__": "from harness.p.a import x",
        "harness.p.a": "from ..b import f\nfrom .c import y",
        "harness.p.c": "import harnesses.of.another.kind",
        "fixtures.agents.a": "from fixtures.agents import b",
        "fixtures.agents.b": "",
    }
    assert broken_rules(sources) == []


def test_planted_file_is_found_on_disk(tmp_path: Path) -> None:
    (tmp_path / "metrics/deep").mkdir(parents=True)
    (tmp_path / "metrics/deep/__init__.py").write_text("import harness\n")
    assert broken_rules(read_sources(tmp_path)) == ["metrics.deep.__init__:1 imports harness"]


def read_sources(root: Path) -> dict[str, str]:
    """Every module of the product below ``root``."""
    return {
        ".".join(path.relative_to(root).with_suffix("").parts): path.read_text(encoding="utf-8")
        for package in PRODUCT
        for path in sorted((root / package).rglob("*.py"))
    }


def broken_rules(sources: Sources) -> list[str]:
    """Every breach of the rules above, as module, line and what is wrong."""
    complaints = []
    edges: dict[str, set[str]] = {name: set() for name in sources}
    for name, text in sources.items():
        for found in imports_of(name, text, sources):
            place = f"{found.importer}:{found.line}"
            if found.target == "":
                complaints.append(f"{place} leaves its package by a relative import")
                continue
            if any(_below(name, who) and _below(found.target, what) for who, what in _forbidden_pairs()):
                complaints.append(f"{place} imports {found.target}")
            if name.startswith("harness.") and _floor(found.target) > _floor(name):
                complaints.append(f"{place} imports {found.target}, which lies above it")
            if found.in_function:
                complaints.append(f"{place} imports {found.target} inside a function")
            else:
                edges[name] |= {found.target, f"{found.target}.__init__"} & set(sources)
    complaints += [f"{', '.join(circle)} import each other in a circle" for circle in circles(edges)]
    return complaints


def imports_of(name: str, text: str, sources: Sources) -> Iterator[Import]:
    """The imports of our own code in one module; a relative one that leaves the top package has no target."""
    for node, in_function in _walk(ast.parse(text), in_function=False):
        for target in _targets(name, node, sources):
            if target == "" or target.partition(".")[0] in OURS:
                line = getattr(node, "lineno", 0)
                yield Import(importer=name, target=target, line=line, in_function=in_function)


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of modules in which each reaches every other."""
    reach = {name: _reachable(name, edges) for name in edges}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in edges
        if name in reach[name]
    }
    return [list(group) for group in sorted(groups)]


def _reachable(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = list(edges[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += edges[name]
    return seen


def _walk(node: ast.AST, *, in_function: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        yield child, in_function
        inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _walk(child, in_function=in_function or inside)


def _targets(name: str, node: ast.AST, sources: Sources) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            package = name.split(".")[: -node.level]
            if not package:
                return [""]
            base = ".".join([*package, *filter(None, [node.module])])
        # ``from package import module`` means the module, where there is one of that name.
        named = [f"{base}.{alias.name}" for alias in node.names]
        modules = [each for each in named if each in sources or f"{each}.__init__" in sources]
        return modules if len(modules) == len(named) else [*modules, base]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        function = ast.unparse(node.func).rpartition(".")[2]
        if function in ("import_module", "__import__", "run_module") and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []


def _floor(name: str) -> int:
    """How high a module lies in ``harness``: 0 is the ground, outside of the rooms."""
    room = name.split(".")[1] if name.startswith("harness.") else ""
    return len(ROOMS) - ROOMS.index(room) if room in ROOMS else 0


def _forbidden_pairs() -> Iterator[tuple[str, str]]:
    return ((who, what) for who, targets in FORBIDDEN.items() for what in targets)


def _below(name: str, ancestor: str) -> bool:
    return name == ancestor or name.startswith(f"{ancestor}.")
