"""When samples were on the wire and when they were heard, by hand: a packet each 20 ms from second 1 on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes, jitter_ms, joined

DELAY_S = 0.0065
COUNT = 500


def _times(
    late_ms: dict[int, float] | None = None, *, usual_ms: float = 0.0, noise_ms: float = 0.0
) -> PacketTimes:
    """Packets late by ``usual_ms``, some by other times."""
    late_s = np.full(COUNT, usual_ms / 1000)
    for index, own_ms in (late_ms or {}).items():
        late_s[index] = own_ms / 1000
    media_s: NDArray[np.float64] = np.arange(COUNT) * 0.02
    return PacketTimes(
        media_s=media_s,
        passed_s=1.0 + media_s + late_s + DELAY_S,
        placed_s=1.0 + media_s,
        codec_delay_s=DELAY_S,
        noise_s=noise_ms / 1000,
    )


@pytest.mark.parametrize(
    ("late_ms", "usual_ms", "strays"),
    [
        # Two milliseconds on a line that has none: no more than a packet may always have.
        (1.9, 0.0, False),
        (2.1, 0.0, True),
        # Six times what is usual around it.
        (5.9, 1.0, False),
        (6.1, 1.0, True),
        (40.0, 20.0, False),
        # Sound that could not lie where it belongs was moved behind the time at which it passed.
        (-1.9, 0.0, False),
        (-30.0, 20.0, True),
    ],
)
def test_a_packet_strays_by_the_lateness_that_is_usual(late_ms: float, usual_ms: float, strays: bool) -> None:
    times = _times({200: late_ms}, usual_ms=usual_ms, noise_ms=0.5)
    at_s = 1.0 + 200 * 0.02 + 0.007
    wire = times.wire_time(at_s)
    assert wire is not None
    assert wire.strays is strays
    assert wire.passed_s == pytest.approx(at_s + late_ms / 1000, abs=1e-9)
    assert wire.at_s == pytest.approx(at_s + (late_ms / 1000 if strays else 0.0), abs=1e-9)
    # Clock and arrival both lie within the bar, and three times what jitter leaves of the envelope.
    assert wire.bar_s == pytest.approx(abs(late_ms) / 1000 + 3 * 0.0005, abs=1e-9)


def test_what_is_usual_is_that_of_two_seconds_on_either_side() -> None:
    """Far away the line is bad; here it is not, and 5 ms are much."""
    times = _times({index: 15.0 for index in range(COUNT) if abs(index - 250) > 105} | {250: 5.0})
    wire = times.wire_time(1.0 + 250 * 0.02)
    assert wire is not None
    assert wire.strays
    times = _times({index: 15.0 for index in range(COUNT) if abs(index - 250) > 45} | {250: 5.0})
    wire = times.wire_time(1.0 + 250 * 0.02)
    assert wire is not None
    assert not wire.strays


def test_outside_the_stream_there_is_no_wire_time() -> None:
    times = _times()
    assert times.wire_time(0.99) is None
    assert times.heard_at(0.99, since_s=0.5) is None
    last_s = 1.0 + (COUNT - 1) * 0.02
    # The longest packet of Opus, and no longer.
    assert times.wire_time(last_s + 0.119) is not None
    assert times.wire_time(last_s + 0.121) is None
    assert PacketTimes().wire_time(1.0) is None


def test_a_long_packet_holds_all_of_its_sound() -> None:
    """Ten packets of 400 ms from second 1 on, each 3 ms late on its way."""
    media_s = np.arange(10) * 0.4
    times = PacketTimes(
        media_s=media_s, passed_s=1.003 + media_s, placed_s=1.0 + media_s, sound_s=np.full(10, 0.4)
    )
    wire = times.wire_time(1.0 + 0.399)
    assert wire is not None
    assert wire.passed_s == pytest.approx(1.402)
    assert wire.bar_s == pytest.approx(0.003)
    last_s = 1.0 + 9 * 0.4
    assert times.heard_at(last_s + 0.399, since_s=1.2) == pytest.approx(last_s + 0.402)
    assert times.wire_time(last_s + 0.401) is None


def test_streams_of_which_one_is_not_known_to_sound_for_so_long_are_joined() -> None:
    long = PacketTimes(
        media_s=np.zeros(1), passed_s=np.full(1, 0.5), placed_s=np.full(1, 0.5), sound_s=np.full(1, 0.4)
    )
    both = joined([_times(), long])
    assert both.sound_s.tolist() == [0.4] + [0.0] * COUNT
    assert both.wire_time(0.89) is not None


def test_what_came_in_a_heap_is_heard_later_than_it_came() -> None:
    """Held up by 80 ms at packet 100, all out at packet 104: who had nothing else to play is 80 ms behind."""
    heap = {100: 80.0, 101: 60.0, 102: 40.0, 103: 20.0}
    times = _times(heap)
    spoken_s = 1.0 + 90 * 0.02
    for packet, later_s in ((99, 0.0), (100, 0.08), (104, 0.08), (150, 0.08)):
        at_s = 1.0 + packet * 0.02 + 0.001
        assert times.heard_at(at_s, since_s=spoken_s) == pytest.approx(at_s + later_s, abs=1e-9)
    # A talk that begins after it has had the quiet before it to catch up in.
    at_s = 1.0 + 150 * 0.02 + 0.001
    assert times.heard_at(at_s, since_s=1.0 + 120 * 0.02) == pytest.approx(at_s, abs=1e-9)


def test_streams_are_joined_in_the_order_of_their_places_with_the_worst_noise() -> None:
    first, second = _times(noise_ms=1.0), _times(noise_ms=2.0)
    later = PacketTimes(
        media_s=second.media_s,
        passed_s=second.passed_s + 0.01,
        placed_s=second.placed_s + 0.01,
        codec_delay_s=DELAY_S,
        noise_s=0.002,
    )
    both = joined([later, first])
    assert both.placed_s[:4] == pytest.approx([1.0, 1.01, 1.02, 1.03])
    assert both.late_s == pytest.approx(np.zeros(2 * COUNT), abs=1e-9)
    assert (both.noise_s, both.codec_delay_s) == (0.002, DELAY_S)
    assert len(joined([]).placed_s) == 0


def test_jitter_needs_two_packets() -> None:
    one = PacketTimes(media_s=np.zeros(1), passed_s=np.ones(1), placed_s=np.ones(1))
    assert jitter_ms(one) is None
    two = PacketTimes(media_s=np.array([0.0, 0.02]), passed_s=np.array([1.0, 1.036]), placed_s=np.ones(2))
    assert jitter_ms(two) == pytest.approx(1.0)


def test_a_packet_that_others_overtook_says_nothing_of_its_senders_clock() -> None:
    """50 ms late, and the next, a millisecond late, 29 before it: the envelope stands. Sent in order, it had
    left by then, so no more than 21 ms of it can be its sender's."""
    times = _times({200: 50.0}, usual_ms=1.0)
    wire = times.wire_time(1.0 + 200 * 0.02)
    assert wire is not None
    assert not wire.strays
    assert (wire.at_s, wire.passed_s) == pytest.approx((5.0, 5.05))
    assert wire.bar_s == pytest.approx(0.021)
    # Held up with all that followed: that may have been its sender.
    held = _times({200: 50.0, 201: 30.0, 202: 10.0}, usual_ms=1.0).wire_time(1.0 + 200 * 0.02)
    assert held is not None
    assert held.strays
    assert held.bar_s == pytest.approx(0.05)


