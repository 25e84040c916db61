"""Every number in what a sender's clock is taken for, from both sides: packets of 1/64 s, so that nothing is
rounded, of which the clock, the way or the sound is a little off."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.transports.media_clock import MediaClock, examine_clock, following_s

FRAME_S = 1 / 64
BLOCK = 32
"""Packets of half a second, a stretch."""
COUNT = 20 * BLOCK

Floats = NDArray[np.float64]


def _times(steps_s: Floats) -> Floats:
    return np.concatenate([[0.0], np.cumsum(steps_s)[:-1]])


def _examined(
    claimed: Floats,
    *,
    passed: Floats | None = None,
    sound: Floats | None = None,
    number: Floats | None = None,
) -> MediaClock:
    """All by the step from each packet to the next, in frames."""
    plain = np.ones(len(claimed))
    numbers = np.arange(len(claimed)) if number is None else _times(number)
    return examine_clock(
        _times(claimed * FRAME_S),
        _times((plain if passed is None else passed) * FRAME_S),
        (plain if sound is None else sound) * FRAME_S,
        numbers.astype(np.int64),
    )


def _shares(*shares: tuple[float, int], count: int = COUNT) -> Floats:
    """Steps in turns: of each hundred so many of this length."""
    hundred = np.repeat([step for step, _ in shares], [share for _, share in shares])
    return np.resize(hundred[np.random.default_rng(1).permutation(100)], count)


# --- what is told


@pytest.mark.parametrize(
    ("ratio", "pace", "words"),
    [
        (1.0051, 0.0, "its time stamps run 1.01 times as fast as its sound"),
        (0.9949, 0.0, "its time stamps run 0.995 times as fast as its sound"),
        (1.0049, 0.0, ""),
        (1.0, 0.0051, "it sends 0.5 % slower than real time"),
        (1.0, -0.0051, "it sends 0.5 % faster than real time"),
        (1.0, 0.005, ""),
        (1.0, -0.005, ""),
        (1.0, 0.0049, ""),
        (
            2.0,
            0.1,
            "its time stamps run 2 times as fast as its sound; it sends 10.0 % slower than real time",
        ),
        (None, 0.1, "its time stamps are no clock: its packets were placed by their order and their arrival"),
    ],
)
def test_half_a_percent_is_told(ratio: float | None, pace: float, words: str) -> None:
    assert MediaClock(media_s=np.zeros(1), ratio=ratio, pace=pace).in_words == words


def test_of_a_clock_that_nobody_held_against_ours_nothing_is_told() -> None:
    clock = MediaClock(media_s=np.zeros(1), ratio=1.0)
    assert (clock.pace, clock.block_noise_s, clock.in_words) == (0.0, 0.0, "")


# --- the rate


@pytest.mark.parametrize(
    ("ratio", "found"),
    [
        (0.195, None),
        (0.2, 0.2),
        (0.205, 0.205),
        (5.0, 5.0),
        (5.1, None),
        (1.000098, 1.0),
        (1.000102, 1.000102),
    ],
)
def test_a_clock_has_a_rate_between_a_fifth_and_five(ratio: float, found: float | None) -> None:
    clock = _examined(np.full(COUNT, ratio))
    assert clock.ratio == (None if found is None else pytest.approx(found, rel=1e-9))
    by_clock = ratio if found == 1.0 else 1.0
    assert clock.media_s == pytest.approx(np.arange(COUNT) * FRAME_S * by_clock, rel=1e-12)


@pytest.mark.parametrize(
    ("off", "is_clock"), [(1.0195, True), (1.0205, False), (0.9805, True), (0.9795, False)]
)
def test_steps_agree_within_two_percent(off: float, is_clock: bool) -> None:
    """48 of a hundred are right, 13 nearly so, the others wild; half must agree."""
    wild = ((0.5, 26), (2.0, 13)) if off > 1 else ((0.5, 13), (2.0, 26))
    clock = _examined(_shares((1.0, 48), (off, 13), *wild))
    assert (clock.ratio == 1.0) is is_clock
    assert (clock.ratio is None) is not is_clock


def test_two_percent_are_of_the_rate_and_just_so_much_agrees() -> None:
    """At 25/32 of the sound they are 1/64, at twice the sound 0.04."""
    shares = ((0.5, 26), (25 / 32, 48), (51 / 64, 13), (2.0, 13))
    assert _examined(_shares(*shares)).ratio == 25 / 32
    assert _examined(_shares((1.0, 26), (2.0, 48), (2.039, 13), (3.0, 13))).ratio == 2.0
    assert _examined(_shares((1.0, 26), (2.0, 48), (2.041, 13), (3.0, 13))).ratio is None


def test_a_fifth_of_the_sound_is_a_rate() -> None:
    """Packets of 5 s, for each of which the clock claims one."""
    clock = examine_clock(np.arange(20.0), np.arange(20.0) * 5.0, np.full(20, 5.0), np.arange(20))
    assert clock.ratio == 0.2
    assert clock.media_s == pytest.approx(np.arange(20) * 5.0)


def test_exactly_half_is_enough() -> None:
    half = _shares((1.0, 50), (0.5, 25), (2.0, 25), count=601)
    assert _examined(half).ratio == 1.0
    assert _examined(_shares((1.0, 49), (0.5, 25), (2.0, 26), count=601)).ratio is None


@pytest.mark.parametrize(("apart", "ratio"), [(2.9, 2.0), (3.0, 1.0), (3.1, 1.0)])
def test_packets_three_frames_apart_have_a_pause_between_them(apart: float, ratio: float) -> None:
    """Of 60 in a hundred the clock grows by twice the sound, and they come so far apart."""
    steps = _shares((1.0, 40), (2.0, 60))
    assert _examined(steps, passed=np.where(steps > 1, apart, 1.0)).ratio == ratio


def test_only_packets_that_follow_each_other_and_sound_tell_of_the_clock() -> None:
    steps = _shares((1.0, 40), (2.0, 60))
    assert _examined(steps).ratio == 2.0
    assert _examined(steps, number=steps).ratio == 1.0
    assert _examined(steps, sound=np.where(steps > 1, 0.0, 1.0)).ratio == 1.0
    # Whichever packet it is that has no sound: the first of all says nothing of the others.
    silent_first = np.where(np.arange(COUNT) == 0, 0.0, np.where(steps > 1, 0.0, 1.0))
    assert _examined(steps, sound=silent_first).ratio == 1.0
    # A packet that is overtaken has no rate either, where it has no sound.
    overtaken = np.where(steps > 1, -0.25, 1.0)
    assert _examined(steps, sound=np.where(steps > 1, 0.0, 1.0), passed=overtaken).ratio == 1.0
    # And what the first packet has is asked of the first alone.
    first = np.where(np.arange(COUNT) == 0, 0.0, 1.0)
    assert _examined(np.full(COUNT, 2.0), sound=first).ratio == 2.0
    # Where none follows another nothing speaks against the clock.
    assert _examined(np.full(20, 7.0), number=np.full(20, 2.0)).ratio == 1.0


def test_without_a_clock_sound_follows_on_sound_and_on_what_was_lost() -> None:
    assert following_s(np.zeros(3), np.array([1, 2, 4])) == pytest.approx([0.02, 0.04, 0.02])
    sound_s = np.array([0.01, 0.03, 0.03, 0.0, 0.05])
    # As long as usual, 30 ms, lasts what could not be decoded and each that was lost.
    assert following_s(sound_s, np.array([3, 5, 6, 9, 9])) == pytest.approx([0.04, 0.03, 0.09, 0.03, 0.05])
    # What had no sound is no usual length, however many there are.
    assert following_s(np.array([0.0, 0.0, 0.0, 0.05]), np.arange(4)) == pytest.approx([0.05] * 4)
    clock = _examined(np.array([-1.0] * 6), number=np.array([1.0, 1, 3, 1, 1, 1]))
    assert clock.ratio is None
    assert clock.media_s == pytest.approx(np.array([0, 1, 2, 5, 6, 7]) * FRAME_S)


# --- the pace


@pytest.mark.parametrize(("count", "pace"), [(8 * BLOCK + 1, 0.01), (8 * BLOCK, 0.0)])
def test_eight_neighbours_are_the_fewest_that_tell_a_pace(count: int, pace: float) -> None:
    clock = _examined(np.ones(count), passed=np.full(count, 1.01))
    assert clock.pace == pytest.approx(pace, abs=1e-12)


def _late(
    *late_s: float, media: Floats | None = None, low_at: tuple[int, ...] = (0,), others_s: float = 0.2
) -> MediaClock:
    """Stretches whose earliest packet, at these positions in turns, is so late, the others 0.2 s later."""
    difference = np.full(len(late_s) * BLOCK, others_s) + np.repeat(late_s, BLOCK)
    for block, own_s in enumerate(late_s):
        difference[block * BLOCK + low_at[block % len(low_at)]] = own_s
    media_s = np.arange(len(difference)) * FRAME_S if media is None else media
    return examine_clock(
        media_s, media_s + difference, np.full(len(difference), FRAME_S), np.arange(len(difference))
    )


def test_pace_and_noise_are_of_the_earliest_packets() -> None:
    """Stretches later by 1 ms and by 9 ms in turns: 1 % of half a second, and 4 ms around it."""
    late_s = np.concatenate([[0.0], np.cumsum(np.resize([0.001, 0.009], 20))])
    clock = _late(*late_s)
    assert clock.pace == pytest.approx(0.01)
    assert clock.block_noise_s == pytest.approx(0.004)
    assert _late(*[0.0] * 20).block_noise_s == 0.0


@pytest.mark.parametrize(("second_at", "pace"), [(3, -0.004 / (58 / 64)), (4, 0.0)])
def test_earliest_packets_closer_than_a_tenth_of_a_second_tell_no_pace(second_at: int, pace: float) -> None:
    """The 30th of a stretch, then the 4th (94 ms on) or 5th (109 ms) of the next, 4 ms later; and back."""
    late_s = np.resize([0.0, 0.004], 40)
    clock = _late(*late_s, low_at=(29, second_at))
    if pace:
        assert clock.pace == pytest.approx(pace)
    else:
        # Steep ones among them: the median is between both.
        assert clock.pace > 0.01


@pytest.mark.parametrize(("rise_s", "pace"), [(0.24, 0.48), (0.25, 0.0), (0.26, 0.0)])
def test_no_sender_is_slower_by_more_than_half(rise_s: float, pace: float) -> None:
    """Three of five stretches are later by so much than the one before, two are not."""
    late_s = np.concatenate([[0.0], np.cumsum(np.resize([rise_s, rise_s, 0.0, rise_s, 0.0], 40))])
    assert _late(*late_s).pace == pytest.approx(pace)


@pytest.mark.parametrize(("pause_frames", "counts"), [(3, True), (4, False)])
def test_stretches_with_a_pause_between_them_tell_no_pace(pause_frames: int, counts: bool) -> None:
    """Before three of five stretches the clock goes on by 47 or 62 ms without sound, and 20 ms are lost."""
    pauses = np.concatenate([[0], np.resize([1, 1, 0, 1, 0], 40)])
    media_s = np.arange(41 * BLOCK) * FRAME_S + np.repeat(np.cumsum(pauses), BLOCK) * pause_frames * FRAME_S
    clock = _late(*(np.cumsum(pauses) * 0.02), media=media_s)
    expected = 0.02 / (0.5 + pause_frames * FRAME_S) if counts else 0.0
    assert clock.pace == pytest.approx(expected, abs=1e-9)


def test_the_first_packet_is_in_the_first_stretch() -> None:
    """The earliest of the first half second is the very first packet; without it there are seven pairs."""
    assert _late(*(0.005 * n for n in range(9)), others_s=0.3).pace == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("apart_s", "heard_frames", "counts"),
    [
        # Further apart than 0.1 s of media time.
        (0.1, 6, False),
        (0.103, 6, True),
        # With less than 50 ms of a pause between them.
        (0.0625 + 0.0495, 4, True),
        (0.0625 + 0.05, 4, False),
        (0.0625 + 0.051, 4, False),
    ],
)
def test_what_makes_two_stretches_neighbours(apart_s: float, heard_frames: int, counts: bool) -> None:
    """Nine stretches, of which the first two have their earliest packets so far apart, by the clock and in
    sound, the others half a second: with those two eight neighbours, which tell 1 %, and else too few."""
    lows = np.array([34 - heard_frames, *range(34, 9 * BLOCK, BLOCK)])
    frames = np.arange(9 * BLOCK)
    media_s = np.where(frames < 34, (frames - lows[0]) * FRAME_S, apart_s + (frames - 34) * FRAME_S)
    late_s = np.full(len(frames), 0.2)
    late_s[lows] = 0.01 * media_s[lows]
    clock = examine_clock(media_s, media_s + late_s, np.full(len(frames), FRAME_S), frames)
    assert clock.pace == pytest.approx(0.01 if counts else 0.0, abs=1e-9)
    assert (clock.pace != 0.0) is counts
