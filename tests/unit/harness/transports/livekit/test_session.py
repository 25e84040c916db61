"""What a call in a LiveKit room makes of what its parts find, with no server at the other end."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from aioice.turn import TurnClientUdpProtocol, TurnTransport
from livekit.protocol import models, rtc

from harness.errors import HarnessFault
from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.records.call import Event
from harness.transports.base import ConnectionLost, DialRequest
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.livekit.session import LiveKitSession
from harness.transports.livekit.signalling.signal_client import SignalClosed
from harness.transports.uplink import Uplink, silence

Reason = models.DisconnectReason
AGENT = "livekit+ws://127.0.0.1:1/room"
KEYED = "livekit+ws://key:a-secret-of-32-characters-at-least@127.0.0.1:1/room"


def _session(events: list[Event] | None = None) -> LiveKitSession:
    told = [] if events is None else events
    return LiveKitSession(
        DialRequest(
            agent=AGENT,
            to=on_the_wire(KEYED),
            clock=CallClock(),
            uplink=Uplink(background=silence(OPUS)),
            conditions=ConditionsPlan(),
            seed=0,
            connect_s=1.0,
            on_packet=lambda packet: None,
            on_event=told.append,
        )
    )


class _Done:
    """A publisher that has published, and a subscriber that hears, by one way."""

    def __init__(self, transport: object) -> None:
        pair = SimpleNamespace(protocol=SimpleNamespace(transport=transport))
        ice = SimpleNamespace(_nominated={1: pair})
        self.dtls = SimpleNamespace(transport=SimpleNamespace(_connection=ice))

    async def publish(self, signal: object) -> None:
        return

    async def until_heard(self) -> None:
        return


@pytest.mark.parametrize("relayed", [False, True])
async def test_which_way_the_agent_s_packets_come_is_noted(
    monkeypatch: pytest.MonkeyPatch, relayed: bool
) -> None:
    """By it a call gets its error bar: a relayed one has not that of a clean network."""

    async def there(self: LiveKitSession) -> None:
        return

    monkeypatch.setattr(LiveKitSession, "_until_agent", there)
    session = _session()
    client = TurnClientUdpProtocol(("127.0.0.1", 1), "u", "p", 600, 500)
    done: Any = _Done(TurnTransport(client) if relayed else object())
    await session._set_up(done, done)
    assert session.log.path == ("relay-udp" if relayed else "direct")


class _Says:
    """A signalling client to which the server says a few things, and then nothing more."""

    def __init__(self, *messages: rtc.SignalResponse) -> None:
        self._messages = messages

    async def run(self, on_message: Callable[[Any], None]) -> None:
        for message in self._messages:
            on_message(message)


def _refused(reason: int) -> rtc.SignalResponse:
    refused = rtc.RequestResponse()
    # As it comes from the wire: field 2 of the message.
    refused.ParseFromString(bytes([0x10, reason]))
    return rtc.SignalResponse(request_response=refused)


async def _told(session: LiveKitSession, *messages: rtc.SignalResponse) -> None:
    parts: Any = (object(), object(), _Says(*messages))
    session._publisher, session._subscriber, session._signal = parts
    await session._follow()


async def test_a_reason_that_nobody_knows_yet_is_a_number() -> None:
    events: list[Event] = []
    session = _session(events)
    await _told(session, _refused(3), _refused(99))
    told = [event.data for event in events if event.kind == "request-refused"]
    assert told == [{"why": "limit_exceeded"}, {"why": "99"}]
    assert not session.ended.done()


async def test_what_goes_wrong_while_the_server_is_listened_to_ends_the_call() -> None:
    session = _session()
    # The stand-in for the publisher can take no such thing.
    await _told(session, rtc.SignalResponse(track_published=rtc.TrackPublishedResponse(cid="a")))
    with pytest.raises(HarnessFault, match=r"was not foreseen: AttributeError"):
        session.ended.result()


def _leave(reason: models.DisconnectReason, action: rtc.LeaveRequest.Action) -> rtc.SignalResponse:
    return rtc.SignalResponse(leave=rtc.LeaveRequest(reason=reason, action=action))


@pytest.mark.parametrize(
    ("reason", "action", "lost"),
    [
        (Reason.ROOM_DELETED, rtc.LeaveRequest.DISCONNECT, False),
        (Reason.PARTICIPANT_REMOVED, rtc.LeaveRequest.DISCONNECT, False),
        (Reason.SERVER_SHUTDOWN, rtc.LeaveRequest.RECONNECT, True),
        (Reason.SERVER_SHUTDOWN, rtc.LeaveRequest.DISCONNECT, True),
        (Reason.UNKNOWN_REASON, rtc.LeaveRequest.RESUME, True),
        (Reason.STATE_MISMATCH, rtc.LeaveRequest.DISCONNECT, True),
    ],
)
async def test_whose_act_it_was_that_the_server_sends_us_out(
    reason: models.DisconnectReason, action: rtc.LeaveRequest.Action, lost: bool
) -> None:
    session = _session()
    await _told(session, _leave(reason, action))
    assert isinstance(session.ended.result(), ConnectionLost) is lost


@pytest.mark.parametrize(
    ("reason", "lost"),
    [
        (Reason.CLIENT_INITIATED, False),
        (Reason.AGENT_ERROR, False),
        (Reason.CONNECTION_TIMEOUT, False),
        (Reason.SERVER_SHUTDOWN, True),
    ],
)
async def test_an_agent_that_leaves_has_hung_up_unless_its_server_went_away(
    reason: models.DisconnectReason, lost: bool
) -> None:
    session = _session()
    bot = models.ParticipantInfo(sid="PA_bot", identity="bot", kind=models.ParticipantInfo.Kind.AGENT)
    gone = models.ParticipantInfo(
        sid="PA_bot",
        identity="bot",
        state=models.ParticipantInfo.State.DISCONNECTED,
        disconnect_reason=reason,
    )
    update = [rtc.SignalResponse(update=rtc.ParticipantUpdate(participants=[one])) for one in (bot, gone)]
    await _told(session, *update)
    assert isinstance(session.ended.result(), ConnectionLost) is lost


async def test_signalling_that_breaks_off_is_a_lost_connection() -> None:
    class Broken:
        async def run(self, on_message: object) -> None:
            raise SignalClosed("the connection to the server was closed (code 1006)")

    session = _session()
    broken: Any = Broken()
    session._signal = broken
    await session._follow()
    assert isinstance(session.ended.result(), ConnectionLost)


@pytest.mark.parametrize("told", [True, False])
async def test_media_that_the_server_closes_waits_for_its_word(
    monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    """A room that the agent has deleted: media and signalling go different ways."""
    monkeypatch.setattr("harness.transports.livekit.session._WORD_S", 0.05)
    session = _session()
    session._media_over("the media connection is closed")
    assert not session.ended.done()
    if told:
        await _told(session, _leave(Reason.ROOM_DELETED, rtc.LeaveRequest.DISCONNECT))
    how = await session.ended
    assert isinstance(how, ConnectionLost) is not told
    session._media_over(ConnectionLost("later"))
    assert session.ended.result() is how
