"""Readings whose true rates are known by construction: the same sounds, some of them longer."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.spans import Span
from metrics.synthesis.prosody.frames import UnreadableError
from metrics.synthesis.prosody.rate import NotComparableError, paired_rates
from tests.unit.metrics.synthesis.prosody.made_voice import RATE, Samples, span_of, spoken

HEAD, KEY, TAIL = "pleasekepinmdth", "fousvtwni", "andyucaitody"
BY_THE_WAY, LISTEN = "zqxwvgjkbhf", "mcrqgzjxupbwdl"


def reading(intro: str, key_slow: float, rest_slow: float, *, pause: str = "") -> list[tuple[str, float]]:
    return [(intro, 1.0), (HEAD, rest_slow), (KEY[:4] + pause + KEY[4:], key_slow), (TAIL, rest_slow)]


def key_of(parts: list[tuple[str, float]], off_s: float = 0.0) -> Span:
    start, end = span_of(parts, 2)
    return Span(start_s=start + off_s, end_s=end + off_s)


CONTROL = reading(BY_THE_WAY, 1.0, 1.0)
CONTROL_SOUND = spoken(CONTROL)


@pytest.mark.parametrize(
    ("key_slow", "rest_slow"), [(1.0, 1.0), (1.11, 1.0), (1.25, 1.0), (1.5, 1.0), (1.25, 0.9), (0.85, 1.1)]
)
def test_how_much_longer_the_key_is_comes_out_within_3_percent(key_slow: float, rest_slow: float) -> None:
    found = paired_rates(
        spoken(reading(LISTEN, key_slow, rest_slow)), CONTROL_SOUND, RATE, key=key_of(CONTROL)
    )
    assert found.adaptation == pytest.approx(key_slow / rest_slow, rel=0.03)


def test_a_voice_that_says_everything_more_slowly_does_not_adapt() -> None:
    found = paired_rates(spoken(reading(LISTEN, 1.25, 1.25)), CONTROL_SOUND, RATE, key=key_of(CONTROL))
    assert found.adaptation == pytest.approx(1.0, abs=0.03)
    assert found.tempo == pytest.approx(0.8, abs=0.03)


def test_a_pause_is_no_articulation() -> None:
    paused = spoken(reading(LISTEN, 1.0, 1.0, pause="_"))
    found = paired_rates(paused, CONTROL_SOUND, RATE, key=key_of(CONTROL))
    # 0.3 s on 0.81 s would be 1.37; up to 80 ms of it are kept, for they could be a closure.
    assert found.adaptation == pytest.approx(1.0, abs=0.12)


@pytest.mark.parametrize("off_s", [-0.1, 0.1])
def test_an_edge_that_is_off_by_a_sound_costs_little(off_s: float) -> None:
    slow = spoken(reading(LISTEN, 1.25, 1.0))
    found = paired_rates(slow, CONTROL_SOUND, RATE, key=key_of(CONTROL, off_s))
    assert found.adaptation == pytest.approx(1.25, rel=0.06)


def test_level_pitch_and_noise_do_not_matter() -> None:
    slow = spoken(reading(LISTEN, 1.25, 1.0), pitch_hz=150.0) * np.float32(0.3)
    noisy = slow + np.random.default_rng(1).normal(0, 0.0005, len(slow)).astype(np.float32)
    found = paired_rates(noisy, CONTROL_SOUND, RATE, key=key_of(CONTROL))
    assert found.adaptation == pytest.approx(1.25, rel=0.05)


def test_other_words_are_not_compared() -> None:
    other = spoken([("qzwkxjvbg" * 5, 1.0)])
    with pytest.raises(NotComparableError, match=r"share|unlike"):
        paired_rates(other, CONTROL_SOUND, RATE, key=key_of(CONTROL))


def test_a_key_that_was_not_read_is_not_compared() -> None:
    cut: Samples = CONTROL_SOUND[: round(key_of(CONTROL).start_s * RATE)]
    with pytest.raises(NotComparableError, match="outside the shared"):
        paired_rates(cut, CONTROL_SOUND, RATE, key=key_of(CONTROL))


def test_silence_and_scraps_are_not_read() -> None:
    with pytest.raises(UnreadableError, match="silent"):
        paired_rates(np.zeros(RATE, np.float32), CONTROL_SOUND, RATE, key=key_of(CONTROL))
    with pytest.raises(UnreadableError, match=r"0\.1 s"):
        paired_rates(CONTROL_SOUND[: RATE // 10], CONTROL_SOUND, RATE, key=key_of(CONTROL))