def test_the_bounds_of_what_strays_from_both_sides() -> None:
    """2 ms are the least, either way; packets that pass each other by 5 ms overtake."""
    for late_ms, strays in ((2.05, True), (1.95, False), (-2.05, True), (-1.95, False)):
        wire = _times({200: late_ms}).wire_time(5.0)
        assert wire is not None
        assert wire.strays is strays
    # The next passes 20 ms later: by 5.1 ms, and by 4.9 ms, before this one.
    for late_ms, bar_ms in ((25.1, 20.0), (24.9, 24.9)):
        wire = _times({200: late_ms}).wire_time(5.0)
        assert wire is not None
        assert wire.bar_s == pytest.approx(bar_ms / 1000)
        assert wire.strays is (late_ms < 25)


def test_two_seconds_around_are_not_a_tenth_more() -> None:
    """Within 2 s 101 of 201 packets are in time; beyond them all are late."""
    late = {n: 15.0 for n in range(COUNT) if abs(n - 250) > 100 or abs(n - 250) % 2}
    late = late | dict.fromkeys((249, 251), 0.0) | {250: 5.0}
    wire = _times(late).wire_time(1.0 + 250 * 0.02 + 1e-6)
    assert wire is not None
    assert wire.strays


def test_a_sample_passed_with_its_own_packet() -> None:
    times = _times({200: 7.0})
    assert times.passed_at(5.0 - 1e-6) == pytest.approx(5.0)
    assert times.passed_at(5.0 + 1e-6) == pytest.approx(5.007)
    assert times.passed_at(5.02 - 1e-6) == pytest.approx(5.027)
    assert times.passed_at(5.02 + 1e-6) == pytest.approx(5.02)
    assert times.passed_at(0.9) is None
    last_s = 1.0 + (COUNT - 1) * 0.02
    assert times.passed_at(last_s + 0.1195) == pytest.approx(last_s + 0.1195)
    assert times.passed_at(last_s + 0.1205) is None


