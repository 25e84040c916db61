"""What counts as one observation, what is decided, what is undecided, and what is no figure at all."""

from __future__ import annotations

import math

import pytest

from voice_sim.realism.statistics import comparison_table, detection_table, score_table, share
from voice_sim.realism.tables import as_data, markdown
from voice_sim.realism.verdicts import Compared, Detected, Scored, Source, Verdicts


def compared(pair: int, rater: str, first: Source, winner: Source | None) -> Compared:
    return Compared(
        human=f"h{pair}",
        simulated=f"s{pair}",
        rater=rater,
        first=first,
        more_human=winner,
        failure="" if winner else "hung",
    )


def test_scores_of_several_raters_are_one_observation_a_dialogue() -> None:
    scored = [
        Scored(talk="h", source="human", rater=rater, score=score)
        for rater, score in (("a", 9), ("b", 6), ("c", 6))
    ]
    table = score_table(scored)
    assert (table.means["human"].value, table.means["human"].n) == (pytest.approx(7), 1)
    assert table.means["human"].low is None, "one dialogue bounds nothing"
    assert (table.p, table.difference.value) == (None, None)


def test_a_failure_is_counted_and_never_a_score() -> None:
    scored = [
        Scored(talk="a", source="human", rater="m", score=8),
        Scored(talk="b", source="human", rater="m", failure="no answer"),
        Scored(talk="c", source="simulated", rater="m", score=8),
    ]
    table = score_table(scored)
    assert (table.means["human"].value, table.means["human"].n, table.failed) == (8, 1, 1)
    assert table.p == 1.0


def test_clear_differences_are_found_and_the_interval_holds_them() -> None:
    scored = [Scored(talk=f"h{n}", source="human", rater="m", score=7 + n % 3) for n in range(12)]
    scored += [Scored(talk=f"s{n}", source="simulated", rater="m", score=1 + n % 3) for n in range(12)]
    table = score_table(scored)
    assert table.difference.value == pytest.approx(6)
    assert table.difference.low is not None
    assert table.difference.high is not None
    assert 4.9 < table.difference.low < 6 < table.difference.high < 7.2
    # All of one above all of the other, twelve each.
    assert table.p is not None
    assert table.p < 1e-4


def test_detection_goes_by_majority_and_a_tie_decides_nothing() -> None:
    votes = {"x": ["human", "human", "simulated"], "y": ["human", "simulated"], "z": ["simulated"]}
    detected = [
        Detected(talk=talk, source="simulated", rater=str(n), verdict=verdict)  # type: ignore[arg-type]
        for talk, given in votes.items()
        for n, verdict in enumerate(given)
    ]
    table = detection_table(detected)
    assert (table.counts[("simulated", "human")], table.counts[("simulated", "simulated")]) == (1, 1)
    assert table.undecided == 1
    assert table.p_told_apart is None, "there is nothing human to tell apart from"


def test_a_judge_who_always_takes_the_first_decides_nothing() -> None:
    orders: tuple[Source, Source] = ("human", "simulated")
    table = comparison_table(compared(n, "m", first, first) for n in range(10) for first in orders)
    assert (table.wins, table.undecided, table.total) == ({"human": 0, "simulated": 0}, 10, 10)
    assert (table.p, table.simulated_wins.value) == (None, None)
    assert table.first_chosen.value == 1
    assert table.first_chosen.low is not None
    assert table.first_chosen.low > 0.8


def test_orders_that_agree_are_one_win_not_two() -> None:
    orders: tuple[Source, Source] = ("human", "simulated")
    table = comparison_table(compared(n, "m", first, "simulated") for n in range(6) for first in orders)
    assert table.wins == {"human": 0, "simulated": 6}
    assert table.p == pytest.approx(2 / 2**6)


def test_one_order_alone_decides_nothing() -> None:
    table = comparison_table([compared(0, "m", "human", "human"), compared(0, "m", "simulated", None)])
    assert (table.total, table.failed, table.p) == (0, 1, None)


def test_equal_scores_claim_no_certainty() -> None:
    scored = [Scored(talk=f"h{n}", source="human", rater="m", score=5) for n in range(4)]
    figure = score_table(scored).means["human"]
    assert (figure.value, figure.low, figure.high) == (5, None, None)


def test_raters_decide_a_pair_by_majority() -> None:
    votes: list[tuple[str, Source]] = [("a", "human"), ("b", "simulated"), ("c", "simulated")]
    table = comparison_table(compared(0, rater, "human", winner) for rater, winner in votes)
    assert table.wins == {"human": 0, "simulated": 1}
    even = comparison_table(compared(0, rater, "human", winner) for rater, winner in votes[:2])
    assert (even.undecided, sum(even.wins.values())) == (1, 0)


def test_nothing_is_no_figure_and_says_so() -> None:
    assert share(0, 0).value is None
    data = as_data(Verdicts(by="nobody"))
    assert data["scores"]["means"]["human"]["value"] is None
    assert data["comparison"]["p"] is None
    assert markdown(Verdicts(by="no|body")) == "## Realism, judged by no/body (0 raters)\n"


def test_failures_are_told_under_the_table() -> None:
    failed = Scored(talk="a", source="human", rater="m", failure="no answer")
    assert "1 questions without an answer" in markdown(Verdicts(by="m", scored=(failed,)))


def test_same_seed_same_interval() -> None:
    scored = [Scored(talk=f"h{n}", source="human", rater="m", score=n % 10) for n in range(30)]
    one, again = score_table(scored, seed=4).means["human"], score_table(scored, seed=4).means["human"]
    assert one == again
    # Standard error: population deviation of 0..9 over the square root of 30.
    assert one.high is not None
    assert one.high - 4.5 == pytest.approx(1.96 * math.sqrt(8.25) / math.sqrt(30), rel=0.08)
