"""One process at a time works in a run's folder: a lock that dies with the process that holds it.

The lock is the kernel's (``flock`` on ``RUN/.lock``), so a process that was killed, by whatever signal,
leaves none behind: the file may stay, and says nothing without the lock. It holds who is at work, for the
message that the next one gets.

``call``, ``run``, ``answer``, ``chat``, ``demo``, ``score`` and ``persona guard`` write what others read, and
take it.
``report`` and whatever else only reads conversations does not: every file of a run is replaced as a whole, so
a run may be looked at while it goes on.

Between machines it holds as far as the file system carries it: Linux turns ``flock`` on NFS into a lock of
the server's (not with the mount options ``nolock`` and ``local_lock``), and where a file system has no locks
at all, :func:`work_in` says so by ``on_unlocked`` and goes on.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from harness.errors import FolderBusy, NotWritten, UserError
from harness.records.placed.rings import RINGS_FILE
from harness.records.witness import WITNESS_FILE
from spoken_language.outside_text import harmless

LOCK_FILE = ".lock"
AGENT_LOG = "agent.log"
"""What an agent printed that was started for the run; it begins before the run does."""
_BEFORE_THE_RUN = (LOCK_FILE, AGENT_LOG, WITNESS_FILE, RINGS_FILE, ".run.json.")
"""How names begin that may be there before ``run.json`` is: the lock, what the agent prints and the user's
own systems tell while the run begins, who rang too early, and half of the first file of a run that was
killed there."""
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_MAX_BYTES = 4096


@contextlib.contextmanager
def work_in(
    folder: Path, *, doing: str, new: bool = True, on_unlocked: Callable[[str], None] = lambda why: None
) -> Iterator[None]:
    """Holds the folder of a run while in the ``with`` block; makes it where there is none.

    Args:
        doing: The command, for whoever comes second.
        new: The folder may be a new one; else it has to hold a run.
        on_unlocked: Told why a file system cannot keep others out; the work goes on.

    Raises:
        FolderBusy: Another process is at work in it; the message names it.
        UserError: It is no folder, holds something else, or cannot be written.
    """
    if not new and not holds_run(folder):
        raise UserError(
            f"{folder}: no run: it has neither run.json nor calls/; give a folder that 'run' wrote"
        )
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    must_be_usable(folder)
    path = folder / LOCK_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _open_locked(path, on_unlocked)
    except BlockingIOError:
        raise FolderBusy(
            f"{folder}: {_who_is_at_work(path)} is at work in it",
            hint="wait until that has ended, or stop it with Ctrl-C or kill and go on from there",
        ) from None
    except OSError as error:
        raise NotWritten.of(folder, error) from error
    try:
        with contextlib.suppress(OSError):  # who it is helps others, and holds nothing
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, _about_us(doing), 0)
        yield
    finally:
        # Removed while it is still ours: whoever opened it before finds that it is gone, and opens another.
        with contextlib.suppress(OSError):
            if _is_still_there(descriptor, path):
                path.unlink()
        os.close(descriptor)
        with contextlib.suppress(OSError):  # where nothing came of it, nothing is left of it
            for one in made:
                one.rmdir()


def holds_run(folder: Path) -> bool:
    """Whether there is a run, of calls or of dialogues, whole or not."""
    return (folder / "run.json").is_file() or (folder / "calls").is_dir()


def must_be_usable(folder: Path) -> None:
    """Nothing of a stranger's is touched: a folder is empty, holds a run, or is refused.

    Raises:
        UserError: It is no folder, or holds something else; or a name on the way to it is not UTF-8.
    """
    whole = str(folder.absolute())
    try:
        whole.encode()
    except UnicodeEncodeError:
        # The files of a run, the store of nights and the pages name it.
        raise UserError(
            f"{harmless(whole)}: a name in it is not UTF-8, so that no file could say where it is; rename "
            "that folder, or give another --out"
        ) from None
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: is no folder; give another --out")
    if not folder.is_dir() or holds_run(folder):
        return
    try:
        strange = [one for one in folder.iterdir() if not one.name.startswith(_BEFORE_THE_RUN)]
    except OSError as error:
        raise UserError(f"{folder}: cannot be read: {error.strerror or error}") from error
    if strange:
        raise UserError(f"{folder}: is not empty and holds no run; give another --out")


def _open_locked(path: Path, on_unlocked: Callable[[str], None]) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still_there(descriptor, path):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                os.close(descriptor)
                raise
            on_unlocked(
                f"{path.parent}: its file system has no locks ({error.strerror}): nothing keeps a second run "
                "out of it; see to it that there is none"
            )
            return descriptor
        os.close(descriptor)


def _is_still_there(descriptor: int, path: Path) -> bool:
    """Whether what was locked is the file that others will open: its last owner may have removed it."""
    try:
        named = path.stat()
    except FileNotFoundError:
        return False
    ours = os.fstat(descriptor)
    return (named.st_dev, named.st_ino) == (ours.st_dev, ours.st_ino)


def _about_us(doing: str) -> bytes:
    return json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "doing": doing}).encode()


def _who_is_at_work(path: Path) -> str:
    owner: dict[str, Any] = {}
    with contextlib.suppress(OSError, ValueError, RecursionError), path.open("rb") as file:
        read = json.loads(file.read(_MAX_BYTES))
        owner = read if isinstance(read, dict) else {}
    pid, host, doing = owner.get("pid"), owner.get("host"), owner.get("doing")
    known = isinstance(pid, int) and isinstance(host, str) and isinstance(doing, str)
    return f"process {pid} on {_plain(host)} ('{_plain(doing)}')" if known else "another process"


def _plain(text: Any) -> str:
    return "".join(char for char in str(text)[:80] if char.isprintable())
