"""How speech ends, to the sample and exactly at each level; numbers that are exact in binary."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics import soft_end
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


def test_the_first_of_the_last_10_ms_is_a_part_of_a_soft_end() -> None:
    """480 samples: one of 0.9 and 479 of 0.01 have a level of 0.042, and four times 0.007 is 0.028."""
    assert ends_softly(sound((47_520, 0.01), (1, 0.9), (479, 0.01)), RATE, END_S, 0.007) is False
    assert ends_softly(sound((47_519, 0.01), (1, 0.9), (480, 0.01)), RATE, END_S, 0.007) is True


def test_a_single_sample_is_a_later_sound() -> None:
    audio = sound((57_600, 0.0), (1, 0.0625), (RATE, 0.0))
    [found] = later_sound(audio, RATE, 1.0, least=0.0625, within_s=0.6)
    assert (found.start_s, found.end_s) == (1.2, 1.2)


def test_a_fifth_of_the_loudest_is_no_ringing() -> None:
    """0.2 in 32 bits is a fifth of 1 there."""
    assert ringing_before(sound((RATE, 1.0), (10, 0.2)), RATE, (RATE + 9) / RATE) == 0.0
    assert ringing_before(sound((RATE, 1.0), (10, 0.1999)), RATE, (RATE + 9) / RATE) == 10 / RATE


@pytest.mark.parametrize(
    ("at_its_end_db", "before_ringing_db", "cut"),
    [(0.0, -3.0, True), (-3.0, 0.0, True), (-3.0, -3.0, False)],
)
def test_just_the_level_of_a_cut_is_one(
    at_its_end_db: float, before_ringing_db: float, cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of the sound is at 1, which is the level of its loud part, 0 dBFS; 3 dB above it nothing is."""
    monkeypatch.setattr(soft_end, "loud_part", lambda levels: 0.0)
    monkeypatch.setattr(soft_end, "FULL_LEVEL_DB", at_its_end_db)
    monkeypatch.setattr(soft_end, "BEFORE_RINGING_DB", before_ringing_db)
    span = Span(start_s=0.0, end_s=END_S)
    assert ends_at_full_level(sound((RATE, 1.0)), RATE, span) is cut


def ends_so(first: int, *runs: tuple[int, float]) -> bool:
    """Of the sound from its so many-th sample to its last."""
    audio = sound(*runs)
    span = Span(start_s=first / RATE, end_s=(len(audio) - 1) / RATE)
    return ends_at_full_level(np.concatenate([audio, audio[:1]]), RATE, span)


def test_the_loud_part_is_of_blocks_that_begin_with_the_first_voiced_sample() -> None:
    """One sample at 1 in a block of 120 is at -20.8 dBFS. Blocks of which the last one, at 0.1, is at -20.0:
    seven tenths of the way from the lower to the higher are -20.2 dBFS, and the last 20 ms are at -29.0. A
    block that began a sample later would have no sound, and the last one only one of its samples, -40.8."""
    assert ends_so(0, (1, 1.0), (4799, 0.0), (120, 0.1)) is False


def test_the_loud_part_is_of_blocks_that_the_last_voiced_sample_completes() -> None:
    """A block at 0.0631, -24.0 dBFS, and long after it 119 samples at 0.1, no whole block. They are at -29.1
    dBFS in the last 20 ms; were they one with what follows, the loud part would be at -21.2."""
    assert ends_so(0, (120, 0.0631), (4800, 0.0), (119, 0.1)) is True
    # One more, and they are one.
    assert ends_so(0, (120, 0.0631), (4800, 0.0), (120, 0.1)) is False


def test_of_speech_shorter_than_its_end_all_is_its_end() -> None:
    """One sample at 1 and 239 at -31.8 dBFS (0.0257): 5 ms at -23.2. Blocks at -20.5 and -31.8 have a loud
    part at -23.9; without the first sample the end would be more than 7 dB below that, and nothing would be
    left before the ringing."""
    assert ends_so(480, (480, 0.0), (1, 1.0), (239, 0.0257)) is True
