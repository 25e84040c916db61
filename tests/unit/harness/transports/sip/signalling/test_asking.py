"""How long a request in a dialog is waited for."""

from __future__ import annotations

import asyncio

import pytest

from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.signalling import asking as asking_module
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.inviting.placing import begun
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.transactions import Endpoint
from tests.unit.harness.transports.sip.signalling.made_peer import HOP, MadePeer


@pytest.mark.parametrize(
    ("code", "waits", "pending_s", "answered"),
    # With a 1xx it is waited for, where that is wanted, and no longer than for a time.
    [
        (100, True, 180.0, True),
        (100, False, 180.0, False),
        (None, True, 180.0, False),
        (100, True, 0.02, False),
    ],
)
async def test_a_request_that_has_a_provisional_answer_may_be_waited_on(
    monkeypatch: pytest.MonkeyPatch, code: int | None, waits: bool, pending_s: float, answered: bool
) -> None:
    monkeypatch.setattr(asking_module, "PENDING_S", pending_s)
    peer = MadePeer()
    destination = Destination(uri=parse_uri("sip:a@127.0.0.1"), carrier="tcp")
    asking = Asking(
        endpoint=Endpoint(peer),
        destination=destination,
        login=Login(user="", password=""),
        hop=HOP,
        shown="sip:a@127.0.0.1",
        dialog=begun(destination, at=peer.local),
    )
    waited = asyncio.create_task(asking.answered("INVITE", [], b"", limit_s=0.02, waits_on=lambda: waits))
    await asyncio.sleep(0)
    if code is not None:
        await peer.says(code)
    await asyncio.sleep(0.15)
    await peer.says(200)
    response = await waited
    assert (response is not None and response.code == 200) == answered
    asking.endpoint.close()
