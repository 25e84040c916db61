"""What an INVITE says of ourselves, before anything is sent, and by how much a session is lengthened."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sipmessage import Response

from harness.errors import SetupFailed
from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.signalling.inviting.placing import Placing, begun


def test_a_proxy_is_a_loose_route() -> None:
    destination = Destination(uri=parse_uri("sip:a@agents.example"), carrier="tcp", proxy=("10.0.0.1", 5070))
    dialog = begun(destination, at=("127.0.0.1", 40_000))
    assert dialog.routes == ["sip:10.0.0.1:5070;transport=tcp;lr"]
    assert dialog.local.startswith("<sip:caller@agents.example>")


def test_a_session_of_thousands_of_digits_is_a_refusal_of_theirs() -> None:
    asking: Any = SimpleNamespace(shown="sip:a@127.0.0.1")
    placing = Placing(asking=asking, offer=b"")
    response = Response(code=422, phrase="Session Interval Too Small", body=b"")
    response.headers.add("Min-SE", "9" * 5000)
    with pytest.raises(SetupFailed, match="answered 422"):
        placing._lengthen_session(response)
