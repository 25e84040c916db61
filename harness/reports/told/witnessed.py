"""What tools were called and what the user's systems told, a row each, at its place in the call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from harness.records.call import Event
from harness.records.timeline import TOOL_EVENTS, tool_name
from harness.records.witness import SOURCE
from harness.reports.parts.formats import clock

MOST_ROWS = 100
_MOST_CHARS = 400
_NAMES = ("name", "function_name", "tool_call_id")


@dataclass(frozen=True, kw_only=True)
class WitnessRow:
    """``play_s``: where the sound of that moment is; None: the call was over."""

    time: str
    play_s: float | None
    what: str
    teller: str
    data: str


def witness_rows(events: Iterable[Event], *, over_s: float | None) -> tuple[WitnessRow, ...]:
    """The rows of a call, in the order of its events.

    Args:
        over_s: When the call was over; None: not known.
    """
    return tuple(_row(event, over_s) for event in _told(events))


def _told(events: Iterable[Event]) -> Iterator[Event]:
    """Once a call of a tool: an agent tells that it begins, goes on and ends."""
    known: set[tuple[str, str]] = set()
    for event in events:
        if event.source != SOURCE and event.kind not in TOOL_EVENTS:
            continue
        call = event.data.get("tool_call_id")
        if event.source != SOURCE and isinstance(call, str):
            if (event.source, call) in known:
                continue
            known.add((event.source, call))
        yield event


def _row(event: Event, over_s: float | None) -> WitnessRow:
    after = over_s is not None and event.t > over_s
    data = {key: value for key, value in event.data.items() if not (tool_name(event) and key in _NAMES)}
    shown = json.dumps(data, ensure_ascii=False) if data else ""
    return WitnessRow(
        time=clock(event.t),
        play_s=None if after else max(0.0, round(event.t, 3)),
        what=f"tool {name}" if (name := tool_name(event)) else event.kind,
        teller="your system" if event.source == SOURCE else f"agent, {event.source}",
        data=shown if len(shown) <= _MOST_CHARS else f"{shown[:_MOST_CHARS]}…",
    )
