"""A call whose connection is lost goes on while the agent is heard, or says that it is there."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from sipmessage import Response

from harness.transports.base import ConnectionLost
from harness.transports.sip import lost_way as lost_way_module
from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.lost_way import LostWay, way_back
from harness.transports.sip.signalling.wire import Place, Unreached


class Call:
    """A standing call, as far as it matters here."""

    def __init__(self, answers: list[int | None]) -> None:
        self.log: Any = SimpleNamespace(received=[])
        self.peer_left = False
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.told: list[str] = []
        self.asked = 0
        self.speaks_again = False
        """While it is asked."""
        self.is_silent = False
        """What has no answer has none in time, and the way is not lost anew."""
        self.opened = 0
        self.is_lost = True
        self.way: LostWay
        self.task: asyncio.Task[None] | None = None
        self._answers = answers

    @property
    def asking(self) -> Any:
        return self

    def run(self, coroutine: Any) -> None:
        self.task = asyncio.ensure_future(coroutine)

    def open_again(self) -> bool:
        self.opened += self.is_lost
        return self.is_lost

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        self.told.append(kind)

    def end(self, how: str) -> None:
        self.ended.set_result(how)

    @property
    def how(self) -> str:
        return self.ended.result() if self.ended.done() else ""

    async def in_dialog(self, method: str, *, limit_s: float) -> Response | None:
        assert method == "OPTIONS"
        self.asked += 1
        code = self._answers.pop(0)
        if self.speaks_again:
            self.log.received.append(b"")
        if code is None and self.is_silent:
            return None
        if code is None:
            self.way.lost("nothing answers there")
            return None
        return Response(code=code, phrase="", body=b"")


class Clock:
    """Each pause is one step of a test: what the agent sends meanwhile."""

    def __init__(self) -> None:
        self.steps: asyncio.Queue[None] = asyncio.Queue()

    async def sleep(self, _: float) -> None:
        await self.steps.get()

    async def step(self) -> None:
        self.steps.put_nowait(None)
        await _settled()


async def _settled() -> None:
    for _ in range(8):
        await _SLEEP(0)


_SLEEP = asyncio.sleep


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(lost_way_module, "asyncio", SimpleNamespace(sleep=clock.sleep))
    return clock


def _lost(answers: list[int | None]) -> Call:
    call = Call(answers)
    call.way = LostWay(call, run=call.run, open_again=call.open_again)
    call.way.lost("it closed the connection")
    return call


async def test_while_the_agent_is_heard_nothing_happens(clock: Clock) -> None:
    call = _lost([])
    for _ in range(5):
        call.log.received.append(b"")
        await clock.step()
    assert (call.asked, call.how, call.told) == (0, "", ["signalling-lost"])
    assert call.task is not None
    call.task.cancel()


async def test_another_connection_is_opened_at_once_and_then_after_longer_and_longer_pauses(
    clock: Clock,
) -> None:
    call = _lost([])
    opened = []
    for _ in range(120):
        opened.append(call.opened)
        call.log.received.append(b"")
        await clock.step()
    # By the second: at once, and again after pauses of 2, 4, 8, 16, 32, 64 and 64.
    assert [2 * opened.index(times) for times in range(1, 9)] == [0, 2, 6, 14, 30, 62, 126, 190]
    # While there is one, none is opened; one that is lost later has another one soon.
    call.is_lost = False
    for _ in range(60):
        call.log.received.append(b"")
        await clock.step()
    before, call.is_lost = call.opened, True
    call.log.received.append(b"")
    await clock.step()
    assert call.opened == before + 1
    assert call.task is not None
    call.task.cancel()


@pytest.mark.parametrize("code", [200, 405, 501])
async def test_a_silent_agent_that_answers_is_still_there(clock: Clock, code: int) -> None:
    call = _lost([code, code, 481])
    await clock.step()
    assert (call.asked, call.how) == (1, "")
    # It is asked again after 12 s: its own word that it has gone may not have reached us.
    for _ in range(5):
        await clock.step()
    assert call.asked == 1
    await clock.step()
    assert (call.asked, call.how) == (2, "")
    # That connection is lost in its turn: it is watched anew.
    call.way.lost("closed")
    assert call.told == ["signalling-lost"] * 2
    await clock.step()
    assert call.how == "the way to the agent is lost: closed"


@pytest.mark.parametrize(
    ("answer", "why"),
    [(481, "it closed the connection"), (408, "it closed the connection"), (None, "nothing answers there")],
)
async def test_a_silent_agent_that_is_gone_has_ended_the_call(
    clock: Clock, answer: int | None, why: str
) -> None:
    call = _lost([answer])
    call.log.received.append(b"")
    await clock.step()
    assert call.how == ""
    await clock.step()
    assert call.how == f"the way to the agent is lost: {why}"
    assert isinstance(call.how, ConnectionLost), "no hang-up of the agent's"


@pytest.mark.parametrize("is_silent", [True, False])
@pytest.mark.parametrize("answer", [None, 408])
async def test_an_agent_that_is_heard_again_while_it_is_asked_is_there(
    clock: Clock, answer: int | None, is_silent: bool
) -> None:
    """There are agents that answer no OPTIONS."""
    call = _lost([answer, answer])
    call.speaks_again, call.is_silent = True, is_silent
    await clock.step()
    assert (call.asked, call.how) == (1, "")
    # What came meanwhile is the end of no silence twice.
    call.speaks_again = False
    await clock.step()
    await clock.step()
    assert (call.asked, bool(call.how)) == (2, True)


async def test_who_says_that_the_call_is_no_more_is_believed(clock: Clock) -> None:
    call = _lost([481])
    call.speaks_again = True
    await clock.step()
    assert call.how == "the way to the agent is lost: it closed the connection"


async def test_who_has_hung_up_is_not_asked() -> None:
    call = Call([])
    call.peer_left = True
    LostWay(call, run=call.run).lost("closed")
    assert (call.task, call.told) == (None, [])


async def test_an_agent_that_leaves_unheard_is_found_out(clock: Clock) -> None:
    call = _lost([200, 481])
    for _ in range(4):
        await clock.step()
        call.log.received.append(b"")
    for _ in range(6):
        await clock.step()
        assert call.how == ""
    await clock.step()
    assert call.how == "the way to the agent is lost: it closed the connection"


async def test_a_connection_that_is_lost_while_the_agent_is_asked_is_opened_once_more(clock: Clock) -> None:
    call = _lost([200, None, 200])
    for _ in range(7):
        await clock.step()
    # Over the second connection nothing came; it is asked over a third.
    assert (call.asked, call.how) == (2, "")
    await clock.step()
    assert (call.asked, call.how) == (3, "")
    call.end("the caller hung up")
    await clock.step()


async def test_a_call_that_is_over_is_watched_no_more(clock: Clock) -> None:
    call = _lost([])
    call.end("the caller hung up")
    await clock.step()
    assert call.task is not None
    assert (call.task.done(), call.asked) == (True, 0)
    call.way.lost("closed")
    assert call.told == ["signalling-lost"]


async def test_the_way_back_is_that_of_the_dialog(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, Place, str]] = []
    there = {("10.0.0.1", 5070)}

    async def opened(carrier: str, peer: Place, *, server_name: str, **more: Any) -> Any:
        tried.append((carrier, peer, server_name))
        if peer not in there:
            raise Unreached("nothing answers there")
        return peer

    monkeypatch.setattr(lost_way_module, "open_wire", opened)
    asking: Any = SimpleNamespace(
        destination=Destination(uri=parse_uri("sip:a@10.0.0.9"), carrier="tcp"),
        dialog=SimpleNamespace(next_hop="sip:10.0.0.1:5070;transport=tcp;lr"),
        shown="agent",
    )
    first = (("10.0.0.9", 5060), "agent.example")
    assert await way_back(asking, ca_file=None, else_to=first)() == ("10.0.0.1", 5070)
    assert tried == [("tcp", ("10.0.0.1", 5070), "10.0.0.1")]
    # The contact of an agent behind a translator of addresses; who was called is still there.
    asking.dialog.next_hop = "sip:192.168.1.5:40000"
    there.add(first[0])
    assert await way_back(asking, ca_file=None, else_to=first)() == first[0]
    with pytest.raises(Unreached):
        await way_back(asking, ca_file=None)()
