"""The rates of readings whose shared path is given, so that every duration is counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.spans import Span
from metrics.synthesis.prosody import rate
from metrics.synthesis.prosody.alignment import Alignment, Matrix
from metrics.synthesis.prosody.frames import Frames
from metrics.synthesis.prosody.rate import NotComparableError, PairedRates, paired_rates
from tests.unit.metrics.synthesis.prosody.made_voice import Samples

RATE = 16_000
CONTROL, STRESSED = np.zeros(1, np.float32), np.zeros(2, np.float32)


def given(monkeypatch: pytest.MonkeyPatch, pairs: list[tuple[int, int]], *, distance: float = 0.3) -> None:
    """Lets both readings share this path. Frames of the control lie 0.01 s apart from 0 on, those of the
    stressed reading elsewhere, since nothing is said of their times."""

    def frames_of(audio: Samples, sample_rate_hz: int) -> Frames:
        assert sample_rate_hz == RATE
        hop_s = 0.01 if audio is CONTROL else 0.05
        return Frames(
            features=np.full((1000, 1), len(audio), np.float64),
            times_s=np.arange(1000, dtype=np.float64) * hop_s,
        )

    def align(first: Matrix, second: Matrix) -> Alignment:
        assert (first[0, 0], second[0, 0]) == (len(CONTROL), len(STRESSED))
        return Alignment(path=np.array(pairs, np.int64).reshape(-1, 2), distance=distance)

    monkeypatch.setattr(rate, "frames_of", frames_of)
    monkeypatch.setattr(rate, "align", align)


def compared(start_s: float, end_s: float) -> PairedRates:
    return paired_rates(STRESSED, CONTROL, RATE, key=Span(start_s=start_s, end_s=end_s))


def bent(slow_from: int, slow_to: int, last: int, *, first: int = 0, ahead: int = 0) -> list[tuple[int, int]]:
    """Frame by frame, but two for one of the control's between two of its frames; the stressed reading's
    frames are so many ahead."""
    frames = np.arange(first, last + 1)
    there = frames + ahead + np.clip(frames - slow_from, 0, slow_to - slow_from)
    return list(zip(frames.tolist(), there.tolist(), strict=True))


def test_adaptation_and_tempo_are_ratios_of_durations() -> None:
    found = PairedRates(key_s=1.0, rest_s=2.4, control_key_s=0.8, control_rest_s=3.0, distance=0.3)
    # 1.25 / 0.8, and 3.8 / 3.4
    assert found.adaptation == pytest.approx(1.5625)
    assert found.tempo == pytest.approx(1.117647, abs=1e-6)


def test_durations_are_those_of_the_shared_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames 10 to 299 of the control, 290 of them; from 100 to 200 each takes two of the other's, which
    begins at 40 and ends at 429: 390 frames. The key is said from 120 to 180."""
    given(monkeypatch, bent(100, 200, 299, first=10, ahead=30), distance=0.42)
    found = compared(1.2, 1.8)
    assert found.control_key_s == pytest.approx(0.6)
    assert found.key_s == pytest.approx(1.2)
    assert found.control_rest_s == pytest.approx(2.3)
    assert found.rest_s == pytest.approx(2.7)
    assert found.distance == 0.42


def test_the_first_and_the_last_frame_of_the_path_bound_what_is_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From (10, 40) to (299, 329), with a step of 5 and of 7 frames at its ends."""
    given(monkeypatch, [(10, 40), *((one, one + 30) for one in range(15, 293)), (299, 329)])
    found = compared(1.2, 1.8)
    assert (found.control_rest_s, found.rest_s) == pytest.approx((2.3, 2.3))


@pytest.mark.parametrize(("distance", "told"), [(0.75, True), (0.751, False)])
def test_beyond_a_distance_of_075_the_words_are_not_the_same(
    monkeypatch: pytest.MonkeyPatch, distance: float, told: bool
) -> None:
    given(monkeypatch, bent(0, 0, 299), distance=distance)
    if told:
        assert compared(1.0, 2.0).distance == distance
    else:
        with pytest.raises(NotComparableError, match="too unlike"):
            compared(1.0, 2.0)


@pytest.mark.parametrize(("frames", "told"), [(36, True), (34, False)])
def test_the_control_says_035_s_of_the_key(monkeypatch: pytest.MonkeyPatch, frames: int, told: bool) -> None:
    """While the stressed reading says twice as much of it."""
    given(monkeypatch, bent(50, 200, 299))
    if told:
        assert compared(1.0, 1.0 + frames / 100).control_key_s == pytest.approx(0.36)
    else:
        with pytest.raises(NotComparableError, match=r"a key of 0\.34 s is too short"):
            compared(1.0, 1.0 + frames / 100)


@pytest.mark.parametrize(("frames", "told"), [(72, True), (68, False)])
def test_the_stressed_reading_says_035_s_of_the_key(
    monkeypatch: pytest.MonkeyPatch, frames: int, told: bool
) -> None:
    """While the control says twice as much of it."""
    given(monkeypatch, [(there, here) for here, there in bent(50, 200, 299)])
    if told:
        assert compared(1.0, 1.0 + frames / 100).key_s == pytest.approx(0.36)
    else:
        with pytest.raises(NotComparableError, match=r"a key of 0\.34 s is too short"):
            compared(1.0, 1.0 + frames / 100)


def test_exactly_the_least_of_a_key_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, bent(0, 0, 299))
    assert compared(0.5, 1.0).key_s == 0.5
    monkeypatch.setattr(rate, "LEAST_KEY_S", 0.5)
    assert compared(0.5, 1.0).key_s == 0.5


def test_exactly_the_least_of_the_rest_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, bent(0, 0, 299))
    monkeypatch.setattr(rate, "LEAST_REST_S", 2.5)
    found = compared(0.5, 1.0)
    assert (found.rest_s, found.control_rest_s) == (2.5, 2.5)


@pytest.mark.parametrize(("rest", "told"), [(80, True), (79, False)])
def test_08_s_of_the_rest_are_shared(monkeypatch: pytest.MonkeyPatch, rest: int, told: bool) -> None:
    given(monkeypatch, bent(0, 0, 100 + rest - 1))
    if told:
        assert compared(0.4, 1.4).rest_s == pytest.approx(0.8)
    else:
        with pytest.raises(NotComparableError, match=r"only 0\.79 s of the rest"):
            compared(0.4, 1.4)


def test_either_reading_says_so_much_of_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """28 frames, 100 and 28 in one, of which 80 in the middle are the key: 0.76 s are left. In the other
    those at either end are twice as far apart: 1.31 s, as nothing comes after the last."""
    pairs = [(2 * one, one) for one in range(28)]
    pairs += [(56 + one, 28 + one) for one in range(100)]
    pairs += [(156 + 2 * one, 128 + one) for one in range(28)]
    given(monkeypatch, pairs)
    with pytest.raises(NotComparableError, match=r"only 0\.76 s of the rest"):
        compared(0.66, 1.46)
    given(monkeypatch, [(there, here) for here, there in pairs])
    with pytest.raises(NotComparableError, match=r"only 0\.76 s of the rest"):
        compared(0.38, 1.18)


def test_a_key_outside_of_what_is_shared_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, bent(0, 0, 299, first=50))
    with pytest.raises(NotComparableError, match="the key is not in what both readings share: frame 40"):
        compared(0.4, 1.0)
    with pytest.raises(NotComparableError, match="the key is not in what both readings share: frame 320"):
        compared(1.0, 3.2)
