"""One process at a time in a run's folder: a second is told of the first, a killed one holds nothing."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import FolderBusy, NotWritten, UserError
from harness.runs.lock import LOCK_FILE, work_in

HOLDER = """
import sys
from pathlib import Path
from harness.runs.lock import work_in

with work_in(Path(sys.argv[1]), doing="run"):
    print("holding", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    """Another process that is at work in ``run``."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "run")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "holding\n"
    return process


def test_the_second_is_refused_and_told_who_the_first_is(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    told = f"run: process {holder.pid} on {socket.gethostname()} \\('run'\\) is at work in it"
    with pytest.raises(FolderBusy, match=told), work_in(tmp_path / "run", doing="score"):
        pass
    holder.communicate()
    with work_in(tmp_path / "run", doing="score"):
        pass
    assert not (tmp_path / "run").exists(), "neither of them did anything"


def test_one_that_was_killed_holds_nothing(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert (tmp_path / "run" / LOCK_FILE).is_file(), "its file stays, without a lock"
    with work_in(tmp_path / "run", doing="run"):
        pass


def test_one_that_was_killed_while_it_began_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).touch()
    (tmp_path / ".run.json.x1y2").write_text('{"na')
    with work_in(tmp_path, doing="run"):
        pass


def test_a_ring_before_the_run_has_begun_leaves_its_folder_usable(tmp_path: Path) -> None:
    (tmp_path / "rings.jsonl").write_text("{}\n")
    with work_in(tmp_path, doing="answer"):
        pass


def test_the_lock_is_free_after_an_error_and_the_folder_stays_where_something_came_of_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "a" / "run"
    with contextlib.suppress(ZeroDivisionError), work_in(folder, doing="run"):
        (folder / "run.json").write_text("{}")
        raise ZeroDivisionError
    assert [one.name for one in folder.iterdir()] == ["run.json"]
    with work_in(folder, doing="run", new=False):
        with pytest.raises(FolderBusy, match=f"process {os.getpid()}"), work_in(folder, doing="run"):
            pass
        # Held still: the one that was refused has taken nothing away.
        with pytest.raises(FolderBusy, match="is at work in it"), work_in(folder, doing="run"):
            pass


def test_a_file_that_its_last_owner_has_removed_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking, the owner before removes the file: a third would lock another one."""
    path = tmp_path / LOCK_FILE
    removed = []
    real = fcntl.flock

    def flock(descriptor: int, how: int) -> None:
        if not removed:
            path.unlink()
            removed.append(True)
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    with work_in(tmp_path, doing="run"):
        assert path.is_file()
        with pytest.raises(FolderBusy, match="is at work in it"), work_in(tmp_path, doing="run"):
            pass


def test_nothing_of_a_stranger_is_touched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="is not empty and holds no run"), work_in(tmp_path, doing="run"):
        pass
    with (
        pytest.raises(UserError, match="is no folder; give another --out"),
        work_in(tmp_path / "notes.txt", doing="run"),
    ):
        pass
    with (
        pytest.raises(UserError, match=r"no run: it has neither run\.json nor calls/"),
        work_in(tmp_path, doing="score", new=False),
    ):
        pass
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]


def test_a_file_system_without_locks_is_told_of_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    told: list[str] = []
    with work_in(tmp_path, doing="run", on_unlocked=told.append):
        pass
    assert len(told) == 1
    assert "No locks available" in told[0]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(NotWritten, match="file/run: cannot be written"),
        work_in(tmp_path / "file" / "run", doing="x"),
    ):
        pass


def test_a_folder_whose_name_is_not_utf_8_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file of the run could name it."""
    latin = tmp_path / os.fsdecode(b"caf\xe9")
    for folder in (latin, latin / "run"):
        with (
            pytest.raises(UserError, match=r"caf\?.*: a name in it is not UTF-8"),
            work_in(folder, doing="run"),
        ):
            pass
    assert list(tmp_path.iterdir()) == []
    latin.mkdir()
    monkeypatch.chdir(latin)
    with pytest.raises(UserError, match="is not UTF-8"), work_in(Path("run"), doing="run"):
        pass
    assert list(latin.iterdir()) == []
