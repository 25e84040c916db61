"""What a LiveKit agent tells of itself: what it heard and said, its states, its session, turned into events.

Kinds are those of RTVI where they mean the same (``user-transcription``, ``bot-output``,
``bot-started-speaking``, ``bot-stopped-speaking``, ``bot-interrupted``), so that everything that reads
agents' own words reads these; the source is ``livekit``. Its word is a witness's: no figure of time rests on
it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import DecodeError
from livekit.protocol.agent_pb import agent_session

from harness.records.call import Event, Side
from harness.records.timeline import MESSAGES_DROPPED, told_arguments
from harness.redaction import KNOWN
from harness.transports.livekit.told.data_streams import DataStream, StreamInbox
from spoken_language.outside_text import one_line

SOURCE = "livekit"
TRANSCRIPTION = "lk.transcription"
SESSION = "lk.agent.session"
FINAL = "lk.transcription_final"
MAX_TEXT_CHARS = 4_000
MAX_EVENTS = 20_000
_STATES = frozenset({"initializing", "idle", "listening", "thinking", "speaking"})
"""Of ``lk.agent.state``; any other is told of, and means nothing to us."""
_OWN_FIGURES = tuple(
    name
    for name in (
        "transcription_delay",
        "end_of_turn_delay",
        "llm_node_ttft",
        "llm_node_ttfs",
        "tts_node_ttfb",
        "e2e_latency",
    )
    if name in agent_session.MetricsReport.DESCRIPTOR.fields_by_name
)
"""What an agent measures of its own turn, in seconds; as far as the installed protocol knows them."""


class Witness:
    """One call's messages. What it gives back is untrusted text, cut, on one line and without secrets.

    Args:
        identity: Ours: a transcript in our name is what the agent heard of us.
    """

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._inbox = StreamInbox(topics=(TRANSCRIPTION, SESSION))
        self._state = ""
        self._told = 0

    @property
    def flooded(self) -> bool:
        return self._inbox.flooded

    @property
    def received(self) -> int:
        return self._inbox.received

    def read(self, message: Any, *, t: float) -> list[Event]:
        """The events of one message of a data channel."""
        stream = self._inbox.read(message, t=t)
        if stream is None or not stream.complete or self._told > MAX_EVENTS:
            return []
        events = list(
            self._transcribed(stream, t) if stream.topic == TRANSCRIPTION else self._session(stream, t)
        )
        self._told += len(events)
        return events

    def state(self, state: str, *, t: float) -> list[Event]:
        """The agent's ``lk.agent.state``, whenever it may have changed."""
        was, self._state = self._state, state
        if state == was or not state:
            return []
        events = [_event(t, "agent-state", {"state": _line(state, 100), "was": _line(was, 100)})]
        if state == "speaking" and state in _STATES:
            events.append(_event(t, "bot-started-speaking"))
        elif was == "speaking":
            events.append(_event(t, "bot-stopped-speaking"))
        return events

    def dropped_event(self, *, t: float) -> Event | None:
        """What was dropped until now, for the timeline; None where nothing was."""
        if not self._inbox.dropped_by:
            return None
        data = {str(why): n for why, n in self._inbox.dropped_by.items()}
        return Event(t=t, side="agent", kind=MESSAGES_DROPPED, source="wire", data=data)

    def _transcribed(self, stream: DataStream, t: float) -> Iterator[Event]:
        text = _line(stream.text, MAX_TEXT_CHARS)
        if not text:
            return
        final = stream.attributes.get(FINAL) == "true"
        if stream.sender == self._identity:
            yield _event(t, "user-transcription", {"text": text, "final": final}, side="caller")
        elif final:
            # Its words come as they are spoken; a stream ends with the speech, or where that was cut.
            data = {"text": text, "spoken": True, "began_s": round(stream.began_s, 4)}
            yield _event(t, "bot-output", data)

    def _session(self, stream: DataStream, t: float) -> Iterator[Event]:
        message = agent_session.AgentSessionMessage()
        try:
            message.ParseFromString(bytes(stream.content))
        except (DecodeError, RecursionError):
            self._inbox.dropped_by["not understood"] += 1
            return
        if message.WhichOneof("message") != "event":
            return
        event = message.event
        kind = event.WhichOneof("event")
        if kind == "conversation_item_added" and event.conversation_item_added.item.HasField("message"):
            said = event.conversation_item_added.item.message
            yield _event(t, "session-item", _item(said))
            if said.interrupted:
                yield _event(t, "bot-interrupted")
        elif kind == "user_state_changed":
            state = _enum(agent_session.UserState, event.user_state_changed.new_state)
            yield _event(t, "user-state", {"state": state}, side="caller")
        elif kind == "error":
            yield _event(t, "error", {"error": _line(event.error.message, 500)})
        elif kind in ("function_tools_started", "function_tools_executed"):
            calls = getattr(event, kind).function_calls[:20]
            yield _event(t, kind.replace("_", "-"), {"functions": [_line(call.name, 100) for call in calls]})
            for call in calls:
                yield _event(t, "function-tool-call", _tool(call))
        elif kind == "overlapping_speech":
            yield _event(
                t, "overlapping-speech", {"is_interruption": event.overlapping_speech.is_interruption}
            )
        elif kind == "agent_false_interruption":
            yield _event(t, "false-interruption", {"resumed": event.agent_false_interruption.resumed})


def _tool(call: agent_session.FunctionCall) -> dict[str, Any]:
    data = {
        "name": _line(call.name, 100),
        "tool_call_id": _line(call.call_id, 100),
        "arguments": told_arguments(call.arguments),
    }
    return {key: value for key, value in data.items() if value}


def _item(said: agent_session.ChatMessage) -> dict[str, Any]:
    """A message of the agent's own history, with what it measured itself, in milliseconds."""
    text = " ".join(part.text for part in said.content[:20])
    metrics = {
        f"{name}_ms": round(value * 1000, 1)
        for name in _OWN_FIGURES
        if said.metrics.HasField(name) and 0 <= (value := getattr(said.metrics, name)) < 1e6
    }
    return {
        "role": _enum(agent_session.ChatRole, said.role),
        "text": _line(text, MAX_TEXT_CHARS),
        "interrupted": said.interrupted,
        **({"own_figures": metrics} if metrics else {}),
    }


def _enum(of: Any, number: int) -> str:
    try:
        return str(of.Name(number)).lower()
    except ValueError:
        return str(number)


def _line(text: str, most: int) -> str:
    # Before anything is cut: half a secret is not found any more.
    return one_line(KNOWN.scrub(text), most=most).strip()


def _event(t: float, kind: str, data: dict[str, Any] | None = None, *, side: Side = "agent") -> Event:
    return Event(t=t, side=side, kind=kind, source=SOURCE, data=data or {})
