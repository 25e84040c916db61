"""Our own signs of life: what they propose, what their answers change, and when they are sent again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sipmessage import Response

from harness.transports.sip.in_dialog import InDialog
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.refreshing import AGAIN_CALLED_S, AGAIN_S, RefreshedTimer, Refreshing, Why
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.message import read_message
from harness.transports.sip.signalling.transactions import BrokenOff

HEAD = (
    "Via: SIP/2.0/UDP h;branch=z9hG4bKa\r\nFrom: <sip:a@h>;tag=1\r\nTo: <sip:b@h>;tag=2\r\n"
    "Call-ID: c\r\nCSeq: 2 INVITE\r\n"
)


def response(first: str, headers: str = "", body: bytes = b"") -> Response:
    kind = "Content-Type: application/sdp\r\n" if body else ""
    head = f"SIP/2.0 {first}\r\n{HEAD}{headers}{kind}Content-Length: {len(body)}\r\n\r\n"
    found = read_message(head.encode() + body)
    assert isinstance(found, Response)
    return found


def sdp(port: int = 4000, *, key: str = "") -> bytes:
    profile = "RTP/SAVP" if key else "RTP/AVP"
    crypto = f"a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:{key}\r\n" if key else ""
    return (
        f"v=0\r\no=- 1 1 IN IP4 10.0.0.2\r\ns=-\r\nc=IN IP4 10.0.0.2\r\nt=0 0\r\n"
        f"m=audio {port} {profile} 0\r\n{crypto}"
    ).encode()


class Alarm:
    """A timer that goes off when the test wants it to."""

    def __init__(self, after_s: float, action: Callable[[], None]) -> None:
        self.after_s, self.action, self.cancelled = after_s, action, False

    def cancel(self) -> None:
        self.cancelled = True


class Standing:
    """A call, its dialog, and an agent that answers as it was told."""

    def __init__(
        self,
        *answers: Response | BrokenOff | None,
        interval_s: int = 600,
        again_s: tuple[float, float] = AGAIN_S,
    ) -> None:
        self.negotiation = Negotiation(address="10.0.0.1", port=5000, codecs=("pcmu",), secure=False)
        self.timer = RefreshedTimer(refresh=lambda: None, expired=lambda: None)
        self.timer._interval_s = interval_s
        self.answers = list(answers)
        self.is_heard = False
        self.waits_on: bool | None = None
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.asked: list[tuple[dict[str, str], bytes]] = []
        self.happened: list[Any] = []
        self.alarms: list[Alarm] = []
        self.inviting = SimpleNamespace(inviting=False)
        self.dialog = Dialog(
            call_id="c", local="<sip:a@h>;tag=1", remote="<sip:b@h>;tag=2", target="sip:b@h", contact=""
        )
        self.refreshing = Refreshing(
            cast(Any, self),
            self.timer,
            lambda: self.happened.append("again"),
            again_s=again_s,
            after=self._after,
            heard=lambda: self.is_heard,
        )
        self.negotiation.offer()
        self.negotiation.take_answer(sdp())

    def _after(self, after_s: float, action: Callable[[], None]) -> Alarm:
        self.alarms.append(Alarm(after_s, action))
        return self.alarms[-1]

    async def ask(self, why: Why | None = "due") -> None:
        await self.refreshing.ask(cast(Asking, self), cast(InDialog, self.inviting), why)
        self.timer.stop()

    # --- as the call

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        self.happened.append((kind, data))

    def end(self, how: str) -> None:
        self.happened.append(("end", how))

    def media_changed(self) -> None:
        self.happened.append("media")

    # --- as what asks in the dialog

    async def answered(
        self,
        method: str,
        headers: list[tuple[str, str]],
        body: bytes,
        *,
        limit_s: float,
        waits_on: Callable[[], bool],
    ) -> Response | None:
        self.waits_on = waits_on()
        assert method == "INVITE"
        assert self.inviting.inviting
        self.asked.append((dict(headers), body))
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        answer = self.answers.pop(0)
        if isinstance(answer, BrokenOff):
            raise answer
        return answer

    def acknowledge(self, answer: Response) -> None:
        self.happened.append(("ack", self.dialog.target))

    async def settle_hop(self) -> None:
        self.happened.append("hop")


async def test_what_the_answer_names_holds_from_now_on() -> None:
    told = "Contact: <sip:b@elsewhere>\r\nSession-Expires: 600;refresher=uac\r\n"
    call = Standing(response("200 OK", told, sdp(4100)))
    await call.ask()
    # Acknowledged at the new address, and heard of by the sound.
    assert call.happened == [("ack", "sip:b@elsewhere"), "media", "hop"]
    assert call.negotiation.theirs is not None
    assert call.negotiation.theirs.port == 4100
    assert call.timer.interval_s == 600
    assert not call.inviting.inviting


async def test_an_answer_that_cannot_be_used_is_told_and_costs_no_call() -> None:
    call = Standing(response("200 OK", "", sdp().replace(b"audio 4000", b"audio 0")))
    await call.ask()
    assert call.happened == [("ack", "sip:b@h"), ("answer-refused", {"why": "it takes no audio"})]


@pytest.mark.parametrize("answer", [None, response("408 Timeout"), response("481 Gone")])
async def test_an_agent_that_is_gone_ends_the_call(answer: Response | None) -> None:
    call = Standing(answer)
    await call.ask()
    assert call.happened == [("end", "the agent was gone: it did not answer a sign of life")]
    assert call.alarms == []


@pytest.mark.parametrize("bounds", [AGAIN_S, AGAIN_CALLED_S])
@pytest.mark.parametrize("code", ["491 Pending", "500 Error", "488 No", "422 Small"])
async def test_a_refusal_is_followed_by_another_attempt(code: str, bounds: tuple[float, float]) -> None:
    taken = response("200 OK", "Session-Expires: 600;refresher=uac\r\n")
    call = Standing(response(code), response(code), taken, response(code), again_s=bounds)
    for times in (1, 2):
        await call.ask()
        assert bounds[0] * times <= call.alarms[-1].after_s <= bounds[1] * times
        call.alarms[-1].action()
        assert call.happened == ["again"] * times
    await call.ask()
    # What succeeded begins the next waits anew.
    await call.ask()
    assert bounds[0] <= call.alarms[-1].after_s <= bounds[1]
    call.refreshing.stop()
    assert call.alarms[-1].cancelled


async def test_no_attempt_waits_for_longer_than_the_next_one_is_due() -> None:
    call = Standing(*[response("500 Error")] * 20, interval_s=90)
    for _ in range(20):
        await call.ask()
    assert call.alarms[-1].after_s == 45


async def test_the_interval_of_the_call_is_proposed() -> None:
    call = Standing(response("200 OK"), interval_s=600)
    await call.ask()
    told, body = call.asked[0]
    assert told["Session-Expires"] == "600;refresher=uac"
    assert "Min-SE" not in told
    assert b"m=audio 5000 RTP/AVP 0 101" in body


async def test_who_lengthened_it_before_is_not_asked_for_less() -> None:
    call = Standing(response("200 OK"), interval_s=3600)
    await call.ask()
    assert call.asked[0][0]["Session-Expires"] == "3600;refresher=uac"
    assert call.asked[0][0]["Min-SE"] == "3600"


async def test_an_interval_that_has_become_too_short_is_lengthened() -> None:
    call = Standing(response("422 Small", "Min-SE: 900\r\n"), response("200 OK"), interval_s=600)
    await call.ask()
    await call.ask()
    assert call.asked[1][0]["Session-Expires"] == "900;refresher=uac"
    assert call.asked[1][0]["Min-SE"] == "900"


async def test_an_interval_of_thousands_of_digits_lengthens_nothing() -> None:
    call = Standing(response("422 Small", f"Min-SE: {'9' * 5000}\r\n"), response("200 OK"), interval_s=600)
    await call.ask()
    await call.ask()
    assert call.asked[1][0]["Session-Expires"] == "600;refresher=uac"


async def test_without_an_interval_none_is_proposed() -> None:
    call = Standing(response("200 OK"), interval_s=0)
    await call.ask()
    assert set(call.asked[0][0]) == {"Supported", "Content-Type"}


async def test_one_at_a_time() -> None:
    call = Standing()
    call.inviting.inviting = True
    await call.ask()
    assert call.asked == []


@pytest.mark.parametrize("answer", [None, response("408 Timeout")])
async def test_an_agent_that_is_heard_is_not_gone(answer: Response | None) -> None:
    """There are agents that answer no re-INVITE at all."""
    call = Standing(answer)
    call.is_heard = True
    await call.ask()
    call.alarms[-1].action()
    assert call.happened == ["again"]


async def test_where_our_own_connection_was_lost_the_agent_is_not_gone() -> None:
    call = Standing(BrokenOff("it closed the connection"), response("200 OK"))
    await call.ask()
    call.alarms[-1].action()
    assert call.happened == ["again"]
    await call.ask(None)
    assert call.happened == ["again", ("ack", "sip:b@h")]
    assert len(call.alarms) == 1


@pytest.mark.parametrize("interval_s", [0, 600])
@pytest.mark.parametrize("answer", [None, "408 Timeout", "481 Gone", "488 No", "500 Error"])
async def test_a_wish_of_ours_costs_no_call_and_is_not_repeated(answer: str | None, interval_s: int) -> None:
    call = Standing(None if answer is None else response(answer), interval_s=interval_s)
    await call.ask("codec")
    assert (call.happened, call.alarms) == ([], [])


@pytest.mark.parametrize("answer", [response("491 Pending"), BrokenOff("closed")])
async def test_a_wish_that_crossed_something_else_has_one_more_attempt(answer: Response | BrokenOff) -> None:
    call = Standing(answer, answer, interval_s=0)
    await call.ask("codec")
    assert len(call.alarms) == 1
    await call.ask(None)
    assert (call.happened, len(call.asked), len(call.alarms)) == ([], 2, 1)


async def test_a_wish_that_comes_while_we_ask_is_asked_for_afterwards() -> None:
    call = Standing(response("200 OK"), response("200 OK"))
    call.meanwhile = lambda: call.ask("codec")
    await call.ask()
    assert len(call.asked) == 1
    call.alarms[-1].action()
    assert call.happened == [("ack", "sip:b@h"), "again"]
    await call.ask(None)
    assert (len(call.asked), len(call.alarms)) == (2, 1)


@pytest.mark.parametrize("answer", [None, response("488 No"), response("491 Pending"), BrokenOff("closed")])
async def test_where_we_are_is_told_until_it_is_taken(answer: Response | BrokenOff | None) -> None:
    call = Standing(answer, answer, answer, response("200 OK"), interval_s=0)
    await call.ask("moved")
    for times in (1, 2, 3):
        assert len(call.alarms) == times
        await call.ask(None)
    assert call.happened == [("ack", "sip:b@h")]
    assert len(call.alarms) == 3


@pytest.mark.parametrize(
    ("why", "is_heard", "waits_on"),
    [("due", True, True), ("due", False, False), ("codec", False, True), ("moved", False, True)],
)
async def test_what_the_agent_has_begun_to_answer_is_waited_for(
    why: Why, is_heard: bool, waits_on: bool
) -> None:
    """There may be no other INVITE meanwhile (RFC 3261, 14.1). Who is not heard, and owes a sign of life, is
    taken for gone."""
    call = Standing(None)
    call.is_heard = is_heard
    await call.ask(why)
    assert call.waits_on == waits_on


async def test_an_answer_that_comes_late_holds_unless_there_is_a_newer_one() -> None:
    call = Standing(None, response("200 OK", "", sdp(4200)), interval_s=0)
    await call.ask("moved")
    told = "Contact: <sip:b@elsewhere>\r\nSession-Expires: 600;refresher=uac\r\n"
    call.refreshing.late(cast(Asking, call), response("200 OK", told, sdp(4100)))
    call.timer.stop()
    assert call.negotiation.theirs is not None
    assert (call.negotiation.theirs.port, call.dialog.target) == (4100, "sip:b@elsewhere")
    assert (call.timer.interval_s, call.happened) == (600, ["media"])
    # Of the same number or an older one: something else holds.
    call.refreshing.late(cast(Asking, call), response("200 OK", told, sdp(4300)))
    assert call.negotiation.theirs.port == 4100
    assert call.happened == ["media"]
