"""What every transport keeps, tried in real calls: to the calibration agent, and where no call comes about.

All calls of a transport are placed at the same time, but for those that are timed. A machine that is too busy
to time anything (``harness_fault``, or figures that are lost) gets two more tries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from harness.calls.voice.place import PreparedCall
from harness.plans.call import ConditionsPlan
from harness.records.call import SAMPLE_RATE_HZ, CallStatus
from harness.selfcheck.calibration.compare import Comparisons, compare_call
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, design
from harness.selfcheck.calibration.run import prepare as prepare_calibration
from harness.transports.by_scheme import SCHEMES, transport_for, transport_name, transport_names
from harness.transports.codecs.table import codec_named
from metrics.speech import detect_speech
from tests.contract.transports.reference import TRANSPORTS, Peers, TransportUnderTest
from tests.faults.placing import CLOSE_S, LIMITS, Batch, Ended, place_all, prepare

pytestmark = [pytest.mark.live, pytest.mark.calls(places=2)]

NO_CALL = ("nobody", "refusing", "mute", "garbage")
TURNS, INTERRUPTIONS = 4, 2
TRIES = 3
PATH_S = 0.02
"""The way between two processes of one machine takes less, and a sample's place is known better."""
STANDING = LIMITS.model_copy(update={"connect_s": 10.0})
"""A machine that is busy with other tests takes its time over a handshake."""
SHORT = STANDING.model_copy(update={"call_s": 5.0})
TONE = {"tone_ms": 600}

BEHAVIOURS: dict[str, dict[str, Any]] = {
    "talks": {
        "greeting": {"after_ms": 300, "say": TONE},
        "turns": [{"answer_after_ms": 400, "say": TONE}],
    },
    "hangs-up": {
        "greeting": {"after_ms": 300, "say": TONE},
        "turns": [{"answer_after_ms": 300, "say": {"tone_ms": 2000}}],
        "hang_up_after_turn": 0,
    },
    "never-speaks": {"turns": []},
    "never-stops": {"greeting": {"after_ms": 300, "say": {"tone_ms": 20_000}}},
}
"""What the reference agent does in the calls that are not timed."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A transport, and what came of its calls; ``truth`` by the name of the call."""

    under_test: TransportUnderTest
    peers: Peers
    batch: Batch
    truth: dict[str, dict[str, Any]]

    def ended(self, name: str) -> Ended:
        return self.batch.ended[name]


@dataclass(frozen=True, kw_only=True)
class Timed:
    """The calls that are compared with the agent's log."""

    under_test: TransportUnderTest
    compared: Comparisons
    batch: Batch


PARAMS = [
    pytest.param(name, marks=pytest.mark.long) if one.long else name for name, one in TRANSPORTS.items()
]


@pytest.fixture(scope="module", params=PARAMS)
def peers(request: pytest.FixtureRequest) -> Iterator[tuple[TransportUnderTest, Peers]]:
    under_test = TRANSPORTS[request.param]
    with under_test.agents() as peers:
        yield under_test, peers


@pytest.fixture(scope="module")
def tried(peers: tuple[TransportUnderTest, Peers]) -> Tried:
    under_test, there = peers
    calls: dict[str, PreparedCall] = {
        name: prepare(
            name,
            there.reference,
            request_data=under_test.tells({"session": name, "behaviour": behaviour}),
            limits=SHORT if name == "never-stops" else STANDING,
        )
        for name, behaviour in BEHAVIOURS.items()
    }
    calls |= {
        name: prepare(name, getattr(there, name), limits=LIMITS if name == "mute" else STANDING)
        for name in (*NO_CALL, "spoilt")
    }
    batch = place_all(calls)
    truth = {name: there.truth(name) for name in BEHAVIOURS}
    return Tried(under_test=under_test, peers=there, batch=batch, truth=truth)


@pytest.fixture(scope="module")
def timed(peers: tuple[TransportUnderTest, Peers]) -> Timed:
    under_test, there = peers
    for attempt in range(TRIES):
        timed = _timed(under_test, there, attempt)
        if not (timed.compared.faults or timed.compared.lost):
            return timed
    if timed.compared.faults:
        pytest.fail("the machine is too busy to measure anything: " + "; ".join(timed.compared.faults))
    return timed


