"""When samples were on the wire and when they were heard, by hand: a packet each 20 ms from second 1 on."""

from __future__ import annotations

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
    assert (nothing.codec_delay_s, nothing.noise_s) == (0.0, 0.0)
    assert nothing.passed_at(0.0) is None
