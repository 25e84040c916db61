"""What a LiveKit agent tells of itself, as events."""

from __future__ import annotations

from typing import Any

from livekit.protocol.agent_pb import agent_session

from harness.redaction import KNOWN
from harness.transports.livekit.told.witness import SESSION, TRANSCRIPTION, Witness
from tests.unit.harness.transports.livekit.told.test_data_streams import chunk, header, trailer


def _said(witness: Witness, text: bytes, *, sender: str = "bot", final: str = "true") -> list[Any]:
    first = header(topic=TRANSCRIPTION).replace(b"bot", sender.encode())
    events = [*witness.read(first, t=4.0), *witness.read(chunk(0, text), t=5.0)]
    return [*events, *witness.read(trailer(**{"lk.transcription_final": final}), t=6.0)]


def _session(witness: Witness, **event: Any) -> list[Any]:
    content = agent_session.AgentSessionMessage(event=agent_session.AgentSessionEvent(**event))
    witness.read(header(topic=SESSION), t=1.0)
    witness.read(chunk(0, content.SerializeToString()), t=1.0)
    return witness.read(trailer(), t=2.0)


def test_what_the_agent_said() -> None:
    [event] = _said(Witness("me"), b"Good morning.")
    assert (event.side, event.kind, event.source, event.t) == ("agent", "bot-output", "livekit", 6.0)
    assert event.data == {"text": "Good morning.", "spoken": True, "began_s": 4.0}


def test_what_the_agent_heard_of_us() -> None:
    [event] = _said(Witness("me!"), b"Hi there", sender="me!")
    assert (event.side, event.kind) == ("caller", "user-transcription")
    assert event.data == {"text": "Hi there", "final": True}
    [event] = _said(Witness("me!"), b"Hi", sender="me!", final="false")
    assert event.data["final"] is False


def test_speech_that_is_not_over_is_not_told() -> None:
    assert _said(Witness("me"), b"Good mor", final="false") == []


def test_its_states() -> None:
    witness = Witness("me")
    told = [witness.state(state, t=1.0) for state in ("", "listening", "listening", "speaking", "thinking")]
    kinds = [[event.kind for event in events] for events in told]
    assert kinds == [
        [],
        ["agent-state"],
        [],
        ["agent-state", "bot-started-speaking"],
        ["agent-state", "bot-stopped-speaking"],
    ]


def test_an_interruption_that_the_agent_noticed() -> None:
    said = agent_session.ChatMessage(
        role=agent_session.ChatRole.ASSISTANT,
        content=[agent_session.ChatMessage.ChatContent(text="One moment, I")],
        interrupted=True,
        metrics=agent_session.MetricsReport(e2e_latency=0.8124),
    )
    item = agent_session.ChatContext.ChatItem(message=said)
    events = _session(
        Witness("me"),
        conversation_item_added=agent_session.AgentSessionEvent.ConversationItemAdded(item=item),
    )
    assert [event.kind for event in events] == ["session-item", "bot-interrupted"]
    assert events[0].data == {
        "role": "assistant",
        "text": "One moment, I",
        "interrupted": True,
        "own_figures": {"e2e_latency_ms": 812.4},
    }


def test_its_errors_and_functions() -> None:
    error = agent_session.AgentSessionEvent.Error(message="no\nmodel")
    [event] = _session(Witness("me"), error=error)
    assert (event.kind, event.data) == ("error", {"error": "no model"})
    started = agent_session.AgentSessionEvent.FunctionToolsStarted(
        function_calls=[
            agent_session.FunctionCall(name="book", call_id="c1", arguments='{"seats": 2}'),
            agent_session.FunctionCall(name="hang_up"),
        ]
    )
    together, first, second = _session(Witness("me"), function_tools_started=started)
    assert (together.kind, together.data) == ("function-tools-started", {"functions": ["book", "hang_up"]})
    assert first.kind == second.kind == "function-tool-call"
    assert first.data == {"name": "book", "tool_call_id": "c1", "arguments": {"seats": 2}}
    assert second.data == {"name": "hang_up"}


def test_a_secret_is_gone_before_anything_is_cut() -> None:
    KNOWN.forget()
    KNOWN.learn("sesame-open-99")
    try:
        [event] = _said(Witness("me"), b"x" * 3995 + b" sesame-open-99")
        assert "sesame" not in event.data["text"]
    finally:
        KNOWN.forget()


def test_garbage_in_a_session_is_counted() -> None:
    witness = Witness("me")
    witness.read(header(topic=SESSION), t=1.0)
    witness.read(chunk(0, b"\xff\xff"), t=1.0)
    assert witness.read(trailer(), t=1.0) == []
    dropped = witness.dropped_event(t=9.0)
    assert dropped is not None
    assert dropped.data == {"not understood": 1}
