"""What came without RTP: arrival and media position are enough; the log's codec is what decodes it."""

from __future__ import annotations

import numpy as np
import pytest

from harness.calls.voice.received import decode_received
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.table import codec_named
from harness.transports.stamp import PacketStamp
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
