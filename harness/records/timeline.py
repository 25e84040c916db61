"""``timeline.jsonl``: the events of a call or a dialogue, one JSON object a line, as they became known.

What was read was perhaps cut off in mid-line, or written by a newer version: such lines are left out and
counted, and the rest is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from harness._files.atomic_file import write_text
from harness.records.call import Event

TIMELINE = "timeline.jsonl"


@dataclass(frozen=True, kw_only=True)
class TimelineFile:
    """What a file holds.

    Attributes:
        unusable_lines: Lines that are no events, left out.
        cut: There are more events than were asked for.
    """

    events: tuple[Event, ...] = ()
    unusable_lines: int = 0
    cut: bool = False


def write_timeline(path: Path, events: Iterable[Event]) -> None:
    """Writes or replaces the file.

    Raises:
        OSError: It cannot be written.
    """
    write_text(path, "".join(event.model_dump_json() + "\n" for event in events))


def read_timeline(path: Path, *, most: int | None = None) -> TimelineFile:
    """What the file holds, at most ``most`` events of it.

    Raises:
        FileNotFoundError: There is none.
        OSError: It cannot be read.
    """
    events: list[Event] = []
    unusable_lines = 0
    # Lines of bytes end at "\n" alone, those of text also at U+2028, which JSON leaves as it is.
    with path.open("rb") as lines:
        for line in lines:
            if len(events) == most:
                return TimelineFile(events=tuple(events), unusable_lines=unusable_lines, cut=True)
            try:
                events.append(Event.model_validate_json(line))
            except ValidationError:
                unusable_lines += bool(line.strip())
    return TimelineFile(events=tuple(events), unusable_lines=unusable_lines)


def read_events(path: Path) -> list[Event]:
    """The events of the file; none where there is no file.

    Raises:
        OSError: It cannot be read.
    """
    return list(read_timeline(path).events) if path.is_file() else []
