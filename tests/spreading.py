"""How the tests are spread over the workers of pytest-xdist: those that measure time have the machine to
themselves.

The tests of a file go to one worker, so that a fixture of the file is made once; those of ``tests/faults``
go to one, since they share runs, but for files that share none. A test marked ``alone`` asserts what only a
quiet machine keeps: it begins when the tests beside it have ended, and no other begins until it has. That is
a file lock, held for reading by most tests and for writing by those; a second one, which everybody has to
pass, keeps a stream of readers from shutting a writer out.

A test marked ``calls`` holds calls for minutes and mostly waits for them; it asserts what became of them, and
times within tens of milliseconds. Some such run side by side, and nothing else beside them: each takes as
many of :data:`PLACES` as it says, one for each call that it holds at once (``calls(places=8)``), two at the
least for a command with processes of its own, and half of all for an agent with a recogniser and a voice.

Of tests without either mark, :data:`DESKS` run at once. Their files are handed out first, those that take
minutes before all others, so that nobody waits for one of them by itself; then those that are alone or take
all places, then those of calls, again those that take minutes before the others.

Without pytest-xdist, tests come one after the other anyway, and nothing of this is needed.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any

import pytest

ALONE, CALLS = "alone", "calls"
ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
    "OMP_WAIT_POLICY": "PASSIVE",
}
"""Libraries read it when they are loaded. Where four tests compute at once on two cores, threads that wait
for each other by spinning took ten times as long."""
PLACES = 10
"""For calls side by side: two cores carry so many, and the senders of eighteen were late."""
DESKS = 4
"""For tests without a mark. Where more of them computed at once, two cores kept live telephones waiting for
longer than they wait."""
LOOK_S = 0.05
LETS_PASS_S = 90.0
_ALL_PLACES = re.compile(rf"^(?!\s*#).*\bpytest\.mark\.calls\(places={PLACES}\)", re.MULTILINE)
_MARKED = re.compile(r"^(?!\s*#).*\bpytest\.mark\.(alone|calls)\b", re.MULTILINE)
TAKE_MINUTES = (
    "tests/fuzz/test_fuzzing.py",
    "tests/live/test_selftest.py",
    "tests/live/test_lost_language_model.py",
)
CALLS_FOR_MINUTES = tuple(
    f"tests/live/{name}.py"
    for name in (
        "test_livekit_agent",
        "test_spoken_probes",
        "test_probes",
        "test_attention",
        "test_pinned_calls",
        "test_two_nights",
        "test_echo",
        "test_outcomes",
        "test_from_the_wheel",
    )
)
"""In this order: what lasts long and begins last would go on by itself, and who takes most places shuts out
all but the few that leave room for it."""
FOLDER, BEFORE = "spreading_folder", "spreading_before"
ONE_WORKER = ("tests/faults/",)
"""Folders whose tests stay together."""
BY_THEMSELVES = tuple(
    f"tests/faults/test_{name}.py"
    for name in ("cluster", "livekit_rooms", "many_at_once", "script_meets", "telephone")
)
"""Files of those folders that share nothing with the others. Together with them, each test of theirs without
a mark would wait for a whole file of those that have one, and shut out all others meanwhile."""


def scope_of(nodeid: str) -> str:
    """What a test stays together with: its file, or its folder."""
    file = nodeid.split("::", 1)[0]
    if file in BY_THEMSELVES:
        return file
    return next((folder for folder in ONE_WORKER if file.startswith(folder)), file)


class Controller:
    """In the process that hands the tests out."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="outboundeval-tests-")
        self._before = {name: os.environ.get(name) for name in ONE_THREAD}
        os.environ.update(ONE_THREAD)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[FOLDER] = self._folder
        node.workerinput[BEFORE] = self._before

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        from xdist.scheduler import LoadScopeScheduling

        class ByScope(LoadScopeScheduling):
            ordered = False

            def _split_scope(self, nodeid: str) -> str:
                return scope_of(nodeid)

            def _assign_work_unit(self, node: Any) -> None:
                if not self.ordered:
                    self.ordered = True
                    for scope in sorted(self.workqueue, key=lambda one: turn_of(one, config.rootpath)):
                        self.workqueue.move_to_end(scope)
                super()._assign_work_unit(node)

        return ByScope(config, log)

    def pytest_unconfigure(self) -> None:
        _set(self._before)
        shutil.rmtree(self._folder, ignore_errors=True)


