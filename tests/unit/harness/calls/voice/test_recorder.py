"""From packets to a recording: every sample where it was due plus the path's delay, and no sound invented.

The bound for a tone's onset in the recording is 1.5 ms: 1 ms by which a block may be slipped to lie right
behind the one before it, and the codec's own edge.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.recorder import record, sent_times, utterance_span
from harness.records.call import SAMPLE_RATE_HZ
from harness.scoring.material import sides_of
from harness.transports.base import MediaLog
from harness.transports.clips.clip import prepare_clip
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink, silence
from tests.unit.harness.stand_ins.packet_streams import (
    PATH_S,
    ZERO_NS,
    SentPacket,
    bursts,
    over_the_path,
    recording_of,
    stream,
    tone_starts,
)
from tests.unit.harness.stand_ins.spoken import clip

BOUND_S = 0.0015
TONES_S = (0.5, 1.3, 2.1, 3.9, 5.2)
TOTAL_S = 6.0


def _truth(packets: list[SentPacket], at_s: float) -> float:
    """When the sample at ``at_s`` of the signal was due, and passed us at the earliest."""
    frame, rest = divmod(round(at_s * SAMPLE_RATE_HZ), OPUS.frame_samples)
    return packets[frame].due_s + rest / SAMPLE_RATE_HZ + PATH_S


def _onset_errors(packets: list[SentPacket], audio: NDArray[np.float32]) -> list[float]:
    # The ramp reaches -40 dBFS some time after its first sample: the same on both sides.
    rising_s = tone_starts(bursts([0.0], total_s=1.0))[0]
    found = tone_starts(audio)
    expected = sorted(_truth(packets, at_s) + rising_s for at_s in TONES_S)
    assert len(found) == len(expected)
    return [one - other for one, other in zip(found, expected, strict=True)]


def _jitter(count: int, spread_s: float, seed: int = 3) -> list[float]:
    return np.random.default_rng(seed).uniform(0.0, spread_s, count).tolist()


SIGNAL = bursts(TONES_S, total_s=TOTAL_S)
FRAMES = 300


@pytest.mark.parametrize("spread_s", [0.0, 0.005, 0.04])
def test_every_sample_is_where_it_was_due_whatever_the_jitter(spread_s: float) -> None:
    packets = stream(SIGNAL)
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, spread_s)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S + spread_s / 20
    assert recording.media.packets_received == FRAMES
    assert recording.media.packets_lost == 0
    assert recording.gaps == []


def test_the_signal_itself_is_recorded_sample_for_sample() -> None:
    packets = stream(clip("account"), due_s=lambda frame: 2.0 + frame * 0.02)
    heard = recording_of(over_the_path(packets)).audio[:, 1]
    start = round((2.0 + PATH_S) * SAMPLE_RATE_HZ)
    # Decoded here on its own, with the codec's delay taken off.
    expected = OPUS.decode([packet.payload for packet in packets])[312:]
    np.testing.assert_array_equal(heard[start : start + len(expected)], expected)
    assert not heard[: start - 312].any()


def test_both_counters_may_wrap() -> None:
    packets = stream(
        SIGNAL, sequence=lambda frame: 65_400 + frame, timestamp=lambda frame: 2**32 - 100 * 960 + frame * 960
    )
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.01)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S
    assert (recording.media.packets_received, recording.media.packets_lost) == (FRAMES, 0)
    assert recording.media.packets_reordered == 0
    # And the wrap is a wrap, not taken for a jump of the sender's clock.
    np.testing.assert_allclose(np.diff(recording.received.media_s), 0.02, atol=1e-9)


@pytest.mark.parametrize("ppm", [-100, 100, 12_000])
def test_a_clock_that_drifts_is_followed(ppm: int) -> None:
    packets = stream(SIGNAL, due_s=lambda frame: 1.0 + frame * 0.02 * (1 + ppm * 1e-6))
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.002)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S


def test_timestamps_that_stand_still_in_pauses() -> None:
    """The sender is silent for 1 s after 1 s, and for 2.5 s after 1.6 s, and its clock does not go on."""
    packets = stream(SIGNAL, due_s=lambda frame: 1.0 + frame * 0.02 + (frame >= 50) + 2.5 * (frame >= 80))
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.01)), end_s=12.0)
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S + 0.001
    assert recording.gaps == [], "nothing was lost: the sender was silent"


def test_timestamps_that_jump_ahead() -> None:
    packets = stream(SIGNAL, timestamp=lambda frame: frame * 960 + (frame >= 100) * 48_000 * 3600 * 5)
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.01)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S + 0.001
    assert len(recording.audio) < 11 * SAMPLE_RATE_HZ


def test_one_timestamp_from_nowhere_displaces_nothing_else() -> None:
    packets = stream(SIGNAL, timestamp=lambda frame: frame * 960 + (frame == 150) * 2**31)
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.005)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S + 0.001


def test_the_gaps_of_discontinuous_transmission_are_no_losses() -> None:
    """DTX: silent packets are not sent, timestamps go on, sequence numbers count what was sent."""
    packets = stream(SIGNAL)
    sounding = [
        frame
        for frame in range(FRAMES)
        if any(start_s - 0.04 <= frame * 0.02 <= start_s + 0.26 for start_s in TONES_S)
    ]
    sent = [
        SentPacket(
            sequence=number,
            rtp_timestamp=packets[frame].rtp_timestamp,
            ssrc=7,
            payload=packets[frame].payload,
            due_s=packets[frame].due_s,
        )
        for number, frame in enumerate(sounding)
    ]
    recording = recording_of(over_the_path(sent, late_s=_jitter(len(sent), 0.005)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S + 0.001
    assert recording.gaps == []
    assert recording.media.packets_lost == 0


def test_what_was_lost_is_silent_listed_and_counted() -> None:
    packets = stream(SIGNAL)
    # Frames 30-32 lie in the first tone (0.5 to 0.7 s), frame 200 in silence.
    recording = recording_of(over_the_path(packets, lost=[30, 31, 32, 200]))
    assert (recording.media.packets_received, recording.media.packets_lost) == (FRAMES - 4, 4)
    first, second = recording.gaps
    assert (first.packets, second.packets) == (3, 1)
    # Decoded sound lies where it was due, so a gap lies one codec delay early.
    assert first.start_s == pytest.approx(1.0 + 30 * 0.02 + PATH_S - OPUS.delay_s, abs=0.001)
    assert first.end_s == pytest.approx(first.start_s + 0.06, abs=0.001)
    assert second.start_s == pytest.approx(1.0 + 200 * 0.02 + PATH_S - OPUS.delay_s, abs=0.001)
    agent = recording.audio[:, 1]
    inside = slice(round(first.start_s * SAMPLE_RATE_HZ) + 1, round(first.end_s * SAMPLE_RATE_HZ) - 1)
    assert not agent[inside].any(), "no sound may be invented in a gap"
    others = [tone for tone in TONES_S if tone > 1]
    rising_s = tone_starts(bursts([0.0], total_s=1.0))[0]
    found = tone_starts(agent)[-len(others) :]
    for tone, at_s in zip(others, found, strict=True):
        assert abs(at_s - rising_s - _truth(packets, tone)) < BOUND_S


def test_duplicates_and_packets_out_of_order_are_put_right_and_counted() -> None:
    packets = stream(SIGNAL)
    late = [0.0] * FRAMES
    late[40] = late[120] = 0.05
    recording = recording_of(over_the_path(packets, late_s=late, twice=[10, 11, 250]))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S
    media = recording.media
    assert (media.packets_received, media.packets_lost) == (FRAMES, 0)
    assert (media.packets_duplicate, media.packets_reordered) == (3, 2)


@pytest.mark.parametrize(("first", "anew"), [(0, 40_000), (20_000, 100), (20_000, 40_000), (65_500, 30_000)])
def test_sequence_numbers_that_begin_anew_are_no_losses(first: int, anew: int) -> None:
    packets = stream(SIGNAL, sequence=lambda frame: first + frame if frame < 100 else anew + frame)
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.005), lost=[130]))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S
    assert recording.media.packets_lost == 1
    assert [gap.packets for gap in recording.gaps] == [1]


def test_timestamps_that_run_back_displace_nothing_else() -> None:
    packets = stream(SIGNAL, timestamp=lambda frame: frame * 960 - (frame in (10, 90, 150, 240)) * 48_000)
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.005)))
    # Those packets are silent; the tones are where they were due.
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S


def test_a_first_packet_that_is_overtaken_is_still_the_first() -> None:
    packets = stream(SIGNAL, sequence=lambda frame: frame)
    late = [0.05] + [0.0] * (FRAMES - 1)
    recording = recording_of(over_the_path(packets, late_s=late))
    assert recording.media.packets_reordered == 1
    assert recording.media.packets_lost == 0
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S


def test_a_new_stream_goes_on_where_it_arrives() -> None:
    first = stream(bursts([0.5, 1.3], total_s=2.0))
    second = stream(
        bursts([0.1, 1.9, 3.2], total_s=4.0),
        due_s=lambda frame: 3.7 + frame * 0.02,
        timestamp=lambda frame: 123_456 + frame * 960,
        sequence=lambda frame: 999 + frame,
        ssrc=8,
    )
    received = sorted(over_the_path(first) + over_the_path(second), key=lambda one: one.stamp.monotonic_ns)
    recording = recording_of(received)
    rising_s = tone_starts(bursts([0.0], total_s=1.0))[0]
    expected = [1.5, 2.3, 3.8, 5.6, 6.9]
    for found, due_s in zip(tone_starts(recording.audio[:, 1]), expected, strict=True):
        assert abs(found - rising_s - due_s - PATH_S) < BOUND_S
    assert recording.media.packets_received == 300
    assert recording.media.packets_lost == 0


def test_bytes_that_are_no_opus_leave_the_recording_whole() -> None:
    packets = stream(SIGNAL)
    broken = [
        SentPacket(
            sequence=packet.sequence,
            rtp_timestamp=packet.rtp_timestamp,
            ssrc=packet.ssrc,
            payload=b"\xff\xff" if position in (5, 90) else b"" if position == 91 else packet.payload,
            due_s=packet.due_s,
        )
        for position, packet in enumerate(packets)
    ]
    recording = recording_of(over_the_path(broken))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S


def test_a_call_in_which_nothing_arrived_has_a_silent_recording_of_its_length() -> None:
    recording = recording_of([], end_s=2.5)
    assert recording.audio.shape == (round(2.5 * SAMPLE_RATE_HZ), 2)
    assert not recording.audio.any()
    assert recording.media.packets_received == 0
    assert recording.media.jitter_ms is None


def test_jitter_is_that_of_rfc_3550() -> None:
    """Constant alternation of 0 and 8 ms: |D| is 8 ms each time, and J converges to it."""
    packets = stream(np.zeros(FRAMES * 960, np.float32))
    recording = recording_of(over_the_path(packets, late_s=[0.008 * (k % 2) for k in range(FRAMES)]))
    assert recording.media.jitter_ms == pytest.approx(8.0 * (1 - (15 / 16) ** (FRAMES - 1)), rel=1e-3)


def test_the_time_by_single_packets_is_the_sample_s_own_packet_s() -> None:
    packets = stream(SIGNAL)
    late = [0.0] * FRAMES
    late[50] = 0.007
    times = recording_of(over_the_path(packets, late_s=late)).received
    # A sample that is decoded 5 ms into frame 50.
    at_s = packets[50].due_s + PATH_S - OPUS.delay_s + 0.005
    assert times.passed_at(at_s) == pytest.approx(at_s + 0.007, abs=1e-4)
    assert times.passed_at(at_s + 0.02) == pytest.approx(at_s + 0.02, abs=1e-4)
    assert times.passed_at(0.5) is None
    assert times.passed_at(9.9) is None
    assert PacketTimes().passed_at(1.0) is None


# --- the caller's own side


def _sent_log(uplink: Uplink, frames: int, *, late_s: list[float], first_timestamp: int) -> MediaLog:
    log = MediaLog(codec="opus", first_deadline_ns=ZERO_NS + 2_000_000_000)
    for frame in range(frames):
        uplink.take_frame()
        due_ns = ZERO_NS + 2_000_000_000 + frame * 20_000_000
        log.sent.append(
            RtpStamp(
                media_ticks=(first_timestamp + frame * 960) % 2**32,
                monotonic_ns=due_ns + round(late_s[frame] * 1e9),
                sequence=frame % 2**16,
                ssrc=3,
            )
        )
    return log


def test_an_utterance_is_where_its_frames_left() -> None:
    uplink = Uplink(background=silence(OPUS))
    utterance = clip("question")
    placed = uplink.schedule(prepare_clip(OPUS, utterance), first_voiced_frame=40)
    frames = 300
    log = _sent_log(uplink, frames, late_s=_jitter(frames, 0.004), first_timestamp=2**32 - 960 * 50)
    clock = CallClock(zero_ns=ZERO_NS)
    sent = sent_times(log, clock, OPUS)
    # Frame k leaves at 2 s + k * 20 ms; the earliest of 50 is late by less than a tenth of 4 ms.
    np.testing.assert_allclose(sent.due_s, 2.0 + np.arange(frames) * 0.02, atol=0.0004)
    span = utterance_span(placed, sent)
    assert span is not None
    assert span[0] == pytest.approx(2.0 + 40 * 0.02, abs=0.0004)
    assert span[1] == pytest.approx(2.0 + 40 * 0.02 + (len(utterance) - 1) / SAMPLE_RATE_HZ, abs=0.0004)
    caller = record(clock=clock, uplink=uplink, log=log, end_s=9.0).audio[:, 0]
    start = round((2.0 + 40 * 0.02) * SAMPLE_RATE_HZ)
    recorded = caller[start - 48 : start + len(utterance) + 48]
    offset = int(np.argmax(np.correlate(recorded.astype(np.float64), utterance.astype(np.float64), "valid")))
    assert abs(offset - 48) <= 0.0014 * SAMPLE_RATE_HZ
    np.testing.assert_allclose(recorded[offset : offset + len(utterance)], utterance, atol=1e-6)


def test_the_end_of_a_frame_is_on_the_wire_with_the_packet_after_it() -> None:
    """libopus looks 312 samples ahead: they sound from the next packet, and wait for it where it is late."""
    late_s = [0.0] * 100
    late_s[51] = 0.015
    log = _sent_log(Uplink(background=silence(OPUS)), 100, late_s=late_s, first_timestamp=0)
    sent = sent_times(log, CallClock(zero_ns=ZERO_NS), OPUS)
    frame_s = 2.0 + 50 * 0.02
    for sample, by_s in ((0, 0.0), (960 - 312 - 2, 0.0), (960 - 312 + 2, 0.015), (959, 0.015)):
        at_s = frame_s + sample / SAMPLE_RATE_HZ
        wire = sent.wire_time(at_s)
        assert wire is not None
        assert wire.at_s == pytest.approx(at_s + by_s, abs=1e-6)


def test_an_utterance_that_the_end_of_the_call_cut_ends_with_the_last_frame_sent() -> None:
    uplink = Uplink(background=silence(OPUS))
    placed = uplink.schedule(prepare_clip(OPUS, clip("question")), first_voiced_frame=40)
    clock = CallClock(zero_ns=ZERO_NS)
    sent = sent_times(_sent_log(uplink, 60, late_s=[0.0] * 60, first_timestamp=0), clock, OPUS)
    span = utterance_span(placed, sent)
    assert span is not None
    assert span[1] == pytest.approx(2.0 + 60 * 0.02 - 1 / SAMPLE_RATE_HZ, abs=1e-6)
    nothing = sent_times(
        _sent_log(Uplink(background=silence(OPUS)), 40, late_s=[0.0] * 40, first_timestamp=0), clock, OPUS
    )
    assert utterance_span(placed, nothing) is None
    assert len(sent_times(MediaLog(codec="opus"), clock, OPUS).placed_s) == 0


def test_a_sender_that_was_held_up_sends_its_frames_late_but_on_their_places() -> None:
    """Our loop blocks for 150 ms: eight frames leave together. Their media time is what it was."""
    uplink = Uplink(background=silence(OPUS))
    frames = 400
    late = [0.0005] * frames
    for frame in range(100, 108):
        late[frame] = 0.15 - (frame - 100) * 0.02
    sent = sent_times(
        _sent_log(uplink, frames, late_s=late, first_timestamp=77), CallClock(zero_ns=ZERO_NS), OPUS
    )
    np.testing.assert_allclose(sent.due_s, 2.0005 + np.arange(frames) * 0.02, atol=1e-4)


def test_time_stamps_at_another_rate_than_was_promised_are_told_and_set_right() -> None:
    packets = stream(SIGNAL, timestamp=lambda frame: frame * 1920)
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.01)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S
    assert recording.gaps == []
    assert recording.media.clock == "its time stamps run 2 times as fast as its sound"


def test_time_stamps_that_are_none_leave_the_order_and_the_arrival() -> None:
    stamps = np.random.default_rng(4).integers(2**32, size=FRAMES).tolist()
    packets = stream(SIGNAL, timestamp=lambda frame: stamps[frame])
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.01)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S
    assert "no clock" in recording.media.clock


def test_a_slip_at_an_onset_moves_the_onset_and_nothing_before_it() -> None:
    """The sender loses 20 ms just before its third tone, and its time stamps know nothing of it."""
    packets = stream(SIGNAL, due_s=lambda frame: 1.0 + frame * 0.02 + 0.02 * (frame >= 105))
    recording = recording_of(over_the_path(packets, late_s=_jitter(FRAMES, 0.0005)))
    assert np.abs(_onset_errors(packets, recording.audio[:, 1])).max() < BOUND_S
    assert recording.media.clock == ""


@pytest.mark.parametrize("pace", [-0.05, -0.02, 0.01, 0.02, 0.05])
def test_sound_at_another_pace_than_real_time_has_no_holes(pace: float) -> None:
    """A tone of two seconds stays one: 95 % of its power within 30 Hz, as what knows tones wants it."""
    signal = bursts([1.0], total_s=8.0, length_s=2.0)
    packets = stream(signal, due_s=lambda frame: 1.0 + frame * 0.02 * (1 + pace))
    heard = recording_of(over_the_path(packets), end_s=12.0).audio[:, 1]
    start = round((1.0 + 1.0 * (1 + pace) + PATH_S + 0.1) * SAMPLE_RATE_HZ)
    power = np.square(np.abs(np.fft.rfft(heard[start : start + 80_000] * np.hanning(80_000))))
    peak = int(np.argmax(power))
    assert peak * SAMPLE_RATE_HZ / 80_000 == pytest.approx(1000 / (1 + pace), abs=2)
    width = round(30 * 80_000 / SAMPLE_RATE_HZ)
    assert np.sum(power[peak - width : peak + width]) > 0.95 * np.sum(power)


def test_sound_that_comes_faster_than_it_sounds_is_all_kept() -> None:
    """An agent sends a second of speech at twice its speed, its time stamps in step with its sending: by them
    packets would lie on each other. What was sent sounds to its end, and the packets' times stay known."""
    voice = clip("account")[: SAMPLE_RATE_HZ * 2]
    silent = np.zeros(SAMPLE_RATE_HZ * 2, np.float32)
    first = len(silent) // 960

    def sent(frame: int) -> float:
        hurried = min(max(frame - first - 10, 0), 50)
        return frame * 0.02 - hurried * 0.01

    signal = np.concatenate([silent, voice, silent])
    packets = stream(
        signal, due_s=lambda frame: 1.0 + sent(frame), timestamp=lambda frame: round(sent(frame) * 48_000)
    )
    recording = recording_of(over_the_path(packets), end_s=12.0)
    whole = np.sum(np.square(signal))
    assert np.sum(np.square(recording.audio[:, 1])) == pytest.approx(whole, rel=0.05)
    # Inside loud stretches; some quiet packets had to go.
    loud = np.max(np.abs(signal.reshape(-1, 960)), axis=1) > 0.03
    inside = loud & np.roll(loud, 1) & np.roll(loud, -1)
    assert np.count_nonzero(inside) > 30
    for frame in np.flatnonzero(inside).tolist():
        wire = recording.received.wire_time(float(recording.received.placed_s[frame]) + 0.001)
        assert wire is not None
        expected_s = packets[frame].due_s + PATH_S - OPUS.delay_s + 0.001
        assert wire.at_s == pytest.approx(expected_s, abs=0.003)


