"""A call as a case: lines, timing, and what has to go otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.records.call import CallStatus
from harness.records.scores import InterruptionTiming
from harness.scoring.pin.of_call import pinned_call
from tests.nights import held, night_call


def test_what_went_wrong_is_expected_to_go_otherwise() -> None:
    missed = InterruptionTiming(
        index=1,
        user_start_s=4.0,
        agent_onset_s=2.5,
        planned_offset_s=1.2,
        actual_offset_s=1.234,
        outcome="not_stopped",
        censored_after_ms=3000.0,
    )
    call = night_call("a.1", [500.0, 600.0, None], interruptions=[missed], snr_db=10.0)
    call.said[2].kind = "barge_in"
    plan = expand_plan(pinned_call(held(call).files).content)
    (one,) = plan.calls
    assert one.script is not None
    assert [line.say for line in one.script.lines] == ["Line number 1.", "Line number 2.", "Line number 3."]
    assert [line.barge_in_after_s for line in one.script.lines] == [None, 1.234, None]
    # The agent's answers end half a second before the caller's next line.
    assert [line.pause_s for line in one.script.lines] == [0.4, 0.4, 0.5]
    assert one.conditions.noise is not None
    assert one.conditions.noise.snr_db == 10.0
    assert [(each.line, each.what.told) for each in plan.checks.expect[one.call_id]] == [
        (1, "stops within 500 ms"),
        (2, "answered"),
    ]


@pytest.mark.parametrize(
    ("status", "told"), [(CallStatus.COMPLETED, "answered"), (CallStatus.AGENT_HANGUP, "ends: completed")]
)
def test_of_a_call_without_a_bad_line_the_end_or_every_answer(status: CallStatus, told: str) -> None:
    plan = expand_plan(pinned_call(held(night_call("a", status=status)).files).content)
    assert [each.what.told for each in plan.checks.expect["pin-a"]] == [told]


def test_a_call_in_which_nothing_was_said_is_no_case() -> None:
    with pytest.raises(UserError, match="said nothing"):
        pinned_call(held(night_call("a", status=CallStatus.SETUP_FAILED)).files)


def test_a_call_that_is_not_scored_is_no_case_yet() -> None:
    # When the agent spoke is not known: the case would not wait for its greeting, nor expect what went wrong.
    files = replace(held(night_call("a")).files, scores=None)
    with pytest.raises(UserError, match=r"a: is not scored, .* first score its run: outboundeval score RUN"):
        pinned_call(files)
