"""How the tests are spread over the workers of pytest-xdist: those that measure time have the machine to
themselves.

The tests of a file go to one worker, so that a fixture of the file is made once; those of ``tests/faults``
all go to one, since they share agents and runs. A test marked ``alone`` asserts what only a quiet machine
keeps: it begins when the tests beside it have ended, and no other begins until it has. That is a file lock,
held for reading by most tests and for writing by those; a second one, which everybody has to pass, keeps a
stream of readers from shutting a writer out.

Without pytest-xdist, tests come one after the other anyway, and nothing of this is needed.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

ALONE = "alone"
FOLDER = "spreading_folder"
ONE_WORKER = ("tests/faults/",)
"""Folders whose tests stay together."""


def scope_of(nodeid: str) -> str:
    """What a test stays together with: its file, or its folder."""
    file = nodeid.split("::", 1)[0]
    return next((folder for folder in ONE_WORKER if file.startswith(folder)), file)


class Controller:
    """In the process that hands the tests out."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="outboundeval-tests-")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[FOLDER] = self._folder

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        from xdist.scheduler import LoadScopeScheduling

        class ByScope(LoadScopeScheduling):
            def _split_scope(self, nodeid: str) -> str:
                return scope_of(nodeid)

        return ByScope(config, log)

    def pytest_unconfigure(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


class Worker:
    """In a worker: waits until a test may begin."""

    def __init__(self, folder: Path) -> None:
        self._room = (folder / "room").open("a")
        self._door = (folder / "door").open("a")
        self._held = False
        """Whether the room is ours alone."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        alone = _is_alone(item)
        if not (alone and self._held):
            with _locked(self._door, fcntl.LOCK_EX):
                fcntl.flock(self._room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        self._held = alone
        try:
            return (yield)
        finally:
            # What a file's tests share (calls under way, agents) would be disturbed between two of them.
            if not (alone and nextitem is not None and _is_alone(nextitem)):
                self._held = False
                fcntl.flock(self._room, fcntl.LOCK_UN)


@contextmanager
def _locked(file: IO[str], how: int) -> Iterator[None]:
    fcntl.flock(file, how)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _is_alone(item: pytest.Item) -> bool:
    return item.get_closest_marker(ALONE) is not None


def spread(config: pytest.Config) -> None:
    """To be called when pytest is configured, in the controller as in the workers."""
    workerinput = getattr(config, "workerinput", None)
    if workerinput is not None:
        config.pluginmanager.register(Worker(Path(workerinput[FOLDER])), "spreading")
    elif config.getoption("numprocesses", default=None):
        config.pluginmanager.register(Controller(), "spreading")
