"""One call from dialling to its record, with an agent whose every stamp is known."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import time
import weakref
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.live import LiveCall
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.calls.voice.recorder import Recording
from harness.calls.voice.retries import RetryBell
from harness.calls.voice.sent import PACING_BOUND_P95_MS
from harness.errors import HarnessFault, SetupFailed
from harness.models.language import Retry
from harness.plans.call import Limits
from harness.records.call import CallStatus, Event
from harness.records.endings import BY_PERSON
from harness.transports.base import ConnectionLost, MediaLog, MediaSession, ReceivedPacket
from harness.transports.clips.clip import Clip
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink, silence
from tests.unit.harness.stand_ins.fake_agent import (
    PATH_NS,
    FakeEars,
    FakeTransport,
    prepared_call,
    wait_for_packets,
)
from voice_sim.caller.caller import Caller
from voice_sim.caller.events import CallerAction, CallerEvent
from voice_sim.policies.script import ScriptLine
from voice_sim.voice.utterance import tone

PATIENCE_S = 30.0
Floats = NDArray[np.float64]
LINE = ScriptLine(say="one", pause_s=0.0)
REPLY = tone(0.4).samples


async def _place(
    transport: FakeTransport,
    prepared: PreparedCall | None = None,
    *,
    ears: FakeEars | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Held:
    async with asyncio.timeout(PATIENCE_S):
        return await place_call(
            dataclasses.replace(prepared or prepared_call(LINE), transport=transport),
            beside=Beside(ears=cast(Ears, ears or FakeEars())),
            on_event=on_event,
        )


def _kinds(placed: Held) -> list[str]:
    return [event.kind for event in placed.events]


async def test_a_plain_call_leaves_what_was_said_when_and_both_sides_sound() -> None:
    transport = FakeTransport(answers=[(0.3, REPLY)])
    placed = await _place(transport)
    record, recording = placed.record, placed.recording
    assert recording is not None
    assert record.status is CallStatus.COMPLETED, record.status_detail
    assert transport.sessions[0].closed
    [said] = record.utterances
    first_deadline_ns = transport.sessions[0].log.first_deadline_ns
    assert first_deadline_ns is not None
    zero_s = placed.clock.at_s(first_deadline_ns)
    # A line opens a frame, and frames leave on exact deadlines here.
    frames = (said.start_s - zero_s) / 0.02
    assert frames == pytest.approx(round(frames), abs=1e-3)
    voiced_s = (len(tone(0.5).samples) - 1) / 48_000
    assert said.end_s - said.start_s == pytest.approx(voiced_s, abs=1e-6)
    assert (said.index, said.text, said.kind, said.cut_short) == (0, "one", "turn", False)
    # The recording has the line where the record says, and the reply where it arrived.
    caller, agent = recording.audio[:, 0], recording.audio[:, 1]
    loud = np.flatnonzero(np.abs(caller) > 0.01)
    assert loud[0] / 48_000 == pytest.approx(said.start_s, abs=0.001)
    assert loud[-1] / 48_000 == pytest.approx(said.end_s, abs=0.001)
    heard = np.flatnonzero(np.abs(agent) > 0.01)
    # The answer opens a frame 0.3 s after the frame that holds the line's last voiced sample.
    last_frame = int((said.end_s - zero_s + 1e-9) / 0.02)
    answered_s = zero_s + (last_frame + 1) * 0.02 + 0.3 + PATH_NS / 1e9
    assert heard[0] / 48_000 == pytest.approx(answered_s, abs=0.001)
    assert len(recording.audio) >= round(record.duration_s * 48_000)
    assert record.agent_name == "fake agent"
    assert record.versions == {"test": "1"}
    assert record.connected_after_s is not None
    assert 0 <= record.connected_after_s <= record.duration_s
    times = [event.t for event in placed.events]
    assert times == sorted(times)
    steps = [
        kind
        for kind in _kinds(placed)
        if kind in ("connected", "speak", "utterance-ended", "speech-started", "speech-ended", "ended")
    ]
    assert steps == ["connected", "speak", "utterance-ended", "speech-started", "speech-ended", "ended"]


async def test_what_is_large_of_a_call_goes_with_it_and_not_when_python_looks_for_circles() -> None:
    transport = FakeTransport(answers=[(0.3, REPLY)])
    prepared = prepared_call(LINE)
    clip = weakref.ref(cast(Sequence[Clip], prepared.clips)[0])
    gc.disable()
    try:
        placed = await _place(transport, prepared)
        assert clip() is not None
        del prepared
        assert clip() is None
    finally:
        gc.enable()
    # What the figures need of it was taken before.
    assert placed.recording is not None
    assert len(placed.recording.sent.placed_s) == len(placed.late_ms) > 0
    log = transport.sessions[0].log
    assert (log.received, log.sent, log.lateness_s) == ([], [], [])


async def test_a_retry_of_the_callers_model_is_in_the_timeline_and_ends_nothing() -> None:
    retries = RetryBell()
    prepared = dataclasses.replace(prepared_call(LINE), retries=retries)
    retry = Retry(model="m", attempt=1, wait_s=0.5, kind="rate_limit", reason="HTTP 429")

    def on_event(event: Event) -> None:
        if event.kind == "utterance-began":
            retries.ring(retry)

    placed = await _place(FakeTransport(answers=[(0.3, REPLY)]), prepared, on_event=on_event)
    assert placed.record.status is CallStatus.COMPLETED, placed.record.status_detail
    (told,) = (event for event in placed.events if event.kind == "llm-retry")
    assert (told.side, told.source) == ("caller", "policy")
    assert told.data == {"attempt": 1, "kind": "rate_limit", "reason": "HTTP 429", "wait_s": 0.5}


@pytest.mark.alone
async def test_an_interruption_begins_at_the_planned_offset_into_the_agent_s_speech() -> None:
    limits = Limits(first_speech_s=3.0, silence_s=3.0, call_s=3.5)
    prepared = prepared_call(LINE, ScriptLine(say="wait", barge_in_after_s=0.8), limits=limits)
    transport = FakeTransport(answers=[(0.3, tone(5.0).samples)])
    placed = await _place(transport, prepared)
    first, barge_in = placed.record.utterances
    assert barge_in.kind == "barge_in"
    assert barge_in.agent_onset_s is not None
    first_deadline_ns = transport.sessions[0].log.first_deadline_ns
    assert first_deadline_ns is not None
    zero_s = placed.clock.at_s(first_deadline_ns)
    onset_s = zero_s + (int((first.end_s - zero_s + 1e-9) / 0.02) + 1) * 0.02 + 0.3 + PATH_NS / 1e9
    assert barge_in.agent_onset_s == pytest.approx(onset_s, abs=0.01)
    assert barge_in.planned_s == pytest.approx(barge_in.agent_onset_s + 0.8, abs=1e-6)
    # Frames have 20 ms: the nearest one is at most 10 ms off; a machine that is held up can only be later.
    assert barge_in.start_s >= barge_in.planned_s - 0.0101


async def test_two_placements_of_a_call_say_the_same_and_differ_in_times_only() -> None:
    transport = FakeTransport(says=[(1.0, REPLY)])
    one, other = await asyncio.gather(_place(transport), _place(transport))
    assert [u.audio_sha256 for u in one.record.utterances] == [
        u.audio_sha256 for u in other.record.utterances
    ]
    assert _kinds(one) == _kinds(other)
    assert one.record.plan.digest == other.record.plan.digest
    assert one.record.status is other.record.status is CallStatus.COMPLETED


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (SetupFailed("nobody there"), CallStatus.SETUP_FAILED),
        (HarnessFault("our socket broke"), CallStatus.HARNESS_FAULT),
    ],
)
async def test_a_call_that_never_stood_has_its_reason_and_no_recording(
    failure: Exception, status: CallStatus
) -> None:
    placed = await _place(FakeTransport(fails=failure))
    assert placed.record.status is status
    assert placed.record.status_detail == str(failure)
    assert placed.recording is None
    assert placed.record.connected_after_s is None
    assert placed.record.media is None
    assert _kinds(placed) == ["ended"]


async def test_an_agent_that_hangs_up_mid_line_keeps_what_was_recorded() -> None:
    prepared = prepared_call(LINE, line_s=3.0)
    placed = await _place(FakeTransport(says=[(0.2, REPLY)], hangs_up_after_s=1.0), prepared)
    assert placed.record.status is CallStatus.AGENT_HANGUP
    assert placed.recording is not None
    assert np.abs(placed.recording.audio[:, 1]).max() > 0.05
    [said] = placed.record.utterances
    assert said.cut_short
    assert said.end_s <= placed.record.duration_s + 0.1
    assert "hung-up" in _kinds(placed)


@pytest.mark.parametrize("starts_media", [True, False])
async def test_a_connection_that_is_lost_is_nobody_s_hang_up(starts_media: bool) -> None:
    transport = FakeTransport(
        says=[(0.2, REPLY)],
        hangs_up_after_s=1.0 if starts_media else 0.05,
        hangs_up_by=ConnectionLost("ICE gave up"),
        starts_media=starts_media,
    )
    placed = await _place(transport, prepared_call(LINE, line_s=3.0))
    assert placed.record.status is CallStatus.CONNECTION_LOST
    assert placed.record.end_reason == "connection_lost"
    assert placed.record.status_detail.startswith("the connection was lost ")
    assert placed.record.status_detail.endswith("(ICE gave up)")
    assert "hung-up" not in _kinds(placed)
    assert ("connection-lost" in _kinds(placed)) == starts_media


async def test_a_fault_of_ours_before_the_stream_begins_is_told_as_one() -> None:
    transport = FakeTransport(starts_media=False)
    placing = asyncio.ensure_future(_place(transport))
    while not transport.sessions:  # noqa: ASYNC110 - a stand-in that tells of nothing
        await asyncio.sleep(0.01)
    transport.sessions[0].ended.set_exception(HarnessFault("our socket broke"))
    placed = await placing
    assert (placed.record.status, placed.record.status_detail) == (
        CallStatus.HARNESS_FAULT,
        "our socket broke",
    )


async def test_an_agent_that_leaves_before_the_stream_begins_ends_the_call() -> None:
    placed = await _place(FakeTransport(starts_media=False, hangs_up_after_s=0.05))
    assert placed.record.status is CallStatus.AGENT_HANGUP
    assert placed.record.pacing is None
    assert placed.record.utterances == []


async def test_an_agent_that_never_speaks_is_given_up() -> None:
    limits = Limits(first_speech_s=0.3, silence_s=0.3, call_s=20.0)
    placed = await _place(FakeTransport(), prepared_call(LINE, wait_for_greeting=True, limits=limits))
    assert placed.record.status is CallStatus.CALLER_HANGUP
    assert "did not say a word" in placed.record.status_detail


async def test_an_agent_that_talks_without_end_runs_into_the_limit() -> None:
    limits = Limits(first_speech_s=3.0, silence_s=3.0, call_s=1.2)
    transport = FakeTransport(says=[(0.1, tone(5.0).samples)])
    placed = await _place(transport, prepared_call(LINE, wait_for_greeting=True, limits=limits))
    assert placed.record.status is CallStatus.TIMEOUT
    assert placed.record.duration_s >= 1.2


async def test_an_agent_that_stops_sending_has_ended_its_reply() -> None:
    """No packet comes after its last word: only the clock can tell that it is quiet."""
    placed = await _place(FakeTransport(says=[(1.5, REPLY)], sends_until_s=1.9))
    assert placed.record.status is CallStatus.COMPLETED, placed.record.status_detail
    ended = next(event for event in placed.events if event.kind == "speech-ended")
    started = next(event for event in placed.events if event.kind == "speech-started")
    assert ended.data["at_s"] - started.data["at_s"] == pytest.approx(0.4, abs=0.03)


async def test_a_sender_that_was_too_often_late_makes_the_call_our_fault() -> None:
    beyond_s, within_s = PACING_BOUND_P95_MS * 1.2e-3, PACING_BOUND_P95_MS * 0.9e-3
    lateness: dict[str, Callable[[int], float]] = {
        "one frame in 12 beyond the bound": lambda frame: beyond_s if frame % 12 == 0 else 0.0,
        "one frame in 50 beyond the bound": lambda frame: beyond_s if frame % 50 == 0 else 0.0,
        "every frame within the bound": lambda frame: within_s,
        # The stream starts while the loop still sets things up.
        "every frame of the first half second": lambda frame: 0.08 if frame < 25 else 0.0,
    }
    transports = [FakeTransport(answers=[(0.3, REPLY)], late_s=late_s) for late_s in lateness.values()]
    calls = dict(zip(lateness, await asyncio.gather(*map(_place, transports)), strict=True))
    late = calls.pop("one frame in 12 beyond the bound").record
    assert late.status is CallStatus.HARNESS_FAULT
    assert "sender was 12.0 ms late" in late.status_detail
    assert "completed" in late.status_detail
    assert late.voided is CallStatus.COMPLETED
    assert late.pacing is not None
    assert late.pacing.late_p95_ms == pytest.approx(12.0)
    late_max_ms = {
        "one frame in 50 beyond the bound": 12.0,
        "every frame within the bound": 9.0,
        "every frame of the first half second": 0.0,
    }
    for kind, expected_ms in late_max_ms.items():
        record = calls[kind].record
        assert record.status is CallStatus.COMPLETED, kind
        assert record.voided is None
        assert record.pacing is not None
        assert record.pacing.frames == len(calls[kind].late_ms)
        assert record.pacing.late_max_ms == pytest.approx(expected_ms)


async def test_ctrl_c_hangs_up_and_keeps_what_there_is() -> None:
    transport = FakeTransport(says=[(0.1, tone(5.0).samples)])
    task = asyncio.create_task(_place(transport, prepared_call(LINE, wait_for_greeting=True)))
    await wait_for_packets(transport, 30, task=task)
    task.cancel()
    placed = await task
    assert (placed.record.status, placed.record.status_detail) == (
        CallStatus.INTERRUPTED,
        BY_PERSON,
    )
    assert transport.sessions[0].closed
    assert placed.recording is not None
    assert placed.recording.media.packets_received >= 30


async def test_ctrl_c_when_a_call_is_over_loses_nothing_of_it() -> None:
    def on_event(event: Event) -> None:
        if event.kind == "ended":
            task.cancel()

    task = asyncio.create_task(_place(FakeTransport(answers=[(0.3, REPLY)]), on_event=on_event))
    placed = await task
    assert (placed.record.status, placed.broken_off) == (CallStatus.COMPLETED, True)
    assert placed.recording is not None
    assert len(placed.recording.audio) > 0


async def test_ears_that_die_make_the_call_our_fault() -> None:
    ears = FakeEars()
    transport = FakeTransport(says=[(0.1, tone(5.0).samples)])
    asyncio.get_running_loop().call_later(0.4, lambda: setattr(ears, "lost", "the listener has ended"))
    placed = await _place(transport, prepared_call(LINE, wait_for_greeting=True), ears=ears)
    assert placed.record.status is CallStatus.HARNESS_FAULT
    assert placed.record.status_detail == "the listener has ended"


class _BrokenCaller(Caller):
    """Decides nothing after it has been connected."""

    def on(self, event: CallerEvent) -> list[CallerAction]:
        if self.state.value != "idle":
            raise LookupError("no such line")
        return super().on(event)


async def test_a_caller_that_breaks_ends_the_call_as_our_fault() -> None:
    prepared = prepared_call(LINE, wait_for_greeting=True)
    caller = _BrokenCaller(policy=prepared.caller._policy, patience=prepared.caller._patience)
    broken = dataclasses.replace(prepared, caller=caller)
    placed = await _place(FakeTransport(says=[(0.1, REPLY)]), broken)
    assert placed.record.status is CallStatus.HARNESS_FAULT
    assert "LookupError: no such line" in placed.record.status_detail


# --- where the ears are told that a packet belongs


class _Noting(FakeEars):
    def __init__(self) -> None:
        super().__init__()
        self.at_s: list[float] = []

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        if payload:
            self.at_s.append(at_s)


class _Standing:
    """A session of which only the future, the event and the codec are looked at."""

    def __init__(self) -> None:
        self.log = MediaLog(codec="opus")
        self.media_started = asyncio.Event()
        self.media_started.set()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.agent_name = ""


async def _heard_at(due_s: Floats, timestamps: list[int], late_s: Floats) -> Floats:
    """Where a live call places packets that were due at these times, in seconds after each was due."""
    clock = CallClock(zero_ns=time.monotonic_ns())
    ears = _Noting()
    prepared = prepared_call(LINE, wait_for_greeting=True)
    call = LiveCall(
        clock=clock,
        uplink=Uplink(background=silence(OPUS)),
        session=cast(MediaSession, _Standing()),
        caller=prepared.caller,
        clips=prepared.clips,
        ears=cast(Ears, ears),
        on_event=lambda event: None,
    )
    running = asyncio.create_task(call.run())
    while not ears._streams:  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0.001)
    for at_s, timestamp in zip(due_s + late_s, timestamps, strict=True):
        stamp = RtpStamp(
            media_ticks=timestamp % 2**32, monotonic_ns=clock.monotonic_ns(float(at_s)), sequence=0, ssrc=1
        )
        call.on_packet(ReceivedPacket(stamp=stamp, payload=b"\xf8\xff\xfe"))
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert len(ears.at_s) == len(due_s)
    return np.array(ears.at_s) - due_s


@pytest.mark.parametrize("first", [0, 2**32 - 960 * 100])
async def test_packets_are_heard_at_their_place_whatever_the_jitter_and_over_a_wrap(first: int) -> None:
    frames = np.arange(1000)
    late_s = np.random.default_rng(1).uniform(0.0, 0.01, 1000)
    errors = await _heard_at(1.0 + frames * 0.02, [first + 960 * int(f) for f in frames], late_s)
    # The envelope gives way by 0.4 ms a packet until an early one comes.
    assert errors.max() < 0.01
    assert errors.mean() < 0.003
    assert errors.min() >= -1e-6


async def test_the_drift_of_a_sender_that_sleeps_does_not_make_the_ears_early() -> None:
    frames = np.arange(3000)
    errors = await _heard_at(1.0 + frames * 0.02024, [960 * int(f) for f in frames], np.zeros(3000))
    assert np.abs(errors).max() < 0.01


@pytest.mark.parametrize("pause_s", [0.3, 3.0])
async def test_timestamps_that_stood_still_in_a_pause_are_caught_up_with(pause_s: float) -> None:
    frames = np.arange(2000)
    due_s = 1.0 + frames * 0.02 + pause_s * (frames >= 500)
    errors = await _heard_at(due_s, [960 * int(f) for f in frames], np.zeros(2000))
    assert np.abs(errors[:500]).max() < 1e-6
    assert np.abs(errors[500 + 50 * 16 :]).max() < 0.01, "at the latest after 16 s"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (HarnessFault("the disk is full"), "the disk is full"),
        (AttributeError("no such thing"), "AttributeError: no such thing"),
    ],
)
async def test_a_call_whose_recording_cannot_be_made_is_told_as_our_fault_with_how_it_ended(
    error: Exception, told: str
) -> None:
    async def make(**_: object) -> Recording:
        raise error

    async with asyncio.timeout(PATIENCE_S):
        placed = await place_call(
            dataclasses.replace(prepared_call(LINE), transport=FakeTransport(answers=[(0.3, REPLY)])),
            beside=Beside(ears=cast(Ears, FakeEars()), make_recording=make),
        )
    assert placed.record.status is CallStatus.HARNESS_FAULT
    assert told in placed.record.status_detail
    assert "the call itself ended as completed" in placed.record.status_detail
    assert placed.recording is None
    assert placed.record.utterances == []
    assert "fault" in _kinds(placed)
