"""Verdicts on dialogues with somebody else in them, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from metrics.interaction.attention import Attended, attended

GOOD: dict[str, Any] = {"answered": True, "taken_up": True}
NO_ANSWER = "it did not answer the request"
STOPPED = "it stopped for the other voice"
ANSWERED_IT = "it answered the other voice"
NOT_TAKEN_UP = "it did not take up the request"
TAKEN_UP_UNKNOWN = "nobody can tell whether it took up the request"
STOPPED_UNKNOWN = "nobody can tell whether it stopped or replied"


@pytest.mark.parametrize(
    ("known", "success", "reason"),
    [
        ({}, True, ""),
        ({"answered": False}, False, NO_ANSWER),
        ({"answered": False, "taken_up": None}, False, NO_ANSWER),
        ({"taken_up": False}, False, NOT_TAKEN_UP),
        ({"taken_up": None}, None, TAKEN_UP_UNKNOWN),
        ({"took_words": ("parrot",)}, False, "it took up the other's words: parrot"),
        ({"took_words": ("parrot", "cage")}, False, "it took up the other's words: parrot, cage"),
        # What is known to be wrong decides, whatever else is not known.
        ({"took_words": ("parrot",), "taken_up": None}, False, "it took up the other's words: parrot"),
        ({"into_speech": True, "stopped": True}, False, STOPPED),
        ({"into_speech": True, "stopped": True, "taken_up": None, "replied": None}, False, STOPPED),
        ({"into_speech": True, "replied": True}, False, ANSWERED_IT),
        ({"into_speech": True, "stopped": None, "replied": True}, False, ANSWERED_IT),
        ({"into_speech": True, "stopped": None, "taken_up": False}, False, NOT_TAKEN_UP),
        ({"into_speech": True, "stopped": None}, None, STOPPED_UNKNOWN),
        ({"into_speech": True, "replied": None}, None, STOPPED_UNKNOWN),
        ({"into_speech": True, "stopped": None, "replied": None}, None, STOPPED_UNKNOWN),
        # It heard the other, and neither stopped nor replied; by default nothing of that is said of it.
        ({"into_speech": True}, True, ""),
        ({"into_speech": True, "stopped": False, "replied": False}, True, ""),
        # Under the request nothing falls into the agent's speech: whether it stopped or replied is not asked.
        ({"stopped": None, "replied": None}, True, ""),
        ({"stopped": True}, True, ""),
        ({"replied": True}, True, ""),
    ],
)
def test_verdicts(known: dict[str, Any], success: bool | None, reason: str) -> None:
    assert attended(**(GOOD | known)) == Attended(success=success, reason=reason)
