"""A transcript as a case: the caller's turns in order, and what cannot be one."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.scoring.pin.of_transcript import pinned_transcript


def test_the_caller_says_its_turns_and_waits_where_the_agent_began(tmp_path: Path) -> None:
    path = tmp_path / "call 7.txt"
    path.write_text(
        "Agent: Good morning.\nCaller: Where is\nmy order?\nCustomer: Number seven.\nAgent: It left.\n"
        "User: Thanks.\n",
        encoding="utf-8",
    )
    plan = expand_plan(pinned_transcript(path).content, agent="http://127.0.0.1:9")
    (call,) = plan.calls
    assert call.call_id == "pin-call-7"
    assert call.script is not None
    assert call.script.wait_for_greeting
    assert [line.say for line in call.script.lines] == ["Where is my order? Number seven.", "Thanks."]
    assert [one.what.told for one in plan.checks.expect["pin-call-7"]] == ["answered"]


@pytest.mark.parametrize(
    ("text", "why"),
    [("Agent: Hello?\nAgent: Anybody?", "the caller says nothing"), (f"Caller: {'a ' * 1100}", "characters")],
)
def test_what_is_no_case_is_told(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "call.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=why):
        pinned_transcript(path)
