"""Calls that stand, to agents that then misbehave: each ends in time, in its own way, with what was recorded.

What a peer sends is noted by the peer itself, and what is expected follows from that: on a busy machine a
peer is late, slow, or not done when the call ends, and the call has to be true to that. So the tests hold
however busy the machine is; with a peer that was on time they are as strict as on an idle one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import numpy as np
import pytest
from aiortc import RTCPeerConnection

from harness.calls.voice.recorder import Recording
from harness.plans.call import Limits
from harness.records.call import CallStatus, Gap
from harness.records.timeline import MESSAGES_DROPPED
from harness.runs.store import RunStore
from harness.transports.smallwebrtc.rtvi import MAX_MESSAGE_BYTES, MAX_MESSAGES_PER_S
from tests.faults.faulty_peers import FLOOD_MESSAGES, FRAME_S, PEERS, TOO_LONG_BYTES, Sent
from tests.faults.placing import CLOSE_S, Batch, Ended, place_all, prepare

pytestmark = [pytest.mark.live, pytest.mark.calls(places=5)]

LIMITS = Limits(connect_s=5.0, first_speech_s=2.5, silence_s=2.5, call_s=8.0)
BLOCK = 240
AT_ONCE = 5
"""Calls: all at the same time would keep a core busy by themselves."""
EDGE_S = 0.05
"""An onset or an end is so far from where the peer sent it, at most, if it sent it in time."""
HANDLED_S = 0.5
"""What a peer has done so long before a call's end has been taken note of."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    """How a call ends, and with which words.

    ``harsh`` marks payloads that decode to anything: then only how the call does not end is known.
    ``scattered`` marks packets of which each is placed by its own arrival: a busy machine scatters them.
    ``jumps`` is how often that is so within a speech: there what comes late comes over what was before it.
    """

    status: CallStatus = CallStatus.COMPLETED
    says: str = "every line was said and answered"
    harsh: bool = False
    scattered: bool = False
    jumps: int = 0


EXPECTED = {
    "never-speaks": Expected(
        status=CallStatus.CALLER_HANGUP,
        says="the agent did not say a word for 2.5 s after the call was connected",
    ),
    "never-sends": Expected(
        status=CallStatus.CALLER_HANGUP,
        says="the agent did not say a word for 2.5 s after the call was connected",
    ),
    "never-stops": Expected(status=CallStatus.TIMEOUT, says="the limit of 8 s came while the agent went on"),
    "stops-in-mid-speech": Expected(
        status=CallStatus.CALLER_HANGUP,
        says="the agent was silent for 2.5 s after line 1",
    ),
    "hangs-up-mid-word": Expected(
        status=CallStatus.AGENT_HANGUP,
        says="greeting (the media connection is closed)",
    ),
    "peer-left": Expected(
        status=CallStatus.AGENT_HANGUP,
        says="greeting (the agent said that it left)",
    ),
    "garbage-opus": Expected(harsh=True),
    "jumping-timestamps": Expected(jumps=6),
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
    calls = {kind: prepare(kind, f"{faulty}/{kind}", limits=LIMITS) for kind in EXPECTED}
    return place_all(calls, at_once=AT_ONCE)


@pytest.fixture(scope="module")
def told(batch: Batch, faulty: str) -> dict[str, Told]:
    """What the peers say that they did."""
    return {
        kind: Told(sent=Sent(**httpx.get(f"{faulty}/sent/{kind}", timeout=30).json()), ended=ended)
        for kind, ended in batch.ended.items()
    }


@dataclass(kw_only=True)
class Spoken:
    """One speech of a peer: from when its first frame was sent to the end of the sound of its last.

    Attributes:
        late_s: The longest that any of its frames was late. What is late comes in a heap, and who hears it by
            the peer's media clock rightly hears it earlier than it was sent.
    """

    start_s: float
    end_s: float
    late_s: float

    @property
    def length_s(self) -> float:
        return self.end_s - self.start_s

    @property
    def edge_s(self) -> float:
        """How far from here its sound may begin or end."""
        return EDGE_S + self.late_s

    def touches(self, loud: tuple[float, float]) -> bool:
        return loud[1] > self.start_s - self.edge_s and loud[0] < self.end_s + self.edge_s


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a peer did, on the clock of the call."""

    sent: Sent
    ended: Ended

    def at_s(self, monotonic_s: float) -> float:
        return monotonic_s - self.ended.placed.clock.zero_ns / 1e9

    @property
    def speeches(self) -> list[Spoken]:
        """Its speeches until the call's end."""
        over_s = self.ended.placed.record.duration_s
        found: list[Spoken] = []
        before = -2
        for frame, sent_s in self.sent.loud:
            start_s = self.at_s(sent_s)
            if start_s >= over_s:
                break
            if frame != before + 1:
                found.append(Spoken(start_s=start_s, end_s=start_s, late_s=0.0))
            found[-1].end_s = min(start_s + FRAME_S, over_s)
            # The frame after the last one has the last of its sound.
            found[-1].late_s = max(found[-1].late_s, *self.sent.late_s[frame : frame + 2])
            before = frame
        return found

    def had(self, monotonic_s: float | None) -> bool:
        """Whether something that it did was long enough before the call's end."""
        return monotonic_s is not None and (
            self.at_s(monotonic_s) < self.ended.placed.record.duration_s - HANDLED_S
        )


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
def test_keeps_what_was_recorded(batch: Batch, told: dict[str, Told], kind: str, tmp_path: Path) -> None:
    placed = batch.ended[kind].placed
    assert placed.recording is not None
    store = RunStore(tmp_path)
    store.write(placed)
    assert store.read_record(kind) == placed.record
    assert store.read_events(kind) == placed.events
    kept = store.read_audio(kind)
    assert kept is not None
    assert np.max(np.abs(kept - placed.recording.audio)) < 1 / 32768
    # No second is missing, and none is added, however long hanging up takes: but what a late peer sends in a
    # heap sounds for longer than it takes to come.
    late_s = max(told[kind].sent.late_s, default=0.0)
    # To the sample: a second that ends within one has it or not.
    assert -1 / 48_000 < len(kept) / 48_000 - placed.record.duration_s < 0.5 + late_s


