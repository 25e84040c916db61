"""Dialled at whatever is no agent, or is one that no media session comes about with: ``setup_failed``.

Every call ends within its limit, and says where it was placed and what was wrong. All of them are placed at
the same time.
"""

from __future__ import annotations

import pytest

from harness.models.served_process import free_port
from harness.plans.call import Limits
from harness.records.call import CallStatus
from tests.faults.broken_answers import ANSWERS
from tests.faults.faulty_agents import REPLIES
from tests.faults.placing import CLOSE_S, LIMITS, Batch, place_all, prepare

pytestmark = [pytest.mark.live, pytest.mark.calls(places=2)]

NOTHING_IS_THERE = "nothing-is-there"
NO_SUCH_PATH = "no-such-path"

IMPATIENT = LIMITS.model_copy(update={"connect_s": 4.0})
"""Where nothing more comes. By then the rest has to have come, though all are called at the same time."""
PATIENT = LIMITS.model_copy(update={"connect_s": 30.0})
"""Elsewhere the time is never what ends a call."""
IN_TIME = f"no media session within {IMPATIENT.connect_s:g} s"
CAUSES: dict[str, tuple[str, ...]] = {
    NOTHING_IS_THERE: ("nothing answers there",),
    NO_SUCH_PATH: ("/start answered 404", "Is this a SmallWebRTC agent?"),
    "web-page": ("answered 200 (text/html)", "Is this a SmallWebRTC agent?"),
    "server-error": ("answered 500",),
    "refusal-with-tricks": ("answered 503", "full", "second line"),
    "redirect": ("answered 302",),
    "json-without-sdp": ("sent JSON, but no SDP answer in it",),
    "deep-json": ("answered 200 (application/json)", "Is this a SmallWebRTC agent?"),
    "body-of-10-mb": ("answered with more than 262144 bytes",),
    "zip-bomb": ("answered with more than 262144 bytes",),
    "not-http": ("RemoteProtocolError",),
    "never-answers": (IN_TIME, "waiting for the SDP answer"),
    "answers-by-the-byte": (IN_TIME, "waiting for the SDP answer"),
    "hangs-up-on-http": ("Error: ",),
    "garbage-sdp": ("SDP answer accepts no audio",),
    "garbage-lines-sdp": ("SDP answer accepts no codec that we offered",),
    "binary-sdp": ("SDP answer accepts no codec that we offered",),
    "truncated-sdp": ("SDP answer cannot be used",),
    "huge-sdp": ("SDP answer cannot be used",),
    "many-media-sdp": ("SDP answer cannot be used",),
    "thousand-candidates": ("SDP answer names more than 64 candidates",),
    "no-audio": ("SDP answer accepts no audio",),
    "only-pcmu": ("SDP answer accepts no codec that we offered (Opus)",),
    "deaf": ("SDP answer does not let audio flow both ways", "recvonly"),
    "inactive": ("SDP answer does not let audio flow both ways", "inactive"),
    "no-fingerprint": ("SDP answer has no DTLS fingerprint",),
    "wrong-fingerprint": ("media connection failed",),
    "no-candidates": ("media connection failed",),
    "ice-never-completes": (IN_TIME, "ICE and DTLS"),
    "dtls-never-completes": (IN_TIME, "ICE and DTLS"),
}
"""Kind of fault -> what the message says."""


@pytest.fixture(scope="module")
def addresses(faulty: str) -> dict[str, str]:
    elsewhere = {NOTHING_IS_THERE: f"http://127.0.0.1:{free_port()}", NO_SUCH_PATH: faulty}
    return {kind: f"{faulty}/{kind}" for kind in CAUSES} | elsewhere


@pytest.fixture(scope="module")
def batch(addresses: dict[str, str]) -> Batch:
    return place_all(
        {kind: prepare(kind, address, limits=_limits(kind)) for kind, address in addresses.items()}
    )


def _limits(kind: str) -> Limits:
    return IMPATIENT if IN_TIME in CAUSES[kind] else PATIENT


def test_every_fault_is_tried() -> None:
    assert set(CAUSES) == {*REPLIES, *ANSWERS, NOTHING_IS_THERE, NO_SUCH_PATH}


@pytest.mark.parametrize("kind", CAUSES)
def test_says_where_and_why(batch: Batch, addresses: dict[str, str], kind: str) -> None:
    ended = batch.ended[kind]
    assert ended.placed.record.status is CallStatus.SETUP_FAILED, ended.placed.record.status_detail
    assert ended.detail.startswith(addresses[kind])
    for part in CAUSES[kind]:
        assert part in ended.detail


@pytest.mark.parametrize("kind", CAUSES)
def test_ends_in_time(batch: Batch, kind: str) -> None:
    assert batch.ended[kind].wall_s < _limits(kind).connect_s + CLOSE_S


@pytest.mark.parametrize("kind", CAUSES)
def test_plays_no_tricks_on_the_reader(batch: Batch, kind: str) -> None:
    record = batch.ended[kind].placed.record
    assert len(record.status_detail) < 600
    assert all(char.isprintable() or char == "\n" for char in record.status_detail)
    assert record.model_validate_json(record.model_dump_json()) == record


def test_nothing_reaches_the_terminal_but_the_messages(batch: Batch) -> None:
    assert batch.complaints == []


def test_no_recording_where_there_was_no_call(batch: Batch) -> None:
    assert [kind for kind, ended in batch.ended.items() if ended.placed.recording is not None] == []
    assert {tuple(ended.kinds("harness")) for ended in batch.ended.values()} == {("ended",)}
