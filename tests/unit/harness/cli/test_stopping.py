"""Ctrl-C and SIGTERM in a process of its own: the first is heard by the work, the second ends everything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from harness.cli.stopping import Stopping, run_stoppable

PATIENCE_S = 60.0
# Work sleeps a little at a time: what comes just before a sleep begins is heard when that sleep is over.

BEGINNING = """
import asyncio, os, signal, subprocess, sys, time
import harness.cli.stopping
from harness._files.own_processes import note_started
from harness.cli.stopping import Stopping, run_stoppable

# Not by print: it runs handlers while it holds the buffer, and one that prints as well would fail there.
def told(text):
    os.write(1, f"{text}\\n".encode())

def at_once(code):
    told(f"at once {code}")
"""
ASYNC = """
async def work():
    told("working")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        told("hangs up")
        return "kept"

with Stopping(at_once) as stopping:
    told(asyncio.run(work()))
    sys.exit(stopping.exit_code)
"""
CALL = """
async def hang_up():
    told("hangs up")
    await asyncio.sleep(0.3)
    return "kept"

async def work():
    told("working")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        return await asyncio.create_task(hang_up())

with Stopping(at_once) as stopping:
    told(run_stoppable(work()))
    sys.exit(stopping.exit_code)
"""
PLAIN = """
with Stopping(at_once) as stopping:
    try:
        told("working")
        while True:
            time.sleep(0.05)
    except KeyboardInterrupt:
        told("hangs up")
        sys.exit(stopping.exit_code)
"""
STUBBORN = """
signal.signal(signal.SIGINT, lambda number, frame: told("heard"))
helper = subprocess.Popen(
    [sys.executable, "-c", "import time; time.sleep(600)"],
    start_new_session=True,
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
note_started(helper.pid)
told(helper.pid)
with Stopping(at_once):
    told("working")
    while True:
        time.sleep(0.05)
"""


@contextmanager
def _started(work: str, *, ignoring: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A process at its work; where ``ignoring``, as a script's shell starts one in the background."""
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" if ignoring else ""
    process = subprocess.Popen(
        [sys.executable, "-c", ignore + BEGINNING + work],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    guard = threading.Timer(PATIENCE_S, process.kill)
    guard.start()
    try:
        yield process
    finally:
        guard.cancel()
        process.kill()
        process.communicate()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize("work", [ASYNC, CALL, PLAIN], ids=["async", "call", "plain"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_both_are_heard_alike_and_the_exit_code_says_which(
    work: str, number: signal.Signals, code: int
) -> None:
    with _started(work) as process:
        assert _line(process) == "working"
        process.send_signal(number)
        out, err = process.communicate()
    assert out.split("\n")[0] == "hangs up"
    assert process.returncode == code, err
    assert "Traceback" not in err


@pytest.mark.parametrize("work", [ASYNC, PLAIN], ids=["async", "plain"])
def test_in_the_background_of_a_script_only_sigterm_counts(work: str) -> None:
    with _started(work, ignoring=True) as process:
        assert _line(process) == "working"
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
    assert out.split("\n")[0] == "hangs up"
    assert process.returncode == 143, err


@pytest.mark.parametrize(("second", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_second_one_ends_all_at_once_and_what_was_started_too(second: signal.Signals, code: int) -> None:
    with _started("harness.cli.stopping.SAME_PRESS_S = 0.0" + STUBBORN) as process:
        helper = int(_line(process))
        assert _line(process) == "working"
        process.send_signal(signal.SIGINT)
        assert _line(process) == "heard"
        process.send_signal(second)
        out, _ = process.communicate()
    assert f"at once {code}" in out
    assert process.returncode == code
    assert _is_gone(helper)


def test_the_same_press_handed_on_by_a_shell_is_no_second_one() -> None:
    with _started("harness.cli.stopping.SAME_PRESS_S = 600.0" + STUBBORN) as process:
        helper = int(_line(process))
        assert _line(process) == "working"
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            assert _line(process) == "heard"
        os.kill(helper, signal.SIGKILL)


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_call_that_hangs_up_is_kept_where_the_same_press_comes_twice(second: signal.Signals) -> None:
    with _started("harness.cli.stopping.SAME_PRESS_S = 600.0" + CALL) as process:
        assert _line(process) == "working"
        process.send_signal(signal.SIGINT)
        assert _line(process) == "hangs up"
        process.send_signal(second)
        out, err = process.communicate()
    assert out.split("\n")[0] == "kept", err
    assert process.returncode == (143 if second == signal.SIGTERM else 130), err


def test_calls_leave_the_handler_of_ctrl_c_as_it_was() -> None:
    async def work() -> int:
        return 7

    before = signal.getsignal(signal.SIGINT)
    assert run_stoppable(work()) == 7
    assert signal.getsignal(signal.SIGINT) is before


def _is_gone(pid: int) -> bool:
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        with suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.02)
                continue
        return True
    return False


def test_everything_is_as_before_when_it_is_over() -> None:
    def handlers() -> list[Any]:
        return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    before, threads = handlers(), threading.active_count()
    with Stopping():
        assert handlers() != before
    assert handlers() == before
    # Threads of earlier tests may end meanwhile.
    assert threading.active_count() <= threads
    assert signal.set_wakeup_fd(-1) == -1


def test_in_another_thread_it_leaves_signals_alone() -> None:
    codes: list[int] = []

    def work() -> None:
        with Stopping() as stopping:
            codes.append(stopping.exit_code)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert codes == [130]
