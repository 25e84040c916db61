"""Calls that stand, to agents that then misbehave: each ends in time, in its own way, with what was recorded.

All of them are placed at the same time.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from aiortc import RTCPeerConnection

from harness.calls.voice.recorder import Recording
from harness.plans.call import Limits
from harness.records.call import CallStatus
from harness.runs.store import RunStore
from harness.transports.smallwebrtc.rtvi import MAX_MESSAGE_BYTES
from tests.faults.faulty_peers import EVERY, FLOOD_MESSAGES, FRAME_S, PEERS, SPEECH_FRAMES, TOO_LONG_BYTES
from tests.faults.placing import CLOSE_S, Batch, place_all, prepare

pytestmark = [pytest.mark.live, pytest.mark.alone]

LIMITS = Limits(connect_s=5.0, first_speech_s=2.5, silence_s=2.5, call_s=8.0)
SPEECH_S = SPEECH_FRAMES * FRAME_S
ROUND_S = EVERY * FRAME_S
BLOCK = 240
PAUSE_S = 0.065
"""Shorter pauses are those of a decoder that begins anew, or of packets that our own socket had no room for
while a flood was coming."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    """How a call ends, with which words, and how much of the agent's first speech is in the recording.

    ``harsh`` marks payloads that decode to anything: then only how the call does not end is known.
    ``scattered`` marks packets of which each is placed by its own arrival: a busy machine scatters them.
    """

    status: CallStatus = CallStatus.COMPLETED
    says: str = "every line was said and answered"
    first_speech_s: float = SPEECH_S
    harsh: bool = False
    scattered: bool = False


EXPECTED = {
    "never-speaks": Expected(
        status=CallStatus.CALLER_HANGUP,
        says="the agent did not say a word for 2.5 s after the call was connected",
        first_speech_s=0.0,
    ),
    "never-sends": Expected(
        status=CallStatus.CALLER_HANGUP,
        says="the agent did not say a word for 2.5 s after the call was connected",
        first_speech_s=0.0,
    ),
    "never-stops": Expected(
        status=CallStatus.TIMEOUT, says="the limit of 8 s came while the agent went on", first_speech_s=7.0
    ),
    "stops-in-mid-speech": Expected(
        status=CallStatus.CALLER_HANGUP,
        says="the agent was silent for 2.5 s after line 1",
        first_speech_s=SPEECH_S / 2,
    ),
    "hangs-up-mid-word": Expected(
        status=CallStatus.AGENT_HANGUP,
        says="greeting (the media connection is closed)",
        first_speech_s=SPEECH_S / 2,
    ),
    "peer-left": Expected(
        status=CallStatus.AGENT_HANGUP,
        says="greeting (the agent said that it left)",
        first_speech_s=SPEECH_S / 2,
    ),
    "garbage-opus": Expected(harsh=True),
    "jumping-timestamps": Expected(),
    "back-in-time": Expected(scattered=True),
    "changing-ssrc": Expected(),
    "new-ssrc-each-packet": Expected(scattered=True),
    "everything-thrice": Expected(),
    "garbage-packets": Expected(),
    "channel-garbage": Expected(),
    "channel-flood": Expected(),
}
ALL = tuple(EXPECTED)


@pytest.fixture(scope="module")
def batch(faulty: str) -> Batch:
    return place_all({kind: prepare(kind, f"{faulty}/{kind}", limits=LIMITS) for kind in EXPECTED})


def test_every_fault_is_tried() -> None:
    assert set(EXPECTED) == set(PEERS)


@pytest.mark.parametrize("kind", ALL)
def test_ends_in_its_own_way(batch: Batch, kind: str) -> None:
    ended, expected = batch.ended[kind], EXPECTED[kind]
    if expected.harsh:
        assert ended.status in (CallStatus.COMPLETED, CallStatus.CALLER_HANGUP, CallStatus.TIMEOUT)
    else:
        assert ended.status is expected.status, ended.detail
        assert expected.says in ended.detail


@pytest.mark.parametrize("kind", ALL)
def test_ends_in_time(batch: Batch, kind: str) -> None:
    ended = batch.ended[kind]
    assert ended.placed.record.duration_s < LIMITS.call_s + 1.0
    assert ended.wall_s < LIMITS.call_s + CLOSE_S
    assert "close-timeout" not in ended.kinds("wire")


@pytest.mark.parametrize("kind", ALL)
def test_keeps_what_was_recorded(batch: Batch, kind: str, tmp_path: Path) -> None:
    placed = batch.ended[kind].placed
    assert placed.recording is not None
    store = RunStore(tmp_path)
    store.write(placed)
    assert store.read_record(kind) == placed.record
    assert store.read_events(kind) == placed.events
    kept = store.read_audio(kind)
    assert kept is not None
    assert np.max(np.abs(kept - placed.recording.audio)) < 1 / 32768
    # No second is missing, and none is added: a few frames may come while we hang up.
    assert 0 <= len(kept) - round(placed.record.duration_s * 48_000) < 0.5 * 48_000


@pytest.mark.parametrize("kind", ALL)
def test_the_agents_speech_is_where_it_was(batch: Batch, kind: str) -> None:
    """Whatever becomes of timestamps, sources and payloads, what was heard before and between is heard."""
    placed, expected = batch.ended[kind].placed, EXPECTED[kind]
    assert placed.recording is not None
    speeches = _speeches(placed.recording)
    if expected.first_speech_s == 0.0:
        assert speeches == []
        return
    start_s, end_s = speeches[0]
    if expected.scattered:
        heard_s = sum(end - start for start, end in speeches if start < start_s + ROUND_S / 2)
        assert 0.5 * SPEECH_S < heard_s < SPEECH_S + 0.05
        return
    # Where the end is not the agent's own, it depends on how long connecting or a message took.
    tolerance_s = {"peer-left": 0.3, "never-stops": 1.5}.get(kind, 0.05)
    assert end_s - start_s == pytest.approx(expected.first_speech_s, abs=tolerance_s)
    if len(speeches) > 1 and not expected.harsh:
        assert speeches[1][0] - start_s == pytest.approx(ROUND_S, abs=0.03)
        assert speeches[1][1] - speeches[1][0] == pytest.approx(SPEECH_S, abs=0.05)


def test_what_never_came_is_not_invented(batch: Batch) -> None:
    silent = batch.ended["never-sends"].placed
    assert silent.recording is not None
    assert silent.record.media is not None
    assert silent.record.media.packets_received == 0
    assert not silent.recording.audio[:, 1].any()
    stopped = batch.ended["stops-in-mid-speech"].placed.recording
    assert stopped is not None
    after = round((_speeches(stopped)[0][1] + 0.1) * 48_000)
    assert not stopped.audio[after:, 1].any()


def test_copies_are_counted_and_not_heard_twice(batch: Batch) -> None:
    media = batch.ended["everything-thrice"].placed.record.media
    assert media is not None
    # aiortc's SRTP refuses a replay, so that no copy comes through in the first place.
    assert media.packets_lost == 0
    assert media.packets_duplicate in (0, 2 * media.packets_received)


def test_garbage_on_the_data_channel_leaves_what_can_be_read(batch: Batch) -> None:
    assert TOO_LONG_BYTES > MAX_MESSAGE_BYTES
    ended = batch.ended["channel-garbage"]
    texts = [event.data.get("text") for event in ended.placed.events if event.kind == "bot-output"]
    assert texts == [
        None,
        None,
        "half a ? character",
        "\ufffd[2J\ufffd <script>alert(1)</script> [bold]x[/bold]",
        "after all that",
    ]
    (heard,) = (event for event in ended.placed.events if event.kind == "user-transcription")
    assert len(heard.data["text"]) == 4000
    assert ended.placed.record.agent_name == "?\ufffd[31m"
    assert ended.kinds("wire").count("unusable-packet") == 1


def test_a_flood_is_stopped_and_noted(batch: Batch) -> None:
    ended = batch.ended["channel-flood"]
    (flood,) = (event for event in ended.placed.events if event.kind == "data-channel-flood")
    assert flood.data["messages"] < FLOOD_MESSAGES / 10
    assert len(ended.kinds("rtvi")) < FLOOD_MESSAGES / 10


def test_packets_that_cannot_be_read_are_noted_once(batch: Batch) -> None:
    assert batch.ended["garbage-packets"].kinds("wire").count("unusable-packet") == 1


def test_nothing_reaches_the_terminal(batch: Batch) -> None:
    assert batch.complaints == []


def test_a_connection_that_will_not_close_is_cut(faulty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After hanging up nothing is sent any more, and what was recorded is kept, even where closing hangs."""

    async def never(self: object) -> None:
        await asyncio.sleep(3600)

    monkeypatch.setattr(RTCPeerConnection, "close", never)
    batch = place_all({"cut": prepare("cut", f"{faulty}/peer-left", limits=LIMITS)})
    ended = batch.ended["cut"]
    assert ended.status is CallStatus.AGENT_HANGUP
    assert ended.wall_s < LIMITS.call_s + CLOSE_S
    assert "close-timeout" in ended.kinds("wire")
    assert ended.placed.recording is not None
    assert batch.complaints == []


def _speeches(recording: Recording) -> list[tuple[float, float]]:
    """Stretches of the agent's side above -26 dBFS, in seconds; joined over :data:`PAUSE_S`."""
    agent = np.abs(recording.audio[:, 1])
    blocks = agent[: len(agent) // BLOCK * BLOCK].reshape(-1, BLOCK).max(axis=1) > 0.05
    found: list[tuple[float, float]] = []
    for block in np.flatnonzero(blocks).tolist():
        start_s, end_s = block * BLOCK / 48_000, (block + 1) * BLOCK / 48_000
        if found and start_s - found[-1][1] <= PAUSE_S:
            found[-1] = (found[-1][0], end_s)
        else:
            found.append((start_s, end_s))
    return found
