"""Records as version 0.1 wrote them."""

from __future__ import annotations

from typing import Any

import pytest

from harness.plans.written_before import plan_of_first_format
from harness.records.call import CallRecord, CallStatus
from harness.records.run import RunInfo
from harness.records.written_before import FORMAT
from tests.unit.harness.stand_ins.chatting import plan

END: dict[str, Any] = {"started_at": "2026-01-01T00:00:00+00:00", "duration_s": 4.0}


def _by_voice(status: str, detail: str) -> dict[str, Any]:
    called = {"call_id": "a", "agent": "http://127.0.0.1:1", "script": {"lines": [{"say": "Hi."}]}}
    return {"plan": called, "status": status, "status_detail": detail, **END}


@pytest.mark.parametrize(
    ("status", "detail", "now"),
    [
        ("harness_fault", "interrupted at the terminal", CallStatus.INTERRUPTED),
        ("harness_fault", "our sender was late", CallStatus.HARNESS_FAULT),
        ("completed", "interrupted at the terminal", CallStatus.COMPLETED),
    ],
)
def test_a_call_that_was_cut_off_then_was_nobodys_fault(status: str, detail: str, now: CallStatus) -> None:
    record = CallRecord.model_validate(_by_voice(status, detail))
    assert record.status is now
    assert record.version == FORMAT


def test_today_the_status_alone_says_it() -> None:
    content = _by_voice("harness_fault", "interrupted at the terminal") | {"version": FORMAT}
    assert CallRecord.model_validate(content).status is CallStatus.HARNESS_FAULT


def test_a_dialogue_is_read_with_its_turns_and_what_it_took() -> None:
    old = {
        "version": 1,
        "plan": plan_of_first_format(plan().model_dump(mode="json")),
        "status": "agent_failed",
        "status_detail": "gone",
        "turns": [{"speaker": "agent", "text": "Hello.", "start_s": 0, "end_s": 1}],
        "agent_usage": {"requests": 1, "output_tokens": 3, "cost": None},
        **END,
    }
    record = CallRecord.model_validate(old)
    assert record.plan.digest == plan().digest
    assert record.status is CallStatus.AGENT_FAILED
    assert [turn.text for turn in record.dialogue.turns] == ["Hello."]
    assert record.agent_usage.cost is None


def test_the_run_of_dialogues_is_read_as_a_run() -> None:
    old = {
        "kind": "chat",
        "name": "benchmark",
        "started_at": "then",
        "finished_at": "",
        "outboundeval": "0.1.0",
        "plan_digest": "0",
        "agent": "llm",
        "competitors": ["a:x"],
        "policy": "agenda",
        "trials": 2,
        "seed": 7,
        "dialogue_ids": ["one", "two"],
    }
    info = RunInfo.model_validate(old)
    assert (info.call_ids, info.agents, info.finished_at) == (["one", "two"], ["llm"], None)
    assert (info.kind, info.trials, info.seed) == ("chat", 2, 7)
