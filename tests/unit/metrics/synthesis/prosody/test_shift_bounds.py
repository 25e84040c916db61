"""The shift of readings whose shared path and pitch are given, and levels of squares, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.synthesis.prosody import shift
from metrics.synthesis.prosody.alignment import Alignment, Matrix
from metrics.synthesis.prosody.frames import Frames
from metrics.synthesis.prosody.pitch import Pitch
from metrics.synthesis.prosody.rate import NotComparableError
from metrics.synthesis.prosody.shift import ProsodyShift, loud_level_dbfs, prosody_shift
from tests.unit.metrics.synthesis.prosody.made_voice import Samples

RATE = 16_000
BLOCK = 320


def square(count: int, level: float) -> Samples:
    return (level * (1 - 2 * (np.arange(count) % 2))).astype(np.float32)


def blocks(*levels: float) -> Samples:
    """20 ms of each."""
    return np.concatenate([square(BLOCK, one) for one in levels])


READING = np.concatenate([square(1_600, 0.9), square(32_000, 0.2), square(6_400, 0.8)])
"""Loud, but from 0.1 s to 2.1 s."""
NEUTRAL = np.concatenate([square(4_800, 0.7), square(64_000, 0.1), square(4_800, 0.6)])
"""Loud, but from 0.3 s to 4.3 s."""


class Given:
    """Replaces what the readings share, and keeps what pitch was asked of."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        pairs: list[tuple[int, int]],
        *,
        distance: float = 0.3,
        pitches: tuple[Pitch | None, Pitch | None] = (None, None),
    ) -> None:
        self.asked: list[Samples] = []
        self._pairs, self._distance, self._pitches = pairs, distance, pitches
        for name in ("frames_of", "align", "pitch_of"):
            monkeypatch.setattr(shift, name, getattr(self, name))

    def frames_of(self, audio: Samples, sample_rate_hz: int) -> Frames:
        """The reading's 10 ms apart, the neutral one's 20."""
        assert sample_rate_hz == RATE
        hop_s = 0.01 if audio is READING else 0.02
        return Frames(features=np.full((1000, 1), hop_s), times_s=np.arange(1000, dtype=np.float64) * hop_s)

    def align(self, first: Matrix, second: Matrix) -> Alignment:
        assert (first[0, 0], second[0, 0]) == (0.01, 0.02)
        if not self._pairs:
            raise ValueError("the two readings share nothing")
        return Alignment(path=np.array(self._pairs, np.int64), distance=self._distance)

    def pitch_of(self, audio: Samples, sample_rate_hz: int) -> Pitch | None:
        assert sample_rate_hz == RATE
        self.asked.append(audio)
        return self._pitches[len(self.asked) - 1]


def pitch(median_hz: float, range_semitones: float) -> Pitch:
    return Pitch(median_hz=median_hz, range_semitones=range_semitones, voiced_s=1.0)


def shifted() -> ProsodyShift:
    return prosody_shift(READING, NEUTRAL, RATE)


SHARED = [(10, 15), (100, 90), (209, 213)]
"""Frames 10 to 209 of the reading, 200 of them, and 15 to 213 of the neutral one, 199."""


def test_what_is_shared_is_measured_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Given(monkeypatch, SHARED)
    found = shifted()
    # From 0.1 to 2.09 s, and from 0.3 to 4.26 s; the last frame's 10 ms as well.
    assert [len(one) for one in given.asked] == [32_000, 63_520]
    assert np.array_equal(given.asked[0], READING[1_600:33_600])
    assert np.array_equal(given.asked[1], NEUTRAL[4_800:68_320])
    assert found.level_db == pytest.approx(6.0206, abs=1e-3)
    assert found.rate_ratio == pytest.approx(199 / 200)
    assert (found.f0_semitones, found.f0_range_semitones) == (None, None)


def test_pitch_is_told_in_semitones_and_its_range_as_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    Given(monkeypatch, SHARED, pitches=(pitch(150.0, 7.5), pitch(100.0, 5.0)))
    found = shifted()
    # A fifth.
    assert found.f0_semitones == pytest.approx(7.01955, abs=1e-4)
    assert found.f0_range_semitones == pytest.approx(2.5)


