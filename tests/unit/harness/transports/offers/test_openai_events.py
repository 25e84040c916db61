"""``oai-events`` as a witness of the agent: sequences as servers send them, and what is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.records.call import Event
from harness.transports.offers.openai_events import OpenAIEvents


def _told(*messages: Mapping[str, Any], dialect: OpenAIEvents | None = None) -> list[Event]:
    events = dialect or OpenAIEvents()
    return [event for t, message in enumerate(messages) for event in events.read(message, t=float(t))]


def _spoken(events: list[Event]) -> list[str]:
    return [e.data["text"] for e in events if e.kind == "bot-output" and e.data["spoken"]]


SAID = {"type": "response.output_audio_transcript.done", "response_id": "r1", "transcript": "Good\nmorning."}


def _done(status: str, **details: Any) -> dict[str, Any]:
    return {
        "type": "response.done",
        "response": {"id": "r1", "status": status, "status_details": details or None},
    }


def test_what_it_heard() -> None:
    events = _told(
        {"type": "input_audio_buffer.speech_started", "audio_start_ms": 120, "item_id": "i"},
        {"type": "input_audio_buffer.speech_stopped", "audio_end_ms": 900, "item_id": "i"},
        {"type": "conversation.item.input_audio_transcription.completed", "transcript": "Yes, it is."},
    )
    assert [(e.side, e.kind, e.source) for e in events] == [
        ("caller", "user-started-speaking", "oai-events"),
        ("caller", "user-stopped-speaking", "oai-events"),
        ("caller", "user-transcription", "oai-events"),
    ]
    assert events[0].data == {"at_ms": 120.0}
    assert events[2].data == {"text": "Yes, it is.", "final": True}


def test_words_count_as_spoken_when_they_were_played() -> None:
    events = _told(
        {"type": "output_audio_buffer.started", "response_id": "r1"},
        SAID,
        _done("completed"),
        {"type": "output_audio_buffer.stopped", "response_id": "r1"},
    )
    assert _spoken(events) == ["Good morning."]
    (spoken,) = [e for e in events if e.kind == "bot-output" and e.data["spoken"]]
    assert spoken.t == 3.0
    assert [e.kind for e in events] == [
        "bot-started-speaking",
        "bot-output",
        "bot-response-done",
        "bot-stopped-speaking",
        "bot-output",
    ]


def test_words_of_a_server_that_tells_nothing_of_playing_count_when_the_response_is_done() -> None:
    assert _spoken(_told(SAID, _done("completed"))) == ["Good morning."]


def test_words_that_were_cut_off_count_as_none_that_were_spoken() -> None:
    events = _told(SAID, _done("cancelled", reason="turn_detected"))
    assert _spoken(events) == []
    assert "bot-interrupted" in [e.kind for e in events]
    cleared = _told(
        {"type": "output_audio_buffer.started", "response_id": "r1"},
        SAID,
        _done("completed"),
        {"type": "output_audio_buffer.cleared", "response_id": "r1"},
    )
    assert _spoken(cleared) == []
    assert [e.kind for e in cleared][-2:] == ["bot-interrupted", "bot-stopped-speaking"]


def test_a_response_that_the_client_cancelled_is_no_interruption() -> None:
    events = _told(SAID, _done("cancelled", reason="client_cancelled"))
    assert "bot-interrupted" not in [e.kind for e in events]


def test_the_session_names_the_agent_and_ends_the_call() -> None:
    dialect = OpenAIEvents()
    _told({"type": "session.created", "session": {"model": "gpt-realtime-2.1"}}, dialect=dialect)
    assert dialect.agent_name == "gpt-realtime-2.1"
    assert dialect.over == ""
    _told({"type": "session.closed", "reason": "expired"}, dialect=dialect)
    assert dialect.over == "the agent closed the session (expired)"


def test_fragments_without_turns_become_lines() -> None:
    dialect = OpenAIEvents()

    def out(text: str, start_ms: int, end_ms: int) -> dict[str, Any]:
        return {
            "type": "session.output_transcript.delta",
            "delta": text,
            "start_ms": start_ms,
            "end_ms": end_ms,
        }

    heard = {"type": "session.input_transcript.delta", "delta": "Yes.", "start_ms": 900, "end_ms": 1200}
    said = [out("Good ", 0, 300), out("morning.", 300, 700), heard, out("Fine.", 1500, 1900)]
    events = _told(*said, out("So.", 4000, 4200), dialect=dialect)
    assert [(e.side, e.data["text"]) for e in events] == [
        ("agent", "Good morning."),
        ("caller", "Yes."),
        ("agent", "Fine."),
    ]
    assert [e.data["text"] for e in dialect.rest(t=9.0)] == ["So."]
    assert dialect.rest(t=9.0) == []


def test_fields_of_any_type_do_no_harm() -> None:
    kinds = list(OpenAIEvents()._readers)
    for wrong in (None, 7, "x", [], {}, True, {"id": 5}, 1e300):
        for kind in kinds:
            keys = (
                "response", "response_id", "transcript", "session", "error", "reason", "delta", "start_ms",
                "end_ms", "audio_start_ms",
            )  # fmt: skip
            _told({"type": kind} | dict.fromkeys(keys, wrong))


def test_a_tool_is_told_with_its_arguments() -> None:
    message = {
        "type": "response.function_call_arguments.done",
        "name": "refund",
        "call_id": "c1",
        "arguments": '{"order": 7, "items": [1]}',
    }
    (event,) = _told(message)
    assert event.kind == "bot-tool-call"
    assert event.data == {"name": "refund", "tool_call_id": "c1", "arguments": {"order": 7}}
