"""A share with two bounds, and what becomes of it as a score."""

from __future__ import annotations

import pytest

from metrics.dialogue.share import ZERO, Share, weighted
from metrics.score import Evidence, Score, Status

EVIDENCE = (Evidence(call_id="a", value=1.0),)


def test_a_share_without_failures_is_its_value() -> None:
    share = Share(low=0.4, high=0.4, n=5, notes=("one", "two"))
    assert share.value == 0.4
    assert share.score("m", version="7", evidence=EVIDENCE) == Score(
        metric="m",
        unit="ratio",
        value=0.4,
        status=Status.MEASURED,
        reason="one; two",
        n=5,
        evidence=EVIDENCE,
        version="7",
    )


def test_a_share_with_failures_tells_its_bounds_and_has_no_value() -> None:
    share = Share(low=0.25, high=0.5, n=5, failed=2, notes=("one",))
    assert share.value is None
    assert share.score("m", version="7", evidence=EVIDENCE) == Score(
        metric="m",
        unit="ratio",
        status=Status.INDETERMINATE,
        reason="2 judgements failed; it lies between 0.250 and 0.500; one",
        n=5,
        evidence=EVIDENCE,
        version="7",
    )
    assert "1 judgement failed;" in Share(low=0.0, high=1.0, n=1, failed=1).score("m", version="7").reason


def test_a_share_of_which_nothing_was_judged_failed() -> None:
    share = Share(low=0.0, high=1.0, n=0, failed=3, none=True)
    assert share.value is None
    assert Share(low=0.0, high=1.0, n=0, none=True).value is None
    assert share.score("m", version="7") == Score(
        metric="m",
        unit="ratio",
        status=Status.FAILED,
        reason="3 judgements failed, and none succeeded",
        version="7",
    )


def test_a_weighted_sum_is_taken_in_proportion() -> None:
    """(3 x 0.2 + 1 x 0.6) / 4 = 0.3 and (3 x 0.4 + 1 x 1) / 4 = 0.55."""
    first, second = Share(low=0.2, high=0.4, n=7, failed=1), Share(low=0.6, high=1.0, n=9, failed=2)
    both = weighted(iter([(3.0, first), (1.0, second)]), n=4, notes=["so"])
    assert (both.low, both.high) == pytest.approx((0.3, 0.55))
    assert (both.n, both.failed, both.none, both.notes) == (4, 3, False, ("so",))


def test_a_weighted_sum_is_none_only_where_all_of_it_is() -> None:
    none, some = Share(low=0.0, high=1.0, n=0, failed=1, none=True), Share(low=0.5, high=0.5, n=1)
    assert not weighted([(1.0, none), (1.0, some)], n=1).none
    assert weighted([(1.0, none), (1.0, none)], n=1).none


def test_what_counts_as_nothing_is_known_and_nothing() -> None:
    assert Share(low=0.0, high=0.0, n=0, failed=0, none=False, notes=()) == ZERO
    assert ZERO.value == 0.0
