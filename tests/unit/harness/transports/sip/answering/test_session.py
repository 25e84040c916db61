"""A call that the agent placed, once it stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from sipmessage import Request, Response

from harness.transports.base import ConnectionLost
from harness.transports.sip import refreshing as refreshing_module
from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.answering.line import Line, LineWire
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.answering.session import AnsweredSession, Manner
from harness.transports.sip.media import leg as leg_module
from harness.transports.sip.signalling.message import read_message, response_bytes
from harness.transports.sip.signalling.wire import OnData, Place
from tests.unit.harness.transports.sip.standing import ByHand, request_of

AGENT = ("127.0.0.1", 5099)
SDP = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n"
INVITE = (
    "INVITE sip:us@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5099;branch=z9hG4bKi\r\n"
    "From: <sip:agent@127.0.0.1>;tag=theirs\r\nTo: <sip:us@127.0.0.1>\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\n"
    "Contact: <sip:agent@127.0.0.1:5099>\r\nContent-Type: application/sdp\r\n"
    f"Content-Length: {len(SDP)}\r\n\r\n{SDP}"
).encode()


class Socket:
    """Keeps what we send to the agent."""

    name = "UDP"
    reliable = False
    local: Place = ("127.0.0.1", 5060)

    def __init__(self) -> None:
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.got: list[Request | Response] = []

    def send(self, data: bytes, to: Place) -> None:
        self.got.append(read_message(data))

    def asked(self, method: str) -> list[Request]:
        return [one for one in self.got if isinstance(one, Request) and one.method == method]

    def close(self) -> None:
        return

    async def closed(self) -> None:
        return


class Taken:
    """A call that we took, and the agent's end of it."""

    def __init__(self) -> None:
        self.socket = Socket()
        self.line = Line(LineWire(self.socket, self.socket.local, lambda: None))
        invites: list[Request] = []
        self.line.endpoint.on_request = lambda request, source: invites.append(request)
        self.says(INVITE)
        ring = Ring(invite=invites[0], line=self.line, source=AGENT)
        destination = Destination(uri=parse_uri("sip:agent@127.0.0.1"), carrier="udp")
        self.session = AnsweredSession(request_of([], []), destination, ring, Manner())

    def says(self, data: bytes) -> None:
        self.line.wire.on_data(data, AGENT)

    def answers(self, request: Request, tag: str) -> None:
        """A 200 to a request of ours, whose To has the tag already."""
        told = response_bytes(request, 200, "OK", headers=[("Contact", "<sip:agent@127.0.0.1:5099>")])
        self.says(told.replace(b";tag=theirs", f";tag={tag}".encode()))


@pytest.fixture
async def taken(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Taken]:
    monkeypatch.setattr(leg_module, "SENDER", ByHand())
    call = Taken()
    await call.session.connect()
    yield call
    call.session.peer_left = True
    await call.session.close()


async def _settled() -> None:
    for _ in range(8):
        await asyncio.sleep(0)


async def test_who_never_acknowledges_has_not_hung_up(taken: Taken) -> None:
    taken.session._never_acknowledged()
    how = taken.session.ended.result()
    assert isinstance(how, ConnectionLost)
    assert how == "the agent never acknowledged our answer (no ACK within 32 s)"


async def test_an_answer_for_which_we_waited_no_longer_holds(
    taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refreshing_module, "LIMIT_S", 0.01)
    taken.session._refresh("codec")
    await _settled()
    (asked,) = taken.socket.asked("INVITE")
    in_dialog = taken.session._in_dialog
    assert in_dialog is not None
    async with asyncio.timeout(20):
        while in_dialog.inviting:  # noqa: ASYNC110 - nobody is told that the time is over
            await asyncio.sleep(0.001)
    for times in (1, 2):
        body = SDP.replace("audio 9", f"audio {4000 + times}").encode()
        told = [("Contact", "<sip:agent@127.0.0.1:5098>"), ("Content-Type", "application/sdp")]
        taken.says(response_bytes(asked, 200, "OK", headers=told, body=body))
        await _settled()
        # Acknowledged each time, and at its new address; read once.
        (*_, acknowledged) = taken.socket.asked("ACK")
        assert len(taken.socket.asked("ACK")) == times
        assert str(acknowledged.uri) == "sip:agent@127.0.0.1:5098"
        assert taken.session.negotiation.theirs is not None
        assert taken.session.negotiation.theirs.port == 4001


async def test_where_the_agent_called_nothing_is_opened_before_we_have_something_to_say(taken: Taken) -> None:
    """It would not learn of our new end."""
    wire = taken.line.wire
    wire.reliable = True
    wire.lost("it closed the connection")
    await _settled()
    assert (wire.why_lost, wire._opening) == ("it closed the connection", None)


async def test_an_answer_that_comes_again_is_acknowledged_again(taken: Taken) -> None:
    """Else the agent takes the call for lost after 32 s, and hangs up."""
    taken.session._refresh("codec")
    await _settled()
    (asked,) = taken.socket.asked("INVITE")
    for times in (1, 2, 3):
        taken.answers(asked, "theirs")
        await _settled()
        acknowledged = taken.socket.asked("ACK")
        assert len(acknowledged) == times
        assert acknowledged[-1].headers["CSeq"].split()[0] == asked.headers["CSeq"].split()[0]
    taken.answers(asked, "other")
    await _settled()
    assert len(taken.socket.asked("ACK")) == 3
    assert taken.socket.asked("BYE") == []