@pytest.mark.parametrize("kind", ALL)
def test_the_agents_speech_is_where_it_was(told: dict[str, Told], kind: str) -> None:
    """Whatever becomes of timestamps, sources and payloads, what was heard before and between is heard where
    the peer sent it, and nothing else is."""
    peer, expected = told[kind], EXPECTED[kind]
    recording = peer.ended.placed.recording
    assert recording is not None
    over_s = peer.ended.placed.record.duration_s
    loud = [(start, min(end, over_s)) for start, end in _loud(recording) if start < over_s]
    spoken = peer.speeches
    if kind in ("never-speaks", "never-sends"):
        assert spoken == loud == []
        return
    assert spoken, "the peer said nothing in all the call"
    # What decodes to anything comes after the first speech.
    for one in spoken[:1] if expected.harsh else spoken:
        heard = [stretch for stretch in loud if one.touches(stretch)]
        heard_s = sum(end - start for start, end in heard)
        if expected.scattered:
            assert 0.5 * one.length_s - one.edge_s < heard_s < one.length_s + one.edge_s
            continue
        # What our own socket had no room for, while a flood was coming, is missing, and is said to be.
        arrived = _without(one, _gaps(peer.ended))
        off_s = one.edge_s + expected.jumps * one.late_s
        assert heard_s == pytest.approx(sum(end - start for start, end in arrived), abs=off_s)
        if arrived:
            assert heard[0][0] == pytest.approx(arrived[0][0], abs=one.edge_s)
            assert heard[-1][1] == pytest.approx(arrived[-1][1], abs=one.edge_s)
    if not expected.harsh:
        # After a gap a decoder begins anew, with a click.
        clicks = [Spoken(start_s=gap.end_s, end_s=gap.end_s, late_s=0.0) for gap in _gaps(peer.ended)]
        assert [one for one in loud if not any(each.touches(one) for each in [*spoken, *clicks])] == []


def test_what_never_came_is_not_invented(batch: Batch) -> None:
    silent = batch.ended["never-sends"].placed
    assert silent.recording is not None
    assert silent.record.media is not None
    assert silent.record.media.packets_received == 0
    assert not silent.recording.audio[:, 1].any()
    stopped = batch.ended["stops-in-mid-speech"].placed.recording
    assert stopped is not None
    after = round((_loud(stopped)[-1][1] + 0.1) * 48_000)
    assert not stopped.audio[after:, 1].any()