def test_who_overtook_a_packet_and_by_how_much() -> None:
    times = PacketTimes(passed_s=np.array([1.0, 1.5, 1.2, 1.1, 1.3]))
    assert times.overtaken_s == pytest.approx([0.0, 0.4, 0.1, 0.0, 0.0])


def test_jitter_smooths_by_sixteen() -> None:
    """Differences of 16 ms, then none: 1 ms, and 15/16 of it."""
    passed_s = np.array([1.0, 1.004, 1.024])
    times = PacketTimes(media_s=np.array([0.0, 0.02, 0.04]), passed_s=passed_s, placed_s=passed_s)
    assert jitter_ms(times) == pytest.approx(15 / 16)
    assert jitter_ms(PacketTimes()) is None


def test_no_packets_are_none_and_late_by_nothing() -> None:
    nothing = PacketTimes()
    assert [len(one) for one in (nothing.media_s, nothing.passed_s, nothing.placed_s)] == [0, 0, 0]
    assert (nothing.codec_delay_s, nothing.resampling_s, nothing.noise_s) == (0.0, 0.0, 0.0)
    assert len(nothing.sound_s) == 0
    assert nothing.passed_at(0.0) is None


# --- just on a bound


def _by_hand(placed_s: list[float], passed_s: list[float], *, sound_s: float = 0.02) -> PacketTimes:
    count = len(placed_s)
    return PacketTimes(
        media_s=np.arange(count, dtype=np.float64) * 0.02,
        passed_s=np.array(passed_s),
        placed_s=np.array(placed_s),
        sound_s=np.full(count, sound_s),
    )


def test_just_two_milliseconds_are_no_straying() -> None:
    for early_s, strays in ((-0.002, False), (-0.002001, True)):
        wire = _by_hand([0.0], [early_s]).wire_time(0.0)
        assert wire is not None
        assert wire.strays is strays
    for late_s, strays in ((0.002, False), (0.002001, True)):
        wire = _by_hand([-0.06, -0.04, -0.02, 0.0], [-0.06, -0.04, -0.02, late_s]).wire_time(0.01)
        assert wire is not None
        assert wire.strays is strays


@pytest.mark.parametrize(("passed_s", "bar_s"), [(0.005, 0.025), (0.005001, 0.02)])
def test_just_five_milliseconds_are_no_overtaking(passed_s: float, bar_s: float) -> None:
    """Two packets of which the second passes in time, at 0, and the first so much later than that."""
    wire = _by_hand([-0.02, 0.0], [passed_s, 0.0]).wire_time(-0.015)
    assert wire is not None
    assert wire.bar_s == pytest.approx(bar_s, abs=1e-9)


def test_what_is_usual_is_that_of_just_the_packets_within_two_seconds() -> None:
    """A packet each second; at 3.25 s those of 2 to 5 s count: late by 1, 10.5, 1, 2 ms, as a median 1.5."""
    placed_s = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    late_ms = [30.0, 1.0, 10.5, 1.0, 2.0, 30.0]
    passed_s = [at_s + late / 1000 for at_s, late in zip(placed_s, late_ms, strict=True)]
    wire = _by_hand(placed_s, passed_s, sound_s=1.0).wire_time(3.25)
    assert wire is not None
    assert wire.strays


def test_nobody_heard_what_lies_outside_the_stream_on_either_side() -> None:
    times = _times()
    assert times.heard_at(1.5, since_s=0.5) is None
    assert times.heard_at(99.0, since_s=1.5) is None


def test_what_is_heard_late_begins_with_the_packet_in_which_the_talk_does() -> None:
    times = _times({120: 15.0})
    begins_s = 1.0 + 120 * 0.02 + 0.001
    assert times.heard_at(begins_s + 0.5, since_s=begins_s) == pytest.approx(begins_s + 0.515)
    assert times.heard_at(begins_s + 0.5, since_s=begins_s + 0.02) == pytest.approx(begins_s + 0.5)


