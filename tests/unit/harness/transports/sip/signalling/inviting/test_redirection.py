"""Where a call goes that is sent elsewhere."""

from __future__ import annotations

from sipmessage import Response

from harness.transports.sip.signalling.inviting.redirection import Redirected, redirected


def test_a_redirection_goes_to_the_first_place_that_the_plan_allows() -> None:
    allowed = frozenset({"desk.example"})
    response = Response(code=302, phrase="Moved", body=b"")
    response.headers.add("Contact", "<mailto:a@h>, <sip:b@elsewhere.example>;q=1")
    told = redirected(response, allowed=allowed, shown="sip:a@127.0.0.1")
    assert not isinstance(told, Redirected)
    assert "to sip:b@elsewhere.example, which the plan does not allow" in str(told)
    response.headers.add("Contact", "<sip:b@desk.example;x=1>, <sip:c@desk.example>")
    told = redirected(response, allowed=allowed, shown="sip:a@127.0.0.1")
    assert isinstance(told, Redirected)
    assert told.to == "sip:b@desk.example;x=1"
