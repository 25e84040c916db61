"""The folder that a command works in: nobody else's meanwhile, and how to go on where it is cut off."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from harness.errors import Interrupted
from harness.runs.lock import work_in


@contextlib.contextmanager
def own_folder(folder: Path, *, doing: str, console: Console, go_on: str, new: bool = True) -> Iterator[None]:
    """Holds the folder of a run against other processes of ours while in the ``with`` block.

    Args:
        doing: The command.
        go_on: What a person is told who cuts it off, wherever that is.
        new: The folder may be a new one; else it has to hold a run.

    Raises:
        FolderBusy: Another process is at work in it.
        Interrupted: Ctrl-C or SIGTERM, with ``go_on``.
    """

    def on_unlocked(why: str) -> None:
        console.print(why, style="yellow", markup=False, highlight=False, soft_wrap=True)

    with going_on(go_on), work_in(folder, doing=doing, new=new, on_unlocked=on_unlocked):
        yield


@contextlib.contextmanager
def going_on(hint: str) -> Iterator[None]:
    """Whoever cuts off what is in the ``with`` block is told how to go on."""
    try:
        yield
    except Interrupted:
        raise
    except KeyboardInterrupt as stop:
        raise Interrupted(hint) from stop
