"""The messages of FastRTC over its data channel: ``{"type": …, "data": …}``, or ``message`` for what is
wrong.

They tell what its turn detection did, that it asks for inputs (``send_input``), and that the stream is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.records.call import Event, Side
from harness.transports.offers.inbox import event, text_of

SOURCE = "fastrtc"
_LOGGED: dict[str, tuple[Side, str]] = {
    "started_talking": ("caller", "user-started-speaking"),
    "pause_detected": ("caller", "user-stopped-speaking"),
    "response_starting": ("agent", "bot-response-starting"),
}
"""What it logs of a turn; a response that is made in pieces is announced with each of them."""


class FastRTCMessages:
    """See the module's docstring."""

    name = SOURCE

    def __init__(self) -> None:
        self.agent_name = ""
        self.over = ""
        self.asks_for_inputs = False

    def read(self, content: Mapping[str, Any], *, t: float) -> list[Event]:
        kind = content.get("type")
        if not isinstance(kind, str):
            raise ValueError("no type")
        match kind:
            case "log":
                side, known = _LOGGED.get(str(content.get("data")), ("agent", ""))
                return [event(SOURCE, t, side, known)] if known else []
            case "send_input":
                self.asks_for_inputs = True
                return [event(SOURCE, t, "agent", "asks-for-inputs")]
            case "end_stream":
                said = text_of(content, "data")
                self.over = f"the agent ended the stream{f' ({said})' if said else ''}"
                return [event(SOURCE, t, "agent", "stream-ended", said=said)]
            case "update_connection":
                if content.get("data") == "closed":
                    self.over = "the agent said that the call is closed"
                return []
            case "error" | "warning":
                return [event(SOURCE, t, "agent", kind, error=text_of(content, "message") or "no message")]
            case _:
                return []

    def rest(self, *, t: float) -> list[Event]:
        return []
