"""Which entry a ring is for; what a ring is that nobody waits for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

from harness.calls.voice.answering.switchboard import Switchboard
from harness.plans.call import CallPlan
from harness.plans.reach.answer import AnswerPlan
from harness.records.placed.rings import RingStatus
from harness.transports.sip.answering.ring import Ring
from voice_sim.policies.script import Script, ScriptLine

SOON_S = 0.05


@dataclass(eq=False)
class FakeRing:
    """A ring without a wire."""

    numbers: tuple[str, ...] = ("agent",)
    headers: dict[str, str] = field(default_factory=dict)
    code: int = 0
    over: bool = False
    rang: bool = False
    gone: Any = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def header(self, name: str) -> str:
        return self.headers.get(name, "")

    def rings(self) -> None:
        self.rang = True

    def refuse(self, code: int) -> None:
        self.code = code

    def forget(self) -> None:
        return


def entry(name: str, **answer: Any) -> CallPlan:
    return CallPlan(
        call_id=name,
        agent="sip:127.0.0.1",
        script=Script(lines=(ScriptLine(say="Hello?"),)),
        answer=AnswerPlan(ring_s=0.0, **answer),
    )


class Board:
    """A switchboard, and what it refused."""

    def __init__(self, *entries: CallPlan) -> None:
        self.refused: list[tuple[RingStatus, str]] = []
        self.board = Switchboard(
            entries, on_refused=lambda ring, status, entry, why: self.refused.append((status, entry))
        )

    def rings(self, **told: Any) -> FakeRing:
        ring = FakeRing(**told)
        self.board.put_through(cast(Ring, ring))
        return ring

    async def waits(self, name: str) -> asyncio.Task[Ring | None]:
        task = asyncio.create_task(self.board.wait_for(name, 5.0))
        await asyncio.sleep(0)
        return task


async def test_in_turn() -> None:
    one = Board(entry("a"), entry("b"))
    first = await one.waits("a")
    ring = one.rings()
    assert await first is ring
    ring.over = True
    one.board.served("a")
    second = await one.waits("b")
    other = one.rings(numbers=("somebody",))
    assert await second is other
    assert one.refused == []


async def test_by_number_and_by_header_in_any_order() -> None:
    one = Board(entry("a", number="100"), entry("b", number="200"), entry("c", header={"X-Entry": "c"}))
    waiting = {name: await one.waits(name) for name in "abc"}
    for name, told in (("c", {"headers": {"X-Entry": "c"}}), ("b", {"numbers": ("me", "200")})):
        ring = one.rings(**told)
        assert await waiting[name] is ring
    stranger = one.rings(numbers=("300",))
    assert (stranger.code, one.refused) == (404, [(RingStatus.UNKNOWN_NUMBER, "")])
    waiting["a"].cancel()


async def test_never_rung() -> None:
    one = Board(entry("a"))
    assert await one.board.wait_for("a", SOON_S) is None
    late = one.rings()
    assert (late.code, one.refused) == (486, [(RingStatus.RANG_TWICE, "a")])


async def test_two_at_once_and_rang_twice() -> None:
    one = Board(entry("a", number="100"))
    waiting = await one.waits("a")
    first = one.rings(numbers=("100",))
    assert await waiting is first
    second = one.rings(numbers=("100",))
    assert (second.code, one.refused.pop()) == (486, (RingStatus.TWO_AT_ONCE, "a"))
    first.over = True
    # Its call is over, and may be written still: another one is a second one, not one at the same time.
    third = one.rings(numbers=("100",))
    assert (third.code, one.refused.pop()) == (486, (RingStatus.RANG_TWICE, "a"))
    one.board.served("a")
    fourth = one.rings(numbers=("100",))
    assert (fourth.code, one.refused.pop()) == (486, (RingStatus.RANG_TWICE, "a"))


async def test_one_for_an_entry_that_is_to_come_rings_until_it_waits() -> None:
    one = Board(entry("a"), entry("b"))
    early = one.rings()
    assert early.rang
    assert early.code == 0
    beside = one.rings()
    assert (beside.code, one.refused.pop()) == (486, (RingStatus.TWO_AT_ONCE, ""))
    assert await (await one.waits("a")) is early


async def test_one_that_hung_up_before_anybody_waited_is_counted() -> None:
    one = Board(entry("a"))
    early = one.rings()
    early.gone.set_result("hung up")
    waiting = await one.waits("a")
    assert one.refused == [(RingStatus.HUNG_UP_RINGING, "")]
    ring = one.rings()
    assert await waiting is ring


async def test_who_rings_still_when_all_is_over_is_sent_away() -> None:
    one = Board(entry("a"))
    early = one.rings()
    one.board.close()
    assert (early.code, one.refused) == (480, [(RingStatus.RANG_TWICE, "")])


async def test_an_entry_that_is_cut_off_can_be_waited_for_again() -> None:
    one = Board(entry("a"))
    waiting = await one.waits("a")
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    one.board.again("a")
    waiting = await one.waits("a")
    ring = one.rings()
    assert await waiting is ring
