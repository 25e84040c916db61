"""How blocks and frames become a track, sample by sample: 16-bit samples at 48 kHz, a frame each 20 ms."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.recorder import _length, _runs, _track, record, sent_times, utterance_span
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clips.clip import Clip, prepare_clip
from harness.transports.clock import CallClock
from harness.transports.codecs.table import codec_named
from harness.transports.stamp import PacketStamp
from harness.transports.uplink import PlacedClip, Uplink, silence

CODEC = codec_named("pcm-48k")
FRAME = CODEC.frame_samples
ZERO_NS = 7_000_000_000
CLOCK = CallClock(zero_ns=ZERO_NS)


def _block(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def test_a_later_block_lies_over_an_earlier_one_and_nothing_before_the_call() -> None:
    assert _track([(1, _block(1, 2, 3)), (2, _block(7))], 6).tolist() == [0, 1, 7, 3, 0, 0]
    assert _track([(2, _block(7)), (1, _block(1, 2, 3))], 6).tolist() == [0, 1, 2, 3, 0, 0]
    assert _track([(-2, _block(1, 2, 3)), (0, _block())], 2).tolist() == [3, 0]
    assert _track([(-1, _block(1, 2))], 2).tolist() == [2, 0]
    assert _track([(-3, _block(1, 2))], 2).tolist() == [0, 0]
    # As long as the last block, where that is longer.
    assert _track([(3, _block(1, 2))], 2).tolist() == [0, 0, 0, 1, 2]
    assert _track([], 3).tolist() == [0, 0, 0]


def test_a_recording_has_a_sample_at_least() -> None:
    assert [_length(end_s) for end_s in (0.0, -1.0, 1e-5, 1.0)] == [1, 1, 1, 48_000]


@pytest.mark.parametrize(
    ("slips", "runs"),
    [
        ([0, 0, 0, 0], [(0, 4)]),
        # A millisecond from where the run began makes no new one; a sample more does.
        ([0, 48, -48, 0], [(0, 4)]),
        ([0, 49, 49, 49], [(0, 1), (1, 4)]),
        ([0, 0, -49, -49], [(0, 2), (2, 4)]),
        ([0, 30, 60, 90], [(0, 2), (2, 4)]),
        ([0, 0, 0, 960], [(0, 3), (3, 4)]),
    ],
)
def test_frames_back_to_back_are_one_run(slips: list[int], runs: list[tuple[int, int]]) -> None:
    due_s = (np.arange(4) * FRAME + np.array(slips) + 500) / 48_000
    assert _runs(due_s, frame_samples=FRAME) == runs
    assert _runs(due_s[:0], frame_samples=FRAME) == []


# --- what was sent


def _log(count: int, *, late_s: float = 0.0, first_tick: int = 0, **more: object) -> MediaLog:
    log = MediaLog(codec="pcm-48k", **more)  # type: ignore[arg-type]
    for frame in range(count):
        at_s = 1.0 + frame * 0.02 + late_s * (frame == 2)
        log.sent.append(
            PacketStamp(
                media_ticks=(first_tick + frame * FRAME) % 2**32, monotonic_ns=ZERO_NS + round(at_s * 1e9)
            )
        )
    return log


@pytest.mark.parametrize("first_tick", [0, 5000, 2**32 - FRAME])
def test_frames_are_due_when_they_left_and_sound_a_codec_s_delay_earlier(first_tick: int) -> None:
    times = sent_times(_log(5, late_s=0.008, first_tick=first_tick), CLOCK, CODEC)
    assert times.media_s == pytest.approx(np.arange(5) * 0.02)
    assert times.passed_s == pytest.approx(1.0 + np.array([0, 0.02, 0.048, 0.06, 0.08]))
    assert times.due_s == pytest.approx(1.0 + np.arange(5) * 0.02)
    assert (times.placed_s[0], times.codec_delay_s) == pytest.approx((1.0, 0.0))
    # The transport's own codec has another delay than the uplink's.
    times = sent_times(_log(5, sent_delay_s=0.0065), CLOCK, CODEC)
    assert (times.due_s[0], times.placed_s[0], times.codec_delay_s) == pytest.approx((1.0, 0.9935, 0.0065))
    # Of which our own change of rate is no part.
    assert times.resampling_s == 0.0
    other = sent_times(_log(5, sent_delay_s=0.0065), CLOCK, codec_named("g722"))
    assert (other.codec_delay_s, other.resampling_s) == (0.0065, 0.0)
    # 22 samples at 16 kHz are G.722's own delay; all else is our change of rate.
    own = sent_times(_log(5), CLOCK, codec_named("g722"))
    assert own.codec_delay_s - own.resampling_s == pytest.approx(22 / 16_000)
    assert own.resampling_s > 0
    opus = codec_named("opus")
    assert sent_times(_log(5), CLOCK, opus).codec_delay_s == pytest.approx(0.0065)
    assert len(sent_times(_log(0), CLOCK, CODEC).placed_s) == 0


def _placed(first_voiced_frame: int, voiced_samples: int) -> PlacedClip:
    clip = Clip(
        codec=CODEC, packets=(), pcm=np.zeros(0, np.float32), voiced_samples=voiced_samples, sha256=""
    )
    return PlacedClip(clip=clip, start_frame=first_voiced_frame - 5)


@pytest.mark.parametrize(
    ("frame", "voiced", "span"),
    [
        # Frames 0 to 4 left, from 1 s on.
        (2, 1, (1.04, 1.04)),
        (2, 1000, (1.04, 1.06 + 39 / 48_000)),
        (2, 960 * 3, (1.04, 1.1 - 1 / 48_000)),
        (2, 960 * 3 + 1, (1.04, 1.1 - 1 / 48_000)),
        (2, 9600, (1.04, 1.1 - 1 / 48_000)),
        (4, 1, (1.08, 1.08)),
        (5, 1, None),
    ],
)
def test_a_clip_spans_what_of_it_left(frame: int, voiced: int, span: tuple[float, float] | None) -> None:
    times = sent_times(_log(5), CLOCK, CODEC)
    assert utterance_span(_placed(frame, voiced), times) == (None if span is None else pytest.approx(span))
    late = PacketTimes(media_s=times.media_s, passed_s=times.passed_s + 1, placed_s=times.placed_s)
    assert utterance_span(_placed(frame, voiced), late) == utterance_span(_placed(frame, voiced), times)


def test_both_sides_of_a_recording() -> None:
    """Frames of ours from 1 s on, a hole of 20 ms before the fourth; a packet of theirs at 1.1 s."""
    uplink = Uplink(background=silence(CODEC))
    said = (0.25 + np.arange(3 * FRAME) / 2**15).astype(np.float32)
    uplink.schedule(prepare_clip(CODEC, said), first_voiced_frame=5)
    log = _log(10)
    for frame in range(7, 10):
        log.sent[frame] = PacketStamp(
            media_ticks=(frame + 1) * FRAME, monotonic_ns=log.sent[frame].monotonic_ns + 20_000_000
        )
    for _ in range(10):
        uplink.take_frame()
    stamp = PacketStamp(media_ticks=0, monotonic_ns=ZERO_NS + 1_100_000_000)
    log.received.append(ReceivedPacket(stamp=stamp, payload=CODEC.encode(np.full(FRAME, 0.5, np.float32))[0]))
    recording = record(clock=CLOCK, uplink=uplink, log=log, end_s=1.0)
    caller, agent = recording.audio[:, 0], recording.audio[:, 1]
    assert (recording.audio.dtype, len(caller)) == (np.float32, 48_000 + 11 * FRAME)
    first = 48_000 + 5 * FRAME
    assert caller[first : first + 2 * FRAME] == pytest.approx(said[: 2 * FRAME], abs=1e-4)
    assert not caller[first + 2 * FRAME : first + 3 * FRAME].any()
    assert caller[first + 3 * FRAME : first + 4 * FRAME] == pytest.approx(said[2 * FRAME :], abs=1e-4)
    assert not caller[:first].any()
    at = round(1.1 * 48_000)
    assert agent[at : at + FRAME] == pytest.approx(0.5, abs=1e-4)
    assert not agent[:at].any()
    assert not agent[at + FRAME :].any()
    assert (len(recording.sent.placed_s), len(recording.received.placed_s)) == (10, 1)
    assert (recording.gaps, recording.media.packets_received) == ([], 1)
    longer = record(clock=CLOCK, uplink=uplink, log=log, end_s=3.0)
    assert len(longer.audio) == 3 * 48_000
    # And where the agent's side is the longer one.
    stamp = PacketStamp(media_ticks=96_000, monotonic_ns=ZERO_NS + 3_100_000_000)
    log.received.append(ReceivedPacket(stamp=stamp, payload=log.received[0].payload))
    assert len(record(clock=CLOCK, uplink=uplink, log=log, end_s=1.0).audio) == round(3.1 * 48_000) + FRAME


def test_our_own_clock_may_leap_by_more_than_a_quarter_of_its_32_bits() -> None:
    log = _log(5)
    log.sent[3:] = [replace(one, media_ticks=one.media_ticks + 1_200_000_000) for one in log.sent[3:]]
    assert np.diff(sent_times(log, CLOCK, CODEC).media_s) == pytest.approx([0.02, 0.02, 25_000.02, 0.02])


# --- early media


def _theirs(*positions: int, level: float, sounds: bool = True) -> list[ReceivedPacket]:
    """Packets of the agent's, by the sample of the call at which each begins."""
    return [
        ReceivedPacket(
            stamp=PacketStamp(media_ticks=at - positions[0], monotonic_ns=ZERO_NS + round(at / 48_000 * 1e9)),
            payload=CODEC.encode(np.full(FRAME, level, np.float32))[0] if sounds else b"",
        )
        for at in positions
    ]


