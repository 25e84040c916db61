"""The headphone test: what is heard over headphones, and what loudspeakers make of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.listening.headphone_tones import RIGHT, TRIALS, headphone_trial

RATE = 8_000


def loudness(audio: np.ndarray) -> list[float]:
    """Of each of the three tones, in dB."""
    middles = [
        audio[round((number * 1.4 + 0.2) * RATE) : round((number * 1.4 + 0.8) * RATE)] for number in range(3)
    ]
    return [20 * math.log10(float(np.sqrt(np.mean(one.astype(float) ** 2))) + 1e-9) for one in middles]


@pytest.mark.parametrize(("softer", "inverted"), [(1, 2), (2, 3), (3, 1)])
def test_headphones_and_loudspeakers_hear_another_tone_as_the_softest(softer: int, inverted: int) -> None:
    trial = headphone_trial(softer=softer, inverted=inverted)
    assert trial.shape == (round(3.8 * RATE), 2)
    each_ear = [loudness(trial[:, ear]) for ear in (0, 1)]
    for heard in each_ear:
        assert int(np.argmin(heard)) + 1 == softer
        assert max(heard) - min(heard) == pytest.approx(6.0, abs=0.01)
    in_the_room = loudness(trial.mean(axis=1))
    assert int(np.argmin(in_the_room)) + 1 == inverted


def test_it_is_a_tone_of_200_hz_without_clicks() -> None:
    one = headphone_trial(softer=1, inverted=2)[:RATE, 0]
    assert int(np.argmax(np.abs(np.fft.rfft(one)))) == 200
    assert np.max(np.abs(np.diff(one))) < 0.04
    assert abs(one[0]) + abs(one[-1]) < 1e-6


def test_how_often_chance_passes() -> None:
    passed = sum(math.comb(TRIALS, k) * 2 ** (TRIALS - k) for k in range(RIGHT, TRIALS + 1)) / 3**TRIALS
    assert passed == pytest.approx(0.018, abs=0.0005)


def test_two_roles_for_one_tone_are_refused() -> None:
    with pytest.raises(ValueError, match="softer 2, inverted 2"):
        headphone_trial(softer=2, inverted=2)
    with pytest.raises(ValueError, match="tones 1 to 3"):
        headphone_trial(softer=0, inverted=2)
