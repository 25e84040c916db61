"""The shipped gates to the call: what each says, which calls it names, and where it turns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.records.call import CallStatus
from harness.records.verdict import CheckResult
from harness.scoring.gates.held_to import HeldCall
from harness.scoring.gates.shipped import (
    CAME_ABOUT,
    OWN_FAULTS,
    PLACED,
    SPOKE,
    TO_THE_END,
    shipped_checks,
    unplaced_check,
    why_not_to_the_end,
)
from metrics.interaction.outcome import TurnOutcome
from tests.nights import held, night_call

GOOD = held(night_call("good", [500.0]))
REFUSED = held(night_call("refused", status=CallStatus.SETUP_FAILED, detail="no route"))
MUTE = held(night_call("mute", [None]))
GUILTY = replace(held(night_call("guilty", [None], detail="said good-bye")), guilty=True)
LOST = held(night_call("lost", status=CallStatus.CONNECTION_LOST, detail="ICE failed"))
LOST_MUTE = held(night_call("lost-mute", [None], status=CallStatus.CONNECTION_LOST, detail="ICE failed"))
FAULT = held(night_call("fault", status=CallStatus.HARNESS_FAULT, detail="late"))


def _named(call: HeldCall, name: str) -> HeldCall:
    return replace(call, files=replace(call.files, call_id=name))


def _check(name: str, *calls: HeldCall) -> CheckResult:
    [found] = [one for one in shipped_checks(calls) if one.name == name]
    assert (found.of, found.ours) == ("gate", True)
    return found


def _told(name: str, *calls: HeldCall) -> tuple[str, str, tuple[str, ...]]:
    found = _check(name, *calls)
    return found.result, found.told, found.calls


def test_there_are_four_in_this_order() -> None:
    assert [one.name for one in shipped_checks([GOOD])] == [CAME_ABOUT, SPOKE, TO_THE_END, OWN_FAULTS]
    assert {one.result for one in shipped_checks([GOOD])} == {"passed"}


def test_every_call_came_about_or_the_first_that_did_not_is_told() -> None:
    assert _told(CAME_ABOUT, GOOD, GUILTY) == ("passed", "2 of 2", ())
    other = held(night_call("other", status=CallStatus.SETUP_FAILED, detail="busy"))
    assert _told(CAME_ABOUT, GOOD, REFUSED, other) == (
        "failed",
        "1 of 3; refused: no route",
        ("refused", "other"),
    )
    assert _told(CAME_ABOUT) == ("failed", "no call was placed", ())


def test_the_agent_spoke_in_each_call_that_says_something() -> None:
    assert _told(SPOKE, GOOD, REFUSED, GUILTY, FAULT) == ("passed", "in 1 of 1", ())
    assert _told(SPOKE, GOOD, MUTE, GOOD) == ("failed", "in 2 of 3", ("mute",))
    assert _told(SPOKE, REFUSED, GUILTY) == ("inconclusive", "in 0 of 0", ())


def test_the_end_was_reached_in_nine_of_ten() -> None:
    assert _told(TO_THE_END, *[GOOD] * 9, MUTE) == (
        "passed",
        "in 9 of 10; else 1 a line not answered",
        ("mute",),
    )
    assert _told(TO_THE_END, *[GOOD] * 8, MUTE)[0] == "failed"
    assert _told(TO_THE_END, GOOD, GUILTY, FAULT) == ("passed", "in 1 of 1", ())
    assert _told(TO_THE_END, GUILTY) == ("inconclusive", "in 0 of 0", ())


def test_a_connection_that_is_lost_is_not_held_against_the_agent() -> None:
    """Before, one of ten beside another failure was 80 % that reached the end, and a call lost in silence a
    mute agent."""
    assert _told(TO_THE_END, *[GOOD] * 9, LOST) == (
        "passed",
        "in 9 of 9; without 1 whose connection was lost",
        (),
    )
    assert _told(TO_THE_END, *[GOOD] * 17, MUTE, LOST, LOST)[:2] == (
        "passed",
        "in 17 of 18; else 1 a line not answered; without 2 whose connection was lost",
    )
    # What was heard of it counts.
    assert _told(SPOKE, LOST) == ("passed", "in 1 of 1", ())
    assert _told(SPOKE, *[GOOD] * 9, LOST_MUTE) == (
        "passed",
        "in 9 of 9; without 1 whose connection was lost",
        (),
    )


def test_the_others_pass_nothing_where_more_than_a_tenth_were_lost() -> None:
    """An agent whose process dies in nine of ten calls passed by the one that was left: "in 1 of 1"."""
    lost = [_named(LOST, f"lost-{n}") for n in range(9)]
    assert _told(TO_THE_END, GOOD, *lost) == (
        "inconclusive",
        "in 1 of 1; without 9 whose connection was lost, more than a tenth of all 10; "
        "either the agent or the network dropped them",
        tuple(call.id for call in lost),
    )
    # A single one is no reason to suspect anybody, nor is all of little.
    assert _told(TO_THE_END, *[GOOD] * 7, LOST) == (
        "inconclusive",
        "in 7 of 7; without 1 whose connection was lost, more than a tenth of all 8",
        ("lost",),
    )
    assert _told(TO_THE_END, LOST, LOST_MUTE) == (
        "inconclusive",
        "in 0 of 0; without 2 whose connection was lost, more than a tenth of all 2",
        ("lost", "lost-mute"),
    )
    assert "dropped them" not in _told(TO_THE_END, GOOD, *lost[:2])[1]
    assert "dropped them" in _told(TO_THE_END, *[GOOD] * 2, *lost[:2])[1]
    assert _told(SPOKE, GOOD, LOST_MUTE)[0] == "inconclusive"
    assert _told(SPOKE, LOST_MUTE)[0] == "inconclusive"
    assert "dropped them" in _told(SPOKE, *[GOOD] * 3, LOST_MUTE, _named(LOST_MUTE, "other"))[1]


def test_what_failed_beside_lost_calls_has_failed() -> None:
    assert _told(TO_THE_END, GOOD, MUTE, LOST) == (
        "failed",
        "in 1 of 2; else 1 a line not answered; without 1 whose connection was lost, "
        "more than a tenth of all 3",
        ("mute",),
    )
    assert _told(SPOKE, MUTE, LOST_MUTE)[0] == "failed"


def test_the_four_commonest_reasons_are_told() -> None:
    ended = [CallStatus.TIMEOUT] * 3 + [CallStatus.AGENT_HANGUP] * 3 + [CallStatus.CALLER_HANGUP] * 2
    calls = [held(night_call(f"c{n}", status=status)) for n, status in enumerate(ended)]
    calls += [_named(REFUSED, "r1"), _named(REFUSED, "r2"), MUTE]
    found = _check(TO_THE_END, *calls)
    assert found.told == "in 0 of 11; else 3 timeout, 3 agent_hangup, 2 caller_hangup, 2 setup_failed"
    assert len(found.calls) == 11


@pytest.mark.parametrize(
    ("faults", "others", "result"),
    [(1, 19, "passed"), (1, 18, "failed"), (2, 38, "passed"), (2, 37, "failed")],
)
def test_own_faults_are_a_twentieth_at_most(faults: int, others: int, result: str) -> None:
    assert _check(OWN_FAULTS, *[FAULT] * faults, *[GOOD] * others).result == result


def test_what_was_our_fault_is_told_of_the_first() -> None:
    assert _told(OWN_FAULTS, GOOD) == ("passed", "0 of 1", ())
    assert _told(OWN_FAULTS, GOOD, GUILTY, FAULT) == (
        "failed",
        "2 of 3 (the harness's, not the agent's); guilty: our own caller was at fault",
        ("guilty", "fault"),
    )
    assert _told(OWN_FAULTS, FAULT, GUILTY)[1].endswith("; fault: late")


def test_no_more_than_a_thousand_calls_are_named() -> None:
    assert len(_check(CAME_ABOUT, *[REFUSED] * 1001).calls) == 1000


def test_why_a_call_is_not_one_that_reached_its_end() -> None:
    assert why_not_to_the_end(GOOD) == ""
    assert why_not_to_the_end(REFUSED) == "setup_failed"
    assert why_not_to_the_end(replace(GOOD, files=replace(GOOD.files, scores=None))) == "not scored"
    scores = held(night_call("a", [500.0] * 3)).files.scores
    assert scores is not None
    for outcomes, why in (
        ((TurnOutcome.NOT_DUE, TurnOutcome.IN_PART, TurnOutcome.ANSWERED), ""),
        ((TurnOutcome.ANSWERED, TurnOutcome.TALKED_OVER, TurnOutcome.NOT_ANSWERED), "a line talked over"),
    ):
        turns = [
            one.model_copy(update={"outcome": it}) for one, it in zip(scores.turns, outcomes, strict=True)
        ]
        files = replace(GOOD.files, scores=scores.model_copy(update={"turns": turns}))
        assert why_not_to_the_end(replace(GOOD, files=files)) == why


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a"], "1 of 2; 1 left no record that can be used: a"),
        (["a", "b", "c"], "1 of 4; 3 left no record that can be used: a, b, c"),
        (["a", "b", "c", "d"], "1 of 5; 4 left no record that can be used: a, b, c and 1 more"),
    ],
)
def test_three_planned_calls_without_a_record_are_named(names: list[str], told: str) -> None:
    came_about = shipped_checks([GOOD], names)[0]
    assert (came_about.result, came_about.told, came_about.calls) == ("inconclusive", told, ())
    assert unplaced_check([GOOD], names) == CheckResult(
        name=PLACED, of="gate", ours=True, result="inconclusive", told=told, calls=()
    )