def test_our_own_filter_lets_no_sample_wait_for_the_next_packet() -> None:
    """5 ms of the sound's delay are ours: what sounds at 1.144 s was in the packet of 1.12 s, the seventh."""
    times = replace(_times(), resampling_s=0.005)
    assert [times.holding(at_s) for at_s in (1.004, 1.006, 1.144, 1.146)] == [None, 0, 6, 7]


def test_a_packet_of_unknown_length_holds_120_milliseconds_to_the_last() -> None:
    alone = PacketTimes(media_s=np.zeros(1), passed_s=np.zeros(1), placed_s=np.zeros(1))
    assert [alone.holding(at_s) for at_s in (-1e-9, 0.0, 0.12, 0.120001)] == [None, 0, 0, None]


def test_all_that_is_known_of_streams_is_joined() -> None:
    def stream(number: int, placed_s: list[float]) -> PacketTimes:
        return PacketTimes(
            media_s=np.array([0.0, 0.02]) + number,
            passed_s=np.array([1.0, 1.02]) + number,
            placed_s=np.array(placed_s),
            codec_delay_s=0.01 * number,
            resampling_s=0.003 * number,
            noise_s=0.001 * number,
            sound_s=np.array([0.02, 0.04]) * number,
        )

    joint = joined([stream(2, [0.99, 1.01]), stream(3, [0.98, 1.0]), stream(1, [0.97, 2.0])])
    assert joint.placed_s.tolist() == [0.97, 0.98, 0.99, 1.0, 1.01, 2.0]
    assert joint.media_s == pytest.approx([1.0, 3.0, 2.0, 3.02, 2.02, 1.02])
    assert joint.passed_s == pytest.approx([2.0, 4.0, 3.0, 4.02, 3.02, 2.02])
    assert joint.sound_s == pytest.approx([0.02, 0.06, 0.04, 0.12, 0.08, 0.04])
    # The first one's delays, and the worst noise.
    assert (joint.codec_delay_s, joint.resampling_s, joint.noise_s) == pytest.approx((0.02, 0.006, 0.003))


def test_packets_at_one_place_are_in_the_order_of_their_streams() -> None:
    first = _times()
    second = replace(first, passed_s=first.passed_s + 0.001)
    both = joined([second, first])
    assert both.passed_s[::2].tolist() == second.passed_s.tolist()
    assert both.passed_s[1::2].tolist() == first.passed_s.tolist()


def test_what_begins_ahead_of_a_packet_behind_a_pause_is_that_packets() -> None:
    """Our change of the rate rings 6 ms ahead; five packets are sent at once, the last of them in time."""
    kept = np.array([*range(100), *range(200, COUNT)])
    whole = _times({200 + n: 80.0 - 20.0 * n for n in range(5)})
    times = replace(
        whole,
        media_s=whole.media_s[kept],
        passed_s=whole.passed_s[kept],
        placed_s=whole.placed_s[kept] - 0.006,
        codec_delay_s=DELAY_S + 0.006,
        resampling_s=0.006,
    )
    onset_s = 1.0 + 200 * 0.02 - 0.002
    assert times.wire_time(onset_s) is None
    wire = times.wire_time(onset_s, onset=True)
    assert wire is not None
    assert wire.strays
    assert wire.at_s == pytest.approx(onset_s + 0.08, abs=1e-6)
    assert wire.bar_s == pytest.approx(0.08, abs=1e-6)


def test_what_may_begin_in_either_of_two_packets_is_in_the_one_that_passed_later() -> None:
    whole = _times({250: 45.0})
    times = replace(whole, placed_s=whole.placed_s - 0.006, codec_delay_s=DELAY_S + 0.006, resampling_s=0.006)
    for at_s, late_s in ((1.0 + 250 * 0.02 - 0.002, 0.045), (1.0 + 250 * 0.02 - 0.007, 0.0)):
        wire = times.wire_time(at_s, onset=True)
        assert wire is not None
        assert wire.passed_s - at_s == pytest.approx(late_s, abs=1e-6)
    plain = times.wire_time(1.0 + 250 * 0.02 - 0.002)
    assert plain is not None
    assert plain.passed_s == pytest.approx(plain.at_s, abs=1e-6)
