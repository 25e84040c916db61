"""Timelines written and read back: whole, torn, with lines of strangers, and too long."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from harness._files.atomic_file import write_text
from harness.records.call import Event
from harness.records.timeline import (
    TIMELINE,
    TimelineFile,
    not_understood,
    read_events,
    read_timeline,
    timeline_text,
    told_arguments,
)

EVENTS = tuple(
    Event(t=float(number), side="agent", kind="agent-words", source="asr", data={"text": text})
    for number, text in enumerate(("one", "two still two", "three\nstill three"))
)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / TIMELINE, timeline_text(EVENTS))
    assert read_timeline(tmp_path / "new" / TIMELINE) == TimelineFile(events=EVENTS)
    write_text(tmp_path / "new" / TIMELINE, timeline_text(EVENTS[:1]))
    assert read_events(tmp_path / "new" / TIMELINE) == [EVENTS[0]]


def test_lines_that_are_no_events_are_left_out_and_counted(tmp_path: Path) -> None:
    write_text(tmp_path / TIMELINE, timeline_text(EVENTS))
    path = tmp_path / TIMELINE
    whole = path.read_bytes()
    path.write_bytes(b"\xff\xfe\n{\n\n" + whole + b'{"t": 1}\n{"t": 2, "side"')
    assert read_timeline(tmp_path / TIMELINE) == TimelineFile(events=EVENTS, unusable_lines=4)
    path.write_bytes(whole[:-1])
    assert read_timeline(tmp_path / TIMELINE) == TimelineFile(events=EVENTS)


def test_no_more_is_read_than_asked_for(tmp_path: Path) -> None:
    write_text(tmp_path / TIMELINE, timeline_text(EVENTS))
    assert read_timeline(tmp_path / TIMELINE, most=2) == TimelineFile(events=EVENTS[:2], cut=True)
    assert read_timeline(tmp_path / TIMELINE, most=3) == TimelineFile(events=EVENTS)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert read_events(tmp_path / "nowhere") == []
    with pytest.raises(FileNotFoundError, match="timeline"):
        read_timeline(tmp_path / TIMELINE)


def test_breaks_of_a_line_that_only_text_knows_end_no_event(tmp_path: Path) -> None:
    event = EVENTS[0].model_copy(update={"data": {"text": "two\u2028still two\x85end"}})
    write_text(tmp_path / TIMELINE, timeline_text([event, *EVENTS]))
    first, *others = read_events(tmp_path / TIMELINE)
    assert first.data == {"text": "two\nstill two\nend"}
    assert tuple(others) == EVENTS


@pytest.mark.parametrize(
    "line",
    [
        '{"t": NaN, "side": "agent", "kind": "x", "source": "asr"}',
        '{"t": Infinity, "side": "agent", "kind": "x", "source": "asr"}',
        '{"t": 1e999, "side": "agent", "kind": "x", "source": "asr"}',
        '{"t": 1e300, "side": "agent", "kind": "x", "source": "asr"}',
        '{"t": 1' + "0" * 5000 + ', "side": "agent", "kind": "x", "source": "asr"}',
        '{"t": "nan", "side": "agent", "kind": "x", "source": "asr"}',
        '{"t": 1, "side": "agent", "kind": "x", "source": "asr", "data": {"ms": NaN}}',
        '{"t": 1, "side": "agent", "kind": "x", "source": "asr", "data": ' + '{"a":' * 500 + "1" + "}" * 501,
        '{"t": 1, "t": 2, "side": "agent", "kind": "x", "source": "asr"}',
    ],
    ids=[
        "nan",
        "infinity",
        "beyond a double",
        "years",
        "digits",
        "nan as text",
        "nan inside",
        "deep",
        "twice",
    ],
)
def test_an_event_at_no_time_is_none(tmp_path: Path, line: str) -> None:
    write_text(tmp_path / TIMELINE, timeline_text(EVENTS))
    with (tmp_path / TIMELINE).open("a") as file:
        file.write(line + "\n")
    assert read_timeline(tmp_path / TIMELINE) == TimelineFile(events=EVENTS, unusable_lines=1)


def test_what_the_caller_did_not_understand_is_counted_once_a_line() -> None:
    def event(
        index: int, why: str, *, side: Literal["caller", "agent"] = "caller", kind: str = "said"
    ) -> Event:
        return Event(t=1.0, side=side, kind=kind, source="policy", data={"index": index, "why": why})

    events = [
        event(0, "picks up"),
        event(1, "repeat_please: not understood"),
        event(2, "not understood, again", kind="speak"),
        event(2, "not understood, again", kind="speak"),
        event(3, "not understood", side="agent"),
        event(4, "repeat_please: not heard"),
    ]
    assert not_understood(events) == 2


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (
            {"order": 7, "name": "Ann", "gift": True, "share": 0.5},
            {"order": 7, "name": "Ann", "gift": True, "share": 0.5},
        ),
        ('{"order": 7}', {"order": 7}),
        ({"items": [1], "to": {"city": "Ulm"}, "none": None, "inf": float("inf"), "order": 7}, {"order": 7}),
        ({"note": "two\nlines"}, {"note": "two lines"}),
        ('{"order": ', None),
        ("[7]", None),
        ({}, None),
        (None, None),
    ],
)
def test_of_a_tool_s_arguments_plain_values_are_kept(told: object, kept: object) -> None:
    assert told_arguments(told) == kept


def test_arguments_of_a_stranger_are_few_and_short() -> None:
    kept = told_arguments({f"{n}": "x" * 900 for n in range(50)})
    assert kept is not None
    assert len(kept) == 20
    assert all(len(str(value)) <= 500 for value in kept.values())
