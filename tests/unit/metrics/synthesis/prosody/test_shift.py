"""Readings that are higher, wider, louder or faster by what is known."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.synthesis.prosody.rate import NotComparableError
from metrics.synthesis.prosody.shift import prosody_shift
from tests.unit.metrics.synthesis.prosody.made_voice import RATE, spoken

CARRIER = "pleasekepinmdthatyouca"
NEUTRAL = spoken([("zqxwvgjkbhf", 1.0), (CARRIER, 1.0)])


def test_the_same_words_in_the_same_way_differ_in_nothing() -> None:
    found = prosody_shift(spoken([("mcrqgzjxupb", 1.0), (CARRIER, 1.0)]), NEUTRAL, RATE)
    assert (found.f0_semitones, found.f0_range_semitones) == pytest.approx((0, 0), abs=0.2)
    assert found.level_db == pytest.approx(0.0, abs=0.7)
    assert found.rate_ratio == pytest.approx(1.0, abs=0.03)


def test_shouted_sad_news_is_louder_higher_and_faster() -> None:
    shouted = spoken([("mcrqgzjxupb", 0.9), (CARRIER, 0.9)], pitch_hz=120 * 2 ** (3 / 12)) * np.float32(2.0)
    found = prosody_shift(shouted, NEUTRAL, RATE)
    assert found.f0_semitones == pytest.approx(3.0, abs=0.2)
    assert found.level_db == pytest.approx(6.0, abs=0.8)
    assert found.rate_ratio == pytest.approx(1 / 0.9, rel=0.03)


def test_a_voice_that_glides_has_a_wider_range() -> None:
    found = prosody_shift(spoken([(CARRIER, 1.0)], slope=0.5), NEUTRAL, RATE)
    assert found.f0_range_semitones == pytest.approx(5.4, abs=0.5)


def test_other_words_are_not_compared() -> None:
    with pytest.raises(NotComparableError, match=r"share"):
        prosody_shift(spoken([("qzwkxjvbg", 1.0)] * 4), NEUTRAL, RATE)
