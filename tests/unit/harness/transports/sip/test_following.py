"""Where a call may be handed on to: hosts that the plan names, twice at most, and with nothing of ours."""

from __future__ import annotations

from typing import cast

import pytest

from harness.transports.base import DialRequest
from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.following import Following, elsewhere

DESTINATION = Destination(
    uri=parse_uri("sip:agent@first.example"),
    carrier="tcp",
    user="alice",
    password="canary",
    proxy=("10.0.0.1", 5060),
    follow=frozenset({"second.example", "127.0.0.1"}),
)


@pytest.mark.parametrize(
    ("target", "may"),
    [
        ("sip:desk@second.example", True),
        ("sip:desk@SECOND.example:5070;transport=udp", True),
        ("sips:desk@127.0.0.1", True),
        ("sip:desk@second.example;method=INVITE", True),
        ("sip:desk@third.example", False),
        ("sip:second.example@third.example", False),
        ("sip:desk@second.example;method=BYE", False),
        ("sip:desk@second.example?Replaces=abc%40x", False),
        ("tel:+4930123456", False),
        ("", False),
    ],
)
def test_only_calls_to_hosts_that_the_plan_names(target: str, may: bool) -> None:
    assert Following(request=cast(DialRequest, None), destination=DESTINATION).may(target) is may


def test_twice_at_most() -> None:
    following = Following(request=cast(DialRequest, None), destination=DESTINATION, followed=2)
    assert not following.may("sip:desk@second.example")


def test_nothing_that_opens_the_first_door_goes_along() -> None:
    there = elsewhere(DESTINATION, "sip:desk@second.example")
    assert (there.user, there.password, there.proxy) == ("", "", None)
    assert (str(there.uri), there.carrier) == ("sip:desk@second.example", "tcp")
    assert elsewhere(DESTINATION, "sips:desk@second.example").carrier == "tls"