def test_what_came_before_the_call_is_in_the_recording_and_not_among_its_packets() -> None:
    before = over_the_path(stream(bursts([0.2], total_s=1.0), due_s=lambda frame: 1.0 + frame * 0.02))
    call = over_the_path(stream(bursts([0.5], total_s=2.0), due_s=lambda frame: 2.0 + frame * 0.02))
    log = MediaLog(codec="opus", received=call, early=before)
    recording = record(
        clock=CallClock(zero_ns=ZERO_NS), uplink=Uplink(background=silence(OPUS)), log=log, end_s=4.5
    )
    # 1 s + 0.2 s and 2 s + 0.5 s, each with its way here.
    assert np.round(tone_starts(recording.audio[:, 1]), 1).tolist() == [1.2, 2.5]
    assert recording.media.packets_received == len(call)
    assert recording.media.early_until_s == pytest.approx(2.0 + PATH_S - OPUS.delay_s, abs=0.021)
    # The analysis hears the call alone.
    file = RecordingOf(recording.audio.copy())
    _, agent = sides_of(file, recording.media)  # type: ignore[arg-type]
    assert np.round(tone_starts(agent), 1).tolist() == [2.5]
    assert len(tone_starts(sides_of(RecordingOf(recording.audio), None)[1])) == 2  # type: ignore[arg-type]


class RecordingOf:
    """Stands in for a recording's file."""

    def __init__(self, audio: NDArray[np.float32]) -> None:
        self._audio = audio

    def samples(self) -> NDArray[np.float32]:
        return self._audio
