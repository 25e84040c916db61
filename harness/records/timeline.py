"""``timeline.jsonl``: the events of a call or a dialogue, one JSON object a line, as they became known.

What was read was perhaps cut off in mid-line, or written by a newer version: such lines are left out and
counted, and the rest is used.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from harness._files.json_file import BadJson, parse_json
from harness._files.outside_file import read_bytes
from harness.records.call import Event
from harness.redaction import KNOWN
from spoken_language.outside_text import one_line

TIMELINE = "timeline.jsonl"
MAX_BYTES = 64_000_000

MESSAGES_DROPPED = "messages-dropped"
"""Kind of the event that tells how many of the agent's messages about its words were dropped. Its data is
``{why: how many}``."""


AGENT_WAITS = "agent-waits"
"""Kind of the event that tells what the agent waits for where it will stay silent until it gets it. Its data
is ``{detail: …}``."""

TRANSFERRED = "transferred"
"""Kind of the event that tells that the agent handed the call on: ``{to: address, followed: whether the call
went on there}``."""

TOOL_EVENTS = (
    "llm-function-call",
    "llm-function-call-started",
    "llm-function-call-in-progress",
    "llm-function-call-stopped",
    "bot-tool-call",
    "function-tool-call",
    "tool_call",
)
"""Kinds of events that tell of a tool that was called."""

MAX_ARGUMENTS = 20
MAX_ARGUMENTS_CHARS = 10_000
"""Of a tool's arguments as JSON; longer ones are cut, and then are none."""

NOT_UNDERSTOOD = "not understood"
"""In the ``why`` of a caller's line that says it has not understood the agent."""


def not_understood(events: Iterable[Event]) -> int:
    """How often the caller said that it had not understood; ours until it is shown to be the agent's doing.

    Lines by voice are planned (``speak``), and may be planned again; each counts once, by its index.
    """
    lines = {
        event.data.get("index")
        for event in events
        if event.side == "caller"
        and event.kind in ("said", "speak")
        and NOT_UNDERSTOOD in str(event.data.get("why", ""))
    }
    return len(lines)


def tool_name(event: Event) -> str:
    """Of the tool that an event tells of; empty: of none, or of one without a name."""
    name = event.data.get("function_name", event.data.get("name", "")) if event.kind in TOOL_EVENTS else ""
    return name if isinstance(name, str) else ""


def tool_arguments(event: Event) -> Mapping[str, object]:
    """What the tool was called with, where the event tells it: beside its name (a witness), or on its own."""
    own = event.data.get("arguments")
    return {**event.data, **own} if isinstance(own, dict) else event.data


def told_arguments(content: object) -> dict[str, str | int | float | bool] | None:
    """What an agent says that it called a tool with, as it may be kept: plain values, few and short.

    Args:
        content: A mapping, or one as JSON. A stranger's.

    Returns:
        None where there is nothing to be kept.
    """
    if isinstance(content, str):
        try:
            content = parse_json(content[:MAX_ARGUMENTS_CHARS])
        except BadJson:
            return None
    if not isinstance(content, dict):
        return None
    kept: dict[str, str | int | float | bool] = {}
    for name, value in list(content.items())[:MAX_ARGUMENTS]:
        if not isinstance(name, str) or not isinstance(value, str | int | float | bool):
            continue
        if isinstance(value, float) and not math.isfinite(value):
            continue
        told = one_line(KNOWN.scrub(value), most=500) if isinstance(value, str) else value
        kept[one_line(KNOWN.scrub(name), most=100)] = told
    return kept or None


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


def timeline_text(events: Iterable[Event]) -> str:
    """The file as it is written."""
    return "".join(event.model_dump_json() + "\n" for event in events)


def read_timeline(path: Path, *, most: int | None = None, within: Path | None = None) -> TimelineFile:
    """What the file holds, at most ``most`` events of it.

    Args:
        within: The folder of the run: a link that leads out of it is not read.

    Raises:
        FileNotFoundError: There is none.
        OSError: It cannot be read, is no plain file, or larger than :data:`MAX_BYTES`.
    """
    events: list[Event] = []
    unusable_lines = 0
    # Lines of bytes end at "\n" alone, those of text also at U+2028, which JSON leaves as it is.
    for line in io.BytesIO(read_bytes(path, max_bytes=MAX_BYTES, within=within)):
        if len(events) == most:
            return TimelineFile(events=tuple(events), unusable_lines=unusable_lines, cut=True)
        try:
            if line.strip():
                events.append(Event.model_validate(parse_json(line)))
        except (BadJson, ValidationError):
            unusable_lines += 1
    return TimelineFile(events=tuple(events), unusable_lines=unusable_lines)


def read_events(path: Path, *, within: Path | None = None) -> list[Event]:
    """The events of the file; none where there is no file.

    Raises:
        OSError: It cannot be read.
    """
    return list(read_timeline(path, within=within).events) if path.is_file() else []
