"""What the user's own systems told of the calls of a run, put among the events of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.records.witness import Witnessed, read_witnessed, told_of
from harness.runs.reader import AGAIN, CallFiles


def with_witnessed(folder: Path, calls: Sequence[CallFiles]) -> tuple[CallFiles, ...]:
    """The same calls, with what was told while each stood, in order of time."""
    told = _told(folder)
    if not told:
        return tuple(calls)
    records = [call.record for call in calls if call.record is not None]
    found = []
    for call in calls:
        seen = told_of(call.record, told, records) if call.record is not None else []
        events = tuple(sorted([*call.events, *seen], key=lambda event: event.t))
        found.append(replace(call, events=events) if seen else call)
    return tuple(found)


def _told(folder: Path) -> list[Witnessed]:
    """Second attempts are held while the run goes on, which listens for both."""
    told = read_witnessed(folder)
    return [*told, *read_witnessed(folder.parent)] if folder.name == AGAIN else told
