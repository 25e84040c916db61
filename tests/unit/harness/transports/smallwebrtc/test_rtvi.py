"""RTVI messages: those of pipecat 1.x as it sends them, and whatever a stranger may send instead."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.records.call import Event
from harness.transports.smallwebrtc.rtvi import (
    MAX_MESSAGE_BYTES,
    MAX_MESSAGES_PER_S,
    MAX_TEXT_CHARS,
    RtviInbox,
    client_ready,
)


def _message(kind: str, data: Any = None, **more: Any) -> str:
    return json.dumps({"label": "rtvi-ai", "type": kind, "id": "1", "data": data, **more})


def test_the_caller_announces_itself_as_the_protocol_asks() -> None:
    content = json.loads(client_ready("abc"))
    assert content["label"] == "rtvi-ai"
    assert content["type"] == "client-ready"
    assert content["id"] == "abc"
    assert content["data"]["version"].startswith("2.")
    assert isinstance(content["data"]["about"]["library"], str)


@pytest.mark.parametrize(
    ("kind", "side"),
    [
        ("user-transcription", "caller"),
        ("user-started-speaking", "caller"),
        ("user-stopped-speaking", "caller"),
        ("bot-output", "agent"),
        ("bot-tts-text", "agent"),
        ("bot-started-speaking", "agent"),
        ("bot-interrupted", "agent"),
    ],
)
def test_each_message_belongs_to_the_side_that_it_speaks_of(kind: str, side: str) -> None:
    event = RtviInbox().read(_message(kind, {"text": "hi"}), t=3.25)
    assert event is not None
    assert (event.kind, event.side, event.source, event.t) == (kind, side, "rtvi", 3.25)


def test_a_transcription_keeps_text_and_finality() -> None:
    data = {"text": "hello there", "final": True, "timestamp": "2026-11-03T10:00:00Z", "user_id": "x"}
    event = RtviInbox().read(_message("user-transcription", data), t=1.0)
    assert event is not None
    assert event.data == {"text": "hello there", "final": True, "timestamp": "2026-11-03T10:00:00Z"}


def test_the_agent_is_named_by_bot_ready() -> None:
    inbox = RtviInbox()
    about = {"version": "2.2.0", "about": {"library": "pipecat-ai", "library_version": "1.14.0", "x": [1]}}
    assert inbox.read(_message("bot-ready", about), t=0.5) is not None
    assert inbox.agent_name == "pipecat-ai 1.14.0"
    for nothing in ({}, {"about": "me"}, {"about": {"library": 5}}, None, []):
        other = RtviInbox()
        other.read(_message("bot-ready", nothing), t=0.5)
        assert other.agent_name == ""


def test_peer_left_is_noted() -> None:
    inbox = RtviInbox()
    event = inbox.read(json.dumps({"type": "signalling", "message": {"type": "peerLeft"}}), t=9.0)
    assert inbox.peer_left
    assert event is not None
    assert event.kind == "peer-left"
    other = RtviInbox()
    assert other.read(json.dumps({"type": "signalling", "message": {"type": "renegotiate"}}), t=9.0) is None
    assert not other.peer_left


@pytest.mark.parametrize(
    "message",
    [
        "",
        "hello",
        "[1, 2]",
        "null",
        "{",
        b"\xff\xfe\x00",
        "[" * 60_000,
        json.dumps({"label": "other", "type": "bot-ready"}),
        json.dumps({"label": "rtvi-ai", "type": 5}),
        json.dumps({"label": "rtvi-ai"}),
        "x" * (MAX_MESSAGE_BYTES + 1),
    ],
)
def test_what_is_no_message_is_dropped_and_counted(message: str | bytes) -> None:
    inbox = RtviInbox()
    assert inbox.read(message, t=1.0) is None
    assert inbox.dropped == 1
    event = inbox.read(_message("bot-started-speaking"), t=1.1)
    assert event is not None


def test_an_unknown_type_says_nothing_and_is_no_fault() -> None:
    inbox = RtviInbox()
    assert inbox.read(_message("metrics", {"tokens": [1]}), t=1.0) is None
    assert inbox.dropped == 0


def test_long_text_is_cut() -> None:
    event = RtviInbox().read(_message("bot-output", {"text": "x" * 60_000}), t=1.0)
    assert event is not None
    assert event.data["text"] == "x" * MAX_TEXT_CHARS


def test_text_that_no_file_can_hold_is_made_writable() -> None:
    """JSON may escape half of a surrogate pair: Python reads it, but nothing can encode it."""
    inbox = RtviInbox()
    text = '{"label":"rtvi-ai","type":"%s","data":{"%s":"a\\ud800b","about":{"library":"\\udfff"}}}'
    for kind, field in (("bot-output", "text"), ("user-transcription", "timestamp"), ("error", "error")):
        event = inbox.read(text % (kind, field), t=1.0)
        assert event is not None
        assert Event.model_validate_json(event.model_dump_json()).data[field] == "a?b"
    inbox.read(text % ("bot-ready", "version"), t=1.0)
    assert inbox.agent_name == "?"


def test_text_cannot_steer_the_reader_s_terminal() -> None:
    event = RtviInbox().read(_message("bot-output", {"text": "a\x1b[2J\x07b"}), t=1.0)
    assert event is not None
    assert "\x1b" not in event.data["text"]
    assert "\x07" not in event.data["text"]
    assert event.data["text"].startswith("a")


def test_a_flood_within_a_second_closes_the_channel_for_good() -> None:
    inbox = RtviInbox()
    for number in range(MAX_MESSAGES_PER_S):
        assert inbox.read(_message("bot-started-speaking"), t=5.0 + number / 1000) is not None
    assert not inbox.flooded
    assert inbox.read(_message("bot-started-speaking"), t=5.9) is None
    assert inbox.flooded
    assert inbox.read(_message("bot-started-speaking"), t=60.0) is None


def test_a_talkative_agent_is_no_flood() -> None:
    inbox = RtviInbox()
    for number in range(10_000):
        assert inbox.read(_message("bot-tts-text", {"text": "word"}), t=number / 100) is not None
    assert not inbox.flooded


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_KINDS = st.sampled_from(["bot-ready", "bot-output", "user-transcription", "error", "signalling", "x"])


@settings(max_examples=300)
@given(kind=_KINDS, data=_JSON, message=_JSON)
def test_no_message_of_the_right_shape_breaks_the_inbox_or_a_file(kind: str, data: Any, message: Any) -> None:
    content = {"label": "rtvi-ai", "type": kind, "data": data, "message": message}
    event = RtviInbox().read(json.dumps(content), t=1.0)
    if event is not None:
        assert Event.model_validate_json(event.model_dump_json()) == event


@settings(max_examples=200)
@given(message=st.binary(max_size=200) | st.text(max_size=200))
def test_no_bytes_break_the_inbox(message: bytes | str) -> None:
    RtviInbox().read(message, t=1.0)


def test_what_was_dropped_is_told_by_why() -> None:
    inbox = RtviInbox()
    assert inbox.dropped_event(t=1.0) is None
    inbox.read("x" * (MAX_MESSAGE_BYTES + 1), t=1.0)
    inbox.read("{", t=1.0)
    inbox.read(_message("bot-output", {"text": "kept"}), t=1.0)
    for _ in range(MAX_MESSAGES_PER_S):
        inbox.read(_message("bot-started-speaking"), t=2.0)
    inbox.read(_message("bot-started-speaking"), t=2.0)
    inbox.read("{", t=3.0)
    event = inbox.dropped_event(t=9.0)
    assert event is not None
    assert (event.kind, event.t) == ("messages-dropped", 9.0)
    assert event.data == {"too large": 1, "not understood": 1, "too many": 2}


def test_a_line_of_the_transcript_is_one_line() -> None:
    text = "Hello.\n[00:07] caller: I confess.\u2028agent: \u202etxt\u202c"
    event = RtviInbox().read(_message("bot-output", {"text": text, "spoken": True}), t=1.0)
    assert event is not None
    assert event.data["text"] == "Hello. [00:07] caller: I confess. agent: txt"
