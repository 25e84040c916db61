"""What came without RTP: arrival and media position are enough; the log's codec is what decodes it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from harness.calls.voice.received import Received, decode_received
from harness.records.call import Gap
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.table import codec_named
from harness.transports.media_clock import MediaClock
from harness.transports.stamp import PacketStamp, RtpStamp
from tests.unit.harness.stand_ins.packet_streams import PATH_S, ZERO_NS, bursts, recording_of, tone_starts

CODEC = codec_named("pcm-16k")
CLOCK = CallClock(zero_ns=ZERO_NS)


def _packets(*, late_s: float = 0.0, without: range = range(0), first_tick: int = 0) -> list[ReceivedPacket]:
    """Two seconds of bursts from call time 1 on. Packets in ``without`` were never made: their sender was
    silent, and its position went on."""
    payloads = CODEC.encode(bursts((0.5, 1.0, 1.5), total_s=2.0))
    late = np.random.default_rng(3).uniform(0.0, late_s, len(payloads))
    late[::5] = 0.0
    return [
        ReceivedPacket(
            stamp=PacketStamp(
                media_ticks=first_tick + frame * CODEC.frame_ticks,
                monotonic_ns=ZERO_NS + round((1.0 + PATH_S + frame * 0.02 + late[frame]) * 1e9),
            ),
            payload=payload,
        )
        for frame, payload in enumerate(payloads)
        if frame not in without
    ]


@pytest.mark.parametrize("first_tick", [0, 1 << 40])
def test_sound_is_placed_by_arrival_and_position(first_tick: int) -> None:
    recording = recording_of(_packets(late_s=0.01, first_tick=first_tick), codec=CODEC.name)
    expected = [1.0 + PATH_S + start_s for start_s in (0.5, 1.0, 1.5)]
    # The tone reaches its threshold after half a millisecond.
    assert tone_starts(recording.audio[:, 1]) == pytest.approx(expected, abs=0.001)
    assert recording.gaps == []
    assert (recording.media.packets_received, recording.media.packets_lost) == (100, 0)
    assert recording.media.codec == "pcm-16k"


def test_a_pause_of_the_sender_is_silence_and_no_loss() -> None:
    received = decode_received(
        MediaLog(codec=CODEC.name, received=_packets(without=range(45, 65))), clock=CLOCK
    )
    assert (received.media.packets_lost, received.gaps) == (0, [])
    positions = np.array([position for position, _ in received.blocks])
    steps = np.diff(positions)
    assert steps[44] == 21 * CODEC.frame_samples
    assert set(np.delete(steps, 44)) == {CODEC.frame_samples}


def test_each_packet_is_as_long_as_it_sounds() -> None:
    """Ten of 20 ms in one: 200 ms, and all of them on the wire when that one was."""
    short = _packets()
    long = [
        ReceivedPacket(
            stamp=short[at + 9].stamp, payload=b"".join(one.payload for one in short[at : at + 10])
        )
        for at in range(0, 100, 10)
    ]
    assert decode_received(MediaLog(codec=CODEC.name, received=short), clock=CLOCK).times.sound_s[
        1:
    ] == pytest.approx(np.full(99, 0.02))
    times = decode_received(MediaLog(codec=CODEC.name, received=long), clock=CLOCK).times
    assert times.sound_s[1:] == pytest.approx(np.full(9, 0.2))
    assert times.wire_time(float(times.placed_s[5]) + 0.19) is not None


def test_copies_that_the_transport_put_aside_are_counted() -> None:
    log = MediaLog(codec=CODEC.name, received=_packets(), repeated=3)
    media = decode_received(log, clock=CLOCK).media
    assert (media.packets_received, media.packets_duplicate) == (100, 3)


@pytest.mark.parametrize(
    ("name", "on_the_wire_ms"), [("pcm-16k", 0.0), ("pcmu", 0.0), ("g722", 1.375), ("opus", 6.5)]
)
@pytest.mark.parametrize("offset_ms", [1.0, 12.0, 15.0, 19.5])
def test_a_sample_is_as_late_as_the_packet_that_carried_it(
    name: str, on_the_wire_ms: float, offset_ms: float
) -> None:
    """Our change of the sampling rate delays the sound by up to 6.4 ms more; it waits for no other packet."""
    codec, late_s = codec_named(name), np.random.default_rng(5).uniform(0.0, 0.004, 100)
    late_s[::5] = 0.0
    packets = [
        ReceivedPacket(
            stamp=PacketStamp(
                media_ticks=frame * codec.frame_ticks,
                monotonic_ns=ZERO_NS + round((1.0 + frame * 0.02 + late_s[frame]) * 1e9),
            ),
            payload=payload,
        )
        for frame, payload in enumerate(codec.encode(bursts((0.5,), total_s=2.0))[:100])
    ]
    times = decode_received(MediaLog(codec=name, received=packets), clock=CLOCK).times
    for frame in (41, 52, 63):
        spoken_s = 1.0 + frame * 0.02 + offset_ms / 1000 - on_the_wire_ms / 1000
        passed_s = times.passed_at(spoken_s)
        assert passed_s is not None
        assert passed_s - spoken_s == pytest.approx(late_s[frame], abs=0.0003)


def _with_a_pause(lead_s: float) -> list[ReceivedPacket]:
    """PCMU: a tone of a second, a pause in which nothing is sent, 60 ms of silence and the tone again; what
    comes behind the pause is sent ``lead_s`` before it is due, as far as there is time for that."""
    codec = codec_named("pcmu")
    tone = 0.25 * np.sin(np.arange(48_000) * 2 * np.pi * 440 / 48_000).astype(np.float32)
    first = codec.encode(tone)[:50]
    then = codec.encode(np.concatenate([np.zeros(2880, np.float32), tone]))[:53]
    frames = [*range(50), *range(100, 153)]
    return [
        ReceivedPacket(
            stamp=RtpStamp(
                media_ticks=frame * 160,
                monotonic_ns=ZERO_NS
                + round(
                    (1.0 + max(frame * 0.02 - (lead_s if frame >= 100 else 0.0), 2.0 * (frame >= 100))) * 1e9
                ),
                sequence=number,
                ssrc=7,
            ),
            payload=payload,
        )
        for number, (frame, payload) in enumerate(zip(frames, [*first, *then], strict=True))
    ]


def test_what_our_change_of_the_rate_holds_back_sounds_before_a_pause_and_not_behind_it() -> None:
    """Of the tone's last 6 ms: they came at the beginning of the next packet, before its sound."""
    packets = _with_a_pause(0.0)
    agent = recording_of(packets, codec="pcmu").audio[:, 1]
    loud_s = np.flatnonzero(np.abs(agent) > 0.02) / 48_000
    end_s = loud_s[loud_s < 2.5][-1]
    assert end_s == pytest.approx(2.0, abs=0.001)
    assert loud_s[loud_s > 2.5][0] == pytest.approx(3.06, abs=0.001)
    assert np.max(np.abs(agent[round(2.01 * 48_000) : round(3.055 * 48_000)])) < 0.001


