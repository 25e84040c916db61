"""What an INVITE says of ourselves, before anything is sent."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from sipmessage import Response

from harness.transports.sip.address import Carrier, Destination, parse_uri
from harness.transports.sip.signalling import placing as placing_module
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.placing import Placing, Redirected
from harness.transports.sip.signalling.transactions import Endpoint
from tests.unit.harness.transports.sip.signalling.made_peer import MadePeer


def _placing(address: str, carrier: Carrier, **more: Any) -> Placing:
    wire = SimpleNamespace(local=("127.0.0.1", 40_000), name=carrier.upper(), reliable=carrier != "udp")
    endpoint: Any = SimpleNamespace(wire=wire)
    return Placing(
        endpoint=endpoint,
        destination=Destination(uri=parse_uri(address), carrier=carrier, **more),
        login=Login(user="", password=""),
        hop=("127.0.0.1", 5060),
        offer=b"",
        shown=address,
    )


@pytest.mark.parametrize(
    ("address", "carrier", "contact"),
    [
        ("sip:a@127.0.0.1", "udp", "sip:outboundeval@127.0.0.1:40000"),
        ("sip:a@127.0.0.1;transport=tls", "tls", "sip:outboundeval@127.0.0.1:40000;transport=tls"),
        # RFC 3261, 8.1.1.8: who is called by a sips: address is told one.
        ("sips:a@127.0.0.1", "tls", "sips:outboundeval@127.0.0.1:40000"),
    ],
)
def test_the_contact_is_of_the_kind_that_was_called(address: str, carrier: Carrier, contact: str) -> None:
    assert _placing(address, carrier).dialog.contact == contact


def test_a_redirection_goes_to_the_first_place_that_the_plan_allows() -> None:
    placing = _placing("sip:a@127.0.0.1", "udp", follow=frozenset({"desk.example"}))
    response = Response(code=302, phrase="Moved", body=b"")
    response.headers.add("Contact", "<mailto:a@h>, <sip:b@elsewhere.example>;q=1")
    told = placing._redirected(response)
    assert not isinstance(told, Redirected)
    assert "to sip:b@elsewhere.example, which the plan does not allow" in str(told)
    response.headers.add("Contact", "<sip:b@desk.example;x=1>, <sip:c@desk.example>")
    told = placing._redirected(response)
    assert isinstance(told, Redirected)
    assert told.to == "sip:b@desk.example;x=1"


def test_a_proxy_is_a_loose_route() -> None:
    placing = _placing("sip:a@agents.example", "tcp", proxy=("10.0.0.1", 5070))
    assert placing.dialog.routes == ["sip:10.0.0.1:5070;transport=tcp;lr"]
    assert placing.dialog.local.startswith("<sip:caller@agents.example>")


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
    monkeypatch.setattr(placing_module, "PENDING_S", pending_s)
    peer, placing = MadePeer(), _placing("sip:a@127.0.0.1", "tcp")
    placing.endpoint = Endpoint(peer)
    asking = asyncio.create_task(placing.answered("INVITE", [], b"", limit_s=0.02, waits_on=lambda: waits))
    await asyncio.sleep(0)
    if code is not None:
        await peer.says(code)
    await asyncio.sleep(0.15)
    await peer.says(200)
    response = await asking
    assert (response is not None and response.code == 200) == answered
    placing.endpoint.close()
