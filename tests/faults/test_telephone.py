"""Numbers at which something is not as it should be: each call has its status, its message and its end.

Nobody takes the call, or takes it in a way in which no call can be held; and what happens in calls that
stand: other people's packets, hold, transfer, silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from harness.records.call import CallStatus
from tests.faults.placing import CLOSE_S, LIMITS, WELL_BEHAVED, Batch, Ended, place_all, prepare
from tests.serving import serving_telephone

pytestmark = [pytest.mark.live, pytest.mark.long]

NOT_TAKEN = {
    "busy": ("busy", 486),
    "declined": ("declined", 603),
    "unknown": ("unknown number", 404),
    "unavailable": ("no answer", 480),
    "timeout": ("no answer", 408),
    "moved": ("redirected", 302),
    "rings": ("no answer", None),
}
NOT_SET_UP = {
    "broken": "answered 503",
    "no-codec": "answered 488",
    "mute": "no media session within 2 s (no answer to the INVITE)",
    "no-sdp": "without an SDP answer",
    "garbage-sdp": "its SDP answer cannot be used: there is no audio in it",
    "other-codec": "there is no codec in common",
}
STANDING = ("garbage-sound", "no-rtp", "transfers", "holds")
IN_TIME_S = LIMITS.connect_s + CLOSE_S


@pytest.fixture(scope="module")
def batch() -> Iterator[Batch]:
    with serving_telephone() as (_, telephone):
        yield place_all(
            {
                number: prepare(
                    number,
                    f"sip:{number}@{telephone}",
                    request_data={"session": number, "behaviour": WELL_BEHAVED},
                )
                for number in (*NOT_TAKEN, *NOT_SET_UP, *STANDING)
            }
        )


@pytest.mark.parametrize("number", NOT_TAKEN)
def test_where_nobody_takes_the_call_the_record_says_why(batch: Batch, number: str) -> None:
    ended = batch.ended[number]
    reason, code = NOT_TAKEN[number]
    assert ended.status is CallStatus.NOT_ANSWERED, ended.detail
    told = ended.placed.record.not_answered
    assert told is not None
    assert (told.reason, told.code) == (reason, code)
    assert ended.detail.startswith(f"sip:{number}@127.0.0.1")
    assert ended.wall_s < IN_TIME_S
    assert ended.placed.recording is None


@pytest.mark.parametrize("number", NOT_SET_UP)
def test_where_no_call_can_be_held_the_message_says_why(batch: Batch, number: str) -> None:
    ended = batch.ended[number]
    assert ended.status is CallStatus.SETUP_FAILED, ended.detail
    assert NOT_SET_UP[number] in ended.detail
    assert ended.wall_s < IN_TIME_S


def test_nobody_goes_where_a_redirection_leads_that_is_not_allowed(batch: Batch) -> None:
    detail = batch.ended["moved"].detail
    assert detail.endswith("to sip:agent@203.0.113.7, which the plan does not allow")
    assert "redirected" not in batch.ended["moved"].kinds("wire")


def test_packets_of_nobody_do_no_harm(batch: Batch) -> None:
    ended = batch.ended["garbage-sound"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    assert "packets-passed-over" in ended.kinds("wire")
    assert ended.placed.record.media is not None
    assert ended.placed.record.media.packets_lost == 0


def test_an_agent_that_never_sends_a_packet_is_left(batch: Batch) -> None:
    ended = batch.ended["no-rtp"]
    assert ended.status is CallStatus.CALLER_HANGUP, ended.detail
    assert "no-media" in ended.kinds("wire")


def test_a_transfer_ends_the_call_and_is_not_followed(batch: Batch) -> None:
    ended = batch.ended["transfers"]
    assert ended.status is CallStatus.AGENT_HANGUP, ended.detail
    assert "transferred the call to sip:agent@203.0.113.7" in ended.detail
    (event,) = [event for event in ended.placed.events if event.kind == "transferred"]
    assert event.data == {"to": "sip:agent@203.0.113.7", "followed": False}


def test_a_hold_is_told_and_leaves_the_recording_in_time(batch: Batch) -> None:
    ended: Ended = batch.ended["holds"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    held, resumed = (
        next(event.t for event in ended.placed.events if event.kind == kind) for kind in ("hold", "resume")
    )
    assert resumed - held == pytest.approx(1.0, abs=0.3)
    recording = ended.placed.recording
    assert recording is not None
    # Frames go on while the agent does not listen: the clock of what we say has no hole.
    assert max(recording.sent.media_s[1:] - recording.sent.media_s[:-1]) == pytest.approx(0.02)


def test_nothing_reaches_the_terminal_but_the_messages(batch: Batch) -> None:
    assert batch.complaints == []
    for ended in batch.ended.values():
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", ended.detail)
