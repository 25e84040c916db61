"""Rooms of a LiveKit server (a real one where one is named, else the stand-in) in which a call does not
come about, or not to its end: each says so in time."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np
import pytest

from harness.calls.voice.place import PreparedCall
from harness.plans.secrets import Withheld, kept_address
from harness.records.call import CallStatus
from harness.selfcheck.livekit_server import (
    SERVER_VARIABLE,
    LiveKitServer,
    serving_livekit,
    serving_some_livekit,
    serving_stand_in,
)
from harness.transports.livekit.signalling import access_token
from harness.transports.livekit.signalling.access_token import make_token
from tests.faults.placing import CLOSE_S, LIMITS, WELL_BEHAVED, Batch, place_all, prepare
from tests.serving import serving_agent, serving_module

pytestmark = [
    pytest.mark.live,
    pytest.mark.long,
]

NO_AGENT_S = 5.0
"""By then the room has to have been joined, however busy the machine is."""
STANDING = LIMITS.model_copy(update={"connect_s": 15.0})
AWAY = ("sent-away", "junk-sdp", "huge", "limited")


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """The server, who misbehaves beside it, and the calibration agent's log."""

    server: LiveKitServer
    faulty: str
    log: str

    @property
    def host(self) -> str:
        return self.server.url.removeprefix("ws://")

    def with_token(self, token: str, room: str) -> str:
        given = f"livekit+ws://{self.host}/{room}?token={token}"
        return Withheld(kept_address(given), given)

    def token(self, room: str, *, life_s: float = 3600, **grants: object) -> str:
        """A token as somebody else might have made it."""
        usual, access_token.LIFE_S = access_token.LIFE_S, round(life_s)
        try:
            return make_token(
                key=self.server.key,
                secret=self.server.secret,
                grants={"roomJoin": True, "room": room, **grants},
                identity="the-same",
            )
        finally:
            access_token.LIFE_S = usual


@pytest.fixture(scope="module")
def rooms() -> Iterator[Rooms]:
    with (
        serving_some_livekit() as server,
        serving_agent("calibration", "--livekit", server.url, environment=server.environment) as (log, _),
        serving_module("tests.faults.livekit_peers") as (faulty, _),
    ):
        yield Rooms(server=server, faulty=faulty, log=log)


@pytest.fixture(scope="module")
def batch(rooms: Rooms) -> Batch:
    away = f"livekit+ws://key:not-the-secret@{rooms.faulty.removeprefix('http://')}"
    impatient = STANDING.model_copy(update={"connect_s": NO_AGENT_S})
    hangs_up = {
        "greeting": {"after_ms": 200, "say": {"tone_ms": 600}},
        "turns": [{"answer_after_ms": 300, "say": {"tone_ms": 2000}}],
        "hang_up_after_turn": 0,
    }
    calls: dict[str, PreparedCall] = {
        "no-agent": prepare("no-agent", _own(rooms, "empty-room"), limits=impatient),
        "unknown-agent": prepare("unknown-agent", rooms.server.address("nobody-there"), limits=impatient),
        "wrong-secret": prepare("wrong-secret", _wrong_secret(rooms)),
        "expired": prepare("expired", rooms.with_token(rooms.token("r", life_s=-100), "r")),
        "no-right": prepare("no-right", rooms.with_token(rooms.token("r", roomJoin=False), "r")),
        "mute-right": prepare(
            "mute-right", rooms.with_token(rooms.token("m", canPublish=False), "m"), limits=impatient
        ),
        "leaves": prepare(
            "leaves",
            rooms.server.address("calibration"),
            limits=STANDING,
            request_data={"session": "leaves", "behaviour": hangs_up},
        ),
        **{
            kind: prepare(kind, Withheld(kept_address(f"{away}/{kind}"), f"{away}/{kind}"), limits=STANDING)
            for kind in AWAY
        },
    }
    return place_all(calls)


def _own(rooms: Rooms, room: str) -> str:
    given = f"livekit+ws://{rooms.server.key}:{rooms.server.secret}@{rooms.host}/{room}"
    return Withheld(kept_address(given), given)


def _wrong_secret(rooms: Rooms) -> str:
    given = f"livekit+ws://{rooms.server.key}:{'x' * 40}@{rooms.host}/r"
    return Withheld(kept_address(given), given)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("no-agent", "no agent came into the room (nobody was there) within 5 s"),
        ("unknown-agent", "no agent came into the room 'nobody-there' (nobody was there) within 5 s"),
        ("wrong-secret", "the token's signature is wrong: is the API secret the server's? (HTTP 401)"),
        ("expired", "the token that was given expired 1 minute ago"),
        ("no-right", "the token does not allow to join a room (grant roomJoin) (HTTP 401)"),
        ("mute-right", "the server did not take our sound (is its grant canPublish?)"),
        ("sent-away", "the server sent us away at once: it could not join"),
        ("junk-sdp", "the server's SDP answer cannot be used"),
        ("huge", "no LiveKit server, or one that let nobody in"),
        ("limited", "a limit of the server is reached (HTTP 429)"),
    ],
)
def test_where_no_call_comes_about_it_is_said_why_and_in_time(batch: Batch, kind: str, says: str) -> None:
    ended = batch.ended[kind]
    assert ended.status is CallStatus.SETUP_FAILED, ended.detail
    assert says in ended.detail
    assert ended.wall_s < NO_AGENT_S + CLOSE_S < STANDING.connect_s
    # The address without its secrets, and one line of text.
    assert ended.detail.startswith("livekit+ws://")
    assert "\x1b" not in ended.detail
    assert "\n" not in ended.detail


