"""Where we say that we are."""

from __future__ import annotations

import pytest
from sipmessage import Response

from harness.transports.sip.address import Carrier, Destination, parse_uri
from harness.transports.sip.signalling.own_address import contact, seen_at

LOCAL = ("10.1.1.1", 40_000)


@pytest.mark.parametrize(
    ("address", "carrier", "told"),
    [
        ("sip:a@127.0.0.1", "udp", "sip:outboundeval@127.0.0.1:40000"),
        ("sip:a@127.0.0.1;transport=tls", "tls", "sip:outboundeval@127.0.0.1:40000;transport=tls"),
        # RFC 3261, 8.1.1.8: who is called by a sips: address is told one.
        ("sips:a@127.0.0.1", "tls", "sips:outboundeval@127.0.0.1:40000"),
    ],
)
def test_the_contact_is_of_the_kind_that_was_called(address: str, carrier: Carrier, told: str) -> None:
    destination = Destination(uri=parse_uri(address), carrier=carrier)
    assert contact(destination, ("127.0.0.1", 40_000)) == told


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        (";rport", None),
        (";received=192.0.2.7;rport=62000", ("192.0.2.7", 62_000)),
        (";received=192.0.2.7", ("192.0.2.7", 40_000)),
        (";rport=62000", ("10.1.1.1", 62_000)),
        (";received=[2001:db8::7];rport=x", ("2001:db8::7", 40_000)),
        # Of more digits than Python reads.
        (f";rport={'9' * 5000}", None),
        (f";received=192.0.2.7;rport={'9' * 5000}", ("192.0.2.7", 40_000)),
    ],
)
def test_where_the_peer_sees_us_is_what_it_says_of_it(told: str, seen: tuple[str, int] | None) -> None:
    response = Response(code=401, phrase="Unauthorized", body=b"")
    response.headers.add("Via", f"SIP/2.0/UDP 10.1.1.1:40000;branch=z9hG4bKa{told}")
    assert seen_at(response, LOCAL) == seen
