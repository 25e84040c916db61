"""``oai-events``, the messages of OpenAI Realtime agents and of those that speak like them.

The agent as its own witness: what it heard (``user-transcription``), what it said (``bot-output``), when it
noticed that somebody speaks, when it was interrupted. A transcript comes ahead of the sound, so a line counts
as spoken only when the server has played it (``output_audio_buffer.stopped``) or, where a server tells
nothing of playing, when its response is done; one that was cut off is none that was spoken. GPT-Live tells
transcripts in fragments without turns: a line is what comes until the other side speaks, or until a pause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.records.call import Event, Side
from harness.records.timeline import told_arguments
from harness.transports.offers.inbox import MAX_TEXT_CHARS, event, text_of

SOURCE = "oai-events"
_MOST_OPEN = 200
"""Responses and items that are not over; the oldest is let go."""
_LINE_APART_MS = 1500
"""Fragments further apart than this are of two lines."""
_CUT = frozenset({"cancelled", "incomplete", "failed"})


@dataclass
class _Response:
    """One response: its lines until they count as spoken."""

    lines: list[str] = field(default_factory=list)
    cut: bool = False


@dataclass
class _Fragments:
    """What GPT-Live has told of one side."""

    text: str = ""
    end_ms: float = 0.0


class OpenAIEvents:
    """See the module's docstring."""

    name = SOURCE

    def __init__(self) -> None:
        self.agent_name = ""
        self.over = ""
        self.asks_for_inputs = False
        self._tells_of_playing = False
        self._responses: dict[str, _Response] = {}
        self._fragments: dict[Side, _Fragments] = {"agent": _Fragments(), "caller": _Fragments()}
        self._readers: dict[str, Callable[[Mapping[str, Any], float], list[Event]]] = {
            "session.created": self._session,
            "session.started": self._session,
            "session.closed": self._closed,
            "input_audio_buffer.speech_started": self._started,
            "input_audio_buffer.speech_stopped": self._stopped,
            "input_audio_buffer.timeout_triggered": self._plain("input-timeout"),
            "conversation.item.input_audio_transcription.completed": self._heard,
            "conversation.item.input_audio_transcription.failed": self._failed,
            "conversation.item.truncated": self._plain("bot-truncated"),
            "response.created": self._created,
            "response.output_audio_transcript.done": self._said,
            "response.audio_transcript.done": self._said,
            "response.function_call_arguments.done": self._tool,
            "response.done": self._done,
            "output_audio_buffer.started": self._playing,
            "output_audio_buffer.stopped": self._played,
            "output_audio_buffer.cleared": self._cleared,
            "session.output_transcript.delta": self._fragment_of("agent"),
            "session.input_transcript.delta": self._fragment_of("caller"),
            "error": self._error,
        }

    def read(self, content: Mapping[str, Any], *, t: float) -> list[Event]:
        kind = content.get("type")
        if not isinstance(kind, str):
            raise ValueError("no type")
        reader = self._readers.get(kind)
        return reader(content, t) if reader is not None else []

    def rest(self, *, t: float) -> list[Event]:
        return [*self._line("agent", t), *self._line("caller", t)]

    # --- the session

    def _session(self, content: Mapping[str, Any], t: float) -> list[Event]:
        session = content.get("session")
        session = session if isinstance(session, dict) else {}
        self.agent_name = text_of(session, "model") or ""
        return [event(SOURCE, t, "agent", "bot-ready", model=self.agent_name or None)]

    def _closed(self, content: Mapping[str, Any], t: float) -> list[Event]:
        reason = text_of(content, "reason") or "no reason given"
        self.over = f"the agent closed the session ({reason})"
        return [event(SOURCE, t, "agent", "session-closed", reason=reason)]

    def _error(self, content: Mapping[str, Any], t: float) -> list[Event]:
        error = content.get("error")
        error = error if isinstance(error, dict) else {}
        said = text_of(error, "message") or "an error without a message"
        return [event(SOURCE, t, "agent", "error", error=said, code=text_of(error, "code"))]

    # --- what it heard

    def _started(self, content: Mapping[str, Any], t: float) -> list[Event]:
        return [event(SOURCE, t, "caller", "user-started-speaking", at_ms=_number(content, "audio_start_ms"))]

    def _stopped(self, content: Mapping[str, Any], t: float) -> list[Event]:
        return [event(SOURCE, t, "caller", "user-stopped-speaking", at_ms=_number(content, "audio_end_ms"))]

    def _heard(self, content: Mapping[str, Any], t: float) -> list[Event]:
        text = text_of(content, "transcript", most=MAX_TEXT_CHARS)
        return [event(SOURCE, t, "caller", "user-transcription", text=text or "", final=True)]

    def _failed(self, content: Mapping[str, Any], t: float) -> list[Event]:
        return [event(SOURCE, t, "caller", "transcription-failed")]

    # --- what it said

    def _created(self, content: Mapping[str, Any], t: float) -> list[Event]:
        self._response(_id_of(content))
        return []

    def _said(self, content: Mapping[str, Any], t: float) -> list[Event]:
        text = text_of(content, "transcript", most=MAX_TEXT_CHARS)
        if text is None:
            return []
        self._response(_id_of(content)).lines.append(text)
        return [event(SOURCE, t, "agent", "bot-output", text=text, spoken=False)]

    def _tool(self, content: Mapping[str, Any], t: float) -> list[Event]:
        arguments = told_arguments(content.get("arguments"))
        name, call = text_of(content, "name"), text_of(content, "call_id")
        data = {"name": name, "tool_call_id": call, "arguments": arguments}
        return [event(SOURCE, t, "agent", "bot-tool-call", **data)]

    def _done(self, content: Mapping[str, Any], t: float) -> list[Event]:
        told = content.get("response")
        told = told if isinstance(told, dict) else {}
        details = told.get("status_details")
        reason = text_of(details, "reason") if isinstance(details, dict) else None
        response = self._response(_id_of(content))
        status = text_of(told, "status")
        if status in _CUT:
            response.cut = True
        interrupted = status == "cancelled" and reason == "turn_detected"
        events = [event(SOURCE, t, "agent", "bot-response-done", status=status, reason=reason)]
        if interrupted:
            events.append(event(SOURCE, t, "agent", "bot-interrupted"))
        # Where it tells of playing, the end of that is what counts.
        return [*events, *(() if self._tells_of_playing else self._spoken(_id_of(content), t))]

    def _playing(self, content: Mapping[str, Any], t: float) -> list[Event]:
        self._tells_of_playing = True
        return [event(SOURCE, t, "agent", "bot-started-speaking")]

    def _played(self, content: Mapping[str, Any], t: float) -> list[Event]:
        return [event(SOURCE, t, "agent", "bot-stopped-speaking"), *self._spoken(_id_of(content), t)]

    def _cleared(self, content: Mapping[str, Any], t: float) -> list[Event]:
        self._responses.pop(_id_of(content), None)
        return [
            event(SOURCE, t, "agent", "bot-interrupted"),
            event(SOURCE, t, "agent", "bot-stopped-speaking"),
        ]

    def _spoken(self, response_id: str, t: float) -> list[Event]:
        response = self._responses.pop(response_id, None)
        if response is None or response.cut:
            return []
        return [event(SOURCE, t, "agent", "bot-output", text=one, spoken=True) for one in response.lines]

    def _response(self, response_id: str) -> _Response:
        if response_id not in self._responses and len(self._responses) >= _MOST_OPEN:
            del self._responses[next(iter(self._responses))]
        return self._responses.setdefault(response_id, _Response())

    # --- GPT-Live

    def _fragment_of(self, side: Side) -> Callable[[Mapping[str, Any], float], list[Event]]:
        other: Side = "caller" if side == "agent" else "agent"

        def read(content: Mapping[str, Any], t: float) -> list[Event]:
            # As it is: its spaces part the words.
            delta = content.get("delta")
            delta = delta[:MAX_TEXT_CHARS] if isinstance(delta, str) else ""
            line = self._fragments[side]
            events = self._line(other, t)
            if line.text and (_number(content, "start_ms") or 0.0) - line.end_ms > _LINE_APART_MS:
                events += self._line(side, t)
            line.text = (line.text + delta)[:MAX_TEXT_CHARS]
            line.end_ms = _number(content, "end_ms") or line.end_ms
            return events

        return read

    def _line(self, side: Side, t: float) -> list[Event]:
        text = text_of({"text": self._fragments[side].text.strip()}, "text", most=MAX_TEXT_CHARS)
        self._fragments[side].text = ""
        if text is None:
            return []
        if side == "caller":
            return [event(SOURCE, t, side, "user-transcription", text=text, final=True)]
        return [event(SOURCE, t, side, "bot-output", text=text, spoken=True)]

    def _plain(self, kind: str) -> Callable[[Mapping[str, Any], float], list[Event]]:
        return lambda content, t: [event(SOURCE, t, "agent", kind)]


def _id_of(content: Mapping[str, Any]) -> str:
    """Of the response that a message is about."""
    response = content.get("response")
    found = response.get("id") if isinstance(response, dict) else content.get("response_id")
    return found[:200] if isinstance(found, str) else ""


def _number(content: Mapping[str, Any], key: str) -> float | None:
    value = content.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
