"""A worker that dies at its start or in its work, that hangs at its end, and one whose harness is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.calls.voice.workers import process as worker_process
from harness.calls.voice.workers.process import WorkerProcess
from harness.errors import HarnessFault

READY = b"ready\n"
PATIENCE_S = 20.0
"""How long a busy machine may take; no test depends on it being short."""
_SAYS_READY = "import sys; sys.stdout.write('ready\\n'); sys.stdout.flush(); "
ECHO = _SAYS_READY + "[(sys.stdout.write(line), sys.stdout.flush()) for line in sys.stdin]"
DEAF = _SAYS_READY + "import time; time.sleep(600)"


class _Worker(WorkerProcess):
    def __init__(
        self, script: str, *, options: tuple[str, ...] = ("-S",), start_s: float = PATIENCE_S
    ) -> None:
        super().__init__(
            name="the process that repeats",
            arguments=(*options, "-c", script),
            ready=READY,
            start_s=start_s,
            backlog_bytes=100_000,
        )
        self.told: list[str] = []

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while line := await told.readline():
            self.told.append(line.decode().strip())

    def say(self, line: str) -> None:
        self._must_work()
        self._send(line.encode() + b"\n")


async def _until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.005)


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_module_in_the_folder_that_one_stands_in_is_not_taken_for_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "somebody_elses.py").write_text("")
    monkeypatch.chdir(tmp_path)
    looks = "import importlib.util; print(importlib.util.find_spec('somebody_elses'), flush=True); "
    async with _Worker(_SAYS_READY + looks + "sys.stdin.read()") as worker:
        await _until(lambda: bool(worker.told))
        assert worker.told == ["None"]


async def test_what_is_said_comes_back_and_nothing_is_left_behind() -> None:
    async with _Worker(ECHO) as worker:
        worker.say("one")
        worker.say("two")
        await _until(lambda: len(worker.told) == 2)
        assert worker.told == ["one", "two"]
        assert worker.lost == ""
        pid = worker.pid
    assert _is_gone(pid)
    with pytest.raises(HarnessFault, match="the process that repeats has ended"):
        worker.say("three")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("raise SystemExit(1)", "did not start"),
        (
            "import nothing_of_this_name",
            r"did not start: .*\| ModuleNotFoundError: No module named 'nothing_of_this_name'",
        ),
        ("print('rea', end='')", "did not start"),
        ("print('heady'); import sys; sys.stdin.read()", "did not start as it should"),
        ("print('heady' * 1_000_000); import sys; sys.stdin.read()", "did not start as it should"),
    ],
)
async def test_one_that_does_not_get_ready_is_our_fault_and_is_gone(script: str, why: str) -> None:
    worker = _Worker(script)
    # Its output comes in one piece when it ends, or the wrong word would wait in a buffer.
    worker._arguments = ("-u", *worker._arguments)
    with pytest.raises(HarnessFault, match=f"^the process that repeats {why}$"):
        async with worker:
            raise AssertionError("it was never ready")
    assert _is_gone(worker.pid)


async def test_one_that_takes_too_long_to_get_ready_is_our_fault_and_is_gone() -> None:
    worker = _Worker("import sys; sys.stdin.read()", start_s=0.1)
    with pytest.raises(HarnessFault, match="was not ready after 0 s"):
        async with worker:
            raise AssertionError("it was never ready")
    assert _is_gone(worker.pid)


async def test_one_that_dies_in_its_work_is_noticed() -> None:
    async with _Worker(ECHO) as worker:
        os.kill(worker.pid, signal.SIGKILL)
        await _until(lambda: worker.lost)
        assert worker.lost == "the process that repeats has ended"
        with pytest.raises(HarnessFault, match="has ended"):
            worker.say("one")


async def test_why_it_died_is_told_in_its_own_last_words() -> None:
    dies = (
        "sys.stderr.write('so much noise\\n' * 20_000); raise RuntimeError('no\\x1b[31m memory ' + 'x' * 900)"
    )
    async with _Worker(_SAYS_READY + dies) as worker:
        await _until(lambda: worker.lost)
        assert worker.lost.startswith("the process that repeats has ended: ")
        assert "RuntimeError: no [31m memory xxx" in worker.lost
        assert len(worker.lost) < 400
        assert worker.lost.isprintable()


LONG_RECORD = _SAYS_READY + "sys.stdout.write('x' * 5_000_000); sys.stdout.flush(); "


async def test_one_whose_record_is_too_long_is_lost_and_ends_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_process, "STOP_S", PATIENCE_S)
    async with asyncio.timeout(PATIENCE_S), _Worker(LONG_RECORD + "sys.stdin.read()") as worker:
        await _until(lambda: worker.lost)
        assert worker.lost.startswith("the process that repeats is not heard any more: ValueError: ")
        process = worker._process
    assert process.returncode == 0, "it could write all that it had to, and was not killed"


async def test_one_that_never_stops_talking_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "STOP_S", 0.05)
    talks = "\nwhile True: sys.stdout.write('x' * 1_000_000)"
    async with asyncio.timeout(PATIENCE_S), _Worker(LONG_RECORD + talks) as worker:
        await _until(lambda: worker.lost)
        pid = worker.pid
    assert _is_gone(pid)


@pytest.mark.parametrize("end", ["", DEAF], ids=["ends by itself", "hangs"])
async def test_nothing_that_it_started_is_left_or_waited_for(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "STOP_S", 0.05)
    starts = "import subprocess; print(subprocess.Popen(['sleep', '60']).pid, flush=True); sys.stdin.read(); "
    async with asyncio.timeout(PATIENCE_S), _Worker(_SAYS_READY + starts + end) as worker:
        await _until(lambda: worker.told)
        child = int(worker.told[0])
    assert _is_gone(worker.pid)
    await _until(lambda: _has_ended(child))


class _Stumbling(_Worker):
    async def _hear(self, told: asyncio.StreamReader) -> None:
        await told.readline()
        raise KeyError("stream")


async def test_one_that_is_not_listened_to_any_more_is_lost() -> None:
    async with _Stumbling(ECHO) as worker:
        worker.say("one")
        await _until(lambda: worker.lost)
        assert worker.lost == "the process that repeats is not heard any more: KeyError: 'stream'"
        with pytest.raises(HarnessFault, match="not heard any more"):
            worker.say("two")


async def test_one_that_falls_behind_is_given_up() -> None:
    async with _Worker(ECHO) as worker:
        os.kill(worker.pid, signal.SIGSTOP)
        said = 0
        # A pipe takes some 64 kB by itself.
        while not worker.lost and said < 1000:
            worker.say("x" * 999)
            said += 1
        assert 100 < said < 1000
        with pytest.raises(HarnessFault, match="cannot keep up"):
            worker.say("more")
        os.kill(worker.pid, signal.SIGCONT)


async def test_one_that_hangs_at_its_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "STOP_S", 0.05)
    async with _Worker(DEAF) as worker:
        pid = worker.pid
    assert _is_gone(pid)


async def test_one_that_hangs_is_killed_too_where_its_end_is_not_waited_for() -> None:
    """Ctrl-C twice: whoever waits for the end of the worker is cancelled."""
    worker = _Worker(DEAF)
    await worker.__aenter__()
    leaving = asyncio.create_task(worker.__aexit__())
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError, match=r"^$"):
        await leaving
    assert _is_gone(worker.pid)


async def test_its_priority_is_lowered_for_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "STOP_S", PATIENCE_S)
    script = (
        "import os, sys; from harness.calls.voice.workers.process import working\n"
        "with working(niceness=3):\n"
        "    print('ready', flush=True); print(os.getpriority(os.PRIO_PROCESS, 0), flush=True)\n"
        "    sys.stdin.read(); raise BrokenPipeError\n"
    )
    ours = Path("/proc/self/autogroup")  # empty where this process is in none: under some supervisors
    before = ours.read_text() if ours.exists() else ""
    async with _Worker(script, options=()) as worker:
        await _until(lambda: worker.told)
        assert int(worker.told[0]) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)
        session = Path(f"/proc/{worker.pid}/autogroup")
        if session.exists() and session.read_text():
            # The machine takes one such write in a tenth of a second, and other workers begin at any time.
            await _until(lambda: session.read_text().split()[-2:] == ["nice", "3"])
            assert ours.read_text() == before, "ours is left alone"
        process = worker._process
    assert process.returncode == 0, "a harness that is gone is no error of the worker's"


@pytest.mark.parametrize("steps", range(8))
async def test_cancelled_while_it_starts_it_is_gone_at_once(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[asyncio.subprocess.Process] = []
    make = asyncio.create_subprocess_exec

    async def noted(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        made.append(await make(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    entering = asyncio.create_task(_Worker(DEAF).__aenter__())
    for _ in range(steps):
        await asyncio.sleep(0)
    entering.cancel()
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(asyncio.CancelledError, match=r"^$"):
            await entering
    assert all(process.returncode == -signal.SIGKILL for process in made)
    assert steps < 2 or len(made) == 1


async def test_a_worker_whose_harness_is_killed_ends() -> None:
    harness = (
        "import asyncio, sys; from tests.unit.harness.calls.voice.workers.test_process import ECHO, _Worker\n"
        "async def main():\n"
        "    async with _Worker(ECHO) as worker:\n"
        "        print(worker.pid, flush=True)\n"
        "        await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", harness, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    pid = int(await asyncio.wait_for(process.stdout.readline(), PATIENCE_S))
    assert not _is_gone(pid)
    process.kill()
    await process.wait()
    await _until(lambda: _has_ended(pid))


def _has_ended(pid: int) -> bool:
    """Gone, or dead and not yet collected by whoever inherits orphans here."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
