"""What an INVITE says of ourselves, before anything is sent."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from harness.transports.sip.address import Carrier, Destination, parse_uri
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.placing import Placing


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


def test_a_proxy_is_a_loose_route() -> None:
    placing = _placing("sip:a@agents.example", "tcp", proxy=("10.0.0.1", 5070))
    assert placing.dialog.routes == ["sip:10.0.0.1:5070;transport=tcp;lr"]
    assert placing.dialog.local.startswith("<sip:caller@agents.example>")
