"""What a sender's clock is taken for, on streams of which that is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.transports.media_clock import MediaClock, examine_clock, following_s

FRAME_S = 0.02
COUNT = 1500

Floats = NDArray[np.float64]


def _examine(
    claimed_s: Floats | None = None,
    *,
    passed_s: Floats | None = None,
    number: NDArray[np.int64] | None = None,
    sound_s: Floats | None = None,
) -> MediaClock:
    steady = np.arange(COUNT) * FRAME_S
    return examine_clock(
        steady if claimed_s is None else claimed_s,
        steady + 0.05 if passed_s is None else passed_s,
        np.full(COUNT, FRAME_S) if sound_s is None else sound_s,
        np.arange(COUNT, dtype=np.int64) if number is None else number,
    )


def test_a_clock_like_any_other_is_left_as_it_is() -> None:
    clock = _examine()
    assert clock.media_s == pytest.approx(np.arange(COUNT) * FRAME_S, abs=1e-12)
    assert (clock.ratio, clock.in_words) == (1.0, "")
    assert clock.pace == pytest.approx(0.0, abs=1e-9)
    assert clock.block_noise_s == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("ratio", "told"), [(2.0, "2"), (0.5, "0.5"), (1.0884, "1.09"), (4.9, "4.9")])
def test_a_clock_at_another_rate_is_set_right_and_told(ratio: float, told: str) -> None:
    clock = _examine(np.arange(COUNT) * FRAME_S * ratio)
    assert clock.ratio == pytest.approx(ratio)
    assert clock.media_s == pytest.approx(np.arange(COUNT) * FRAME_S, abs=1e-9)
    assert clock.in_words == f"its time stamps run {told} times as fast as its sound"


@pytest.mark.parametrize("ratio", [-1.0, 0.0, 0.19, 5.1])
def test_time_stamps_that_are_no_clock_are_left_out(ratio: float) -> None:
    number = np.arange(COUNT, dtype=np.int64)
    number[700:] += 3
    clock = _examine(np.arange(COUNT) * FRAME_S * ratio, number=number)
    assert clock.ratio is None
    # Three packets were lost: their sound is counted.
    assert clock.media_s[699] == pytest.approx(699 * FRAME_S)
    assert clock.media_s[700] == pytest.approx(703 * FRAME_S)
    assert clock.in_words.startswith("its time stamps are no clock")


@pytest.mark.parametrize(("share", "is_clock"), [(0.45, True), (0.55, False)])
def test_most_packets_must_agree_on_a_rate(share: float, is_clock: bool) -> None:
    """Some steps are of any length from nothing to two frames, 2 % around the right one left out."""
    random = np.random.default_rng(5)
    steps = np.full(COUNT, FRAME_S)
    wild = random.random(COUNT) < share
    off = random.uniform(0.05, 1.0, COUNT) * random.choice([-1.0, 1.0], COUNT)
    steps[wild] *= 1.0 + off[wild]
    clock = _examine(np.concatenate([[0.0], np.cumsum(steps)[:-1]]))
    assert (clock.ratio is not None) is is_clock


def test_pauses_of_the_sender_say_nothing_of_its_clock() -> None:
    """Nothing is sent for two seconds after every ten packets, and the clock goes on."""
    frames = np.arange(COUNT) + np.arange(COUNT) // 10 * 100
    clock = _examine(frames * FRAME_S, passed_s=frames * FRAME_S + 0.05)
    assert clock.ratio == 1.0
    assert clock.media_s == pytest.approx(frames * FRAME_S)


@pytest.mark.parametrize(
    ("pace", "told"),
    [
        (0.02, "it sends 2.0 % slower than real time"),
        (-0.02, "it sends 2.0 % faster than real time"),
        (0.004, ""),
        (0.0002, ""),
    ],
)
def test_the_pace_of_a_sender_is_measured_through_jitter(pace: float, told: str) -> None:
    jitter_s = np.random.default_rng(1).uniform(0.0, 0.004, COUNT)
    clock = _examine(passed_s=np.arange(COUNT) * FRAME_S * (1 + pace) + jitter_s)
    assert clock.pace == pytest.approx(pace, abs=0.0005)
    assert clock.in_words == told


def test_slips_between_stretches_are_no_pace() -> None:
    """20 ms later every four seconds: an eighth of the neighbours are apart by it, the others not at all."""
    slips = np.arange(COUNT) // 200 * 0.02
    assert _examine(passed_s=np.arange(COUNT) * FRAME_S + slips).pace == pytest.approx(0.0, abs=1e-9)


def test_jitter_leaves_more_of_the_envelope_the_longer_it_is() -> None:
    """The earliest of 25 packets with uniform delays up to L is late by L / 26 on average; two such differ by
    0.69 times that, as a median (two exponentials)."""
    noises = []
    for spread_s in (0.004, 0.04):
        jitter_s = np.random.default_rng(2).uniform(0.0, spread_s, COUNT)
        noises.append(_examine(passed_s=np.arange(COUNT) * FRAME_S + jitter_s).block_noise_s)
    assert noises == pytest.approx([0.004 / 26 * 0.69, 0.04 / 26 * 0.69], rel=0.4)


def test_a_short_stream_has_no_pace() -> None:
    few = np.arange(100) * FRAME_S
    clock = examine_clock(few, few * 1.05, np.full(100, FRAME_S), np.arange(100, dtype=np.int64))
    assert (clock.pace, clock.block_noise_s) == (0.0, 0.0)
    one = examine_clock(np.zeros(1), np.ones(1), np.full(1, FRAME_S), np.zeros(1, np.int64))
    assert (one.ratio, one.media_s.tolist()) == (1.0, [0.0])


def test_what_follows_a_packet_lies_behind_its_sound_and_what_was_lost() -> None:
    """Packets of 20, 40 and 20 ms, two of the usual 20 ms lost after the second; one that could not be
    decoded counts as usual."""
    sound_s = np.array([0.02, 0.04, 0.02, 0.0])
    assert following_s(sound_s, np.array([5, 6, 9, 10])) == pytest.approx([0.02, 0.08, 0.02, 0.02])
