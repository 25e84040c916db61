"""Messages of a channel: bounded, counted, and no stranger's text as it came."""

from __future__ import annotations

import json

from harness.redaction import KNOWN
from harness.transports.offers.fastrtc_messages import FastRTCMessages
from harness.transports.offers.inbox import (
    MAX_MESSAGE_BYTES,
    MAX_MESSAGES_PER_S,
    Inbox,
    Silent,
)
from harness.transports.offers.openai_events import OpenAIEvents


def test_what_is_no_message_is_counted_and_costs_nothing() -> None:
    inbox = Inbox(dialect=OpenAIEvents())
    for message in ("", "[]", "{", '{"type": 5}', b"\xff\xfe", "null", '{"type": "error", "type": "error"}'):
        assert inbox.read(message, t=1.0) == []
    assert inbox.read("x" * (MAX_MESSAGE_BYTES + 1), t=1.0) == []
    (told,) = inbox.close(t=2.0)
    assert told.kind == "messages-dropped"
    assert told.data == {"not understood": 7, "too large": 1}


def test_unknown_types_are_let_go_without_being_counted() -> None:
    for dialect in (OpenAIEvents(), FastRTCMessages(), Silent()):
        inbox = Inbox(dialect=dialect)
        assert inbox.read('{"type": "something.new", "data": [1]}', t=1.0) == []
        assert inbox.close(t=1.0) == []


def test_a_flood_is_noticed_and_nothing_of_it_is_told() -> None:
    inbox = Inbox(dialect=FastRTCMessages())
    message = json.dumps({"type": "log", "data": "started_talking"})
    told = [event for _ in range(MAX_MESSAGES_PER_S + 50) for event in inbox.read(message, t=3.0)]
    assert inbox.flooded
    assert len(told) == MAX_MESSAGES_PER_S
    assert inbox.dropped_by["too many"] == 50


def test_a_secret_that_comes_back_is_not_kept() -> None:
    KNOWN.learn("hunter2-hunter2")
    inbox = Inbox(dialect=OpenAIEvents())
    error = {"type": "error", "error": {"message": "key hunter2-hunter2 is wrong\nsecond line"}}
    (event,) = inbox.read(json.dumps(error), t=1.0)
    assert event.data["error"] == "key *** is wrong second line"
