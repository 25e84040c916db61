"""Lines of a script: words or keys, and what they become."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from voice_sim.policies.base import Leave, Line, Said
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy


def test_keys_are_a_line_that_says_nothing() -> None:
    policy = ScriptPolicy(Script(lines=(ScriptLine(press="42#", pause_s=0.2),)))
    assert policy.prepared_lines() == ["[presses 4 2 #]"]
    assert policy.next_line([]) == Line(text="[presses 4 2 #]", press="42#", pause_s=0.2)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({}, "say or press, one of them"),
        ({"say": "hello", "press": "1"}, "say or press, one of them"),
        ({"press": "1", "barge_in_after_s": 1.0}, "keys are pressed in a turn"),
        ({"press": "1", "kind": "backchannel", "barge_in_after_s": 1.0}, "keys are pressed in a turn"),
        ({"press": "x"}, "pattern"),
        ({"press": "1" * 33}, "at most 32"),
    ],
)
def test_what_is_no_line_is_told(line: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        ScriptLine.model_validate(line)


def test_after_what_asks_for_no_answer_the_caller_goes_on_when_nobody_speaks() -> None:
    lines = (
        ScriptLine(say="Tell me more."),
        ScriptLine(say="(cough)", kind="aside", pause_s=0.6),
        ScriptLine(say="And then?"),
    )
    policy = ScriptPolicy(Script(lines=lines))
    request = Said(text="Tell me more.", kind="turn", end_s=1.0)
    cough = Said(text="(cough)", kind="turn", end_s=2.5)
    assert policy.when_silent([], times=1) is None
    assert policy.when_silent([request], times=1) is None
    assert policy.next_line([request]) == Line(text="(cough)", pause_s=0.6, expects_reply=False)
    going_on = policy.when_silent([request, cough], times=1)
    assert going_on == Line(text="And then?", pause_s=0.4)
    last = ScriptPolicy(Script(lines=lines[:2])).when_silent([request, cough], times=1)
    assert isinstance(last, Leave)
    with pytest.raises(ValidationError, match="an aside falls into the agent's silence"):
        ScriptLine(say="(cough)", kind="aside", barge_in_after_s=1.0)
