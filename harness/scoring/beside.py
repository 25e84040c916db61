"""Listens to the recordings of a run in several processes, before its calls are scored one after the other.

What is heard is kept with each call, and scoring takes it from there: the figures are those of one process,
and a process that is lost has lost nothing but time.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path

from harness.analysis.instruments import Kind

WORTH_S = 20.0
"""Less sound than this for each process is heard sooner by one: a process needs seconds to begin."""


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What came of one call.

    Attributes:
        asked, measured: How often an answer was wanted, and an instrument had to give it.
        changed: What is another than when it was kept.
        problems: Kept files that could not be used.
        failed: Why it could not be heard there: it is heard once more, and then tells itself.
    """

    call_id: str
    asked: int = 0
    measured: int = 0
    changed: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()
    failed: str = ""


@dataclass(frozen=True, kw_only=True)
class Order:
    """One call that is to be heard."""

    folder: Path
    call_id: str
    only: frozenset[Kind]
    caller_words: bool
    threads: int
    fresh: bool


@dataclass(kw_only=True)
class HeardBeside:
    """Of the calls that were heard, by their ids; and why processes were given up."""

    calls: dict[str, Heard] = field(default_factory=dict)
    problem: str = ""


def processes_for(seconds: float, *, only: frozenset[Kind], asked: int | None) -> int:
    """How many processes are worth it.

    Args:
        seconds: Of sound that are to be heard.
        only: What is to be heard in it: when somebody speaks is found at once.
        asked: By the user; None: as many as there are cores.
    """
    if asked is not None:
        return asked
    if not only & {"words", "sound"}:
        return 1
    return max(1, min(os.cpu_count() or 1, int(seconds // WORTH_S)))


def hear_beside(
    orders: Sequence[Order],
    *,
    processes: int,
    hear: Callable[[Order], Heard],
    on_heard: Callable[[str, int, int], None],
) -> HeardBeside:
    """Has calls heard, ``processes`` at a time.

    Args:
        hear: Hears one in its process; a function of a module.
        on_heard: Called with a call, how many are done, and of how many.
    """
    found = HeardBeside()
    # A fork of a process with threads, of Whisper's or torch's, may stand still for ever.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        max_workers=processes, mp_context=context, initializer=_live_as_long_as_the_parent
    )
    try:
        waiting = [pool.submit(hear, order) for order in orders]
        for done in as_completed(waiting):
            heard = done.result()
            if not heard.failed:
                found.calls[heard.call_id] = heard
            on_heard(heard.call_id, len(found.calls), len(orders))
    except BrokenProcessPool:
        found.problem = "a process that listened was lost: what it had not kept is heard again"
    except BaseException:
        # Ctrl-C: nobody waits for the call that a process is at.
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return found


def _live_as_long_as_the_parent() -> None:
    # Ctrl-C reaches all of the group: whether to go on is for the parent to say. One that was killed cannot.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
