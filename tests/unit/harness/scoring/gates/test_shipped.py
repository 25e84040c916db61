"""The shipped gates: each is red for an agent that does just that, and for no other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from harness.plans.checks.checks import Checks
from harness.records.call import CallStatus
from harness.scoring.gates.decide import NO_LIMIT_ON_LATENCY, verdict_of
from harness.scoring.gates.held_to import as_second_attempts
from harness.scoring.gates.shipped import CAME_ABOUT, OWN_FAULTS, PLACED, SPOKE, TO_THE_END
from tests.nights import held, night_call
from tests.report.make_run import MadeCall, Said

REFUSED = night_call("bad", status=CallStatus.SETUP_FAILED, detail="refused")
MUTE = night_call("bad", [None], status=CallStatus.CALLER_HANGUP, detail="silent")
GREETS_ONLY = MadeCall(
    id="bad",
    duration_s=20.0,
    status=CallStatus.CALLER_HANGUP,
    said=[Said(side="agent", start_s=0.2, end_s=1.0, text="Hello?"), *MUTE.said],
    turns=MUTE.turns,
)
HANGS_UP = night_call("bad", status=CallStatus.AGENT_HANGUP)
TO_THE_LIMIT = night_call("bad", status=CallStatus.TIMEOUT)
SKIPS_A_LINE = night_call("bad", [700.0, None, 700.0])
OURS = night_call("bad", status=CallStatus.HARNESS_FAULT)


def red(calls: Sequence[MadeCall]) -> set[str]:
    verdict = verdict_of([held(call) for call in calls], Checks())
    assert all(check.ours for check in verdict.checks)
    return {check.name for check in verdict.checks if check.red}


def good(count: int) -> list[MadeCall]:
    return [night_call(f"good-{n}") for n in range(count)]


@pytest.mark.parametrize(
    ("bad", "gates"),
    [
        (REFUSED, {CAME_ABOUT}),
        (MUTE, {SPOKE}),
        (OURS, {OWN_FAULTS}),
    ],
    ids=["not placed", "mute", "ours"],
)
def test_one_bad_call_in_ten_fails_its_own_gate_alone(bad: MadeCall, gates: set[str]) -> None:
    """One in ten that is not reached is within the 90 % of the third."""
    assert red([*good(9), bad]) == gates


@pytest.mark.parametrize(
    "bad", [GREETS_ONLY, HANGS_UP, TO_THE_LIMIT, SKIPS_A_LINE], ids=["gives up", "hangs up", "limit", "line"]
)
def test_two_in_ten_that_do_not_reach_the_end_are_too_many(bad: MadeCall) -> None:
    again = MadeCall(**vars(bad) | {"id": "bad-2"})
    assert red([*good(9), bad]) == set()
    assert red([*good(8), bad, again]) == {TO_THE_END}


def test_own_faults_up_to_a_twentieth_pass_and_enter_no_other_gate() -> None:
    assert red([*good(19), OURS]) == set()
    assert red([*good(18), OURS]) == {OWN_FAULTS}


def test_a_good_run_passes_and_says_that_no_limit_on_latency_was_set() -> None:
    verdict = verdict_of([held(call) for call in good(3)], Checks())
    assert (verdict.word, verdict.exit_code) == ("passed", 0)
    assert NO_LIMIT_ON_LATENCY in verdict.notes


def test_where_no_call_came_about_the_word_is_another() -> None:
    verdict = verdict_of([held(REFUSED)], Checks())
    assert (verdict.word, verdict.exit_code) == ("not_placed", 3)


def test_calls_of_ours_alone_pass_nothing() -> None:
    verdict = verdict_of([held(OURS)], Checks())
    assert (verdict.word, verdict.exit_code) == ("failed", 1)
    # What failed is ours: of the agent, however slow and sound, nothing is known.
    assert {check.name: check.result for check in verdict.checks} == {
        CAME_ABOUT: "passed",
        SPOKE: "inconclusive",
        TO_THE_END: "inconclusive",
        OWN_FAULTS: "failed",
    }


def test_a_run_most_of_whose_calls_broke_off_is_no_green_one() -> None:
    lost = [night_call(f"lost-{n}", status=CallStatus.CONNECTION_LOST) for n in range(9)]
    verdict = verdict_of([held(call) for call in [*good(1), *lost]], Checks())
    assert (verdict.word, verdict.exit_code) == ("inconclusive", 1)
    assert red([*good(1), *lost]) == {TO_THE_END}


def test_gates_of_the_plan_take_their_place() -> None:
    calls = [held(call) for call in [*good(3), OURS]]
    own = Checks.model_validate({"gates": ["response_rate >= 0.9"]})
    assert [check.name for check in verdict_of(calls, own).checks] == ["response_rate >= 0.9"]
    both = Checks.model_validate({"gates": ["response_rate >= 0.9", "shipped"]})
    assert verdict_of(calls, both).word == "failed"


def test_planned_calls_that_left_no_record_pass_nothing() -> None:
    """12 of 100 calls and no more: what they did is not what the run did."""
    calls = [held(call) for call in good(12)]
    unplaced = [f"later-{n}" for n in range(88)]
    verdict = verdict_of(calls, Checks(), unplaced=unplaced)
    assert (verdict.word, verdict.exit_code) == ("inconclusive", 1)
    came_about = verdict.checks[0]
    assert (came_about.name, came_about.result) == (CAME_ABOUT, "inconclusive")
    assert came_about.told == (
        "12 of 100; 88 left no record that can be used: later-0, later-1, later-2 and 85 more"
    )
    # One that was refused is known, and fails.
    assert (
        verdict_of([*calls, held(REFUSED)], Checks(), unplaced=unplaced)
        .checks[0]
        .told.startswith("12 of 101; bad: refused; 88 left")
    )
    assert verdict_of([*calls, held(REFUSED)], Checks(), unplaced=unplaced).word == "failed"


def test_they_pass_nothing_beside_gates_of_the_plan_either() -> None:
    gates = Checks.model_validate({"gates": [{"gate": "calls.completed.share >= 1", "inconclusive": "warn"}]})
    calls = [held(call) for call in good(2)]
    assert verdict_of(calls, gates).word == "passed"
    verdict = verdict_of(calls, gates, unplaced=["c"])
    assert verdict.word == "inconclusive"
    assert [(one.name, one.result, one.ours) for one in verdict.checks] == [
        (PLACED, "inconclusive", True),
        ("calls.completed.share >= 1", "passed", False),
    ]
    assert verdict.checks[0].told == "2 of 3; 1 left no record that can be used: c"
    # Second attempts turn it into nothing better.
    again = as_second_attempts([held(call) for call in good(1)])
    assert verdict_of(calls, gates, unplaced=["c"], again=again).word == "inconclusive"
