"""Words as recognisers of another language write them, and words that are others."""

from __future__ import annotations

import pytest

from metrics.recognition.switched_word import fits, likeness, understood


@pytest.mark.parametrize(
    ("wanted", "heard"),
    [
        ("Düsseldorf", "dusseldorf"),
        ("Kindergarten", "kinder garden"),
        ("Wi-Fi", "wifi"),
        ("González", "gonzales"),
        ("déjà vu", "deja vu"),
        ("VIP", "vip"),
    ],
)
def test_another_spelling_is_the_same_word(wanted: str, heard: str) -> None:
    assert understood(wanted, heard)


@pytest.mark.parametrize(
    ("wanted", "heard"),
    [
        ("Dubois", "parker"),
        ("Marseille", "manchester"),
        ("VIP", "贵宾"),
        ("Huawei", ""),
        ("siesta", "breather"),
    ],
)
def test_a_word_that_was_swapped_is_not_understood(wanted: str, heard: str) -> None:
    assert not understood(wanted, heard)


def test_likeness_is_1_of_itself_and_0_of_nothing() -> None:
    assert likeness("Shanghai", "Shanghai") == 1.0
    assert likeness("Shanghai", "...") == 0.0


@pytest.mark.parametrize(("other", "said"), [(-12.0, True), (-11.9, False)])
def test_a_word_was_said_if_it_fits_better_by_2_than_every_other(other: float, said: bool) -> None:
    assert fits(-10.0, others=[-40.0, other, -30.0], written=-10.0) is said
    assert fits(-10.0, others=[], written=-10.0)


@pytest.mark.parametrize(("written", "said"), [(-5.5, True), (-5.4, False)])
def test_it_may_fit_worse_by_4_5_than_what_was_written(written: float, said: bool) -> None:
    assert fits(-10.0, others=[-40.0], written=written) is said


def test_where_nothing_was_written_nothing_was_understood() -> None:
    assert not fits(-10.0, others=[-40.0], written=None)
