"""What the user's own systems told of the calls of a run, put among the events of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.records.call import CallRecord, Event
from harness.records.timeline import read_events
from harness.records.witness import OF_A_CALL_FILE, Witnessed, read_witnessed, told_of
from harness.runs.reader import AGAIN, CallFiles


def with_witnessed(folder: Path, calls: Sequence[CallFiles]) -> tuple[CallFiles, ...]:
    """The same calls, with what was told while each stood, in order of time."""
    told = witnessed_of(folder, (call.record for call in calls if call.record is not None))
    found = []
    for call in calls:
        seen = told.get(call.call_id, ()) if call.record is not None else ()
        events = tuple(sorted([*call.events, *seen], key=lambda event: event.t))
        found.append(replace(call, events=events) if seen else call)
    return tuple(found)


def witnessed_of(folder: Path, records: Iterable[CallRecord]) -> Mapping[str, Sequence[Event]]:
    """What was told of each call of a run of which anything was, on the call's own clock.

    Args:
        records: Of all calls of the run: what names no call belongs to the only one that stood.
    """
    known = list(records)
    told = _told(folder)
    found = {}
    for record in known:
        call_id = record.plan.call_id
        seen = [*_brought_along(folder, call_id), *(told_of(record, told, known) if told else ())]
        if seen:
            found[call_id] = sorted(seen, key=lambda event: event.t)
    return found


def _told(folder: Path) -> list[Witnessed]:
    """Second attempts are held while the run goes on, which listens for both."""
    told = read_witnessed(folder)
    return [*told, *read_witnessed(folder.parent)] if folder.name == AGAIN else told


def _brought_along(folder: Path, call_id: str) -> list[Event]:
    """Where the call was placed on another machine, whose clock is not known here."""
    try:
        return read_events(folder / "calls" / call_id / OF_A_CALL_FILE, within=folder)
    except OSError:
        return []
