"""Runs the guard over all calls or dialogues of a run, and keeps its verdict beside each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness._files.atomic_file import write_model
from harness.calls.guard import GUARD_FILE, GuardFile, guard_call, guard_chat
from harness.records.call import CallStatus
from harness.records.scores import Transcript
from harness.runs.reader import read_run
from harness.runs.store import RunStore, is_chat_run


@dataclass(frozen=True, kw_only=True)
class GuardedCall:
    """A call or dialogue of a run, and what the guard says."""

    id: str
    guard: GuardFile


def guard_run(folder: Path) -> Iterator[GuardedCall]:
    """Checks every call or dialogue of a run that has ended, and writes the verdicts beside them.

    Raises:
        UserError: The folder holds no run.
    """
    if is_chat_run(folder):
        yield from _guard_chat_run(RunStore(folder))
        return
    for call in read_run(folder).calls:
        if call.record is None:
            continue
        guard = guard_call(call.record, call.transcript or Transcript())
        write_model(folder / "calls" / call.call_id / GUARD_FILE, guard)
        yield GuardedCall(id=call.call_id, guard=guard)


def _guard_chat_run(store: RunStore) -> Iterator[GuardedCall]:
    for record in store.records():
        if record.status is CallStatus.INTERRUPTED:
            continue
        guard = guard_chat(record)
        write_model(store.call_folder(record.plan.call_id) / GUARD_FILE, guard)
        yield GuardedCall(id=record.plan.call_id, guard=guard)