@pytest.mark.parametrize("pitches", [(None, pitch(100.0, 5.0)), (pitch(100.0, 5.0), None)])
def test_without_the_pitch_of_one_reading_there_is_no_shift_of_it(
    monkeypatch: pytest.MonkeyPatch, pitches: tuple[Pitch | None, Pitch | None]
) -> None:
    Given(monkeypatch, SHARED, pitches=pitches)
    found = shifted()
    assert (found.f0_semitones, found.f0_range_semitones) == (None, None)
    assert found.rate_ratio == pytest.approx(199 / 200)


@pytest.mark.parametrize("distance", [0.751, 1.5])
def test_beyond_a_distance_of_075_the_words_are_not_the_same(
    monkeypatch: pytest.MonkeyPatch, distance: float
) -> None:
    Given(monkeypatch, SHARED, distance=distance)
    with pytest.raises(NotComparableError, match="share too little"):
        shifted()


def test_exactly_at_that_distance_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    Given(monkeypatch, SHARED, distance=0.75)
    assert shifted().rate_ratio == pytest.approx(199 / 200)


@pytest.mark.parametrize(
    ("first", "second", "told"), [(80, 80, True), (79, 120, False), (120, 79, False), (80, 160, True)]
)
def test_either_reading_has_08_s_of_what_is_shared(
    monkeypatch: pytest.MonkeyPatch, first: int, second: int, told: bool
) -> None:
    Given(monkeypatch, [(10, 15), (10 + first - 1, 15 + second - 1)])
    if told:
        assert shifted().rate_ratio == pytest.approx(second / first)
    else:
        with pytest.raises(NotComparableError, match="share too little"):
            shifted()


def test_readings_that_share_nothing_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    Given(monkeypatch, [])
    with pytest.raises(NotComparableError, match="the two readings share nothing"):
        shifted()


# --- levels


def test_a_level_is_the_mean_power_of_whole_blocks_of_20_ms() -> None:
    # (0.25 + 0.09) / 2 = 0.17
    assert loud_level_dbfs(blocks(0.5, 0.3), RATE) == pytest.approx(-7.6955, abs=1e-3)
    assert loud_level_dbfs(np.concatenate([blocks(0.5, 0.3), square(BLOCK - 1, 1.0)]), RATE) == pytest.approx(
        -7.6955, abs=1e-3
    )
    # At 8 kHz a block has half the samples: the same samples, of which now 160 are one.
    halves = np.concatenate([square(160, 0.5), square(160, 0.01)])
    assert loud_level_dbfs(halves, RATE) == pytest.approx(10 * np.log10(0.2501 / 2), abs=1e-3)
    assert loud_level_dbfs(halves, 8_000) == pytest.approx(-6.0206, abs=1e-3)


def test_what_lies_20_db_below_the_loudest_block_does_not_count() -> None:
    above, below = (0.5 * 10 ** (db / 20) for db in (-19.9, -20.1))
    # (0.25 + 0.25 * 0.010233) / 2
    assert loud_level_dbfs(blocks(0.5, above), RATE) == pytest.approx(-8.9866, abs=1e-3)
    assert loud_level_dbfs(blocks(0.5, below), RATE) == pytest.approx(-6.0206, abs=1e-3)


def test_exactly_so_far_below_it_does_not_count_either() -> None:
    """Levels that are exact in binary, and so are their squares."""
    assert loud_level_dbfs(blocks(0.625, 0.0625), RATE) == pytest.approx(20 * np.log10(0.625))


def test_a_silent_block_does_not_make_a_reading_silent() -> None:
    assert loud_level_dbfs(blocks(0.5, 0.0), RATE) == pytest.approx(-6.0206, abs=1e-3)


def test_silence_has_a_level_of_minus_100() -> None:
    assert loud_level_dbfs(blocks(0.0, 0.0), RATE) == -100.0
    assert loud_level_dbfs(square(BLOCK - 1, 0.5), RATE) == -100.0
    assert loud_level_dbfs(blocks(0.99e-5), RATE) == -100.0
    # 1.01e-5 squared is 2 % more than 1e-10.
    assert loud_level_dbfs(blocks(1.01e-5), RATE) == pytest.approx(-99.9136, abs=1e-3)