def test_nothing_of_tokens_and_secrets_is_kept(batch: Batch, rooms: Rooms) -> None:
    for ended in batch.ended.values():
        kept = ended.placed.record.model_dump_json() + "".join(
            event.model_dump_json() for event in ended.placed.events
        )
        assert rooms.server.secret not in kept
        assert "eyJ" not in kept
        assert "not-the-secret" not in kept


def test_an_agent_that_leaves_has_hung_up(batch: Batch) -> None:
    ended = batch.ended["leaves"]
    assert ended.status is CallStatus.AGENT_HANGUP, ended.detail
    assert "the agent left the room" in ended.detail
    assert "participant-left" in ended.kinds("livekit")


def test_silence_that_the_server_makes_when_an_agent_leaves_is_not_the_agent_s(batch: Batch) -> None:
    """A real server sends a packet that is up to 20 ms ahead of its time: answers of the last seconds would
    read so much too fast."""
    recording = batch.ended["leaves"].placed.recording
    assert recording is not None
    received = recording.received
    assert len(received.media_s) > 50
    steps = np.diff(received.media_s) / 0.02
    np.testing.assert_allclose(steps, np.round(steps), atol=0.01)
    early_s = (received.passed_s - received.media_s)[-10:]
    assert early_s.min() > (received.passed_s - received.media_s)[:-10].min() - 0.005


def test_an_agent_that_comes_late_is_waited_for(rooms: Rooms) -> None:
    """Nobody dispatched it: it is sent into our room by somebody else, when we have waited a while."""
    limits = STANDING.model_copy(update={"call_s": 30.0})
    call = prepare("late", _own(rooms, "late-room"), limits=limits)

    async def dispatched_late() -> None:
        # Ears may take seconds to be ready before anybody is dialled.
        await asyncio.sleep(8.0)
        token = make_token(
            key=rooms.server.key,
            secret=rooms.server.secret,
            grants={"roomAdmin": True, "room": "late-room"},
        )
        async with httpx.AsyncClient() as client:
            answer = await client.post(
                f"http://{rooms.host}/twirp/livekit.AgentDispatchService/CreateDispatch",
                json={
                    "room": "late-room",
                    "agent_name": "calibration",
                    "metadata": json.dumps({"session": "late", "behaviour": WELL_BEHAVED}),
                },
                headers={"Authorization": f"Bearer {token}"},
            )
            answer.raise_for_status()

    batch = _with(dispatched_late(), {"late": call})
    ended = batch.ended["late"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    at_s = {event.kind: event.t for event in ended.placed.events if event.source == "livekit"}
    assert at_s["agent-joined"] > at_s["room-joined"] + 0.3


def test_two_callers_with_one_identity_are_our_own_fault(rooms: Rooms) -> None:
    room = "shared-room"
    address = rooms.with_token(rooms.token(room), room)
    first, second = (prepare(name, address, limits=STANDING) for name in ("first", "second"))
    batch = place_all({"first": first, "second": second})
    told = [ended for ended in batch.ended.values() if "joined with our identity" in ended.detail]
    assert [one.status for one in told] == [CallStatus.HARNESS_FAULT]


def _closed_real_server() -> AbstractContextManager[LiveKitServer]:
    if not os.environ.get(SERVER_VARIABLE):
        pytest.skip(f"{SERVER_VARIABLE} names no LiveKit server")
    return serving_livekit(makes_rooms=False)


def _closed_stand_in() -> AbstractContextManager[LiveKitServer]:
    return serving_stand_in("--no-auto-create")


@pytest.mark.parametrize("serve", [_closed_real_server, _closed_stand_in])
def test_a_room_that_nobody_made_is_unknown(
    serve: Callable[[], AbstractContextManager[LiveKitServer]],
) -> None:
    with serve() as server:
        given = f"livekit+ws://{server.key}:{server.secret}@{server.url.removeprefix('ws://')}/nobodys-room"
        call = prepare("unknown-room", Withheld(kept_address(given), given), limits=STANDING)
        ended = place_all({"unknown-room": call}).ended["unknown-room"]
    assert ended.status is CallStatus.SETUP_FAILED, ended.detail
    assert "there is no such room, and the server makes none by itself (HTTP 404)" in ended.detail
    assert ended.wall_s < LIMITS.connect_s + CLOSE_S


def test_who_stays_in_the_room_is_hung_up_on(rooms: Rooms) -> None:
    """The calibration agent leaves when its caller has left; in a room that is closed it could not stay."""
    began = time.monotonic()
    call = prepare(
        "stays",
        rooms.server.address("calibration", room="stays-*"),
        request_data={"session": "stays", "behaviour": WELL_BEHAVED},
        limits=STANDING,
    )
    batch = place_all({"stays": call})
    assert batch.ended["stays"].status is CallStatus.COMPLETED, batch.ended["stays"].detail
    token = make_token(key=rooms.server.key, secret=rooms.server.secret, grants={"roomList": True})
    answer = httpx.post(
        f"http://{rooms.host}/twirp/livekit.RoomService/ListRooms",
        json={},
        headers={"Authorization": f"Bearer {token}"},
    ).raise_for_status()
    assert not [room for room in answer.json().get("rooms", []) if room["name"].startswith("stays-")]
    assert time.monotonic() - began < 60


def _with(beside: Coroutine[Any, Any, None], calls: dict[str, PreparedCall]) -> Batch:
    """Places calls while something else happens, in a thread of its own."""
    thread = threading.Thread(target=asyncio.run, args=(beside,))
    thread.start()
    try:
        return place_all(calls)
    finally:
        thread.join()
