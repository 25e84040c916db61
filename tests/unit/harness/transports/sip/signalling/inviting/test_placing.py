"""What an INVITE says of ourselves, before anything is sent."""

from __future__ import annotations

from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.signalling.inviting.placing import begun


def test_a_proxy_is_a_loose_route() -> None:
    destination = Destination(uri=parse_uri("sip:a@agents.example"), carrier="tcp", proxy=("10.0.0.1", 5070))
    dialog = begun(destination, at=("127.0.0.1", 40_000))
    assert dialog.routes == ["sip:10.0.0.1:5070;transport=tcp;lr"]
    assert dialog.local.startswith("<sip:caller@agents.example>")