def test_every_transport_of_the_table_is_tried() -> None:
    assert set(TRANSPORTS) == set(transport_names())
    for name, one in TRANSPORTS.items():
        assert one.scheme in SCHEMES.names()
        address = f"{one.scheme}:user@host" if one.scheme == "sip" else f"{one.scheme}://host:1"
        assert transport_name(address) == name


def test_it_is_named_as_in_the_table_and_sends_a_known_codec(tried: Tried) -> None:
    transport = transport_for(tried.peers.reference)
    assert transport.name == transport_name(tried.peers.reference)
    assert codec_named(transport.codec).name == transport.codec


# --- a call that stands


def test_a_call_is_dialled_talked_through_and_hung_up_by_us(tried: Tried) -> None:
    ended = tried.ended("talks")
    assert ended.status is CallStatus.COMPLETED, ended.detail
    kinds = [(event.side, event.kind) for event in ended.placed.events]
    assert kinds.index(("agent", "connected")) < kinds.index(("caller", "utterance-began"))
    assert ended.placed.record.connected_after_s is not None
    assert ended.placed.record.connected_after_s < STANDING.connect_s
    # The agent's side saw the end of it, and nobody had to be torn away.
    assert tried.truth["talks"]["over"]
    assert "close-timeout" not in ended.kinds("wire")


def test_the_agent_heard_what_we_said_when_we_said_it(tried: Tried) -> None:
    ended, heard = tried.ended("talks"), tried.truth["talks"]["heard"]
    zero_s = ended.placed.clock.zero_ns / 1e9
    assert len(heard) == len(ended.placed.record.utterances) == 1
    said = ended.placed.record.utterances[0]
    assert heard[0]["first_s"] - zero_s == pytest.approx(said.start_s, abs=PATH_S)
    assert heard[0]["last_s"] - zero_s == pytest.approx(said.end_s, abs=PATH_S)


def test_we_heard_what_the_agent_said_when_it_said_it(tried: Tried) -> None:
    ended, spoke = tried.ended("talks"), tried.truth["talks"]["spoke"]
    zero_s = ended.placed.clock.zero_ns / 1e9
    assert ended.placed.recording is not None
    talks = detect_speech(ended.placed.recording.audio[:, 1], SAMPLE_RATE_HZ, marker_tones=True).talks
    spans = [talk.span for talk in talks]
    assert len(spans) == len(spoke) == 2
    for span, one in zip(spans, spoke, strict=True):
        assert span.start_s == pytest.approx(one["first_s"] - zero_s, abs=PATH_S)
        assert span.end_s == pytest.approx(one["last_s"] - zero_s, abs=PATH_S)


def test_its_packets_are_stamped_both_ways(tried: Tried) -> None:
    ended = tried.ended("talks")
    recording, media, pacing = ended.placed.recording, ended.placed.record.media, ended.placed.record.pacing
    assert recording is not None
    assert media is not None
    assert pacing is not None
    frame_s = codec_named(transport_for(tried.peers.reference).codec).frame_s
    # Every frame that was handed over left, in order, each a frame further in media time.
    assert abs(len(recording.sent.media_s) - pacing.frames) <= 2
    np.testing.assert_allclose(np.diff(recording.sent.media_s), frame_s, atol=1e-9)
    assert (np.diff(recording.sent.passed_s) >= 0).all()
    assert codec_named(media.codec).name == media.codec
    assert media.packets_received == len(recording.received.passed_s)
    assert media.packets_lost == 0
    # A packet passes late, never early, and what it holds was spoken before.
    assert (recording.received.passed_s - recording.received.placed_s >= -1e-6).all()
    assert recording.received.passed_s.min() > 0
    assert recording.received.passed_s.max() < ended.placed.record.duration_s + CLOSE_S