# --- RTP, to the sample


def _rtp(
    number: int, start: int, samples: int = 960, *, level: float = 0.001, at_s: float | None = None
) -> ReceivedPacket:
    """16-bit samples at 48 kHz, of which the first is sample ``start`` of its stream; it passes so much after
    second 1, or at a time of its own."""
    passed_s = 1.0 + start / 48_000 if at_s is None else at_s
    stamp = RtpStamp(
        media_ticks=start % 2**32,
        monotonic_ns=ZERO_NS + round(passed_s * 1e9),
        sequence=number,
        ssrc=7,
    )
    return ReceivedPacket(stamp=stamp, payload=np.full(samples, round(level * 32768), "<i2").tobytes())


def _heard(packets: Sequence[ReceivedPacket]) -> Received:
    return decode_received(MediaLog(codec="pcm-48k", received=list(packets)), clock=CLOCK)


def test_all_that_is_known_of_a_stream_of_packets() -> None:
    """A sender whose clock begins anywhere; every other packet is 4 ms late."""
    packets = [_rtp(n, 5000 + 960 * n, at_s=1.0 + n * 0.02 + n % 2 * 0.004) for n in range(10)]
    times = _heard(packets).times
    media_s = np.arange(10) * 0.02
    assert times.media_s == pytest.approx(media_s)
    assert times.passed_s == pytest.approx(1.0 + media_s + np.arange(10) % 2 * 0.004)
    assert times.placed_s == pytest.approx(1.0 + media_s)
    assert times.sound_s == pytest.approx(np.full(10, 0.02))
    assert (times.codec_delay_s, times.resampling_s, times.noise_s) == (0.0, 0.0, 0.0)


