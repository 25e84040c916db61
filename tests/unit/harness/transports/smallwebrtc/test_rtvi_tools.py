"""What RTVI tells of tools: their names, and what they were called with."""

from __future__ import annotations

import json

import pytest

from harness.transports.smallwebrtc.rtvi import RtviInbox


@pytest.mark.parametrize("key", ["arguments", "args"])
def test_a_tool_is_told_with_its_arguments(key: str) -> None:
    data = {"function_name": "refund", "tool_call_id": "c1", key: {"order": 7, "items": [1]}}
    message = {"label": "rtvi-ai", "type": "llm-function-call-in-progress", "id": "1", "data": data}
    event = RtviInbox().read(json.dumps(message), t=1.0)
    assert event is not None
    assert event.data == {"function_name": "refund", "tool_call_id": "c1", "arguments": {"order": 7}}
