"""A suite with another voice looked at: what no agent could get right fails the check."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.commands import probes
from harness.errors import EXIT_CHECK_FAILED
from harness.plans.probes.forms import load_suite
from harness.plans.probes.other_voice import OtherVoiceSuite
from harness.selfcheck.suites.other_voice import check_other_voices


def small(**changed: Any) -> OtherVoiceSuite:
    """One English request and one other voice of the suite that comes along; the request's fields changed."""
    suite = load_suite("attention")
    assert isinstance(suite, OtherVoiceSuite)
    request = next(one for one in suite.requests if one.language == "en" and one.place == "under_request")
    other = next(one for one in suite.others if one.language == "en" and not one.babble)
    return suite.model_copy(
        update={
            "callers": {"en": suite.callers["en"]},
            "requests": (request.model_copy(update=changed),),
            "others": (other,),
        }
    )


def test_what_can_be_taken_up_has_no_problem() -> None:
    checked = check_other_voices(small())
    assert (checked.problems, checked.usable) == ([], True)
    assert [one.language for one in checked.others] == ["en"]


def test_a_request_without_what_is_to_be_taken_up_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = small(entity="the thirty-first of February")
    monkeypatch.setattr(probes, "load_suite", lambda name: suite)
    result = CliRunner().invoke(probes.app, ["check", "attention", "--json"])
    assert result.exit_code == EXIT_CHECK_FAILED
    document = json.loads(result.stdout)
    assert document["problems"] == [
        f"{suite.requests[0].id}: 'the thirty-first of February' is not found in its own request: "
        "it can never be taken up"
    ]
    assert [one["problem"] for one in document["others"]] == [""]
