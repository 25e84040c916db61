"""Calls through the stand-in for a LiveKit server, which every machine has: what LiveKit's transport does,
tried without a real one. That the stand-in is like one is what ``test_livekit_judges`` is for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np
import pytest

from harness.plans.secrets import Withheld, kept_address
from harness.records.call import SAMPLE_RATE_HZ, CallStatus
from harness.selfcheck.livekit_server import LiveKitServer, serving_stand_in
from metrics.speech import detect_speech
from tests.faults.placing import LIMITS, WELL_BEHAVED, Batch, place_all, prepare
from tests.serving import serving_agent

pytestmark = [pytest.mark.live]

STANDING = LIMITS.model_copy(update={"connect_s": 15.0, "first_speech_s": 5.0, "silence_s": 5.0})
NO_AGENT_S = 6.0
"""Before it is waited for an agent the room has to be joined, beside whatever else the machine does."""
PATH_S = 0.05
"""A busy machine holds up packets that go through another process."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """What came of the calls, and what the calibration agent says of its own."""

    batch: Batch
    truth: dict[str, Any]
    server: LiveKitServer


@pytest.fixture(scope="module")
def tried() -> Iterator[Tried]:
    with (
        serving_stand_in() as server,
        serving_agent("calibration", "--livekit", server.url, environment=server.environment) as (log, _),
    ):
        impatient = STANDING.model_copy(update={"connect_s": NO_AGENT_S})
        batch = place_all(
            {
                "talks": prepare(
                    "talks",
                    server.address("calibration"),
                    limits=STANDING,
                    request_data={"session": "talks", "behaviour": WELL_BEHAVED},
                ),
                "unknown-agent": prepare("unknown-agent", server.address("nobody-there"), limits=impatient),
                "wrong-secret": prepare("wrong-secret", _wrong_secret(server)),
            }
        )
        truth = httpx.get(f"{log}/truth/talks", timeout=10).raise_for_status().json()
        yield Tried(batch=batch, truth=truth, server=server)


def _wrong_secret(server: LiveKitServer) -> str:
    given = f"livekit+ws://{server.key}:{'x' * 40}@{server.url.removeprefix('ws://')}/r"
    return Withheld(kept_address(given), given)


def test_a_call_is_held_and_both_sides_hear_each_other(tried: Tried) -> None:
    ended = tried.batch.ended["talks"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    recording = ended.placed.recording
    assert recording is not None
    zero_s = ended.placed.clock.zero_ns / 1e9
    talks = detect_speech(recording.audio[:, 1], SAMPLE_RATE_HZ, marker_tones=True).talks
    spoke, heard = tried.truth["spoke"], tried.truth["heard"]
    assert len(talks) == len(spoke) == 2
    for talk, one in zip(talks, spoke, strict=True):
        assert talk.span.start_s == pytest.approx(one["first_s"] - zero_s, abs=PATH_S)
    said = ended.placed.record.utterances[0]
    assert heard[0]["last_s"] - zero_s == pytest.approx(said.end_s, abs=PATH_S)
    assert {"room-joined", "agent-joined", "agent-track"} <= set(ended.kinds("livekit"))


def test_its_packets_are_forwarded_with_their_own_times(tried: Tried) -> None:
    """Numbers and time stamps are the publisher's, so that both ends' stamps can be paired."""
    recording = tried.batch.ended["talks"].placed.recording
    assert recording is not None
    np.testing.assert_allclose(np.diff(recording.received.media_s), 0.02, atol=1e-9)
    ours = {stamp[1] for stamp in tried.truth["sent"]}
    steps = {(b - a) % 2**32 for a, b in itertools.pairwise(stamp[1] for stamp in tried.truth["arrived"])}
    assert steps == {960}
    assert len(ours) >= len(recording.received.media_s)


def test_the_agent_is_hung_up_on(tried: Tried) -> None:
    assert tried.truth["over"]
    assert tried.batch.complaints == []


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("unknown-agent", "no agent came into the room 'nobody-there' (nobody was there) within 6 s"),
        ("wrong-secret", "the token's signature is wrong: is the API secret the server's? (HTTP 401)"),
    ],
)
def test_where_no_call_comes_about_it_is_said_why(tried: Tried, kind: str, says: str) -> None:
    ended = tried.batch.ended[kind]
    assert ended.status is CallStatus.SETUP_FAILED, ended.detail
    assert says in ended.detail
    assert tried.server.secret not in ended.placed.record.model_dump_json()
