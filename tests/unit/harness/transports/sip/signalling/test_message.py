"""Messages of strangers: read whole or refused; and what is written is what was meant."""

from __future__ import annotations

import pytest
from sipmessage import Request, Response

from harness.transports.sip.signalling.message import (
    MAX_MESSAGE_BYTES,
    BadMessage,
    address_of,
    bad_request,
    branch_of,
    number_in,
    parameter,
    read_message,
    reply_place,
    response_bytes,
    split_outside,
    tag_of,
    values,
)

LINES = [
    "INVITE sip:b@h SIP/2.0",
    "Via: SIP/2.0/UDP 10.0.0.1:5060;rport;branch=z9hG4bKabc",
    "From: <sip:a@h>;tag=1",
    "To: <sip:b@h>",
    "Call-ID: c@h",
    "CSeq: 7 INVITE",
]


def message(*lines: str, body: str = "", drop: str = "") -> bytes:
    kept = [line for line in LINES if not drop or not line.startswith(drop)]
    return ("\r\n".join([*kept, *lines]) + "\r\n\r\n" + body).encode()


def invite(*lines: str, body: str = "") -> Request:
    found = read_message(message(*lines, body=body))
    assert isinstance(found, Request)
    return found


def test_short_names_folded_lines_and_spaces_are_understood() -> None:
    found = invite("m : <sip:x@h>,", "  <sip:y@h>;q=0.5", "l: 2", body="abcd")
    assert values(found, "Contact") == ["<sip:x@h>", "<sip:y@h>;q=0.5"]
    assert found.body == b"ab"
    assert branch_of(found) == "z9hG4bKabc"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "breaks off"),
        (message()[:-10], "breaks off"),
        (b"\x00\xff\xfe\r\n\r\n", "cannot be read"),
        (b"HELLO\r\n\r\n", "cannot be read"),
        (b"x" * (MAX_MESSAGE_BYTES + 1), "more than"),
        (message("X: " + "y" * 60_000), "too long"),
        (message(*["X: y"] * 300), "too many headers"),
        (message("Content-Length: 99", body="x"), "Content-Length"),
        (message("Content-Length: -1"), "Content-Length"),
        (message("Content-Length: 0", "l: 0"), "Content-Length more than once"),
        (message("no colon"), "cannot be read"),
        (message(": nothing"), "has no name"),
        (message(drop="Via"), "it has no Via"),
        (message(drop="From"), "it has no From"),
        (message(drop="Call-ID"), "it has no Call-ID"),
        (message(drop="CSeq"), "it has no CSeq"),
        (message("CSeq: x INVITE", drop="CSeq"), "its CSeq is none"),
        (message("CSeq: 99999999999 INVITE", drop="CSeq"), "its CSeq is none"),
        (message("CSeq: 7 BYE", drop="CSeq"), "of another method"),
        (message().replace(b"INVITE sip", b"invite sip"), "of another method"),
        (message().replace(b"INVITE sip:b@h SIP/2.0", b"SIP/2.0 999 OK"), "its code is none"),
        (message().replace(b"INVITE sip:b@h SIP/2.0", b"SIP/2.0 abc OK"), "cannot be read"),
    ],
)
def test_what_is_no_message_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(BadMessage, match=why):
        read_message(data)


def test_a_response_repeats_what_it_answers_and_tells_whence_it_came() -> None:
    told = response_bytes(
        invite("Via: SIP/2.0/UDP proxy;branch=2", "Record-Route: <sip:p;lr>"),
        180,
        "Ringing",
        to_tag="mine",
        source=("192.0.2.9", 4444),
    ).decode()
    lines = told.split("\r\n")
    assert lines[0] == "SIP/2.0 180 Ringing"
    assert lines[1] == "Via: SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bKabc;received=192.0.2.9;rport=4444"
    assert lines[2] == "Via: SIP/2.0/UDP proxy;branch=2"
    assert "Record-Route: <sip:p;lr>" in lines
    assert "To: <sip:b@h>;tag=mine" in lines
    assert lines[-3:] == ["Content-Length: 0", "", ""]


def test_headers_are_taken_apart_outside_of_quotes_and_brackets() -> None:
    assert split_outside('"a, b" <sip:x,y@h>;q=1, <sip:z@h>', ",") == ['"a, b" <sip:x,y@h>;q=1', "<sip:z@h>"]
    assert split_outside(r'"a \" ; b";c', ";") == [r'"a \" ; b"', "c"]
    assert tag_of('"x;tag=no" <sip:a@h;tag=no>;tag=yes') == "yes"
    assert tag_of("sip:a@h;tag=yes") == "yes"
    assert tag_of("<sip:a@h>") == ""
    assert address_of('"B" <sip:b@h;lr>;x=y') == "sip:b@h;lr"
    assert address_of("sip:b@h;x=y") == "sip:b@h"
    assert parameter("SIP/2.0/UDP h;Branch = z1 ;rport", "branch") == "z1"