def test_copies_are_counted_and_not_heard_twice(batch: Batch, told: dict[str, Told]) -> None:
    media = batch.ended["everything-thrice"].placed.record.media
    assert media is not None
    # aiortc's SRTP refuses a replay, so that no copy comes through in the first place.
    assert media.packets_lost == 0
    # Those of the last packet may come when the call is over, and on a busy machine the call may be over
    # before a packet whose copies were seen has been decrypted.
    least, most = 2 * media.packets_received - 2, 2 * told["everything-thrice"].sent.frames
    assert media.packets_duplicate == 0 or least <= media.packets_duplicate <= most


def test_garbage_on_the_data_channel_leaves_what_can_be_read(batch: Batch, told: dict[str, Told]) -> None:
    assert TOO_LONG_BYTES > MAX_MESSAGE_BYTES
    ended, peer = batch.ended["channel-garbage"], told["channel-garbage"]
    texts = [event.data.get("text") for event in ended.placed.events if event.kind == "bot-output"]
    readable = [
        None,
        None,
        "half a ? character",
        "\ufffd[2J\ufffd <script>alert(1)</script> [bold]x[/bold]",
        "after all that",
    ]
    # The channel keeps its order: what came until the call's end is the beginning of it.
    assert texts == readable[: len(texts)]
    heard = [event.data["text"] for event in ended.placed.events if event.kind == "user-transcription"]
    assert [len(text) for text in heard] == [4000] * len(heard)
    assert ended.placed.record.agent_name in ("", "?\ufffd[31m")
    assert ended.kinds("wire").count("unusable-packet") <= 1
    if peer.had(peer.sent.delivered_s):
        assert texts == readable
        assert len(heard) == 1
        assert ended.placed.record.agent_name == "?\ufffd[31m"
        assert ended.kinds("wire").count("unusable-packet") == 1
        (dropped,) = (event for event in ended.placed.events if event.kind == MESSAGES_DROPPED)
        assert set(dropped.data) == {"too large", "not understood"}
        assert dropped.data["too large"] == 2
        assert dropped.data["not understood"] >= 10


def test_a_flood_is_stopped_and_noted(batch: Batch) -> None:
    """Nothing beyond the bound is kept, and what does not stay within it is closed. How much of a flood comes
    within a second is the machine's affair; the bound is tried in ``test_rtvi``, with a clock of its own."""
    ended = batch.ended["channel-flood"]
    kept = Counter(int(event.t) for event in ended.placed.events if event.source == "rtvi")
    assert max(kept.values(), default=0) <= MAX_MESSAGES_PER_S
    floods = [event for event in ended.placed.events if event.kind == "data-channel-flood"]
    assert len(floods) <= 1
    if floods:
        assert floods[0].data["messages"] < FLOOD_MESSAGES / 10
        assert all(event.t <= floods[0].t for event in ended.placed.events if event.source == "rtvi")


def test_packets_that_cannot_be_read_are_noted_once(batch: Batch, told: dict[str, Told]) -> None:
    peer = told["garbage-packets"]
    noted = batch.ended["garbage-packets"].kinds("wire").count("unusable-packet")
    assert noted <= 1
    if peer.had(peer.sent.tricks_s):
        assert noted == 1


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


def _loud(recording: Recording) -> list[tuple[float, float]]:
    """Stretches of the agent's side above -26 dBFS, in seconds."""
    agent = np.abs(recording.audio[:, 1])
    blocks = agent[: len(agent) // BLOCK * BLOCK].reshape(-1, BLOCK).max(axis=1) > 0.05
    edges = np.flatnonzero(np.diff(blocks.astype(np.int8), prepend=0, append=0)) * (BLOCK / 48_000)
    return [(float(start), float(end)) for start, end in edges.reshape(-1, 2)]


def _gaps(ended: Ended) -> list[Gap]:
    """Of the agent's side, in order."""
    gaps = [gap for gap in ended.placed.record.gaps if gap.side == "agent"]
    return sorted(gaps, key=lambda gap: gap.start_s)


def _without(spoken: Spoken, gaps: Sequence[Gap]) -> list[tuple[float, float]]:
    """What of a speech lies in no gap, in seconds."""
    arrived, at_s = [], spoken.start_s
    for gap in gaps:
        arrived.append((at_s, min(gap.start_s, spoken.end_s)))
        at_s = max(at_s, gap.end_s)
    arrived.append((at_s, spoken.end_s))
    return [(start_s, end_s) for start_s, end_s in arrived if end_s > start_s]
