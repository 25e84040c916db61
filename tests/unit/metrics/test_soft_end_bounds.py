"""How speech ends, to the sample and exactly at each level; numbers that are exact in binary."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.soft_end import ends_at_full_level, ends_softly, later_sound, ringing_before, sound_after
from metrics.spans import Span

RATE = 48_000
MS = 48
END_S = (RATE - 1) / RATE
Samples = NDArray[np.float32]


def sound(*runs: tuple[int, float]) -> Samples:
    """So many samples at a level, run after run."""
    return np.concatenate([np.full(count, level, np.float32) for count, level in runs])


def test_exactly_four_times_the_threshold_is_not_soft() -> None:
    audio = sound((RATE, 0.0625))
    assert ends_softly(audio, RATE, END_S, 0.015625) is False
    assert ends_softly(audio, RATE, END_S, 0.0157) is True


def test_what_just_reaches_the_level_that_counts_is_open() -> None:
    """After a cut that is the threshold, after a soft end the lower one."""
    cut = sound((RATE, 0.5), (9 * MS, 0.0625), (RATE, 0.0))
    assert sound_after(cut, RATE, END_S, threshold=0.0625, least=0.03125) == 9 * MS / RATE
    soft = sound((RATE, 0.125), (9 * MS, 0.03125), (RATE, 0.0))
    assert sound_after(soft, RATE, END_S, threshold=0.0625, least=0.03125) == 9 * MS / RATE


def test_a_later_sound_that_just_reaches_the_least_is_told_from_its_first_sample_to_its_last() -> None:
    audio = sound((57_600, 0.0), (10, 0.0625), (RATE, 0.0))
    (found,) = later_sound(audio, RATE, 1.0, least=0.0625, within_s=0.6)
    assert found == Span(start_s=57_600 / RATE, end_s=57_609 / RATE)
    assert later_sound(audio, RATE, 1.0, least=0.07, within_s=0.6) == []


@pytest.mark.parametrize(("quiet", "rung"), [(1, 1), (1919, 1919), (1920, 0)])
def test_ringing_is_counted_to_the_sample_and_looked_for_in_40_ms(quiet: int, rung: int) -> None:
    """1920 samples are the 40 ms: with as many quiet ones nothing louder is before them."""
    audio = sound((RATE, 0.1), (quiet, 0.01))
    assert ringing_before(audio, RATE, (RATE + quiet - 1) / RATE) == rung / RATE


def test_the_last_voiced_sample_is_a_part_of_the_end() -> None:
    """959 samples at 0.044, 7.1 dB below the loud part, and one at 0.9: their power is 0.00278, and 7 dB
    below 0.1 are 0.001995."""
    span = Span(start_s=0.0, end_s=END_S)
    assert ends_at_full_level(sound((47_040, 0.1), (959, 0.044), (1, 0.9)), RATE, span) is True
    assert ends_at_full_level(sound((47_040, 0.1), (960, 0.044)), RATE, span) is False


def test_the_first_of_the_last_20_ms_is_a_part_of_the_end() -> None:
    """960 samples are the 20 ms. 0.0446 is 7.014 dB below 0.1, and a sample of 0.2 before 959 such makes it
    6.93; behind it nothing is ringing (14 dB below 0.2 are 0.04)."""
    span = Span(start_s=0.0, end_s=END_S)
    assert ends_at_full_level(sound((47_040, 0.1), (1, 0.2), (959, 0.0446)), RATE, span) is True
    assert ends_at_full_level(sound((47_039, 0.1), (1, 0.2), (960, 0.0446)), RATE, span) is False


def test_speech_before_the_first_voiced_sample_is_not_its_loud_part() -> None:
    """0.6 s at 0.5, and 0.4 s at 0.1 that are looked at."""
    audio = sound((28_800, 0.5), (19_200, 0.1))
    assert ends_at_full_level(audio, RATE, Span(start_s=0.6, end_s=END_S)) is True
    assert ends_at_full_level(audio, RATE, Span(start_s=0.0, end_s=END_S)) is False


def test_what_is_all_ringing_was_not_cut() -> None:
    """Behind 0.9 2.5 ms at 0.1 and 15 ms of nothing: in the 17.5 ms their mean is 8.5 dB below the first, and
    all of it lies 14 dB below what is before."""
    audio = sound((RATE, 0.9), (120, 0.1), (720, 0.0))
    assert ends_at_full_level(audio, RATE, Span(start_s=1.0, end_s=(RATE + 839) / RATE)) is False


def test_silence_ends_at_no_level() -> None:
    assert ends_at_full_level(np.zeros(RATE, np.float32), RATE, Span(start_s=0.0, end_s=END_S)) is False