@pytest.mark.parametrize(
    ("via", "port"),
    [
        ("SIP/2.0/UDP 10.0.0.1:5070;branch=z9hG4bKa", 5070),
        ("SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKa", 5060),
        ("SIP/2.0/UDP 10.0.0.1:5070;rport;branch=z9hG4bKa", 4444),
        ("SIP/2.0/UDP 10.0.0.1:5070;branch=z9hG4bKa; RPort = 1", 4444),
        ("SIP / 2.0 / UDP agent_1.example : 5080 ; branch=z9hG4bKa", 5080),
        ("SIP/2.0/UDP [2001:db8::1]:5071;branch=z9hG4bKa", 5071),
        ("SIP/2.0/UDP [2001:db8::1];branch=z9hG4bKa", 5060),
        # Ports that there are not, and what is no Via.
        ("SIP/2.0/UDP 10.0.0.1:0;branch=z9hG4bKa", 4444),
        ("SIP/2.0/UDP 10.0.0.1:70000;branch=z9hG4bKa", 4444),
        ("nonsense", 4444),
    ],
)
def test_responses_go_to_the_port_that_the_sender_names(via: str, port: int) -> None:
    found = read_message(message(f"Via: {via}", drop="Via"))
    assert isinstance(found, Request)
    assert reply_place(found, ("192.0.2.9", 4444)) == ("192.0.2.9", port)


def test_latin_1_is_read_and_utf_8_beside_it_stays() -> None:
    data = message("Subject: Größe").replace(b"From: <sip:a@h>", "From: Jürgen <sip:a@h>".encode("latin-1"))
    found = read_message(data)
    assert found.headers["From"] == "Jürgen <sip:a@h>;tag=1"
    assert found.headers["Subject"] == "Größe"
    busy = read_message(data.replace(LINES[0].encode(), b"SIP/2.0 486 Besetzt \xfc"))
    assert isinstance(busy, Response)
    assert (busy.code, busy.phrase) == (486, "Besetzt ü")


def test_a_status_line_may_end_behind_its_code() -> None:
    found = read_message(message().replace(LINES[0].encode(), b"SIP/2.0 200"))
    assert isinstance(found, Response)
    assert (found.code, found.phrase) == (200, "")


@pytest.mark.parametrize(
    ("uri", "read"),
    [
        ("SIP:b@h", "sip:b@h"),
        ("SIPS:b@h:5061;transport=tls", "sips:b@h:5061;transport=tls"),
        ("sip:a@my_host_1", "sip:a@my_host_1"),
        ("sip:a@my_host_1:5070", "sip:a@my_host_1:5070"),
        ("sip:agent1", "sip:agent1"),
        ("sip:a@192.0.2.7:5070", "sip:a@192.0.2.7:5070"),
        ("sip:a@[2001:db8::1]:5070", "sip:a@[2001:db8::1]:5070"),
        ("tel:+4930123456", "tel:+4930123456"),
    ],
)
def test_addresses_that_telephones_send_are_read(uri: str, read: str) -> None:
    found = read_message(message().replace(b"sip:b@h SIP", f"{uri} SIP".encode()))
    assert isinstance(found, Request)
    assert str(found.uri) == read


def test_a_request_that_cannot_be_read_is_answered_where_it_came_from() -> None:
    broken = message("Via: SIP/2.0/UDP proxy;branch=2", "Content-Length: 99", body="x")
    with pytest.raises(BadMessage):
        read_message(broken)
    refusal = bad_request(broken, ("192.0.2.9", 4444))
    assert refusal is not None
    told = read_message(refusal[0])
    assert isinstance(told, Response)
    assert told.code == 400
    assert values(told, "Via") == [
        "SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bKabc;received=192.0.2.9;rport=4444",
        "SIP/2.0/UDP proxy;branch=2",
    ]
    assert (told.headers["From"], told.headers["CSeq"]) == ("<sip:a@h>;tag=1", "7 INVITE")
    assert tag_of(told.headers["To"])
    assert refusal[1] == ("192.0.2.9", 4444)
    # Without rport: to the port in its Via.
    refusal = bad_request(broken.replace(b"rport;", b""), ("192.0.2.9", 4444))
    assert refusal is not None
    assert refusal[1] == ("192.0.2.9", 5060)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        message(drop="Via"),
        message("Via: x", drop="Via"),
        message("Via: SIP/2.0/UDP h\nX: y;branch=1", drop="Via"),
        message("Via: SIP/2.0/UDP h;branch=" + "1" * 9000, drop="Via"),
        message()[:-10],
        message().replace(LINES[0].encode(), b"SIP/2.0 abc OK"),
        message().replace(b"INVITE", b"ACK"),
        b"\x00\xff\xfe\r\n\r\n",
    ],
)
def test_nobody_is_answered_who_cannot_be(data: bytes) -> None:
    assert bad_request(data, ("192.0.2.9", 4444)) is None


def test_an_answer_to_what_cannot_be_read_is_hardly_longer_than_that() -> None:
    for data in (message(*["Via: " + ("SIP/2.0/UDP h," * 500)[:-1]] * 8), message(*["f: <sip:a@h>"] * 500)):
        refusal = bad_request(data, ("192.0.2.9", 4444))
        assert refusal is not None
        assert len(refusal[0]) < len(data)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[("90", 90), (" 0 ", 0), ("9" * 9, 999_999_999), ("9" * 10, None), ("9" * 5000, None)],
        *[("", None), ("-1", None), ("1.5", None), ("\u0663", None), ("\u00b2", None)],
    ],
)
def test_a_number_is_read_with_a_bound(text: str, number: int | None) -> None:
    assert number_in(text) == number
