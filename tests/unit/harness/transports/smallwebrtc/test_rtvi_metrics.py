"""What an agent says that its processors took: kept as it was claimed, however absurd, and bounded."""

from __future__ import annotations

import json
from typing import Any

from harness.transports.smallwebrtc.rtvi import RtviInbox
from harness.transports.smallwebrtc.rtvi_metrics import MAX_CLAIMS, MAX_MESSAGES, metrics_fields


def _message(data: Any) -> str:
    return json.dumps({"label": "rtvi-ai", "type": "metrics", "data": data})


def _of(value: Any, processor: Any = "LLM#0") -> dict[str, Any]:
    return {"processor": processor, "value": value}


def test_times_to_the_first_byte_sound_and_answer_are_kept_by_processor() -> None:
    event = RtviInbox().read(
        _message(
            {
                "ttfb": [{"processor": "OpenAILLMService#0", "model": "tiny", "value": 0.31}],
                "ttfa": [
                    {"processor": "PiperTTSService#0", "ttfa": 0.2, "ttfb": 0.1, "leading_silence": 0.1}
                ],
                "ttfat": [
                    {"processor": "OpenAILLMService#0", "ttfat": 0.5, "ttfb": 0.3, "thinking_time": 0.2}
                ],
                "processing": [{"processor": "OpenAILLMService#0", "value": 2.0}],
                "tokens": [{"prompt_tokens": 1}],
            }
        ),
        t=2.0,
    )
    assert event is not None
    assert (event.kind, event.side, event.source, event.t) == ("metrics", "agent", "rtvi", 2.0)
    assert event.data == {
        "ttfb": [{"processor": "OpenAILLMService#0", "s": 0.31}],
        "ttfa": [{"processor": "PiperTTSService#0", "s": 0.2}],
        "ttfat": [{"processor": "OpenAILLMService#0", "s": 0.5}],
    }


def test_an_absurd_claim_is_kept_as_it_was_made() -> None:
    kept = metrics_fields({"ttfb": [_of(-5), _of(1e9)]})
    assert [one["s"] for one in kept["ttfb"]] == [-5.0, 1e9]
    assert "unusable" not in kept


def test_what_is_no_claim_is_counted() -> None:
    bad = [1, None, _of("0.3"), _of(True), _of(None), _of(0.3, 7), _of(10**39), _of(float("nan"))]
    assert metrics_fields({"ttfb": bad}) == {"unusable": len(bad)}
    assert metrics_fields({"ttfb": "x", "ttfa": {}}) == {}


def test_a_message_keeps_so_many_claims_and_short_names() -> None:
    kept = metrics_fields({"ttfb": [_of(0.1, "a\n" * 1000)] * (MAX_CLAIMS + 3)})
    assert len(kept["ttfb"]) == MAX_CLAIMS
    assert kept["unusable"] == 3
    assert "\n" not in kept["ttfb"][0]["processor"]
    assert len(kept["ttfb"][0]["processor"]) <= 100


def test_of_ten_thousand_messages_so_many_are_kept_and_none_closes_the_channel() -> None:
    inbox = RtviInbox()
    events = [inbox.read(_message({"ttfb": [_of(0.1)]}), t=number / 100) for number in range(10_000)]
    assert sum(event is not None for event in events) == MAX_MESSAGES
    assert not inbox.flooded
    assert inbox.dropped == 0
