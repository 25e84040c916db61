"""Numbers at which something is not as it should be: each call has its status, its message and its end.

Nobody takes the call, or takes it in a way in which no call can be held; and what happens in calls that
stand: other people's packets, hold, transfer, silence.
"""

from __future__ import annotations

import re
import select
import socket
from collections.abc import Iterator

import numpy as np
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
STANDING = (
    "garbage-sound",
    "no-rtp",
    "transfers",
    "holds",
    "lost-200",
    "deaf-to-bye",
    "other-port",
    "strangers",
)
SAYS_ITS_OWN = ("hangs-up", "endless", "wrong-key")
PATIENT = LIMITS.model_copy(update={"connect_s": 15.0})
"""Where somebody answers: on a busy machine perhaps not at once."""
IN_TIME_S = LIMITS.connect_s + CLOSE_S


@pytest.fixture(scope="module")
def batch() -> Iterator[Batch]:
    with serving_telephone() as (_, telephone):
        told = {number: {"behaviour": WELL_BEHAVED} for number in (*NOT_TAKEN, *NOT_SET_UP, *STANDING)}
        told |= {number: {} for number in SAYS_ITS_OWN}
        yield place_all(
            {
                number: prepare(
                    number,
                    f"sip:{number}@{telephone}" + ("?srtp=on" if number == "wrong-key" else ""),
                    request_data={"session": number, **more},
                    limits=LIMITS if number in ("rings", "mute") else PATIENT,
                )
                for number, more in told.items()
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
    assert "no sound of the agent came in the first" in ended.detail


def test_a_transfer_ends_the_call_and_is_not_followed(batch: Batch) -> None:
    ended = batch.ended["transfers"]
    assert ended.status is CallStatus.TRANSFERRED, ended.detail
    assert "transferred the call to sip:agent@203.0.113.7" in ended.detail
    (event,) = [event for event in ended.placed.events if event.kind == "transferred"]
    assert event.data == {"to": "sip:agent@203.0.113.7", "followed": False}


def test_an_agent_that_hangs_up_in_a_word_ends_the_call(batch: Batch) -> None:
    ended = batch.ended["hangs-up"]
    assert ended.status is CallStatus.AGENT_HANGUP, ended.detail
    assert "the agent hung up (BYE)" in ended.detail
    recording = ended.placed.recording
    assert recording is not None
    # What was heard of the word is kept.
    assert np.max(np.abs(recording.audio[:, 1])) > 0.05


def test_an_agent_that_never_stops_runs_into_the_limit_of_the_call(batch: Batch) -> None:
    ended = batch.ended["endless"]
    assert ended.status is CallStatus.TIMEOUT, ended.detail
    assert ended.wall_s < LIMITS.connect_s + LIMITS.call_s + CLOSE_S


@pytest.mark.parametrize("number", ["lost-200", "deaf-to-bye"])
def test_messages_that_are_lost_cost_no_call(batch: Batch, number: str) -> None:
    ended = batch.ended[number]
    assert ended.status is CallStatus.COMPLETED, ended.detail


def test_sound_from_another_port_than_the_one_that_was_named_is_heard(batch: Batch) -> None:
    ended = batch.ended["other-port"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    (event,) = [event for event in ended.placed.events if event.kind == "media-from"]
    assert event.data["named"] is False


def test_sound_of_somebody_else_is_not_the_agents(batch: Batch) -> None:
    ended = batch.ended["strangers"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    (event,) = [event for event in ended.placed.events if event.kind == "packets-passed-over"]
    assert event.data["why"]["from somewhere else"] > 50
    recording = ended.placed.recording
    assert recording is not None
    # The agent is silent for most of the call, and the noise never is.
    heard = np.abs(recording.audio[: -48_000 // 2, 1])
    assert np.mean(heard < 0.01) > 0.4


def test_sound_that_our_key_does_not_open_is_told(batch: Batch) -> None:
    ended = batch.ended["wrong-key"]
    assert ended.status is CallStatus.CALLER_HANGUP, ended.detail
    assert "cannot be decrypted with the key that its answer names" in ended.detail
    assert "no-media" in ended.kinds("wire")


def test_no_packet_goes_where_the_plan_does_not_allow() -> None:
    with (
        serving_telephone() as (_, telephone),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as elsewhere,
    ):
        elsewhere.bind(("127.0.0.9", 0))
        elsewhere.setblocking(False)
        there = f"sip:agent@127.0.0.9:{elsewhere.getsockname()[1]}"
        ended = place_all(
            {
                number: prepare(
                    number,
                    f"sip:{number}@{telephone}",
                    request_data={"session": number, "behaviour": WELL_BEHAVED, "elsewhere": there},
                    limits=PATIENT,
                )
                for number in ("moved", "transfers")
            }
        ).ended
        assert ended["moved"].status is CallStatus.NOT_ANSWERED
        assert there in ended["moved"].detail
        assert there in ended["transfers"].detail
        reached, _, _ = select.select([elsewhere], [], [], 0)
        assert reached == []


def test_a_transfer_goes_on_where_the_plan_lets_us_follow() -> None:
    with serving_telephone() as (_, telephone):
        ended = place_all(
            {
                where: prepare(
                    where,
                    f"sip:transfers@{telephone}?follow=127.0.0.1",
                    request_data={
                        "session": where,
                        "behaviour": WELL_BEHAVED,
                        "elsewhere": f"sip:{where}@{telephone}",
                    },
                    limits=PATIENT,
                )
                for where in ("somebody", "busy", "other-codec")
            }
        ).ended
    there = ended["somebody"]
    assert there.status is CallStatus.COMPLETED, there.detail
    (event,) = [event for event in there.placed.events if event.kind == "transferred"]
    assert event.data == {"to": f"sip:somebody@{telephone}", "followed": True}
    recording = there.placed.recording
    assert recording is not None
    # Whoever took the call over greets as well, and our own stream has no hole.
    after = recording.audio[round(event.t * 48_000) :, 1]
    assert np.max(np.abs(after)) > 0.05
    assert max(recording.sent.media_s[1:] - recording.sent.media_s[:-1]) == pytest.approx(0.02)
    assert "messages-dropped" not in there.kinds("wire")
    # Who is not there, or speaks nothing that was agreed, takes no call over: it stays where it was.
    for where, why in (("busy", "busy (486"), ("other-codec", "no codec in common")):
        stays = ended[where]
        assert stays.status is CallStatus.COMPLETED, stays.detail
        (event,) = [event for event in stays.placed.events if event.kind == "transfer-failed"]
        assert why in event.data["why"]


def test_what_comes_before_the_answer_is_kept_and_no_greeting() -> None:
    with serving_telephone() as (_, telephone):
        ended = place_all(
            {
                "early": prepare(
                    "early",
                    f"sip:early-media@{telephone}",
                    request_data={"session": "early", "behaviour": WELL_BEHAVED},
                    limits=PATIENT,
                )
            }
        ).ended["early"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    record, recording = ended.placed.record, ended.placed.recording
    assert recording is not None
    assert record.media is not None
    assert record.media.early_until_s is not None
    assert record.connected_after_s is not None
    assert record.media.early_until_s == pytest.approx(record.connected_after_s, abs=0.2)
    ring_back = recording.audio[: round(record.media.early_until_s * 48_000), 1]
    assert len(np.flatnonzero(np.abs(ring_back) > 0.05)) > 48_000
    # The caller did not take it for the greeting, which begins 200 ms after the answer.
    heard = next(event for event in ended.placed.events if event.kind == "speech-started")
    assert heard.data["at_s"] > record.connected_after_s


def test_keys_are_pressed_and_the_agents_are_seen() -> None:
    with serving_telephone() as (_, telephone):
        ended = place_all(
            {
                "presses": prepare(
                    "presses",
                    f"sip:presses@{telephone}",
                    request_data={"session": "presses", "behaviour": WELL_BEHAVED},
                    limits=PATIENT,
                )
            }
        ).ended["presses"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    digits = [event.data["digit"] for event in ended.placed.events if event.kind == "dtmf"]
    assert digits == ["4", "2"]


def test_a_hold_is_told_and_leaves_the_recording_in_time(batch: Batch) -> None:
    ended: Ended = batch.ended["holds"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    held, resumed = (
        next(event.t for event in ended.placed.events if event.kind == kind) for kind in ("hold", "resume")
    )
    # A busy machine may read the second message late, and never early.
    assert 0.7 < resumed - held < 2.0
    recording = ended.placed.recording
    assert recording is not None
    # Frames go on while the agent does not listen: the clock of what we say has no hole.
    assert max(recording.sent.media_s[1:] - recording.sent.media_s[:-1]) == pytest.approx(0.02)


def test_nothing_reaches_the_terminal_but_the_messages(batch: Batch) -> None:
    assert batch.complaints == []
    for ended in batch.ended.values():
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", ended.detail)
