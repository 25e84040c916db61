"""FastRTC's messages, as its server sends them."""

from __future__ import annotations

from harness.transports.offers.fastrtc_messages import FastRTCMessages


def test_its_turn_detection_is_told() -> None:
    dialect = FastRTCMessages()
    logged = ["started_talking", "pause_detected", "response_starting", "Server received: x"]
    events = [event for one in logged for event in dialect.read({"type": "log", "data": one}, t=1.0)]
    assert [(e.side, e.kind) for e in events] == [
        ("caller", "user-started-speaking"),
        ("caller", "user-stopped-speaking"),
        ("agent", "bot-response-starting"),
    ]


def test_it_asks_for_inputs() -> None:
    dialect = FastRTCMessages()
    assert not dialect.asks_for_inputs
    (event,) = dialect.read({"type": "send_input", "data": []}, t=1.0)
    assert event.kind == "asks-for-inputs"
    assert dialect.asks_for_inputs


def test_it_ends_the_stream() -> None:
    dialect = FastRTCMessages()
    dialect.read({"type": "end_stream", "data": "time is\nup"}, t=1.0)
    assert dialect.over == "the agent ended the stream (time is up)"
    closed = FastRTCMessages()
    closed.read({"type": "update_connection", "data": "closed"}, t=1.0)
    assert closed.over


def test_its_errors_and_warnings_are_told() -> None:
    (event,) = FastRTCMessages().read({"type": "error", "message": "no model"}, t=1.0)
    assert (event.kind, event.data) == ("error", {"error": "no model"})