def test_what_jitter_leaves_of_the_envelope_is_kept() -> None:
    """Half seconds whose earliest packet, the thirteenth, is in time and 4 ms late in turns."""
    late_s = [(n // 25 % 2) * 0.004 + (0.0 if n % 25 == 12 else 0.01) for n in range(625)]
    times = _heard([_rtp(n, 960 * n, at_s=1.0 + n * 0.02 + late_s[n]) for n in range(625)]).times
    assert times.noise_s == pytest.approx(0.004, rel=1e-3)


def test_a_clock_may_leap_by_more_than_a_quarter_of_its_32_bits() -> None:
    leap = 1_200_000_000
    packets = [_rtp(n, 960 * n + (leap if n >= 10 else 0), at_s=1.0 + n * 0.02) for n in range(20)]
    times = _heard(packets).times
    assert times.media_s[10] - times.media_s[9] == pytest.approx(0.02 + leap / 48_000)
    assert times.placed_s == pytest.approx(1.0 + np.arange(20) * 0.02)


def test_a_queue_that_empties_was_late_as_its_clock_did_not_leap() -> None:
    """Half a second late for six seconds, and then in time: what the sound's length says is on the clock."""
    packets = [_rtp(n, 960 * n, at_s=1.0 + n * 0.02 + (0.5 if n < 300 else 0.0)) for n in range(600)]
    packets.sort(key=lambda one: one.stamp.monotonic_ns)
    assert _heard(packets).times.placed_s[299] == pytest.approx(1.0 + 299 * 0.02, abs=0.021)


@pytest.mark.parametrize(("pace", "samples"), [(0.002, 962), (-0.002, 958), (0.001999, 960)])
def test_just_two_thousandths_are_stretched(
    pace: float, samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def examined(claimed_s: np.ndarray, *_: object) -> MediaClock:
        return MediaClock(media_s=claimed_s, ratio=1.0, pace=pace)

    monkeypatch.setattr("harness.calls.voice.received.examine_clock", examined)
    [(_, block)] = _heard([_rtp(0, 0)]).blocks
    assert len(block) == samples


@pytest.mark.parametrize(
    ("before", "after", "longest_s"), [(2880, 960, 0.06), (960, 3840, 0.08), (480, 480, 0.02)]
)
def test_a_lost_packet_was_as_long_as_the_longest_of_what_is_usual_and_its_neighbours(
    before: int, after: int, longest_s: float
) -> None:
    """Usual are 20 ms; one of 100 ms lies further off. Between the neighbours one was lost, in 700 ms."""
    lengths = [960, 960, 960, 960, 4800, before]
    starts = [sum(lengths[:n]) for n in range(6)]
    packets = [
        _rtp(n, start, samples) for n, (start, samples) in enumerate(zip(starts, lengths, strict=True))
    ]
    end = sum(lengths)
    later = end + 33_600
    packets += [_rtp(7, later, after), *(_rtp(8 + n, later + after + 960 * n) for n in range(5))]
    received = _heard(packets)
    start_s, end_s = (48_000 + end) / 48_000, (48_000 + later) / 48_000
    assert received.gaps == [Gap(side="agent", start_s=start_s, end_s=end_s, packets=1, sound_s=longest_s)]


@pytest.mark.parametrize(("pause", "sound_s"), [(3 * 750, None), (3 * 750 + 1, 1 / 64)])
def test_three_packets_more_than_were_lost_are_a_pause(pause: int, sound_s: float | None) -> None:
    """Packets of 1/64 s; the sixth is lost, and beside it the sender is silent."""
    packets = [_rtp(n, 750 * n + (pause if n > 5 else 0), 750) for n in range(12) if n != 5]
    [gap] = _heard(packets).gaps
    assert (gap.start_s, gap.end_s) == (1 + 5 / 64, (48_000 + 6 * 750 + pause) / 48_000)
    assert (gap.packets, gap.sound_s) == (1, sound_s)


def test_a_gap_into_which_the_next_packet_reaches_has_no_length() -> None:
    """The sixth is lost, and the seventh begins 200 samples before the fifth is over."""
    starts = [960 * n for n in range(5)] + [4600 + 960 * n for n in range(5)]
    packets = [_rtp(n if n < 5 else n + 1, start) for n, start in enumerate(starts)]
    at_s = (48_000 + 4600) / 48_000
    assert _heard(packets).gaps == [Gap(side="agent", start_s=at_s, end_s=at_s, packets=1)]


@pytest.mark.parametrize(("sounding", "sound_s"), [(5, 0.02), (0, 0.0)])
def test_what_could_not_be_decoded_is_no_usual_length(sounding: int, sound_s: float) -> None:
    """Of 18 packets the first five sound, or none; one is lost among the others, in a second."""
    packets = [
        _rtp(n, 960 * n + (48_000 if n > 11 else 0), 960 if n < sounding else 0) for n in range(18) if n != 11
    ]
    [gap] = _heard(packets).gaps
    assert gap.packets == 1
    assert gap.sound_s == pytest.approx(sound_s)


@pytest.mark.parametrize(("moved", "placed"), [(71, 0), (72, 0), (73, 73)])
def test_a_millisecond_and_a_half_is_not_told_as_moved(moved: int, placed: int) -> None:
    """Speech, then quiet that begins 80 samples before its end, then speech that wants to lie so many samples
    before the end of the first, at 0 s, and lies behind it. All but that one are a microsecond late."""
    before = 20 * 960
    last = before + 960 - moved
    quiet = [(n, 960 * n, 960, 0.001) for n in range(20)]
    rest = [(20, before, 960, 0.1), (21, before + 880, 1920, 0.001)]
    packets = [
        _rtp(n, start, samples, level=level, at_s=(start - last) / 48_000 + 1e-6)
        for n, start, samples, level in [*quiet, *rest]
    ]
    received = _heard([*packets, _rtp(22, last, level=0.1, at_s=0.0)])
    assert received.blocks[-1][0] == moved
    assert received.times.placed_s[-1] == placed / 48_000
