"""A call as the rest of us sees it: what its end says, and what is told of an agent that is not heard."""

from __future__ import annotations

import time
from typing import cast

import pytest

from harness.errors import HarnessFault
from harness.records.call import Event
from harness.records.timeline import AGENT_WAITS
from harness.transports.base import ReceivedPacket
from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.media import leg as leg_module
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.media.ports import open_ports
from harness.transports.sip.media.sdp import read_audio
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.session import SipSession
from harness.transports.sip.signalling.placing import Placing
from harness.transports.stamp import RtpStamp
from tests.unit.harness.transports.sip.standing import ByHand, request_of


class Standing(SipSession):
    """A call that was taken, without any signalling."""

    def __init__(self, answer: bytes) -> None:
        self.events: list[Event] = []
        super().__init__(
            request_of(self.events, []),
            Destination(uri=parse_uri("sip:agent@127.0.0.1"), carrier="udp"),
        )
        ports = open_ports("127.0.0.1")
        self._leg = Leg(ports, self._request, on_event=self.tell)
        self.negotiation = Negotiation(
            address="127.0.0.1", port=ports.number, codecs=("pcmu", "pcma"), secure=False
        )
        self.negotiation.offer()
        self.negotiation.take_answer(answer)
        self._connect_media(answered_ns=None)
        self._start_sound(self._leg, cast(Placing, None))

    def told(self, kind: str) -> list[dict[str, object]]:
        return [event.data for event in self.events if event.kind == kind]


def answer(formats: str = "0", *, port: int = 9) -> bytes:
    return (
        "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
        f"m=audio {port} RTP/AVP {formats}\r\n"
    ).encode()


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leg_module, "SENDER", ByHand())


async def test_a_call_that_we_cannot_send_in_ends_as_our_own_fault() -> None:
    session = Standing(answer())
    assert session.leg is not None
    session.leg.on_fault(ValueError("planted"))
    with pytest.raises(HarnessFault, match="our own side could not go on sending: ValueError: planted"):
        session.ended.result()
    (fault,) = session.told("fault")
    assert "ValueError: planted" in str(fault["trace"])
    await session.close()


async def test_another_number_for_the_codec_reaches_the_sound() -> None:
    session = Standing(answer())
    session.negotiation.answer(answer("98\r\na=rtpmap:98 PCMU/8000"))
    session.media_changed()
    assert session.leg is not None
    assert session.leg.agreed is not None
    assert session.leg.agreed.payload_type == 98
    assert session.leg.agreed.accepted == {0, 98}
    await session.close()


@pytest.mark.parametrize(
    ("passed_over", "told"),
    [
        ({}, ["no sound of the agent came in the first 2 s"]),
        (
            {"payload type 8": 98, "nobody listens there": 1},
            [
                "no sound of the agent came in the first 2 s; passed over: payload type 8 (98 packets), "
                "nobody listens there (1 packet)"
            ],
        ),
        # That is told where it is opened.
        ({"cannot be decrypted": 98}, []),
    ],
)
async def test_what_is_told_of_an_agent_that_is_not_heard(
    passed_over: dict[str, int], told: list[str]
) -> None:
    session = Standing(answer("0 8"))
    assert session.leg is not None
    session.leg.passed_over.update(passed_over)
    session._tell_of_silence()
    assert [one["detail"] for one in session.told(AGENT_WAITS)] == told
    await session.close()


async def test_reports_follow_a_description_that_names_another_place() -> None:
    session = Standing(answer(port=4000))
    reports = session._reports
    assert reports is not None
    assert reports._to == ("127.0.0.1", 4001)
    session.negotiation.answer(answer(port=4100))
    session.media_changed()
    assert reports._to == ("127.0.0.1", 4101)
    await session.close()


async def test_an_agent_that_sends_in_its_second_codec_is_asked_for_the_first_once() -> None:
    session = Standing(answer("0 8"))
    asked: list[str | None] = []
    session._refresh = asked.append  # type: ignore[method-assign, assignment]
    assert session.leg is not None
    session.leg.on_other(8)
    session.leg.on_other(8)
    # What its answer did not name it would not leave either.
    session.leg.on_other(96)
    assert asked == ["codec"]
    assert session.told("asked-for-codec") == [{"codec": "pcmu", "came": 8}]
    assert read_audio(session.negotiation.offer()).formats == (0, 101)
    await session.close()


@pytest.mark.parametrize(("ago_s", "heard"), [(0.5, True), (3.0, False)])
async def test_an_agent_is_heard_whose_last_packet_came_lately(ago_s: float, heard: bool) -> None:
    session = Standing(answer())
    assert not session._is_heard()
    came_ns = time.monotonic_ns() - int(ago_s * 1e9)
    stamp = RtpStamp(media_ticks=0, monotonic_ns=came_ns, sequence=0, ssrc=7)
    session.log.received.append(ReceivedPacket(stamp=stamp, payload=b""))
    assert session._is_heard() == heard
    await session.close()
