"""Where packets are placed in time, against streams whose true sending times are known.

Every stream here is made from the truth: when each packet's first sample was really due on the sender's side,
in our seconds. It then passes our socket later than that by the path's smallest delay plus something of its
own. The envelope must give the truth plus the smallest delay.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from harness.transports.rtp_timeline import MAX_DRIFT, envelope_offsets, unwrap

PATH_S = 0.02
"""Smallest delay of the path."""
FRAME_S = 0.02

Floats = NDArray[np.float64]


def _errors(truth_s: Floats, media_s: Floats, late_s: Floats) -> Floats:
    """How much later than the truth each packet is placed, in seconds."""
    passed_s = truth_s + PATH_S + late_s
    placed_s = media_s + envelope_offsets(passed_s, media_s)
    assert np.all(placed_s <= passed_s + 1e-9), "a packet was placed after it had passed"
    return np.asarray(placed_s - truth_s - PATH_S)


def _steady(count: int) -> Floats:
    return np.arange(count) * FRAME_S


def _uniform(count: int, spread_s: float, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).uniform(0.0, spread_s, count)


def _talkspurts(lengths: list[int], pauses_s: list[float]) -> tuple[Floats, Floats]:
    """Media and true time of a sender that sends nothing in pauses, its timestamps standing still."""
    media_s, truth_s, now_s = [], [], 0.0
    for length, pause_s in zip(lengths, pauses_s, strict=True):
        for _ in range(length):
            media_s.append(len(media_s) * FRAME_S)
            truth_s.append(now_s)
            now_s += FRAME_S
        now_s += pause_s
    return np.array(media_s), np.array(truth_s)


def test_packets_without_any_delay_of_their_own_are_placed_exactly() -> None:
    media_s = _steady(500)
    assert np.abs(_errors(media_s, media_s, np.zeros(500))).max() < 1e-9


def test_no_packets_and_one_packet() -> None:
    assert len(envelope_offsets(np.zeros(0), np.zeros(0))) == 0
    assert envelope_offsets(np.array([7.25]), np.array([2.0])).tolist() == [5.25]


@pytest.mark.parametrize(
    ("spread_ms", "bound_ms"),
    # The earliest of 50 packets a second is late by about a fiftieth of the spread; at either end of a stream
    # only one side helps: twice that is the bound.
    [(0.5, 0.02), (2.0, 0.08), (10.0, 0.4), (40.0, 1.6)],
)
def test_jitter_moves_the_envelope_by_less_than_a_twentyfifth_of_its_spread(
    spread_ms: float, bound_ms: float
) -> None:
    media_s = _steady(3000)
    for seed in range(3):
        errors = np.abs(_errors(media_s, media_s, _uniform(3000, spread_ms / 1000, seed)))
        assert np.percentile(errors, 95) * 1000 < bound_ms
        assert errors.max() * 1000 < 3 * bound_ms


@pytest.mark.parametrize("ppm", [-12_000, -1000, -100, 100, 1000, 12_000])
def test_a_drift_between_the_clocks_is_followed(ppm: int) -> None:
    """100 ppm are two crystals; 12 000 is a sender that sleeps 20 ms a frame (72 ms in 6 s, as measured)."""
    media_s = _steady(6000)
    truth_s = media_s * (1 + ppm * 1e-6)
    errors = _errors(truth_s, media_s, _uniform(6000, 0.002))
    assert np.abs(errors).max() < 0.0015
    assert abs(errors.mean()) < 0.0003


def test_a_drift_that_changes_is_followed() -> None:
    """A sender that sleeps: 8 ms a second, and 12 while its machine is busy."""
    media_s = _steady(3000)
    rate = np.where((media_s > 20) & (media_s < 40), 0.012, 0.008)
    truth_s = np.concatenate([[0.0], np.cumsum(FRAME_S * (1 + rate))])[:-1]
    errors = _errors(truth_s, media_s, _uniform(3000, 0.002))
    # A chord of 10 s over a bend of 4 ms a second leaves it by 10 ms at most, in its middle.
    assert np.abs(errors).max() < 0.0105
    far = np.abs(media_s - 40) > 5.5
    assert np.abs(errors[far]).max() < 0.0025


def test_a_pause_in_which_timestamps_stood_still_moves_nothing_before_or_after_it() -> None:
    media_s, truth_s = _talkspurts([300, 300], [2.0, 0.0])
    errors = _errors(truth_s, media_s, _uniform(600, 0.005))
    assert np.abs(errors).max() < 0.0005


@pytest.mark.parametrize(
    ("lengths", "pauses_s"),
    [
        # Short answers of an agent that only sends while it speaks: several jumps in a second of media.
        ([300, 30, 20, 300], [2.0, 3.0, 1.5, 0.0]),
        ([20] * 20, [0.5] * 20),
        ([50, 10, 50, 10, 50], [0.08, 4.0, 0.06, 1.0, 0.0]),
    ],
)
def test_every_one_of_many_short_talkspurts_is_placed_by_itself(
    lengths: list[int], pauses_s: list[float]
) -> None:
    media_s, truth_s = _talkspurts(lengths, pauses_s)
    errors = _errors(truth_s, media_s, _uniform(len(media_s), 0.005))
    # Ten packets are the least that a spurt has: the earliest of them may be late by some of the spread.
    assert np.abs(errors).max() < 0.003


def test_a_timestamp_that_jumps_ahead_moves_nothing_before_or_after_it() -> None:
    media_s = np.concatenate([_steady(300), 300 * FRAME_S + 5.0 + _steady(40), 14.0 + _steady(300)])
    truth_s = _steady(640)
    errors = _errors(truth_s, media_s, _uniform(640, 0.005))
    assert np.abs(errors).max() < 0.001


@pytest.mark.parametrize("thrown_away_s", [0.5, 1.5, 5.3])
def test_a_queue_that_was_thrown_away_moves_nothing(thrown_away_s: float) -> None:
    """FastRTC after an interruption: the clock stood still over the pause, two packets go on from there, and
    then it leaps by the sound that was never sent. The two are placed when they came, and so is the rest."""
    media_s, truth_s = _talkspurts([200, 60, 60], [2.2, 3.1, 0.0])
    for first in (202, 262):
        media_s[first:] += thrown_away_s
    for seed in range(20):
        errors = _errors(truth_s, media_s, _uniform(320, 0.004, seed))
        assert np.abs(errors).max() < 0.0041


@pytest.mark.parametrize("stall_s", [0.3, 1.2, 3.0, 4.5])
def test_packets_that_a_network_held_up_are_placed_where_they_belong(stall_s: float) -> None:
    """Everything sent within the stall comes at its end, in one burst: late packets, no jump of a clock."""
    media_s = _steady(1500)
    late_s = _uniform(1500, 0.003)
    held = (media_s >= 10.0) & (media_s < 10.0 + stall_s)
    late_s[held] = 10.0 + stall_s - media_s[held]
    errors = _errors(media_s, media_s, late_s)
    assert np.abs(errors).max() < 0.0006


def test_a_queue_that_fills_and_empties_is_no_jump() -> None:
    media_s = _steady(1500)
    late_s = _uniform(1500, 0.003) + np.interp(media_s, [10, 12, 14], [0.0, 0.6, 0.0])
    assert np.abs(_errors(media_s, media_s, late_s)).max() < 0.0006


def test_speech_after_the_gaps_of_discontinuous_transmission_is_placed_right() -> None:
    """DTX: nothing but one packet every 400 ms while the agent is silent, timestamps going on."""
    media, speech, now_s = [], [], 0.0
    for _ in range(6):
        media += [now_s + k * FRAME_S for k in range(100)]
        speech += [True] * 100
        now_s += 2.0
        media += [now_s + k * 0.4 for k in range(12)]
        speech += [False] * 12
        now_s += 4.8
    media_s, spoken = np.array(media), np.array(speech)
    for seed in range(3):
        errors = _errors(media_s, media_s, _uniform(len(media), 0.04, seed))
        # 40 ms of jitter, and the earliest of the first few packets after a gap.
        assert np.abs(errors[spoken]).max() < 0.005


def test_lost_packets_change_nothing() -> None:
    media_s = _steady(3000)
    kept = np.random.default_rng(2).random(3000) > 0.1
    kept[1000:1100] = False
    errors = _errors(media_s[kept], media_s[kept], _uniform(int(kept.sum()), 0.005))
    assert np.abs(errors).max() < 0.0006


_DELAYS = st.lists(st.floats(0.0, 2.0), min_size=1, max_size=80)
_STEPS = st.lists(st.sampled_from([0.0, 0.01, 0.02, 0.06, 0.4, 7.0]), min_size=80, max_size=80)


@settings(max_examples=300, deadline=None)
@given(late=_DELAYS, steps=_STEPS)
def test_no_packet_is_placed_after_it_passed_nor_before_any_could(
    late: list[float], steps: list[float]
) -> None:
    media_s = np.cumsum(steps[: len(late)])
    passed_s = media_s + np.array(late)
    offsets = envelope_offsets(passed_s, media_s)
    assert np.isfinite(offsets).all()
    assert np.all(media_s + offsets <= passed_s + 1e-9)
    # At either end a drift may be continued for a second.
    assert offsets.min() >= min(late) - MAX_DRIFT


def test_a_shift_of_the_clock_is_only_a_shift() -> None:
    media_s, truth_s = _talkspurts([200, 30, 300], [2.0, 0.7, 0.0])
    passed_s = truth_s + _uniform(530, 0.02)
    offsets = envelope_offsets(passed_s, media_s)
    np.testing.assert_allclose(envelope_offsets(passed_s + 5000.0, media_s), offsets + 5000.0, atol=1e-6)
    np.testing.assert_allclose(envelope_offsets(passed_s, media_s + 90_000.0), offsets - 90_000.0, atol=1e-6)


@settings(max_examples=200)
@given(
    start=st.integers(0, 2**32 - 1),
    steps=st.lists(st.integers(-(2**31) + 1, 2**31 - 1), max_size=30),
)
def test_a_32_bit_counter_is_continued_over_its_wraps(start: int, steps: list[int]) -> None:
    truth = np.concatenate([[start], start + np.cumsum(steps, dtype=np.int64)]).astype(np.int64)
    assert unwrap([int(value) % 2**32 for value in truth], bits=32).tolist() == truth.tolist()


def test_a_16_bit_counter_wraps_forth_and_back() -> None:
    assert unwrap([65_534, 65_535, 0, 1], bits=16).tolist() == [65_534, 65_535, 65_536, 65_537]
    assert unwrap([1, 0, 65_535, 2], bits=16).tolist() == [1, 0, -1, 2]
    assert unwrap([], bits=16).tolist() == []


@pytest.mark.parametrize("pace", [0.0, -0.1])
@pytest.mark.parametrize("stalls", [1, 10])
def test_a_sender_that_catches_up_lies_over_nothing_that_it_sent_before(pace: float, stalls: int) -> None:
    """At half speed for ten seconds, then at twice the speed for as long: what was sent slowly had been heard
    by then, and what comes quickly was not sent seconds before it came."""
    slow, quick = 500, 1000
    media_s = _steady(slow + quick)
    number = np.arange(slow)
    slow_s = (number // stalls * stalls * 2 + number % stalls) * FRAME_S
    passed_s = np.concatenate([slow_s, slow_s[-1] + np.arange(1, quick + 1) * FRAME_S / 2])
    sound_s = np.full(slow + quick, FRAME_S)
    placed_s = media_s + envelope_offsets(passed_s, media_s, sound_s=sound_s, pace=pace, noise_s=0.15)
    assert np.all(placed_s <= passed_s + 1e-9)
    assert np.max(np.maximum.accumulate(placed_s) - placed_s) <= 1.0
    assert np.max(passed_s - placed_s) < 2.5


def test_a_packet_that_was_sent_ahead_moves_no_other() -> None:
    """One of 3,000 passed 5.4 s before its time: of a real call a minute lay up to 5.4 s early for it."""
    media_s = _steady(3000)
    passed_s = media_s + PATH_S
    plain = envelope_offsets(passed_s, media_s)
    passed_s[2000] -= 5.4
    np.testing.assert_allclose(envelope_offsets(passed_s, media_s), plain, atol=1e-9)


@pytest.mark.parametrize(("few", "moved"), [(5, False), (6, True)])
def test_so_many_at_once_are_believed(few: int, moved: bool) -> None:
    media_s = _steady(3000)
    passed_s = media_s + PATH_S
    sound_s = np.full(3000, FRAME_S)
    plain = envelope_offsets(passed_s, media_s, sound_s=sound_s)
    passed_s[2000 : 2000 + few] -= 1.0
    offsets = envelope_offsets(passed_s, media_s, sound_s=sound_s)
    assert bool(np.max(np.abs(offsets - plain)[:1990]) > 0.1) is moved


def test_those_sent_ahead_need_not_follow_each_other() -> None:
    media_s = _steady(3000)
    passed_s = media_s + PATH_S
    plain = envelope_offsets(passed_s, media_s)
    passed_s[1000:3000:400] -= 0.5
    np.testing.assert_allclose(envelope_offsets(passed_s, media_s), plain, atol=1e-9)


def test_the_first_and_the_last_packets_may_be_of_another_time() -> None:
    """A queue in front of all but the first two; and one that is empty for the last two."""
    media_s = _steady(600)
    passed_s = media_s + PATH_S
    passed_s[2:] += 0.2
    offsets = envelope_offsets(passed_s, media_s)
    assert offsets[0] == pytest.approx(passed_s[0] - media_s[0])
    passed_s[598:] -= 0.2
    last = envelope_offsets(passed_s, media_s)[-1]
    assert last <= passed_s[-1] - media_s[-1] + 1e-9


def test_what_was_lost_beside_a_packet_that_was_sent_ahead_is_no_leap() -> None:
    media_s = _steady(1000)
    passed_s = media_s + PATH_S
    kept = np.delete(np.arange(1000), [499, 501, 502])
    sound_s = np.append(np.diff(media_s[kept]), 0.02)
    plain = envelope_offsets(passed_s[kept], media_s[kept], sound_s=sound_s)
    ahead_s = passed_s[kept].copy()
    ahead_s[499] -= 2.0
    np.testing.assert_allclose(envelope_offsets(ahead_s, media_s[kept], sound_s=sound_s), plain, atol=1e-9)


def test_a_jump_of_less_than_the_largest_step_is_no_sending_ahead() -> None:
    media_s = _steady(1000)
    passed_s = media_s + PATH_S
    for early_s, moves in ((0.029, True), (0.031, False)):
        ahead_s = passed_s.copy()
        ahead_s[500] -= early_s
        offsets = envelope_offsets(ahead_s, media_s)
        assert bool(abs(offsets[500] - (ahead_s[500] - media_s[500])) < 1e-9) is moves


def test_where_the_others_do_not_agree_the_earliest_are_believed() -> None:
    """A sender that is late by up to half a second, and in time now and then."""
    media_s = _steady(1000)
    late_s = 0.1 + _uniform(1000, 0.4)
    late_s[100::250] = 0.0
    _errors(media_s, media_s, late_s)
