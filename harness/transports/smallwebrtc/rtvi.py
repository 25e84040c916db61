"""RTVI, the messages of pipecat agents over the data channel: parsed, bounded, turned into events.

Protocol 2.x: ``{"label": "rtvi-ai", "type": ..., "id": ..., "data": ...}``. Everything here comes from the
agent and is untrusted: messages beyond the bounds are dropped and counted by why, text is cut and put on one
line (a line of a transcript is one message), unknown types keep only their name.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from harness._files.json_file import BadJson, parse_json
from harness.records.call import Event, Side
from harness.records.timeline import MESSAGES_DROPPED, told_arguments
from harness.redaction import KNOWN
from harness.transports.smallwebrtc import rtvi_metrics
from spoken_language.outside_text import one_line

PROTOCOL_VERSION = "2.2.0"
LABEL = "rtvi-ai"
MAX_MESSAGE_BYTES = 65_536
MAX_TEXT_CHARS = 4_000
MAX_MESSAGES = 20_000
MAX_MESSAGES_PER_S = 400
"""A busy agent sends a few dozen a second; beyond this the channel is flooded and closed."""

Why = Literal["too large", "too many", "not understood"]
"""Of a message that was dropped."""

_TEXT_TYPES = frozenset(
    {
        "user-transcription",
        "user-input",
        "bot-transcription",
        "bot-output",
        "bot-tts-text",
        "bot-llm-text",
    }
)
_PLAIN_TYPES = frozenset(
    {
        "bot-ready",
        "user-started-speaking",
        "user-stopped-speaking",
        "bot-started-speaking",
        "bot-stopped-speaking",
        "bot-interrupted",
        "bot-llm-started",
        "bot-llm-stopped",
        "bot-tts-started",
        "bot-tts-stopped",
        "llm-function-call",
        "llm-function-call-started",
        "llm-function-call-in-progress",
        "llm-function-call-stopped",
        "error",
        "error-response",
    }
)
_CALLER_SIDE = frozenset(
    {"user-transcription", "user-input", "user-started-speaking", "user-stopped-speaking"}
)


def client_ready(message_id: str) -> str:
    """The message that tells the agent that its caller is there."""
    return json.dumps(
        {
            "label": LABEL,
            "type": "client-ready",
            "id": message_id,
            "data": {
                "version": PROTOCOL_VERSION,
                "about": {"library": "outboundeval", "library_version": "0.1.0"},
            },
        }
    )


@dataclass(kw_only=True)
class RtviInbox:
    """Turns data channel messages of one call into events.

    Attributes:
        flooded: True once the agent has sent more than the bounds allow; the channel is then closed.
        peer_left: True once the agent has announced its end (pipecat's ``peerLeft``).
        agent_name: From ``bot-ready``: library and version, where the agent says so.
    """

    flooded: bool = False
    peer_left: bool = False
    agent_name: str = ""
    received: int = 0
    dropped_by: Counter[Why] = field(default_factory=Counter)
    _metrics: int = field(default=0, repr=False)
    _second: int = field(default=-1, repr=False)
    _in_second: int = field(default=0, repr=False)

    def read(self, message: str | bytes, *, t: float) -> Event | None:
        """The event of one message, or None where there is nothing to note."""
        self.received += 1
        if int(t) != self._second:
            self._second, self._in_second = int(t), 0
        self._in_second += 1
        if self.received > MAX_MESSAGES or self._in_second > MAX_MESSAGES_PER_S:
            self.flooded = True
        if self.flooded:
            self._drop("too many")
            return None
        if len(message) > MAX_MESSAGE_BYTES:
            self._drop("too large")
            return None
        try:
            content = parse_json(message)
        except BadJson:
            self._drop("not understood")
            return None
        if not isinstance(content, dict):
            self._drop("not understood")
            return None
        # Before anything is cut: half a secret is not found any more.
        return self._event(KNOWN.scrub_data(content), t=t)

    @property
    def dropped(self) -> int:
        """How many messages, for whatever reason."""
        return self.dropped_by.total()

    def dropped_event(self, *, t: float) -> Event | None:
        """What was dropped until now, for the timeline; None where nothing was."""
        if not self.dropped_by:
            return None
        return Event(
            t=t,
            side="agent",
            kind=MESSAGES_DROPPED,
            source="wire",
            data={str(why): n for why, n in self.dropped_by.items()},
        )

    def _drop(self, why: Why) -> None:
        self.dropped_by[why] += 1

    def _event(self, content: dict[str, Any], *, t: float) -> Event | None:
        kind = content.get("type")
        if kind == "signalling":
            inner = content.get("message")
            if isinstance(inner, dict) and inner.get("type") == "peerLeft":
                self.peer_left = True
                return Event(t=t, side="agent", kind="peer-left", source="rtvi")
            return None
        if content.get("label") != LABEL or not isinstance(kind, str):
            self._drop("not understood")
            return None
        data = content.get("data")
        fields = data if isinstance(data, dict) else {}
        side: Side = "caller" if kind in _CALLER_SIDE else "agent"
        if kind in _TEXT_TYPES:
            return Event(t=t, side=side, kind=kind, source="rtvi", data=_text_fields(fields))
        if kind == "bot-ready":
            self.agent_name = _about(fields)
        if kind == rtvi_metrics.KIND:
            return self._own_figures(fields, t)
        if kind in _PLAIN_TYPES:
            return Event(t=t, side=side, kind=kind, source="rtvi", data=_plain_fields(fields))
        return None

    def _own_figures(self, fields: dict[str, Any], t: float) -> Event | None:
        # Not among what was dropped, which is told of messages about words.
        self._metrics += 1
        kept = rtvi_metrics.metrics_fields(fields) if self._metrics <= rtvi_metrics.MAX_MESSAGES else {}
        return Event(t=t, side="agent", kind=rtvi_metrics.KIND, source="rtvi", data=kept) if kept else None


def _text_fields(fields: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    text = fields.get("text")
    if isinstance(text, str):
        kept["text"] = one_line(text[:MAX_TEXT_CHARS])
    for name in ("final", "spoken"):
        if isinstance(fields.get(name), bool):
            kept[name] = fields[name]
    for name in ("aggregated_by", "spoken_status", "timestamp"):
        if isinstance(fields.get(name), str):
            kept[name] = one_line(fields[name][:100])
    return kept


def _plain_fields(fields: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name in ("version", "error", "fatal", "function_name", "tool_call_id", "cancelled"):
        value = fields.get(name)
        if isinstance(value, bool):
            kept[name] = value
        elif isinstance(value, str):
            kept[name] = one_line(value[:500])
    # The older message calls them args.
    arguments = told_arguments(fields.get("arguments", fields.get("args")))
    return kept | ({"arguments": arguments} if arguments else {})


def _about(fields: dict[str, Any]) -> str:
    about = fields.get("about")
    if not isinstance(about, dict):
        return ""
    parts = [about.get("library"), about.get("library_version")]
    return " ".join(one_line(part[:100]) for part in parts if isinstance(part, str))
