"""Every number that a packet's place rests on: streams whose clock steps by just enough or too little, and
the envelope against one that is searched for through all pairs of points."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.transports.rtp_timeline import (
    MAX_DRIFT,
    _hull_at,
    _lower_envelope,
    _RecentMinimum,
    envelope_offsets,
    unwrap,
)

Floats = NDArray[np.float64]
FRAME_S = 0.0205
"""No fraction of a second, so that nothing lies on the edge of a block by chance."""
COUNT = 600
AT = 305
"""A packet in the middle of a second."""


def _offsets(difference: Floats, *, noise_s: float | None = None, leap_at: int | None = None) -> Floats:
    """Packets that pass so much after their media time, which grows as their sound does but for one leap: by
    as much as they are then earlier."""
    media_s = np.arange(len(difference)) * FRAME_S
    if leap_at is not None:
        media_s[leap_at:] += difference[leap_at - 1] - difference[leap_at]
    more = {} if noise_s is None else {"noise_s": noise_s}
    return envelope_offsets(media_s + difference, media_s, sound_s=np.full(len(difference), FRAME_S), **more)


def _late_from(*steps: tuple[int, float], count: int = COUNT) -> Floats:
    """0, and from some packets on so much."""
    difference = np.zeros(count)
    for first, late_s in steps:
        difference[first:] = late_s
    return difference


def _lies_at(found_s: float, expected_s: float) -> bool:
    return bool(abs(found_s - expected_s) < 1e-9)


@pytest.mark.parametrize(
    ("noise_s", "late_s", "steps"),
    [
        # Six times what jitter leaves, within 2 and 30 ms.
        (0.002, 0.0123, True),
        (0.002, 0.0117, False),
        (0.0, 0.00205, True),
        (0.0, 0.00195, False),
        (1.0, 0.0303, True),
        (1.0, 0.0297, False),
        (None, 0.0303, True),
        (None, 0.0297, False),
    ],
)
def test_a_clock_that_stood_still_for_more_than_jitter_explains_is_anchored_anew(
    noise_s: float | None, late_s: float, steps: bool
) -> None:
    offsets = _offsets(_late_from((AT, late_s)), noise_s=noise_s)
    assert _lies_at(offsets[AT], late_s) is steps
    assert offsets[AT - 1] == pytest.approx(0.0, abs=1e-9)


def test_a_step_of_just_as_much_is_none() -> None:
    media_s = np.arange(COUNT) / 64
    for late_s, steps in ((6 / 256, False), (6 / 256 + 1 / 65536, True)):
        difference = _late_from((AT, late_s))
        offsets = envelope_offsets(media_s + difference, media_s, noise_s=1 / 256)
        assert bool(offsets[AT] == late_s) is steps


@pytest.mark.parametrize(("follow", "steps"), [(10, False), (11, True)])
def test_ten_packets_at_the_end_cannot_tell_a_small_step_from_lateness(follow: int, steps: bool) -> None:
    first = COUNT - follow
    offsets = _offsets(_late_from((first, 0.02)), noise_s=0.002)
    assert _lies_at(offsets[first], 0.02) is steps
    assert _offsets(_late_from((first, 0.031)), noise_s=0.002)[first] == pytest.approx(0.031)


@pytest.mark.parametrize(("apart", "steps"), [(4, True), (5, False)])
def test_a_step_is_against_the_tenth_of_a_second_before_it(apart: int, steps: bool) -> None:
    """Two steps that are too small by themselves, 82 or 102.5 ms apart, and together are not."""
    offsets = _offsets(_late_from((AT, 0.008), (AT + apart, 0.016)), noise_s=0.002)
    assert _lies_at(offsets[AT + apart], 0.016) is steps


@pytest.mark.parametrize(("frame_s", "steps"), [(0.0225, True), (0.0236, False)])
def test_that_tenth_of_a_second_is_no_twentieth_longer(frame_s: float, steps: bool) -> None:
    """Four packets apart: the last one before both steps passed 98 or 102.4 ms before the last one before the
    second, 8 ms of it by the first step."""
    media_s = np.arange(COUNT, dtype=np.float64) * frame_s
    difference = _late_from((AT, 0.008), (AT + 4, 0.016))
    offsets = envelope_offsets(media_s + difference, media_s, noise_s=0.002)
    assert _lies_at(offsets[AT + 4], 0.016) is steps


@pytest.mark.parametrize(("packets", "steps"), [(240, False), (250, True)])
def test_a_step_is_none_that_the_five_seconds_after_it_take_back(packets: int, steps: bool) -> None:
    """20 ms late for 4.92 or 5.125 s, and then in time, as the clock leaps by as much."""
    difference = _late_from((AT, 0.02), (AT + packets, 0.0))
    offsets = _offsets(difference, leap_at=AT + packets, noise_s=0.002)
    assert _lies_at(offsets[AT], 0.02) is steps


def test_the_last_packet_of_all_may_be_a_step() -> None:
    assert _offsets(_late_from((COUNT - 1, 0.031)))[-1] == pytest.approx(0.031)
    assert not _lies_at(_offsets(_late_from((COUNT - 1, 0.029)))[-1], 0.029)


def test_a_step_begins_where_just_half_of_it_is_reached() -> None:
    """A step is 6/256 s here, half of it 3/256: the three packets before, at 7 of 10/256, are part of it."""
    media_s = np.arange(COUNT) / 64
    difference = _late_from((AT - 3, 7 / 256), (AT, 10 / 256))
    offsets = envelope_offsets(media_s + difference, media_s, noise_s=1 / 256)
    assert offsets[AT - 3] == pytest.approx(7 / 256)


@pytest.mark.parametrize(
    ("late_s", "count", "at"),
    [
        # The last packets before the step were late, too: it begins where more than half of it is reached.
        (0.0125, 3, 0),
        (0.0139, 3, 0),
        (0.0141, 3, -3),
        (0.0125, 9, 0),
        # More of them than are looked at: they are the step.
        (0.0125, 10, -10),
    ],
)
def test_where_a_step_begins_among_late_packets(late_s: float, count: int, at: int) -> None:
    offsets = _offsets(_late_from((AT - count, late_s), (AT, 0.02)), noise_s=0.002)
    assert offsets[AT] == pytest.approx(0.02 if at == 0 else offsets[AT])
    assert _lies_at(offsets[AT - count], late_s) is (at != 0)


def _pause_and_leap(paused_s: float, packets: int, leapt_s: float) -> Floats:
    """From ``AT`` on late by a pause, and some packets later the clock leaps to before all that was seen."""
    difference = _late_from((AT, paused_s), (AT + packets, -leapt_s))
    return _offsets(difference, leap_at=AT + packets, noise_s=0.0)


@pytest.mark.parametrize(
    ("paused_s", "packets", "leapt_s", "anchored"),
    [
        # A leap within ten packets: only 0.3 s were certainly a pause.
        (0.295, 9, 1.0, False),
        (0.305, 9, 1.0, True),
        (0.295, 10, 1.0, True),
        # No leap, but jitter of 30 ms: what follows says that those before were only late.
        (0.305, 9, 0.031, True),
        (0.305, 9, 0.029, False),
    ],
)
def test_packets_between_a_pause_and_a_leap(
    paused_s: float, packets: int, leapt_s: float, anchored: bool
) -> None:
    offsets = _pause_and_leap(paused_s, packets, leapt_s)
    assert _lies_at(offsets[AT], paused_s) is anchored
    assert offsets[AT + packets] == pytest.approx(-leapt_s)


def test_packets_between_a_pause_and_a_leap_are_anchored_from_the_first_on() -> None:
    """15 ms more from the fourth of them on: they are late for the pause, all of them."""
    difference = _late_from((AT, 0.305), (AT + 3, 0.32), (AT + 9, -1.0))
    offsets = _offsets(difference, leap_at=AT + 9, noise_s=0.0)
    assert offsets[AT : AT + 9] == pytest.approx(np.full(9, 0.305))


def test_a_queue_that_is_empty_for_once_says_nothing_of_a_pause() -> None:
    """All were 40 ms late, five are by 350 ms more, and then none is: without a leap, that was the way."""
    offsets = _offsets(_late_from((0, 0.04), (AT, 0.39), (AT + 5, 0.0)))
    assert offsets[AT] <= 0.04 + 1e-9


@pytest.mark.parametrize(("leapt_s", "anchored"), [(0.03, False), (0.031, True)])
def test_a_leap_of_just_30_ms_may_be_jitter(leapt_s: float, anchored: bool) -> None:
    """A packet in time, one 305 ms late, and at 0 s one of a clock that has leapt, on which more follow."""
    later_s = leapt_s + np.arange(1, 21) * 0.02
    media_s = np.concatenate([[-0.4, -0.325, leapt_s], later_s])
    passed_s = np.concatenate([[-0.4, -0.02, 0.0], later_s - leapt_s + 0.001])
    offsets = envelope_offsets(passed_s, media_s, noise_s=0.0)
    assert offsets[1] == pytest.approx(0.305 if anchored else 0.0, abs=1e-9)


@pytest.mark.parametrize(("leapt_s", "anchored"), [(6 / 256, False), (6 / 256 + 1 / 65536, True)])
def test_a_leap_of_just_a_step_is_none(leapt_s: float, anchored: bool) -> None:
    passed_s = np.arange(COUNT) / 64
    media_s = passed_s - _late_from((AT, -leapt_s))
    offsets = envelope_offsets(passed_s, media_s, noise_s=1 / 256)
    assert bool(offsets[AT - 1] == 0.0) is anchored


def test_a_leap_is_where_it_was_whatever_comes_soon_after() -> None:
    """20 ms ahead, and 1.5 ms later again with the fourth packet, which is less than a step."""
    offsets = _offsets(_late_from((AT, -0.02), (AT + 3, -0.0185)), leap_at=AT, noise_s=0.0)
    assert offsets[AT - 1 : AT + 1] == pytest.approx([0.0, -0.02], abs=1e-9)


@pytest.mark.parametrize(("more_s", "leaps"), [(0.0, False), (1 / 65536, True)])
def test_a_quarter_more_than_the_sound_is_no_leap(more_s: float, leaps: bool) -> None:
    """Packets of 1/64 s; from one to the next the clock grows by 5/256 s."""
    sound_s = np.full(COUNT, 1 / 64)
    passed_s = np.arange(COUNT) / 64
    media_s = passed_s - _late_from((AT, -1 / 256 - more_s))
    offsets = envelope_offsets(passed_s, media_s, sound_s=sound_s, noise_s=0.0)
    assert _lies_at(offsets[AT - 1], 0.0) is leaps


@pytest.mark.parametrize(("grows_by", "leaps"), [(1.275, True), (1.225, False)])
def test_a_clock_leaps_by_more_than_a_quarter_of_the_sound_before_it(grows_by: float, leaps: bool) -> None:
    """One packet, and it alone, sounds for 40 ms: the clock grows by more than that, and goes on."""
    steps = np.full(COUNT, FRAME_S)
    sound_s = steps.copy()
    sound_s[AT - 1] = 0.04
    grown_s = steps.copy()
    grown_s[AT - 1] = 0.04 * grows_by
    media_s, passed_s = (np.concatenate([[0.0], np.cumsum(one)[:-1]]) for one in (grown_s, sound_s))
    offsets = envelope_offsets(passed_s, media_s, sound_s=sound_s, noise_s=0.0)
    # A leap: before it nothing changed.
    assert _lies_at(offsets[AT - 1], 0.0) is leaps
    assert offsets[AT] == pytest.approx(0.04 - 0.04 * grows_by)


def test_packets_that_come_faster_than_they_sound_are_a_queue_and_no_leap() -> None:
    """All were late by half a second, and then none is: where the clock did not leap, those were late."""
    difference = np.where(np.arange(COUNT) < AT, 0.5, 0.0)
    assert _offsets(difference)[AT - 1] == pytest.approx(0.0, abs=0.021)
    media_s = np.arange(COUNT) * FRAME_S
    assert envelope_offsets(media_s + difference, media_s)[AT - 1] == pytest.approx(0.5)
    # Two packets are enough to tell.
    two_s = np.array([0.0, FRAME_S])
    passed_s, sound_s = np.array([0.5, FRAME_S]), np.full(2, FRAME_S)
    assert envelope_offsets(passed_s, two_s, sound_s=sound_s)[0] == 0.0
    assert envelope_offsets(passed_s, two_s)[0] == 0.5


@pytest.mark.parametrize("pace", [-0.2, 0.05, 0.3])
def test_the_pace_of_a_sender_is_counted_out_and_back_in(pace: float) -> None:
    media_s = np.arange(COUNT) * FRAME_S
    passed_s = 3.0 + media_s * (1 + pace)
    passed_s[AT] += 0.01
    placed_s = media_s + envelope_offsets(passed_s, media_s, pace=pace)
    assert placed_s == pytest.approx(3.0 + media_s * (1 + pace), abs=1e-9)


# --- the envelope


def _by_all_pairs(difference: Floats, media_s: Floats) -> Floats:
    """The lower hull as the least of all lines between two points around a time."""
    block = [int(at_s - media_s[0]) for at_s in media_s]
    of_block = {one: [n for n, other in enumerate(block) if other == one] for one in sorted(set(block))}
    lowest = [min(of, key=lambda n: difference[n]) for of in of_block.values()]
    found = np.empty(len(media_s))
    for of in of_block.values():
        first_s, last_s = media_s[of[0]] - 5.0, media_s[of[-1]] + 5.0
        near = [n for n in lowest if first_s <= media_s[n] <= last_s]
        left, right = near[0], near[-1]
        span_s = media_s[right] - media_s[left]
        slope = (difference[right] - difference[left]) / span_s if span_s >= 2.0 else 0.0
        slope = min(max(slope, -0.03), 0.03)
        for n in of:
            at_s = min(max(media_s[n], media_s[left]), media_s[right])
            lines = [
                difference[a]
                if a == b
                else difference[a]
                + (difference[b] - difference[a]) * (at_s - media_s[a]) / (media_s[b] - media_s[a])
                for a in near
                for b in near
                if media_s[a] <= at_s <= media_s[b] and (a != b or media_s[a] == at_s)
            ]
            found[n] = min(min(lines) + slope * (media_s[n] - at_s), difference[n])
    return np.array([min(found + 0.03 * np.abs(media_s - at_s)) for at_s in media_s])


@pytest.mark.parametrize("seed", range(12))
def test_the_envelope_is_that_of_all_pairs(seed: int) -> None:
    """Up to 14 s of packets, 20 to 400 ms apart, late by up to 25 ms, on clocks that drift by up to 2 %."""
    random = np.random.default_rng(seed)
    media_s = 7.0 + np.cumsum(random.uniform(0.02, 0.4, random.integers(2, 70)))
    difference = random.uniform(0.0, 0.025, len(media_s)) + random.uniform(-0.02, 0.02) * media_s / 10
    offsets = envelope_offsets(media_s + difference, media_s, noise_s=1.0)
    assert offsets == pytest.approx(_by_all_pairs(difference, media_s), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_envelope_is_that_of_all_pairs_where_some_lie_just_five_seconds_off(seed: int) -> None:
    """A packet each quarter of a second, on a clock that falls behind and then catches up: the earliest of a
    second is its first, and then its last, and each hull goes from one end of what is near to the other."""
    random = np.random.default_rng(seed)
    media_s = 7.0 + np.arange(60) / 4
    difference = random.uniform(0.0, 0.001, 60) - 0.001 * (media_s - 14.4) ** 2
    offsets = envelope_offsets(media_s + difference, media_s, noise_s=1.0)
    assert offsets == pytest.approx(_by_all_pairs(difference, media_s), abs=1e-9)


def test_an_envelope_by_hand() -> None:
    """From 0 the line to 0.5 is too steep: 3 % over 1.5 s and over 2.5 s. And the same from the other end."""
    for media_s, difference, envelope in (
        ([0.0, 1.5, 4.0], [0.0, 0.5, 0.5], [0.0, 0.045, 0.12]),
        ([0.0, 2.5, 4.0], [0.5, 0.5, 0.0], [0.12, 0.045, 0.0]),
    ):
        found = _lower_envelope(np.array(difference), np.array(media_s))
        assert found.tolist() == pytest.approx(envelope, abs=1e-12)


def test_the_envelope_falls_and_rises_no_faster_than_a_clock_drifts() -> None:
    """One packet of many came 20 ms before its time: those beside it lie on slopes of 3 %."""
    difference = np.zeros(COUNT)
    difference[AT] = -0.02
    offsets = _offsets(difference)
    for apart in (1, 5, 20):
        for n in (AT - apart, AT + apart):
            assert offsets[n] <= -0.02 + MAX_DRIFT * FRAME_S * apart + 1e-12
    assert MAX_DRIFT == 0.03


def test_a_hull_by_hand() -> None:
    def read(points: list[tuple[float, float]], *at_s: float) -> list[float]:
        times_s, values = (np.array(one) for one in zip(*points, strict=True))
        return [round(one, 12) for one in _hull_at(np.array(at_s), times_s, values).tolist()]

    # What lies above the line between its neighbours is no corner; what lies below it is.
    assert read([(0, 0.0), (1, 1.0), (2, 0.0)], 0, 0.5, 1, 2) == [0, 0, 0, 0]
    assert read([(0, 0.0), (1, -1.0), (2, 0.0)], 0.5, 1, 1.5) == [-0.5, -1, -0.5]
    assert read([(0, 0.0), (1, 3.0), (2, 2.0), (3, -1.0), (4, 0.0)], 1, 2, 3.5) == [
        -0.333333333333,
        -0.666666666667,
        -0.5,
    ]
    # Four corners; beyond its ends it goes on by 0.02 in 5.
    corners: list[tuple[float, float]] = [(0, 0.0), (1, -0.5), (3, -0.6), (5, 0.02)]
    assert read(corners, -1, 0.5, 2, 4, 6) == [-0.004, -0.25, -0.55, -0.29, 0.024]
    # Beyond its ends it goes on as it does overall, no steeper than a clock drifts, where it is long enough.
    assert read([(0, 0.0), (4, 0.04)], -2, 6) == [-0.02, 0.06]
    assert read([(0, 0.0), (4, 0.4)], -1, 5) == [-0.03, 0.43]
    assert read([(0, 0.4), (4, 0.0)], -1, 5) == [0.43, -0.03]
    assert read([(0, 0.0), (2, 0.02)], 3) == [0.03]
    assert read([(0, 0.0), (1.99, 0.02)], -1, 3) == [0, 0.02]
    # In whatever order; of two at one time the lower one.
    assert read([(2, 0.0), (0, 0.0), (1, -1.0), (1, 5.0)], 0.5, 1, 1.5) == [-0.5, -1, -0.5]


def test_of_no_packets_there_is_nothing_to_tell() -> None:
    nothing = np.zeros(0)
    assert envelope_offsets(nothing, nothing, sound_s=nothing).tolist() == []
    assert unwrap([], bits=16).dtype == np.int64


def test_the_smallest_of_the_last_second() -> None:
    recent = _RecentMinimum(1.0)
    added = [(0.0, 5.0), (0.5, 7.0), (1.0, 6.0), (1.125, 8.0), (1.25, 3.0)]
    added += [(2.25, 9.0), (2.375, 4.0), (2.5, 4.0)]
    assert [recent.add(*one) for one in added] == [5, 5, 5, 6, 3, 3, 4, 4]
