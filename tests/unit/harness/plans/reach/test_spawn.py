"""The agent's program in a plan: what is called, and what is no program."""

from __future__ import annotations

from typing import Any

import pytest

from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.plans.reach.spawn import SpawnPlan

CALL = {"id": "one", "script": {"lines": [{"say": "Hello."}]}}


def _plan(**fields: Any) -> dict[str, Any]:
    return {"calls": [CALL], **fields}


def test_the_port_stands_in_the_command_and_in_the_address() -> None:
    plan = expand_plan(
        _plan(agent="http://127.0.0.1:{port}/x", spawn={"command": "bot --port {port} 'a b'", "port": 8123})
    )
    assert plan.spawn is not None
    assert plan.spawn.words == ["bot", "--port", "8123", "a b"]
    assert plan.calls[0].agent == "http://127.0.0.1:8123/x"


def test_without_an_address_the_program_is_called_at_its_port() -> None:
    plan = expand_plan(_plan(spawn={"command": "bot"}))
    assert plan.calls[0].agent == "http://127.0.0.1:7860"


def test_the_command_line_s_program_comes_first() -> None:
    given = SpawnPlan(command="mine", port=8001)
    plan = expand_plan(_plan(spawn={"command": "theirs"}), spawn=given)
    assert (plan.spawn, plan.calls[0].agent) == (given, "http://127.0.0.1:8001")


def test_a_program_is_no_part_of_what_the_calls_are() -> None:
    at = "http://127.0.0.1:7860"
    started = expand_plan(_plan(agent=at, spawn={"command": "bot"}))
    assert started.digest == expand_plan(_plan(agent=at)).digest


def test_a_port_without_a_program_is_an_error() -> None:
    with pytest.raises(UserError, match="is the port of a program that is started"):
        expand_plan(_plan(agent="http://127.0.0.1:{port}"))


@pytest.mark.parametrize(
    ("spawn", "said"),
    [
        ({"command": "bot 'open"}, "cannot be read as a command"),
        ({"command": "  "}, "is empty"),
        ({"command": "bot", "port": 0}, "port"),
        ({"command": "bot", "shell": True}, "shell"),
        ({"command": "bot", "within_s": 0}, "within_s"),
    ],
)
def test_what_is_no_program_says_so(spawn: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        expand_plan(_plan(spawn=spawn))