def test_the_agent_hangs_up(tried: Tried) -> None:
    ended = tried.ended("hangs-up")
    assert ended.status is CallStatus.AGENT_HANGUP, ended.detail
    (at_s,) = [event.t for event in ended.placed.events if event.kind == "hung-up"]
    # In the middle of its answer of two seconds: noticed before that would have been over.
    answer = tried.truth["hangs-up"]["spoke"][-1]
    assert at_s + ended.placed.clock.zero_ns / 1e9 < answer["end_s"] + 0.5
    assert ended.placed.recording is not None


# --- deadlines


def test_an_agent_that_never_speaks_is_left_in_time(tried: Tried) -> None:
    ended = tried.ended("never-speaks")
    assert ended.status is CallStatus.CALLER_HANGUP, ended.detail
    assert "did not say a word for 2.5 s" in ended.detail
    assert tried.truth["never-speaks"]["over"]


def test_a_call_ends_at_its_limit(tried: Tried) -> None:
    ended = tried.ended("never-stops")
    assert ended.status is CallStatus.TIMEOUT, ended.detail
    assert SHORT.call_s <= ended.placed.record.duration_s < SHORT.call_s + 1.0
    assert ended.wall_s < SHORT.call_s + CLOSE_S


# --- no call, and spoilt ones


@pytest.mark.parametrize("kind", NO_CALL)
def test_where_no_call_comes_about_it_is_told_where_and_why(tried: Tried, kind: str) -> None:
    ended = tried.ended(kind)
    assert ended.placed.record.status is CallStatus.SETUP_FAILED, ended.placed.record.status_detail
    assert ended.detail.startswith(getattr(tried.peers, kind))
    assert tried.peers.says[kind] in ended.detail
    assert all(char.isprintable() or char == "\n" for char in ended.detail)
    assert ended.wall_s < STANDING.connect_s + CLOSE_S
    if kind == "mute":
        assert ended.wall_s < LIMITS.connect_s + CLOSE_S
    assert ended.placed.recording is None


def test_garbage_in_a_call_does_not_end_it(tried: Tried) -> None:
    ended = tried.ended("spoilt")
    assert ended.status is CallStatus.COMPLETED, ended.detail
    assert ended.placed.recording is not None
    assert np.abs(ended.placed.recording.audio[:, 1]).max() > 0.05


def test_nothing_reaches_the_terminal_but_the_messages(tried: Tried) -> None:
    assert tried.batch.complaints == []


# --- timing


def test_figures_lie_within_the_error_bar_of_the_truth(timed: Timed) -> None:
    compared = timed.compared
    # What follows an interruption is an answer as well.
    assert len(compared.responses) >= TURNS, compared.lost
    assert len(compared.interruptions) == INTERRUPTIONS, compared.lost
    errors_ms = [one.error_ms for one in (*compared.responses, *compared.interruptions)]
    assert np.percentile(np.abs(errors_ms), 95) <= timed.under_test.bound_ms
    assert abs(np.mean(errors_ms)) <= timed.under_test.bound_ms / 2
    assert compared.verdicts_wrong == []


def _timed(under_test: TransportUnderTest, there: Peers, attempt: int) -> Timed:
    designed: dict[str, CalibrationCall] = {
        call.plan.call_id: call
        for call in design(
            sound="marker",
            turns=TURNS,
            interruptions=INTERRUPTIONS,
            calls=1,
            seed=attempt + 1,
            agent=there.reference,
            conditions=ConditionsPlan(),
        )
    }
    transport = transport_for(there.reference)
    told = {
        name: replace(
            call,
            plan=call.plan.model_copy(update={"request_data": under_test.tells(call.plan.request_data)}),
        )
        for name, call in designed.items()
    }
    batch = place_all({name: prepare_calibration(call, transport) for name, call in told.items()})
    compared = Comparisons()
    for name, call in designed.items():
        placed = batch.ended[name].placed
        if placed.record.status is not CallStatus.COMPLETED:
            compared.faults.append(f"{name}: {placed.record.status}: {placed.record.status_detail}")
            continue
        compare_call(
            call,
            placed,
            there.truth(name),
            zero_ns=placed.clock.zero_ns,
            interruption_resolution_s=MARGIN_MS / 1000,
            into=compared,
        )
    return Timed(under_test=under_test, compared=compared, batch=batch)
