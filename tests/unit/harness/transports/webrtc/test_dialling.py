"""A call that stands in time, that does not, and that fails: what was begun is always closed."""

from __future__ import annotations

import asyncio

import pytest

from harness.errors import SetupFailed
from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.transports.base import DialRequest
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import Uplink, silence
from harness.transports.webrtc.dialling import dialled


class Call:
    """Connects by doing ``how``."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.stage = "waiting for {nobody}"
        self.closed = False

    async def connect(self) -> None:
        if self.how == "hangs":
            await asyncio.Event().wait()
        if self.how == "fails":
            raise SetupFailed("AGENT: refused")

    async def close(self) -> None:
        self.closed = True
        self.stage = "closed"


def _request() -> DialRequest:
    return DialRequest(
        agent="AGENT",
        to=on_the_wire("http://127.0.0.1:1"),
        conditions=ConditionsPlan(),
        seed=0,
        connect_s=0.01,
        uplink=Uplink(background=silence(OPUS)),
        clock=CallClock(),
        on_event=lambda event: None,
        on_packet=lambda packet: None,
    )


async def test_a_call_that_stands_is_given() -> None:
    call = Call("stands")
    assert await dialled(call, _request()) is call
    assert not call.closed


async def test_one_that_does_not_in_its_time_is_closed_and_told_with_what_it_waited_for() -> None:
    call = Call("hangs")
    # As it was before it was closed; a stage may quote a stranger, so nothing in it is a placeholder.
    with pytest.raises(
        SetupFailed, match=r"^AGENT: no media session within 0.01 s \(waiting for {nobody}\)$"
    ):
        await dialled(call, _request())
    assert call.closed
    with pytest.raises(SetupFailed, match=r"^AGENT: waiting for {nobody} within 0.01 s$"):
        await dialled(Call("hangs"), _request(), late="{stage} within {s:g} s")


async def test_one_that_fails_is_closed() -> None:
    call = Call("fails")
    with pytest.raises(SetupFailed, match="AGENT: refused"):
        await dialled(call, _request())
    assert call.closed


async def test_one_that_is_broken_off_is_closed() -> None:
    call = Call("hangs")
    task = asyncio.ensure_future(dialled(call, _request()))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert call.closed
