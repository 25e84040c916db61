"""Redirections that are followed: how many, and what becomes of a call that ends behind one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from harness.errors import NotAnswered, SetupFailed
from harness.transports.sip import transport
from harness.transports.sip.signalling.inviting.redirection import Redirected
from harness.transports.sip.transport import SipTransport
from tests.unit.harness.transports.sip.standing import request_of


class Sent:
    """A session that is always sent elsewhere, and takes as long to be closed as ``closing`` does."""

    made: list[Sent]
    closing: asyncio.Event

    def __init__(self, *_: object) -> None:
        self.stage, self.rang = "no answer to the INVITE", False
        self.transfers = SimpleNamespace()
        self.told: list[str] = []
        self.closed: list[str] = []
        Sent.made.append(self)

    async def connect(self) -> None:
        raise Redirected("sip:desk@127.0.0.1")

    def tell(self, kind: str, data: object) -> None:
        self.told.append(kind)

    async def give_up(self) -> None:
        return

    async def close(self) -> None:
        self.closed.append("begun")
        # What is closed already is closed at once.
        if len(self.closed) == 1:
            await Sent.closing.wait()
        self.closed.append("done")


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> None:
    Sent.made, Sent.closing = [], asyncio.Event()
    monkeypatch.setattr(transport, "SipSession", Sent)


async def test_a_circle_of_redirections_is_not_answered_and_each_session_is_closed_once() -> None:
    Sent.closing.set()
    with pytest.raises(NotAnswered, match="redirected more than 2 times") as refused:
        await SipTransport().dial(request_of([], []))
    assert refused.value.reason == "redirected"
    assert [one.closed for one in Sent.made] == [["begun", "done"]] * 3
    assert [one.told for one in Sent.made] == [["redirected"]] * 3


async def test_a_session_whose_closing_takes_too_long_is_closed_to_its_end() -> None:
    request = replace(request_of([], []), connect_s=0.05)
    with pytest.raises(SetupFailed, match=r"no media session within 0.05 s \(no answer to the INVITE\)"):
        await SipTransport().dial(request)
    assert [one.closed for one in Sent.made] == [["begun", "begun", "done"]]
