"""Lines of a script: words or keys, and what they become."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from voice_sim.policies.base import Line
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
