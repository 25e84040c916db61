"""Where blocks of sound go, sample by sample, and what is counted of a stream: 16-bit samples at 48 kHz."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.calls.voice.received import (
    Received,
    _in_media_order,
    _positions,
    _sequence_numbers,
    _stretched,
    decode_received,
)
from harness.records.call import Gap
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.table import codec_named
from harness.transports.stamp import PacketStamp, RtpStamp

CODEC = codec_named("pcm-48k")
FRAME = CODEC.frame_samples
ZERO_NS = 5_000_000_000
LOUD, QUIET = 0.004, 0.0039
"""Above and below -48 dBFS, which is 0.00398."""
JUST_LOUD = 10 ** (-48 / 20)


def _block(level: float, count: int = FRAME) -> NDArray[np.float32]:
    return np.full(count, level, np.float32)


def _placed(*wanted: int, blocks: Sequence[NDArray[np.float32]]) -> list[int]:
    """From where each block wants to lie to where it goes, in samples."""
    return _positions(np.array(wanted) / 48_000, blocks).tolist()


# --- positions


@pytest.mark.parametrize("level", [LOUD, -LOUD, QUIET])
def test_a_millisecond_is_no_hole(level: float) -> None:
    for slip, goes_to in ((48, FRAME), (-48, FRAME), (49, FRAME + 49), (-49, FRAME - 49)):
        assert _placed(100, 100 + FRAME + slip, blocks=[_block(level)] * 2) == [100, 100 + goes_to]


def test_slips_are_from_where_the_block_before_ends_not_from_where_it_should() -> None:
    assert _placed(0, FRAME + 40, 2 * FRAME + 80, blocks=[_block(LOUD)] * 3) == [0, FRAME, 2 * FRAME + 80]


@pytest.mark.parametrize(
    ("early", "level", "goes_to"),
    [
        # Five milliseconds may be covered, of speech too; more of speech may not, and of quiet may.
        (240, LOUD, -240),
        (241, LOUD, 0),
        (241, -LOUD, 0),
        (241, JUST_LOUD, 0),
        (241, QUIET, -241),
        (241, 0.0, -241),
    ],
)
def test_sound_that_comes_too_early_covers_no_speech(early: int, level: float, goes_to: int) -> None:
    assert _placed(0, FRAME - early, blocks=[_block(level), _block(LOUD)]) == [0, FRAME + goes_to]


def test_quiet_behind_speech_is_caught_up_in() -> None:
    """Speech to 960, quiet to 2880, and then sound that wants to lie at 700: right behind the speech."""
    blocks = [_block(LOUD), _block(QUIET, 1920), _block(LOUD)]
    assert _placed(0, FRAME, 700, blocks=blocks) == [0, FRAME, FRAME]
    assert _placed(0, FRAME, 1100, blocks=blocks) == [0, FRAME, 1100]


@pytest.mark.parametrize(("early", "goes_to"), [(48_000, 50_000), (48_001, 1_999)])
def test_what_is_a_second_too_early_is_of_another_time(early: int, goes_to: int) -> None:
    assert _placed(0, 50_000 - early, blocks=[_block(LOUD, 50_000), _block(LOUD)])[1] == goes_to


def test_a_packet_without_sound_takes_no_place() -> None:
    assert _placed(0, 960, 960, blocks=[_block(LOUD), _block(0.0, 0), _block(LOUD)]) == [0, 960, 960]


# --- a sender at another pace


def test_a_block_lasts_as_long_as_it_took_to_be_sent() -> None:
    ramp = np.arange(FRAME, dtype=np.float32)
    longer = _stretched(ramp, 0.25)
    assert (len(longer), longer.dtype) == (1200, np.float32)
    assert longer[:1190] == pytest.approx(np.arange(1190) / 1.25)
    shorter = _stretched(ramp, -0.25)
    assert shorter == pytest.approx(np.arange(720) / 0.75)
    assert _stretched(ramp, 0.0005) is ramp
    assert len(_stretched(ramp[:0], 0.5)) == 0


# --- order


def _packet(
    sequence: int, *, ticks: int = 0, at_s: float = 0.0, ssrc: int = 7, level: float = 0.1
) -> ReceivedPacket:
    stamp = RtpStamp(
        media_ticks=ticks, monotonic_ns=ZERO_NS + round(at_s * 1e9), sequence=sequence % 2**16, ssrc=ssrc
    )
    return ReceivedPacket(stamp=stamp, payload=CODEC.encode(_block(level))[0])


@pytest.mark.parametrize(
    ("sent", "numbers"),
    [
        ([10, 11, 12], [10, 11, 12]),
        # More than 3000 ahead, or 100 back, and followed: the sender counts anew.
        ([10, 11, 3011, 3012], [10, 11, 3011, 3012]),
        ([10, 11, 3012, 3013], [10, 11, 12, 13]),
        ([200, 201, 101, 102], [200, 201, 101, 102]),
        ([200, 201, 100, 101], [200, 201, 202, 203]),
        # Not followed: a stray, or lost.
        ([10, 11, 9000, 12], [10, 11, 9000, 12]),
        ([10, 11, 9000], [10, 11, 9000]),
        ([65535, 0, 1], [65535, 65536, 65537]),
        # The last of a round and the first of the next are lost.
        ([65533, 65534, 1, 2], [65533, 65534, 65537, 65538]),
    ],
)
def test_sequence_numbers_go_on(sent: list[int], numbers: list[int]) -> None:
    assert _sequence_numbers([_packet(one) for one in sent]).tolist() == numbers


@pytest.mark.parametrize(
    ("ticks", "seconds", "lost"),
    [
        (3500, 3500, 3500),  # seventy seconds without a packet, on both clocks
        (3500, 3300, 3500),
        (0, 3500, 0),  # its clock stood still: it counts anew
        (3500, 10, 0),  # ours did: so it leapt
        (9000, 9000, 0),  # a pause of three minutes, and it counts anew
    ],
)
def test_a_loss_of_thousands_is_told_from_a_sender_that_counts_anew(
    ticks: int, seconds: int, lost: int
) -> None:
    """A hundred packets, then 3500 numbers that never came, and a hundred packets more."""

    def later(number: int, by: int) -> int:
        return number + (by if number >= 100 else 0)

    packets = [
        _packet(later(n, 3500), ticks=later(n, ticks) * FRAME, at_s=1 + later(n, seconds) * 0.02)
        for n in range(200)
    ]
    received = _decoded(packets)
    assert received.media.packets_lost == lost
    assert [gap.packets for gap in received.gaps] == ([lost] if lost else [])


@pytest.mark.parametrize(
    ("ticks", "went_by", "lost"),
    [
        # 3510 numbers on, a tenth less or more than as many packets went by, or a packet beyond that.
        (3159, 3510, 3509),
        (3158, 3510, 0),
        (3861, 3510, 3509),
        (3862, 3510, 0),
        (3510, 3159, 3509),
        (3510, 3158, 0),
    ],
)
def test_a_tenth_of_the_time_may_be_off_where_thousands_were_lost(
    ticks: int, went_by: int, lost: int
) -> None:
    def sent(number: int) -> ReceivedPacket:
        on = number - 99 if number > 99 else 0
        return _packet(
            min(number, 99) + (3509 + on if on else 0),
            ticks=(min(number, 99) + (ticks - 1 + on if on else 0)) * FRAME,
            at_s=(min(number, 99) + (went_by - 1 + on if on else 0)) * 0.02,
        )

    numbers = _sequence_numbers([sent(number) for number in range(110)])
    assert numbers[-1] - numbers[0] == 109 + lost


@pytest.mark.parametrize(
    ("ticks_a_packet", "packet_s", "first_tick", "jump", "lost"),
    [
        # A clock that stands still says nothing, and one that counts packets is one.
        (0, 0.02, 0, 3500, 0),
        (1, 0.02, 0, 3500, 3500),
        # Eight hours of packets of a second, over the end of 32 bits.
        (48_000, 1.0, 2**32 - 100 * 48_000, 30_000, 30_000),
    ],
)
def test_any_clock_that_runs_tells_of_a_loss_of_thousands(
    ticks_a_packet: int, packet_s: float, first_tick: int, jump: int, lost: int
) -> None:
    sent = [number + (jump if number >= 100 else 0) for number in range(110)]
    packets = [_packet(n, ticks=(first_tick + n * ticks_a_packet) % 2**32, at_s=n * packet_s) for n in sent]
    numbers = _sequence_numbers(packets)
    assert numbers[-1] - numbers[0] == 109 + lost


def test_packets_without_numbers_are_in_order() -> None:
    plain = ReceivedPacket(stamp=PacketStamp(media_ticks=0, monotonic_ns=0), payload=b"")
    assert _sequence_numbers([_packet(70), plain, _packet(3)]).tolist() == [0, 1, 2]


def test_what_comes_twice_or_late_is_counted() -> None:
    packets = [_packet(n) for n in (5, 7, 6, 7, 9, 8, 5)]
    ordered, numbers, duplicates, reordered = _in_media_order(packets)
    assert [packet.stamp.sequence for packet in ordered] == [5, 6, 7, 8, 9]  # type: ignore[attr-defined]
    assert (numbers.tolist(), duplicates, reordered) == ([5, 6, 7, 8, 9], 2, 2)
    # Of two the first one to come.
    assert ordered[2] is packets[1]
    assert _in_media_order([_packet(0)])[3] == 0


# --- a call


def _stream(
    frames: Sequence[int], *, ssrc: int = 7, from_s: float = 1.0, late_s: float = 0.0, ticks: int = FRAME
) -> list[ReceivedPacket]:
    """Frames in order, 20 ms apart, every other one late."""
    return [
        _packet(
            n, ticks=n * ticks, at_s=from_s + n * 0.02 + late_s * (k % 2), ssrc=ssrc, level=0.01 * (1 + n % 9)
        )
        for k, n in enumerate(frames)
    ]


def _decoded(received: list[ReceivedPacket], **log: object) -> Received:
    made = MediaLog(codec="pcm-48k", received=received, **log)  # type: ignore[arg-type]
    return decode_received(made, CallClock(zero_ns=ZERO_NS))


def test_what_was_lost_is_a_gap_between_what_came() -> None:
    lost = {4, 10, 11}
    received = _decoded(_stream([n for n in range(20) if n not in lost]))
    first, second = received.gaps
    assert first == Gap(side="agent", start_s=1.08, end_s=1.1, packets=1)
    assert second == Gap(side="agent", start_s=1.2, end_s=1.24, packets=2)
    assert (received.media.packets_received, received.media.packets_lost) == (17, 3)
    positions = [position for position, _ in received.blocks]
    assert positions == [48_000 + FRAME * n for n in range(20) if n not in lost]
    assert all(np.ptp(block) < 1e-4 for _, block in received.blocks)


def test_a_packet_lost_beside_a_pause_hides_no_more_than_itself() -> None:
    """The sender speaks for 2 s, is silent for 6 s and sends nothing, and speaks for 2 s; the last packet
    before the pause is lost. Of 6.02 s between what came 0.02 s are missing."""

    def sent(number: int) -> ReceivedPacket:
        frame = number if number < 100 else number + 300
        return _packet(number, ticks=frame * FRAME, at_s=1.0 + frame * 0.02, level=0.01 * (1 + number % 9))

    received = _decoded([sent(n) for n in range(200) if n != 99])
    [gap] = received.gaps
    assert (gap.start_s, gap.end_s) == (pytest.approx(2.98), pytest.approx(9.0))
    assert (gap.packets, gap.sound_s, gap.lacking_s) == (1, pytest.approx(0.02), pytest.approx(0.02))
    # Without a loss there is no gap, and a loss without a pause is as long as its packets.
    assert _decoded([sent(n) for n in range(200)]).gaps == []
    [plain] = _decoded([sent(n) for n in range(200) if n not in (50, 51)]).gaps
    assert (plain.sound_s, plain.lacking_s) == (None, pytest.approx(0.04))


def test_keys_and_comfort_noise_are_no_losses() -> None:
    """A key of 8 + 3 packets in the place of frames 4 to 14; the sound of frame 20 is lost."""
    sound = _stream([n for n in range(30) if not 4 <= n < 15 and n != 20])
    keys = _stream(range(4, 15))
    received = _decoded(sound, silent=keys)
    assert received.gaps == [Gap(side="agent", start_s=1.4, end_s=1.42, packets=1)]
    assert (received.media.packets_received, received.media.packets_lost) == (18, 1)
    positions = [position for position, _ in received.blocks]
    assert positions == [48_000 + FRAME * n for n in range(30) if not 4 <= n < 15 and n != 20]
    # One of its packets is lost, too: as much as that may hide, and not the whole key.
    [within, _] = _decoded(sound, silent=keys[:5] + keys[6:]).gaps
    assert (within.packets, within.sound_s) == (1, pytest.approx(0.02))
    # Keys of another stream leave a loss what it is.
    assert _decoded(sound, silent=_stream(range(4, 15), ssrc=8)).media.packets_lost == 12


@pytest.mark.parametrize("first", [10, 65530])
def test_numbers_are_counted_without_those_of_packets_that_are_no_sound(first: int) -> None:
    """Beside the sound, an event after each second frame, also where the numbers begin again."""
    packets = [_packet(first + n, at_s=n * 0.02) for n in range(12)]
    silent = packets[2::3]
    sound = [one for one in packets if one not in silent]
    ordered, numbers, duplicates, reordered = _in_media_order(sound, silent)
    assert (ordered, duplicates, reordered) == (sound, 0, 0)
    assert np.diff(numbers).tolist() == [1] * 7
    # The same numbers a round of 65,536 later are other packets.
    late = [_packet(first + n, at_s=1400 + n * 0.02) for n in range(12)]
    between = [_packet(first + n, at_s=n * 0.07) for n in range(0, 65_536, 300)]
    _, numbers, _, _ = _in_media_order([*between, late[1], late[3]], [packets[2]])
    assert numbers[-1] - numbers[-2] == 2


def test_streams_are_told_apart_and_put_together() -> None:
    """The second begins 0.1 s after the first, and lost packets before the first did."""
    one = _stream([0, 1, 2, 3, 4, 5, 6, 7, 9], late_s=0.004)
    other = _stream([0, 2, 3, 4], ssrc=8, from_s=1.1, late_s=0.008)
    media = _decoded([*one, *other], repeated=2, kernel_timestamps=True, path="relay").media
    assert (media.packets_received, media.packets_lost, media.packets_duplicate) == (13, 2, 2)
    assert (media.codec, media.kernel_timestamps, media.path, media.clock) == ("pcm-48k", True, "relay", "")
    alone = [_decoded(stream).media.jitter_ms or 0.0 for stream in (one, other)]
    assert media.jitter_ms == max(alone) > min(alone) > 0
    # One packet has none.
    single = _packet(0, at_s=2.0, ssrc=9)
    assert _decoded([*one, single]).media.jitter_ms == alone[0]
    # Copies are those that we put aside and those that the transport did.
    assert _decoded([*one, one[3]], repeated=2).media.packets_duplicate == 3
    received = _decoded([*other, *one])
    assert [gap.start_s for gap in received.gaps] == pytest.approx([1.12, 1.16], abs=0.005)
    assert np.all(np.diff(received.times.placed_s) >= 0)
    nothing = _decoded([])
    assert (nothing.media.packets_received, nothing.media.jitter_ms, nothing.gaps) == (0, None, [])
    assert (nothing.media.path, nothing.media.kernel_timestamps) == ("direct", False)


def test_what_is_odd_of_a_clock_is_told_once_for_each_oddity() -> None:
    """Two streams run at twice their sound, one at three times, one as it should."""
    streams = [
        *_stream(range(40), ticks=2 * FRAME),
        *_stream(range(40), ticks=2 * FRAME, ssrc=8, from_s=3.0),
        *_stream(range(40), ticks=3 * FRAME, ssrc=9, from_s=5.0),
        *_stream(range(40), ssrc=10, from_s=7.0),
    ]
    said = "its time stamps run {} times as fast as its sound"
    assert _decoded(streams).media.clock == f"{said.format(2)}; {said.format(3)}"


@pytest.mark.parametrize(
    ("pace", "samples"), [(0.0019, FRAME), (0.00205, 962), (-0.00205, 958), (0.05, 1008)]
)
def test_sound_is_stretched_from_two_thousandths_on(pace: float, samples: int) -> None:
    packets = [_packet(n, ticks=n * FRAME, at_s=1 + n * 0.02 * (1 + pace)) for n in range(300)]
    received = _decoded(packets)
    assert {len(block) for _, block in received.blocks} == {samples}
    assert received.times.placed_s == pytest.approx(1 + np.arange(300) * 0.02 * (1 + pace), abs=1e-6)


def test_a_packet_from_another_age_is_left_out() -> None:
    """Four hours and more before the call, or after its beginning."""
    kept_at = {14_399.0: 1, 14_400.0: 0, 14_401.0: 0, -14_400.0: 0, -14_401.0: 0, -1.0: 1}
    for at_s, kept in kept_at.items():
        assert len(_decoded([_packet(0, at_s=at_s)]).blocks) == kept


def test_where_sound_had_to_move_its_place_is_where_it_lies() -> None:
    """Speech at twice its speed: each packet wants to lie 10 ms after the one before, and lies behind it."""
    packets = [_packet(n, ticks=n * FRAME // 2, at_s=1 + n * 0.01) for n in range(12)]
    for packet, n in zip(packets, range(12), strict=True):
        assert packet.stamp.media_ticks == n * 480
    # The clock is right in the first ten seconds of a slow stream, so that it is believed.
    slow = [_packet(n, ticks=n * FRAME, at_s=-10 + n * 0.02) for n in range(500)]
    hurried = [_packet(500 + n, ticks=(1000 + n) * 480, at_s=n * 0.01) for n in range(12)]
    received = _decoded([*slow, *hurried])
    assert received.media.clock == ""
    places = received.times.placed_s[-12:]
    assert places == pytest.approx(np.arange(12) * 0.02, abs=0.0011)
    assert [position for position, _ in received.blocks][-12:] == [960 * n for n in range(12)]
