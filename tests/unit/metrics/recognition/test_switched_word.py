"""Words as recognisers of another language write them, and words that are others."""

from __future__ import annotations

import pytest

from metrics.recognition.switched_word import likeness, understood


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
