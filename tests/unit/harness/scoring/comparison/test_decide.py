"""Pairs, groups, and what relative gates make of them; small forms of what ``bench.nights`` simulates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from harness.plans.checks.gates import Gate
from harness.records.call import CallStatus
from harness.records.scores import InterruptionTiming
from harness.scoring.comparison.decide import changes, gate_results
from harness.scoring.comparison.pairs import Pairing, paired
from harness.scoring.gates.held_to import HeldCall
from metrics.comparison.paired import Effort
from tests.nights import held, night_call

QUICK = Effort(swaps=499, resamples=500)


def night(latencies: Sequence[Sequence[float | None]], **more: Any) -> list[HeldCall]:
    return [held(night_call(f"c{n}", row, **more)) for n, row in enumerate(latencies)]


def gate(text: str, pairing: Pairing, **more: Any) -> Any:
    return gate_results([Gate.model_validate(text)], pairing, effort=QUICK, **more)[0]


def drawn(rng: np.random.Generator, calls: int, slower: float = 0.0) -> list[list[float | None]]:
    means = rng.normal(900, 60, calls) + slower
    return [[float(max(100.0, v)) for v in rng.normal(mean, 80, 4)] for mean in means]


@pytest.mark.parametrize(
    ("slower", "margin", "result"), [(0.0, 200, "passed"), (400.0, 100, "failed"), (0.0, 5, "inconclusive")]
)
def test_not_worse_by_a_margin(slower: float, margin: float, result: str) -> None:
    rng = np.random.default_rng(11)
    pairing = paired(night(drawn(rng, 20)), night(drawn(rng, 20, slower)))
    found = gate(f"response_latency_ms: not worse by {margin}", pairing)
    assert found.result == result, found.told
    assert (found.calls_needed is not None) == (result == "inconclusive")


def test_a_change_beyond_zero_but_within_the_margin_is_no_failure() -> None:
    rng = np.random.default_rng(12)
    pairing = paired(night(drawn(rng, 40)), night(drawn(rng, 40, 120.0)))
    assert gate("response_latency_ms: not worse by 300", pairing).result == "passed"
    assert gate("response_latency_ms: not worse by 20", pairing).result == "failed"


def test_faster_is_not_worse() -> None:
    rng = np.random.default_rng(13)
    pairing = paired(night(drawn(rng, 20)), night(drawn(rng, 20, -300.0)))
    assert gate("response_latency_ms: not worse by 0", pairing).result == "passed"
    assert changes([("response_latency_ms", "")], pairing, effort=QUICK)[0].word == "better"


def test_under_ten_calls_nobody_can_tell() -> None:
    pairing = paired(night([[500.0]] * 9), night([[2500.0]] * 9))
    found = gate("response_latency_ms: not worse by 100", pairing)
    assert (found.result, found.calls_needed) == ("inconclusive", 10)
    assert "9 pairs" in found.told


def test_how_many_calls_are_needed_counts_those_without_the_figure_too() -> None:
    # 2 of 10 calls have an interruption: 10 with one are 50 calls of this plan.
    stop = InterruptionTiming(
        index=0,
        user_start_s=1.0,
        agent_onset_s=0.5,
        planned_offset_s=0.5,
        actual_offset_s=0.5,
        outcome="stopped",
        delay_ms=300.0,
        within_500ms=True,
    )
    nights = [
        [held(night_call(f"c{n}", [500.0], interruptions=[stop] if n < 2 else [])) for n in range(10)]
        for _ in range(2)
    ]
    pairing = paired(*nights)
    found = gate("interruption_stop_rate: not worse by 0.1", pairing)
    assert "only 2 pairs of calls have it" in found.told
    assert found.calls_needed == 50
    (looked_at,) = changes([("interruption_stop_rate", "")], pairing, effort=QUICK)
    assert looked_at.calls_needed == 50


def test_another_instrument_is_never_green() -> None:
    pairing = paired(night([[500.0]] * 12), night([[500.0]] * 12))
    found = gate("response_latency_ms: not worse by 400", pairing, instruments=["whisper: base, then tiny"])
    assert found.result == "inconclusive"
    assert "whisper: base, then tiny" in found.told
    word = changes([("response_latency_ms", "")], pairing, instruments=["x: 1, then 2"])[0].word
    assert word == "inconclusive"


def test_an_agent_that_falls_silent_fails_rate_and_latency() -> None:
    before = night([[500.0 + n, 600.0] for n in range(12)])
    after = night([[None, None] if n % 4 else [500.0, None] for n in range(12)])
    pairing = paired(before, after)
    assert gate("response_rate: not worse by 0.05", pairing).result == "failed"
    lost = gate("response_latency_ms: not worse by 100", pairing)
    assert lost.result == "failed"
    assert "not reached" in lost.told


def test_a_percentile_that_neither_run_reaches_tells_nothing() -> None:
    """Of 100 turns 12 are never answered, then 45: there is no p95 on either side."""
    before = night([[500.0 + n, None if n < 12 else 600.0] for n in range(50)])
    after = night([[500.0 + n, None if n < 45 else 600.0] for n in range(50)])
    pairing = paired(before, after)
    found = gate("response_latency_ms.p95: not worse by 100", pairing)
    assert found.result == "inconclusive"
    assert "reached in neither run" in found.told
    (change,) = changes([("response_latency_ms", "p95")], pairing, effort=QUICK)
    assert (change.word, change.baseline, change.candidate, change.p) == ("inconclusive", None, None, None)
    # What is wrong is seen in the rate.
    assert gate("response_rate: not worse by 0.05", pairing).result == "failed"


def test_perfect_rates_on_both_sides_do_not_claim_certainty() -> None:
    pairing = paired(night([[500.0, 500.0]] * 12), night([[500.0, 500.0]] * 12))
    assert gate("response_rate: not worse by 0.05", pairing).result == "inconclusive"
    assert gate("response_rate: not worse by 0.3", pairing).result == "passed"


def test_rates_that_differ_are_never_said_to_be_the_same() -> None:
    """0.90 against 0.75 with 30 calls: found, or nobody can tell."""
    rng = np.random.default_rng(14)
    words = set()
    for _ in range(25):
        sides = [night([[500.0 if rng.random() < rate else None] for _ in range(30)]) for rate in (0.9, 0.75)]
        found = gate("response_rate: not worse by 0.05", paired(*sides))
        words.add(found.result)
        assert found.result == "failed" or found.calls_needed
    assert words == {"failed", "inconclusive"}


def rates(both: int, baseline_only: int, candidate_only: int, neither: int) -> Pairing:
    """Calls of one turn each, of which so many were answered on both sides, on one, on none."""
    sides = [(True, True)] * both + [(True, False)] * baseline_only + [(False, True)] * candidate_only
    sides += [(False, False)] * neither
    nights = [night([[500.0 if pair[side] else None] for pair in sides]) for side in (0, 1)]
    return paired(nights[0], nights[1])


@pytest.mark.parametrize(
    ("table", "result"),
    [
        # All alike, and yet 30 calls reach 0.10 to each side: a margin of 0.05 is beyond them.
        ((30, 0, 0, 0), "inconclusive"),
        # 0.73, then 0.90: the end is at -0.01, but six won and one lost are what chance brings.
        ((21, 1, 6, 2), "inconclusive"),
        # One in fifty is chance, too, where nights are many.
        ((18, 1, 8, 3), "inconclusive"),
        # 0.63, then 0.90: the candidate is better, and that is no chance.
        ((19, 0, 8, 3), "passed"),
        ((80, 0, 0, 0), "passed"),
        # Nothing changed, and 120 calls could have said so: two in five such nights end within the margin.
        ((98, 10, 10, 2), "inconclusive"),
        ((99, 7, 12, 2), "passed"),
    ],
)
def test_a_night_that_went_well_by_chance_is_no_answer(table: tuple[int, int, int, int], result: str) -> None:
    found = gate("response_rate: not worse by 0.05", rates(*table))
    assert found.result == result, found.told
    assert bool(found.calls_needed) == (result == "inconclusive")


# --- pairs


def test_calls_are_paired_where_the_caller_was_the_same() -> None:
    before = night([[500.0]] * 4)
    after = [
        held(night_call("c0", [500.0])),
        held(night_call("c1", [500.0], snr_db=5.0)),
        held(night_call("c2", [500.0], status=CallStatus.HARNESS_FAULT)),
        held(night_call("new", [500.0])),
    ]
    pairing = paired(before, after)
    assert [one.id for one, _ in pairing.pairs] == ["c0"]
    assert pairing.left_out == {
        "said nothing about the agent": 1,
        "only in the baseline": 2,
        "the caller was another": 2,
        "only in the candidate": 1,
    }


def taken(
    of: int,
    refused: int,
    status: CallStatus = CallStatus.NOT_ANSWERED,
    *,
    faster: float = 0.0,
    seed: int = 16,
) -> list[HeldCall]:
    """Calls of which the first came to nothing."""
    rng = np.random.default_rng(seed)
    rows = drawn(rng, of, -faster)
    made = [night_call(f"c{n}", row) for n, row in enumerate(rows)]
    for call in made[:refused]:
        call.status, call.scored = status, False
    return [held(call) for call in made]


@pytest.mark.parametrize("status", [CallStatus.NOT_ANSWERED, CallStatus.SETUP_FAILED])
def test_those_of_a_night_that_came_about_make_no_gate_green(status: CallStatus) -> None:
    """40 of 100 calls are not taken any more; in the others the agent is as it was, or quicker."""
    before = taken(100, 0, seed=15)
    for after in (taken(100, 40, status), taken(100, 40, status, faster=300.0)):
        pairing = paired(before, after)
        assert len(pairing.pairs) == 60
        assert pairing.left_out == {
            "not measured in the other run": 40,
            "did not come about in the candidate": 40,
        }
        found = gate("response_latency_ms: not worse by 200", pairing)
        assert found.result == "inconclusive"
        assert "40 of 100 calls did not come about (0 before)" in found.told
        assert "40 did not come about in the candidate" in found.told
        (change,) = changes([("response_latency_ms", "")], pairing, effort=QUICK)
        assert (change.word, change.reason[:33]) == ("inconclusive", "40 of 100 calls did not come abou")
    # What is worse in those that are left is worse.
    slower = paired(before, taken(100, 40, status, faster=-400.0))
    assert gate("response_latency_ms: not worse by 200", slower).result == "failed"
    assert changes([("response_latency_ms", "")], slower, effort=QUICK)[0].word == "worse"


def test_calls_that_lost_their_connection_make_those_left_no_better() -> None:
    """An agent whose process dies in most of its calls: their first turns are scored, and were quick."""
    before, after = taken(30, 0, seed=15), taken(30, 0, faster=300.0)
    ended = {"status": CallStatus.CONNECTION_LOST}
    gone = [replace(call, record=call.record.model_copy(update=ended)) for call in after[:20]]
    found = gate("response_latency_ms: not worse by 200", paired(before, [*gone, *after[20:]]))
    assert found.result == "inconclusive"
    assert "20 of 30 calls lost their connection (0 before): the rest are a choice" in found.told
    assert gate("response_latency_ms: not worse by 200", paired(before, after)).result == "passed"


def test_as_many_calls_that_came_to_nothing_as_before_take_nothing_away() -> None:
    pairing = paired(taken(60, 20, seed=15), taken(60, 20))
    found = gate("response_latency_ms: not worse by 200", pairing)
    assert (found.result, len(pairing.pairs)) == ("passed", 40)
    assert "left out: 20 did not come about in the baseline, 20 did not come about in the can" in found.told


@pytest.mark.parametrize(
    ("before", "after", "result"),
    # Of 100 pairs 40 were lost and none won. 3 lost: p is 1/8, and up to 0.08 may be. All: up to 0.03.
    [(0, 40, "failed"), (0, 3, "inconclusive"), (0, 0, "passed"), (40, 0, "passed")],
)
def test_answered_calls_are_compared_by_how_calls_ended(before: int, after: int, result: str) -> None:
    pairing = paired(taken(100, before), taken(100, after))
    found = gate("answered_calls: not worse by 0.05", pairing)
    assert found.result == result, found.told
    (change,) = changes([("answered_calls", "")], pairing, effort=QUICK)
    assert (change.baseline, change.candidate) == (1 - before / 100, 1 - after / 100)
    assert (change.pairs, change.method[:7]) == (100, "McNemar")


def test_calls_that_could_not_be_set_up_are_in_no_share_of_answered_ones() -> None:
    pairing = paired(taken(100, 0), taken(100, 20, CallStatus.SETUP_FAILED))
    found = gate("answered_calls: not worse by 0.05", pairing)
    assert (found.result, "20 of 100 calls did not come about" in found.told) == ("inconclusive", True)


@pytest.mark.parametrize(
    ("scenarios", "people", "by"), [(12, 2, "sub-scenario"), (3, 5, "scenario"), (2, 2, "call")]
)
def test_the_largest_group_of_which_there_are_ten_is_resampled(scenarios: int, people: int, by: str) -> None:
    trials = 5

    def calls() -> list[HeldCall]:
        found = []
        for s in range(scenarios):
            for p in range(people):
                for t in range(trials):
                    one = held(night_call(f"s{s}.p{p}.{t + 1}", [500.0]))
                    task = SimpleTask(sub_scenario=f"s{s}", entry=f"s{s}/p{p}")
                    plan = one.record.plan.model_copy(update={"trial": t, "task": task})
                    found.append(
                        HeldCall(record=one.record.model_copy(update={"plan": plan}), files=one.files)
                    )
        return found

    pairing = paired(calls(), calls())
    assert (pairing.grouped_by, len(pairing.pairs)) == (by, scenarios * people * trials)


class SimpleTask:
    """As much of a task as pairing looks at."""

    def __init__(self, *, sub_scenario: str, entry: str) -> None:
        self.sub_scenario, self.entry = sub_scenario, entry
