"""Timelines written and read back: whole, torn, with lines of strangers, and too long."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.records.call import Event
from harness.records.timeline import TIMELINE, TimelineFile, read_events, read_timeline, write_timeline

EVENTS = tuple(
    Event(t=float(number), side="agent", kind="agent-words", source="asr", data={"text": text})
    for number, text in enumerate(("one", "two\u2028still two\x85", "three\nstill three"))
)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write_timeline(tmp_path / "new" / TIMELINE, EVENTS)
    assert read_timeline(tmp_path / "new" / TIMELINE) == TimelineFile(events=EVENTS)
    write_timeline(tmp_path / "new" / TIMELINE, EVENTS[:1])
    assert read_events(tmp_path / "new" / TIMELINE) == [EVENTS[0]]


def test_lines_that_are_no_events_are_left_out_and_counted(tmp_path: Path) -> None:
    write_timeline(tmp_path / TIMELINE, EVENTS)
    path = tmp_path / TIMELINE
    whole = path.read_bytes()
    path.write_bytes(b"\xff\xfe\n{\n\n" + whole + b'{"t": 1}\n{"t": 2, "side"')
    assert read_timeline(tmp_path / TIMELINE) == TimelineFile(events=EVENTS, unusable_lines=4)
    path.write_bytes(whole[:-1])
    assert read_timeline(tmp_path / TIMELINE) == TimelineFile(events=EVENTS)


def test_no_more_is_read_than_asked_for(tmp_path: Path) -> None:
    write_timeline(tmp_path / TIMELINE, EVENTS)
    assert read_timeline(tmp_path / TIMELINE, most=2) == TimelineFile(events=EVENTS[:2], cut=True)
    assert read_timeline(tmp_path / TIMELINE, most=3) == TimelineFile(events=EVENTS)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert read_events(tmp_path / "nowhere") == []
    with pytest.raises(FileNotFoundError):
        read_timeline(tmp_path / TIMELINE)
