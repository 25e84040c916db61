"""Effects and their intervals, worked out by hand."""

from __future__ import annotations

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.conversation.response_latency import RESPONSE_LATENCY
from harness.analysis.measures.probes.entities import PROPER_NOUNS
from harness.analysis.measures.probes.rejection import FALSE_REJECTION
from harness.records.scores import CallScores, ProbeHearing, TurnTiming
from harness.selfcheck.selftest.effects import Effect, effect_of


def entities(right: list[bool], *, beside: int = 0) -> list[ScoredCall]:
    """One entity each, in two calls; ``beside``: lines that are another figure's."""
    lines = [
        ProbeHearing.model_validate(
            {
                "suite": "entities",
                "language": "en",
                "item": f"name-{number}",
                "kind": "name",
                "entity": "Ann",
                "right": one,
                "source": "transcript",
            }
        )
        for number, one in enumerate(right)
    ]
    lines += [
        ProbeHearing.model_validate(
            {"suite": "r", "language": "en", "item": f"good-{n}", "kind": "good", "usable": "good"}
            | {"did": "answered"}
        )
        for n in range(beside)
    ]
    halves = lines[::2], lines[1::2]
    return [ScoredCall(scores=CallScores(call_id=f"c{n}", hearings=half)) for n, half in enumerate(halves)]


def turns(latencies_ms: list[float]) -> list[ScoredCall]:
    found = [
        TurnTiming.model_validate(
            {"index": index, "user_start_s": index * 9.0, "user_end_s": index * 9.0 + 2, "latency_ms": one}
            | {"agent_start_s": index * 9.0 + 2 + one / 1000, "agent_end_s": index * 9.0 + 7.0}
            | {"status": "measured", "outcome": "answered"}
        )
        for index, one in enumerate(latencies_ms)
    ]
    return [ScoredCall(scores=CallScores(call_id="c", turns=found))]


def test_a_rate_has_the_interval_of_its_items() -> None:
    """6 of 20 wrong: -0.3; the standard deviation of twenty differences of which six are -1 is 0.4702, over
    the root of 20 that is 0.1051, and t with 19 degrees of freedom 2.093."""
    found = effect_of(PROPER_NOUNS, entities([True] * 20), entities([False] * 6 + [True] * 14))
    assert isinstance(found, Effect)
    assert found.estimate == pytest.approx(-0.3)
    assert found.high - found.estimate == pytest.approx(2.093 * 0.1051, abs=1e-3)
    assert (found.n, found.clean, found.planted) == (20, 1.0, 0.7)
    assert found.leaves_out_zero


def test_items_of_another_figure_are_no_observations() -> None:
    bare = effect_of(PROPER_NOUNS, entities([True] * 20), entities([False] * 6 + [True] * 14))
    more = effect_of(
        PROPER_NOUNS, entities([True] * 20, beside=15), entities([False] * 6 + [True] * 14, beside=15)
    )
    assert more == bare
    still = effect_of(FALSE_REJECTION, entities([True] * 4, beside=15), entities([False] * 4, beside=15))
    assert isinstance(still, Effect)
    assert (still.estimate, still.p, still.n) == (0.0, 1.0, 15)
    assert not still.leaves_out_zero


def test_times_are_compared_pair_by_pair() -> None:
    """Differences of 78 to 82 ms have the mean 80 and the standard deviation 1.5811."""
    clean = [500.0, 700.0, 300.0, 900.0, 400.0]
    late = [one + by for one, by in zip(clean, (78.0, 79.0, 80.0, 81.0, 82.0), strict=True)]
    found = effect_of(RESPONSE_LATENCY, turns(clean), turns(late))
    assert isinstance(found, Effect)
    assert found.estimate == pytest.approx(80.0)
    # 1.5811 over the root of 5, times 2.776.
    assert found.high - 80.0 == pytest.approx(1.963, abs=1e-3)


def test_one_of_twenty_is_no_movement_and_all_of_them_are_one() -> None:
    one = effect_of(PROPER_NOUNS, entities([True] * 20), entities([False] + [True] * 19))
    every = effect_of(PROPER_NOUNS, entities([True] * 20), entities([False] * 20))
    assert isinstance(one, Effect)
    assert isinstance(every, Effect)
    assert not one.leaves_out_zero
    assert every.estimate == -1.0
    assert every.leaves_out_zero
    assert every.p == 2.0**-19


def test_too_few_and_unmeasured_say_so() -> None:
    assert effect_of(PROPER_NOUNS, entities([True] * 3), entities([True] * 3)) == "only 3 observations"
    none = effect_of(PROPER_NOUNS, entities([True] * 5), [])
    assert isinstance(none, str)
    assert none.startswith("not measured with the defect")
