"""``python -m bench.mutants.trial``: one module in a warm process; each change is tried in a fork of it.

Reads one JSON object from stdin (``module``, ``path``, ``tests``, ``changes`` as pairs of place and variant)
and writes one JSON line for each: first ``{"baseline_s": ...}``, then ``{"n": 0, "outcome": "killed"}``.

What is heavy is loaded once, before the forks. A fork forgets the modules of ours that know the changed one,
loads them anew with the changed text, and runs the tests until the first fails. A fork that takes much
longer than the unchanged module took is ended: an endless loop is noticed, too.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Generator, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TextIO

import pytest
from hypothesis import Phase, settings

from bench.mutants.changes import changed_tree

SLOWER = 4
LEAST_LIMIT_S = float(os.environ.get("MUTANTS_LEAST_LIMIT_S", "12"))
"""A fork may take so many times what the unchanged module took, and at least so long."""
MEMORY_BYTES = 6 * 1024**3

ARGUMENTS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:terminalreporter", "--assert=plain")


def main() -> None:
    asked = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    sys.path.insert(0, str(Path.cwd()))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        if not os.environ.get("MUTANTS_LOUD"):
            os.dup2(nowhere.fileno(), 2)
    tests = [str(test) for test in asked["tests"]]
    # Heavy modules come into memory here, once for all forks.
    code = pytest.main([*ARGUMENTS, "--collect-only", *tests])
    if code != 0:
        raise SystemExit(f"the tests of {asked['module']} cannot be collected ({code})")
    code = pytest.main([*ARGUMENTS, *tests], plugins=[_Forks(asked, answers)])
    os._exit(0 if code == _DONE else 1)


_DONE = 77


class _Forks:
    """A plugin that forks where tests would be collected: what pytest does before is done once."""

    def __init__(self, asked: dict[str, Any], answers: TextIO) -> None:
        self._module: str = asked["module"]
        self._path = Path(asked["path"])
        self._source = self._path.read_text(encoding="utf-8")
        self._changes: list[tuple[int, int]] = asked["changes"]
        self._answers = answers
        self._in_fork = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        forgotten = _who_know(self._module)
        # A failing property is not made smaller: that it fails is enough.
        steady = settings(derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate])
        settings.register_profile("mutants", steady)
        settings.load_profile("mutants")
        gc.collect()
        gc.freeze()
        gc.disable()
        outcome, baseline_s = self._tried(ast.parse(self._source), forgotten, limit_s=300.0)
        if self._in_fork:
            return
        self._say(baseline_s=round(baseline_s, 2), green=outcome == "open")
        limit_s = max(LEAST_LIMIT_S, SLOWER * baseline_s)
        for n, (place, variant) in enumerate(self._changes if outcome == "open" else []):
            tree = changed_tree(self._source, place, variant)
            outcome, took_s = self._tried(tree, forgotten, limit_s=limit_s)
            if self._in_fork:
                return
            self._say(n=n, outcome=outcome, took_s=round(took_s, 2))
        pytest.exit("all tried", returncode=_DONE)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        return (yield from self._ended_by_failure())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        return (yield from self._ended_by_failure())

    def _ended_by_failure(self) -> Generator[None, object, object]:
        try:
            return (yield)
        except pytest.skip.Exception:
            raise
        except BaseException:
            _say_why()
            os._exit(1)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            os._exit(2)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if self._in_fork:
            os._exit(int(exitstatus))

    def _say(self, **values: object) -> None:
        print(json.dumps(values), file=self._answers, flush=True)

    def _tried(self, tree: ast.Module, forgotten: Sequence[str], *, limit_s: float) -> tuple[str, float]:
        """``open`` where all tests pass, else ``killed`` or ``killed by time``; and seconds."""
        began_s = time.monotonic()
        child = os.fork()
        if child == 0:
            self._in_fork = True
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
            _forget(forgotten)
            sys.meta_path.insert(0, _Changed(self._module, self._path, tree))
            _load_packages(forgotten)
            return "", 0.0
        while time.monotonic() - began_s < limit_s:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                _end_group(child)
                return ("open" if status == 0 else "killed"), time.monotonic() - began_s
            time.sleep(0.004)
        _end_group(child)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return "killed by time", time.monotonic() - began_s


def _say_why() -> None:
    if os.environ.get("MUTANTS_LOUD"):
        traceback.print_exc()


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


class _Changed:
    """Finds one module and gives the changed text for it."""

    def __init__(self, module: str, path: Path, tree: ast.Module) -> None:
        self._module, self._path, self._tree = module, path, tree

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._module:
            return None
        code = compile(self._tree, str(self._path), "exec", dont_inherit=True)
        return spec_from_file_location(name, self._path, loader=_Loader(name, str(self._path), code))


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code


def _who_know(module: str) -> list[str]:
    """The loaded modules of ours that import this one, directly or not, and itself."""
    loaded = {
        name: Path(file)
        for name, one in sys.modules.items()
        if (file := getattr(one, "__file__", None)) and _is_ours(Path(file))
    }
    imports = {name: _imported(path) for name, path in loaded.items()}
    known = {module}
    while True:
        more = {name for name, targets in imports.items() if targets & known} - known
        if not more:
            return sorted(known)
        known |= more


def _is_ours(path: Path) -> bool:
    return path.suffix == ".py" and path.is_relative_to(Path.cwd()) and "site-packages" not in path.parts


def _imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def _load_packages(forgotten: Sequence[str]) -> None:
    """Packages among the forgotten ones, with what is still loaded below them as their attributes."""
    loaded = [name for name in sys.modules if "." in name]
    for name in forgotten:
        below = [one for one in loaded if one.rpartition(".")[0] == name]
        if not below:
            continue
        try:
            package = importlib.import_module(name)
        except BaseException:
            _say_why()
            os._exit(1)
        for one in below:
            setattr(package, one.rpartition(".")[2], sys.modules[one])


def _forget(names: Sequence[str]) -> None:
    for name in names:
        sys.modules.pop(name, None)
        package, _, last = name.rpartition(".")
        if package in sys.modules and hasattr(sys.modules[package], last):
            delattr(sys.modules[package], last)
    importlib.invalidate_caches()


if __name__ == "__main__":
    main()
