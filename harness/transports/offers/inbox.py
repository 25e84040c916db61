"""Messages of one data channel: bounded, counted where they are dropped, and given to a dialect to be read.

Everything here comes from the agent and is untrusted: a line of a transcript is one message, its text is cut
and put on one line, and what nobody knows is let go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from harness._files.json_file import BadJson, parse_json
from harness.records.call import Event, Side
from harness.records.timeline import MESSAGES_DROPPED
from harness.redaction import KNOWN
from spoken_language.outside_text import one_line

MAX_MESSAGE_BYTES = 1_000_000
"""A session may be described with all its instructions and tools in one."""
MAX_MESSAGES = 50_000
MAX_MESSAGES_PER_S = 600
"""A word of a transcript is a message; beyond this the channel is flooded, and closed."""
MAX_TEXT_CHARS = 4_000
MAX_FIELD_CHARS = 300

Why = Literal["too large", "too many", "not understood"]
"""Of a message that was dropped."""


class Dialect(Protocol):
    """What the agent's messages mean.

    Attributes:
        name: What it is called as the source of events.
        agent_name: What the agent calls itself; empty where it says nothing.
        over: How the agent said that the call is over; empty while it did not.
        asks_for_inputs: It waits for inputs that somebody has to give.
    """

    name: str
    agent_name: str
    over: str
    asks_for_inputs: bool

    def read(self, content: Mapping[str, Any], *, t: float) -> list[Event]:
        """The events of one message, whose texts are harmless and without secrets.

        Raises:
            ValueError: It is no message of this dialect.
        """
        ...

    def rest(self, *, t: float) -> list[Event]:
        """What was begun and not told until the end of the call."""
        ...


@dataclass(kw_only=True)
class Inbox:
    """Of one call.

    Attributes:
        flooded: True once the agent has sent more than the bounds allow.
    """

    dialect: Dialect
    flooded: bool = False
    received: int = 0
    dropped_by: Counter[Why] = field(default_factory=Counter)
    _second: int = field(default=-1, repr=False)
    _in_second: int = field(default=0, repr=False)

    def read(self, message: str | bytes, *, t: float) -> list[Event]:
        """The events of one message."""
        self.received += 1
        if int(t) != self._second:
            self._second, self._in_second = int(t), 0
        self._in_second += 1
        if self.received > MAX_MESSAGES or self._in_second > MAX_MESSAGES_PER_S:
            self.flooded = True
        if self.flooded:
            return self._drop("too many")
        if len(message) > MAX_MESSAGE_BYTES:
            return self._drop("too large")
        try:
            content = parse_json(message)
            if not isinstance(content, dict):
                return self._drop("not understood")
            # Before anything is cut: half a secret is not found any more.
            return self.dialect.read(KNOWN.scrub_data(content), t=t)
        except (BadJson, ValueError):
            return self._drop("not understood")

    def close(self, *, t: float) -> list[Event]:
        """What is left to tell when the call is over."""
        events = self.dialect.rest(t=t)
        if self.dropped_by:
            data = {str(why): n for why, n in self.dropped_by.items()}
            events.append(Event(t=t, side="agent", kind=MESSAGES_DROPPED, source="wire", data=data))
        return events

    def _drop(self, why: Why) -> list[Event]:
        self.dropped_by[why] += 1
        return []


class Silent:
    """A channel over which nothing is expected: what comes is let go."""

    name = "channel"
    agent_name = ""
    over = ""
    asks_for_inputs = False

    def read(self, content: Mapping[str, Any], *, t: float) -> list[Event]:
        return []

    def rest(self, *, t: float) -> list[Event]:
        return []


def event(source: str, t: float, side: Side, kind: str, **data: Any) -> Event:
    """An event of a dialect, with the fields that are there."""
    return Event(
        t=t,
        side=side,
        kind=kind,
        source=source,
        data={key: one for key, one in data.items() if one is not None},
    )


def text_of(content: Mapping[str, Any], key: str, *, most: int = MAX_FIELD_CHARS) -> str | None:
    """A text of a message on one line; None where there is none."""
    value = content.get(key)
    return one_line(value[:most]) if isinstance(value, str) and value else None