class Worker:
    """In a worker: waits until a test may begin."""

    def __init__(self, folder: Path, before: Mapping[str, str | None]) -> None:
        self._before = before
        self._room = (folder / "room").open("a")
        self._slots = [(folder / f"calls-{number}").open("a") for number in range(PLACES)]
        self._desks = [(folder / f"desk-{number}").open("a") for number in range(DESKS)]
        self._door = (folder / "door").open("a")
        self._wanted = (folder / "wanted").open("a")
        self._held = ("", 0)
        """As what we are in the room, and with how many places, from one test to the next."""

    def pytest_collection_finish(self) -> None:
        """The libraries are loaded. What tests start is to find what a user's would."""
        _set(self._before)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        mark, places = claim = _claim_of(item)
        if not mark or claim != self._held:
            self._waits(mark, places)
        self._held = claim
        try:
            return (yield)
        finally:
            # What a file's tests share (calls under way, agents) would be disturbed between two of them.
            goes_on = nextitem is not None and _claim_of(nextitem) == claim and _together(item, nextitem)
            if not mark or not goes_on:
                self._held = ("", 0)
                self._leaves()

    def _waits(self, mark: str, places: int) -> None:
        """Until there is room. Who waits for many places lets others pass for a while: they would have stood
        empty; then nobody passes any more. But calls let all others pass: each of those empties the room for
        itself, and what is handed out last would otherwise begin between them."""
        lets_pass_until = time.monotonic() + (LETS_PASS_S if mark == CALLS else 0.0)
        if mark != CALLS:
            fcntl.flock(self._wanted, fcntl.LOCK_SH)
        try:
            while True:
                with _locked(self._door, fcntl.LOCK_EX):
                    while mark != CALLS or not self._others_want():
                        if self._enters(mark, places):
                            return
                        if time.monotonic() < lets_pass_until:
                            break
                        time.sleep(LOOK_S)
                time.sleep(LOOK_S)
        finally:
            if mark != CALLS:
                fcntl.flock(self._wanted, fcntl.LOCK_UN)

    def _others_want(self) -> bool:
        """Whether a test waits that holds no calls."""
        if not _taken(self._wanted, fcntl.LOCK_EX):
            return True
        fcntl.flock(self._wanted, fcntl.LOCK_UN)
        return False

    def _enters(self, mark: str, places: int) -> bool:
        """Takes the room, or places in it, where who is there allows it; behind the door, so alone."""
        if not _taken(self._room, fcntl.LOCK_SH if not mark else fcntl.LOCK_EX):
            return False
        free = [slot for slot in self._slots if _taken(slot, fcntl.LOCK_EX)]
        allowed = len(free) >= places if mark == CALLS else len(free) == len(self._slots)
        for slot in free[places:] if mark == CALLS else free if mark != ALONE else []:
            fcntl.flock(slot, fcntl.LOCK_UN)
        if not mark:
            allowed = allowed and any(_taken(desk, fcntl.LOCK_EX) for desk in self._desks)
        if not allowed:
            self._leaves()
        elif mark == CALLS:
            fcntl.flock(self._room, fcntl.LOCK_UN)
        return allowed

    def _leaves(self) -> None:
        for file in (self._room, *self._slots, *self._desks):
            fcntl.flock(file, fcntl.LOCK_UN)

    def pytest_unconfigure(self) -> None:
        for file in (self._room, self._door, self._wanted, *self._slots, *self._desks):
            file.close()


def _set(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@contextmanager
def _locked(file: IO[str], how: int) -> Iterator[None]:
    fcntl.flock(file, how)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _taken(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _mark_of(item: pytest.Item) -> str:
    return next((mark for mark in (ALONE, CALLS) if item.get_closest_marker(mark) is not None), "")


def _claim_of(item: pytest.Item) -> tuple[str, int]:
    """What a test asks for: its mark, and for calls how many places."""
    mark = _mark_of(item)
    calls = item.get_closest_marker(CALLS) if mark == CALLS else None
    return mark, 0 if calls is None else min(PLACES, int(calls.kwargs["places"]))


def _together(item: pytest.Item, other: pytest.Item) -> bool:
    return scope_of(item.nodeid) == scope_of(other.nodeid)


@cache
def turn_of(scope: str, root: Path) -> int:
    """When what stays together begins: lower ones first."""
    if scope in TAKE_MINUTES:
        return 0
    path = root / scope
    texts = [path] if path.is_file() else sorted(path.rglob("test_*.py"))
    read = [one.read_text(encoding="utf-8") for one in texts]
    marks = {mark for text in read for mark in _MARKED.findall(text)}
    # A folder with both waits like what is alone: behind calls it would wait for whole files of them.
    if ALONE in marks or any(map(_ALL_PLACES.search, read)):
        return 2
    if CALLS not in marks:
        return 1
    return 3 + (CALLS_FOR_MINUTES.index(scope) if scope in CALLS_FOR_MINUTES else len(CALLS_FOR_MINUTES))


def spread(config: pytest.Config) -> None:
    """To be called when pytest is configured, in the controller as in the workers."""
    workerinput = getattr(config, "workerinput", None)
    if workerinput is not None:
        config.pluginmanager.register(Worker(Path(workerinput[FOLDER]), workerinput[BEFORE]), "spreading")
    elif config.getoption("numprocesses", default=None):
        config.pluginmanager.register(Controller(), "spreading")
