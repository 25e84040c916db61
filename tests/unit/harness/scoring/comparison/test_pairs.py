"""Which calls have the same caller."""

from __future__ import annotations

import pytest

from harness.plans.call import CallPlan
from harness.scoring.comparison.pairs import caller_digest


def _plan(field: str, path: str, sha256: str) -> CallPlan:
    line = {"say": "Hello?", field: {"path": path, "sha256": sha256}}
    return CallPlan.model_validate({"call_id": "a", "agent": "http://x", "script": {"lines": [line]}})


@pytest.mark.parametrize("field", ["sound", "under"])
def test_a_recording_is_told_by_what_is_in_it_wherever_it_lies(field: str) -> None:
    here = caller_digest(_plan(field, "/here/voice.flac", "a" * 64))
    assert caller_digest(_plan(field, "/there/voice.flac", "a" * 64)) == here
    assert caller_digest(_plan(field, "/here/voice.flac", "b" * 64)) != here
