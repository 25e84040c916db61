"""Listens to the recordings of a run in several processes, before its calls are scored one after the other.

What is heard is kept with each call, and scoring takes it from there: the figures are those of one process,
and a process that is lost has lost nothing but time. A process is ``python -m harness.scoring.hear_call``,
with orders on its stdin and what came of them on its stdout, a line of JSON each; it ends with its stdin.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.analysis.instruments import Kind

WORTH_S = 20.0
"""Less sound than this for each process is heard sooner by one: a process needs seconds to begin."""
WORKER = (sys.executable, "-P", "-m", "harness.scoring.hear_call")


class Heard(BaseModel):
    """What came of one call.

    Attributes:
        asked, measured: How often an answer was wanted, and an instrument had to give it.
        changed: What is another than when it was kept.
        problems: Kept files that could not be used.
        failed: Why it could not be heard there: it is heard once more, and then tells itself.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    call_id: str
    asked: int = 0
    measured: int = 0
    changed: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()
    failed: str = ""


class Order(BaseModel):
    """One call that is to be heard."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Path
    call_id: str
    only: frozenset[Kind]
    caller_words: bool
    threads: int
    fresh: bool


@dataclass(kw_only=True)
class HeardBeside:
    """Of the calls that were heard, by their ids; and what is to be told of the processes."""

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
    on_heard: Callable[[str, int, int], None],
    command: Sequence[str] = WORKER,
) -> HeardBeside:
    """Has calls heard, ``processes`` at a time.

    Args:
        on_heard: Called with a call, how many are done, and of how many.
        command: Starts a process.
    """
    found = HeardBeside()
    waiting: queue.SimpleQueue[Order] = queue.SimpleQueue()
    for order in orders:
        waiting.put(order)
    told: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(processes):
            # In a session of its own: Ctrl-C is for us, who end it.
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
            started.append(process)
            threading.Thread(target=_feed, args=(process, waiting, told), daemon=True).start()
        at_work, answered = processes, 0
        while at_work:
            heard = told.get()
            if heard is None:
                at_work -= 1
                continue
            answered += 1
            if not heard.failed:
                found.calls[heard.call_id] = heard
            on_heard(heard.call_id, len(found.calls), len(orders))
    finally:
        for process in started:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                # What it was told and never read is tried once more when the pipe is closed.
                with contextlib.suppress(BrokenPipeError):
                    if pipe is not None:
                        pipe.close()
    if answered < len(orders):
        found.problem = "a process that listened was lost: what it had not kept is heard again"
    return found


def _feed(
    process: subprocess.Popen[bytes],
    waiting: queue.SimpleQueue[Order],
    told: queue.SimpleQueue[Heard | None],
) -> None:
    """Gives a process one call after the other, until there is none or it is lost; then tells None."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        while True:
            order = waiting.get_nowait()
            process.stdin.write(order.model_dump_json().encode() + b"\n")
            process.stdin.flush()
            told.put(Heard.model_validate_json(process.stdout.readline()))
    except (queue.Empty, OSError, ValueError, ValidationError):
        pass
    finally:
        told.put(None)
