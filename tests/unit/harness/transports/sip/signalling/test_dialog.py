"""Dialogs: the way of requests through proxies, loose and strict, and whose requests belong to it."""

from __future__ import annotations

from sipmessage import Request, Response

from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.message import read_message

ANSWER = (
    "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP h;branch=z9hG4bKa\r\nRecord-Route: {routes}\r\n"
    "From: <sip:a@h>;tag=ours\r\nTo: <sip:b@h>;tag=theirs\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\n"
    "Contact: <sip:b@10.0.0.9:5070;transport=udp>\r\n\r\n"
)


def dialog(routes: str) -> Dialog:
    made = Dialog(
        call_id="c", local="<sip:a@h>;tag=ours", remote="<sip:b@h>", target="sip:b@h", contact="sip:a@me"
    )
    response = read_message(ANSWER.format(routes=routes).encode())
    assert isinstance(response, Response)
    made.confirm(response)
    return made


def routes_of(made: Dialog) -> list[str]:
    return [value for name, value in made.headers("BYE", via="v") if name == "Route"]


def test_requests_go_back_by_the_way_of_the_answer() -> None:
    made = dialog("<sip:last.example;lr>, <sip:first.example;lr>")
    assert made.next_hop == "sip:first.example;lr"
    assert made.request_uri == "sip:b@10.0.0.9:5070;transport=udp"
    assert routes_of(made) == ["<sip:first.example;lr>", "<sip:last.example;lr>"]


def test_a_strict_router_gets_its_own_address_first() -> None:
    made = dialog("<sip:last.example;lr>, <sip:strict.example>")
    assert made.request_uri == "sip:strict.example"
    assert routes_of(made) == ["<sip:last.example;lr>", "<sip:b@10.0.0.9:5070;transport=udp>"]


def test_numbers_grow_but_for_what_belongs_to_an_earlier_request() -> None:
    made = dialog("<sip:p;lr>")
    numbers = [dict(made.headers(*what, via="v"))["CSeq"] for what in (("INVITE",), ("BYE",))]
    assert numbers == ["1 INVITE", "2 BYE"]
    assert dict(made.headers("ACK", via="v", number=1))["CSeq"] == "1 ACK"
    assert made.local_number == 2


def test_only_requests_with_both_tags_belong_to_it() -> None:
    made = dialog("<sip:p;lr>")

    def bye(call_id: str, to: str, of: str) -> Request:
        found = read_message(
            f"BYE sip:a@me SIP/2.0\r\nVia: SIP/2.0/UDP h\r\nFrom: <sip:b@h>;tag={of}\r\n"
            f"To: <sip:a@h>;tag={to}\r\nCall-ID: {call_id}\r\nCSeq: 1 BYE\r\n\r\n".encode()
        )
        assert isinstance(found, Request)
        return found

    assert made.holds(bye("c", "ours", "theirs"))
    assert not made.holds(bye("other", "ours", "theirs"))
    assert not made.holds(bye("c", "other", "theirs"))
    assert not made.holds(bye("c", "ours", "other"))