def _recorded(
    early: list[ReceivedPacket], call: list[ReceivedPacket], *, end: int = 60_000
) -> tuple[NDArray[np.float32], float | None]:
    log = MediaLog(codec="pcm-48k", early=early, received=call)
    uplink = Uplink(background=silence(CODEC))
    recording = record(clock=CLOCK, uplink=uplink, log=log, end_s=end / 48_000)
    return recording.audio[:, 1], recording.media.early_until_s


def _sounds(audio: NDArray[np.float32]) -> list[tuple[int, int]]:
    """From where to where it does not vary and is no silence."""
    edges = [0, *(np.flatnonzero(np.diff(audio)) + 1).tolist(), len(audio)]
    return [(first, end) for first, end in itertools.pairwise(edges) if audio[first]]


def test_early_media_end_with_their_last_packet() -> None:
    audio, until_s = _recorded(_theirs(10_000, 46_447, level=0.25), _theirs(48_000, level=0.5))
    assert _sounds(audio) == [(10_000, 10_960), (46_447, 47_407), (48_000, 48_960)]
    # 47,407 samples are 0.98764583 s.
    assert until_s == 0.9876


def test_early_media_end_where_the_call_begins() -> None:
    audio, until_s = _recorded(_theirs(47_500, level=0.25), _theirs(48_000, 48_960, level=0.5))
    assert (_sounds(audio), until_s) == ([(47_500, 48_000), (48_000, 49_920)], 1.0)
    # To the sample, also where the call's first packet has no sound.
    audio, until_s = _recorded(_theirs(47_500, level=0.25), _theirs(48_000, level=0.5, sounds=False))
    assert (_sounds(audio), until_s) == ([(47_500, 48_000)], 1.0)
    # Where nothing comes in it, with the call.
    audio, until_s = _recorded(_theirs(46_000, level=0.25), [], end=46_512)
    assert (_sounds(audio), until_s) == ([(46_000, 46_512)], 0.969)


@pytest.mark.parametrize("at", [48_000, 50_000])
def test_what_came_early_and_lies_in_the_call_is_not_kept(at: int) -> None:
    audio, until_s = _recorded(_theirs(at, level=0.25), _theirs(48_000, level=0.5))
    assert (_sounds(audio), until_s) == ([(48_000, 48_960)], None)
