"""Agreement against figures worked out by hand."""

from __future__ import annotations

import pytest

from metrics.dialogue.agreement import FAILED, agreement, cohens_kappa


def pairs(*counts: tuple[str, str, int]) -> list[tuple[str, str]]:
    return [(one, other) for one, other, count in counts for _ in range(count)]


def test_kappa_by_hand() -> None:
    """50 items, both yes 20, both no 15, 5 and 10 apart: observed 35/50 = 0.7; by chance
    (25 x 30 + 25 x 20) / 2500 = 0.5; kappa = (0.7 - 0.5) / (1 - 0.5) = 0.4."""
    found = agreement(pairs(("yes", "yes", 20), ("yes", "no", 5), ("no", "yes", 10), ("no", "no", 15)))
    assert found.accuracy == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.weighted_kappa is None
    assert found.confusion == {"no": {"no": 15, "yes": 10}, "yes": {"no": 5, "yes": 20}}


def test_weighted_kappa_by_hand() -> None:
    """Four items (0,0), (1,2), (2,2), (2,0). Observed distance (0 + 1 + 0 + 2) / 4 = 0.75. The first labels
    have one 0, one 1, two 2; the second two 0, two 2: expected distance per pair of a first and a second item
    (0: 0 + 0 + 2 + 2; 1: 1 + 1 + 1 + 1; 2 twice: 2 + 2 + 0 + 0) = (4 + 4 + 4 + 4) / 16 = 1; kappa = 0.25."""
    found = agreement([("0", "0"), ("1", "2"), ("2", "2"), ("2", "0")])
    assert found.weighted_kappa == pytest.approx(0.25)


def test_taking_a_0_for_a_2_weighs_more_than_taking_it_for_a_1() -> None:
    near = agreement(pairs(("0", "0", 9), ("0", "1", 1), ("1", "1", 10), ("2", "2", 10)))
    far = agreement(pairs(("0", "0", 9), ("0", "2", 1), ("1", "1", 10), ("2", "2", 10)))
    assert near.accuracy == far.accuracy
    assert near.weighted_kappa is not None
    assert far.weighted_kappa is not None
    assert near.weighted_kappa > far.weighted_kappa


def test_a_failed_verdict_agrees_with_nobody_and_leaves_kappa_alone() -> None:
    found = agreement(pairs(("0", "0", 4), ("2", "2", 4), ("2", FAILED, 2)))
    assert (found.n, found.agreed, found.failed) == (10, 8, 2)
    assert found.accuracy == pytest.approx(0.8)
    assert found.kappa == pytest.approx(1.0)


def test_kappa_is_undefined_where_chance_alone_agrees() -> None:
    assert agreement(pairs(("2", "2", 30))).kappa is None
    assert agreement([]).accuracy is None
    assert cohens_kappa([]) is None


def test_interval_is_wilsons() -> None:
    """8 of 10 at 95 %: centre (0.8 + 0.19207) / 1.38415 = 0.71674, half width 1.95996 x
    sqrt(0.8 x 0.2 / 10 + 0.09604 / 10) / 1.38415 = 0.22659."""
    found = agreement(pairs(("a", "a", 8), ("a", "b", 2)))
    assert found.ci_low == pytest.approx(0.4902, abs=2e-4)
    assert found.ci_high == pytest.approx(0.9433, abs=2e-4)


def test_items_of_one_dialogue_are_not_taken_for_independent_ones() -> None:
    """20 dialogues of 10 nodes; in 10 of them all is right, in 10 nothing: 20 observations, not 200.

    By dialogue the accuracy 0.5 has the standard error 0.5 / sqrt(20) = 0.112, so some 0.5 +- 2.09 x 0.115
    (Student's t, 19 degrees of freedom, sqrt(20 / 19)), in steps of 0.05; Wilson of 100 of 200 is
    [0.431, 0.569]."""
    dialogues = [number // 10 for number in range(200)]
    hits = [("a", "a" if dialogue % 2 else "b") for dialogue in dialogues]
    alone, together = agreement(hits), agreement(hits, dialogues=dialogues)
    assert (alone.interval, alone.dialogues, alone.accuracy) == ("wilson", None, 0.5)
    assert (alone.ci_low, alone.ci_high) == (pytest.approx(0.431, abs=1e-3), pytest.approx(0.569, abs=1e-3))
    assert (together.interval, together.dialogues, together.accuracy) == ("by_dialogue", 20, 0.5)
    assert together.ci_low == pytest.approx(0.26, abs=0.051)
    assert together.ci_high == pytest.approx(0.74, abs=0.051)


def test_one_item_a_dialogue_is_wilsons() -> None:
    hits = pairs(("a", "a", 8), ("a", "b", 2))
    assert agreement(hits, dialogues=range(10)) == agreement(hits)


def test_all_right_in_few_dialogues_is_no_certainty() -> None:
    """Four of four at 95 %: 4 / (4 + 1.95996^2) = 0.510; 40 of 40 would be 0.912."""
    found = agreement(pairs(("a", "a", 40)), dialogues=[number // 10 for number in range(40)])
    assert (found.accuracy, found.ci_high) == (1.0, 1.0)
    assert found.ci_low == pytest.approx(0.510, abs=1e-3)


def test_a_single_dialogue_says_nothing_of_others() -> None:
    """Its items are alike, and how dialogues differ is in none of them. All right is one of one, by Wilson:
    1 / (1 + 1.95996^2) = 0.2065."""
    found = agreement(pairs(("a", "a", 30), ("a", "b", 10)), dialogues=["call"] * 40)
    assert (found.n, found.accuracy, found.interval, found.dialogues) == (40, 0.75, "by_dialogue", 1)
    assert (found.ci_low, found.ci_high) == (None, None)
    right = agreement(pairs(("a", "a", 40)), dialogues=["call"] * 40)
    assert right.ci_low == pytest.approx(0.2065, abs=1e-4)
    assert right.ci_high == 1.0
    two = agreement(pairs(("a", "a", 2), ("a", "b", 1)), dialogues=["one", "two", "two"])
    assert (two.dialogues, two.ci_low is None, two.ci_high is None) == (2, False, False)


def test_each_pair_is_of_a_dialogue() -> None:
    with pytest.raises(ValueError, match="zip"):
        agreement(pairs(("a", "a", 2)), dialogues=[0])
