"""Verdicts on dialogues with somebody else in them, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from metrics.interaction.attention import attended

GOOD: dict[str, Any] = {"answered": True, "taken_up": True}


@pytest.mark.parametrize(
    ("known", "success", "told"),
    [
        ({}, True, ""),
        ({"answered": False}, False, "did not answer"),
        ({"answered": False, "taken_up": None}, False, "did not answer"),
        ({"taken_up": False}, False, "did not take up"),
        ({"taken_up": None}, None, "nobody can tell"),
        ({"took_words": ("parrot",)}, False, "parrot"),
        # What is known to be wrong decides, whatever else is not known.
        ({"took_words": ("parrot",), "taken_up": None}, False, "parrot"),
        ({"into_speech": True, "stopped": True}, False, "stopped"),
        ({"into_speech": True, "stopped": True, "taken_up": None, "replied": None}, False, "stopped"),
        ({"into_speech": True, "replied": True}, False, "answered the other"),
        ({"into_speech": True, "stopped": None}, None, "stopped or replied"),
        ({"into_speech": True, "replied": None}, None, "stopped or replied"),
        # Under the request nothing falls into the agent's speech.
        ({"stopped": None, "replied": None}, True, ""),
    ],
)
def test_verdicts(known: dict[str, Any], success: bool | None, told: str) -> None:
    found = attended(**(GOOD | known))
    assert found.success is success
    assert told in found.reason
