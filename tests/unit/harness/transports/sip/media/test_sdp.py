"""Descriptions of telephone calls: written as others read them, read with bounds."""

from __future__ import annotations

import pytest
from aiortc.sdp import SessionDescription

from harness.transports.sip.media.sdp import (
    MAX_BYTES,
    BadSdp,
    agree,
    new_crypto,
    read_audio,
    write_answer,
    write_offer,
)

ALL = ("pcmu", "pcma", "g722", "opus")
BASE = "v=0\r\no=- 1 1 IN IP4 h\r\ns=-\r\nc=IN IP4 192.0.2.5\r\nt=0 0\r\n"


def offer(**options: object) -> bytes:
    return write_offer(address="192.0.2.1", port=4000, codecs=ALL, session=(7, 1), **options)  # type: ignore[arg-type]


def test_another_parser_reads_our_offer() -> None:
    media = SessionDescription.parse(offer().decode()).media[0]
    assert (media.kind, media.port, media.profile) == ("audio", 4000, "RTP/AVP")
    assert media.fmt == [0, 8, 9, 111, 101, 110]
    named = [
        (codec.payloadType, codec.mimeType, codec.clockRate, codec.channels) for codec in media.rtp.codecs
    ]
    assert named == [
        (0, "audio/PCMU", 8000, 1),
        (8, "audio/PCMA", 8000, 1),
        (9, "audio/G722", 8000, 1),
        (111, "audio/opus", 48000, 2),
        (101, "audio/telephone-event", 8000, 1),
        (110, "audio/telephone-event", 48000, 1),
    ]
    assert b"m=audio 4000 RTP/SAVP" in offer(crypto=new_crypto())


def test_static_types_need_no_name_and_the_first_in_common_is_taken() -> None:
    theirs = read_audio(
        (BASE + "m=audio 9000 RTP/AVP 18 8 0 101\r\na=rtpmap:101 telephone-event/8000\r\n").encode()
    )
    agreed = agree(theirs, ALL, offered=False)
    assert (agreed.codec, agreed.payload_type, agreed.event_type) == ("pcma", 8, 101)
    assert (theirs.address, theirs.port, theirs.direction, theirs.on_hold) == (
        "192.0.2.5",
        9000,
        "sendrecv",
        False,
    )


def test_events_run_on_the_clock_of_the_codec() -> None:
    theirs = read_audio(
        (
            BASE + "m=audio 9000 RTP/AVP 96 101 97\r\na=rtpmap:96 opus/48000/2\r\n"
            "a=rtpmap:101 telephone-event/8000\r\na=rtpmap:97 telephone-event/48000\r\n"
        ).encode()
    )
    agreed = agree(theirs, ALL, offered=False)
    assert (agreed.event_type, agreed.event_rate_hz) == (97, 48_000)
    answer = write_answer(theirs, agreed, address="192.0.2.1", port=4000, session=(1, 1)).decode()
    assert "m=audio 4000 RTP/AVP 96 97\r\n" in answer


def test_a_dynamic_number_means_what_it_is_said_to_mean() -> None:
    theirs = read_audio((BASE + "m=audio 9000 RTP/AVP 111 9\r\na=rtpmap:111 speex/16000\r\n").encode())
    assert agree(theirs, ALL, offered=False).codec == "g722"
    with pytest.raises(BadSdp, match="no codec in common: we speak opus, it g722, speex"):
        agree(theirs, ("opus",), offered=False)


@pytest.mark.parametrize(
    ("lines", "held"),
    [
        ("m=audio 9000 RTP/AVP 0\r\na=sendonly\r\n", True),
        ("m=audio 9000 RTP/AVP 0\r\na=inactive\r\n", True),
        ("m=audio 9000 RTP/AVP 0\r\nc=IN IP4 0.0.0.0\r\n", True),
        ("a=sendonly\r\nm=audio 9000 RTP/AVP 0\r\n", True),
        ("a=sendonly\r\nm=audio 9000 RTP/AVP 0\r\na=sendrecv\r\n", False),
        ("m=audio 9000 RTP/AVP 0\r\na=recvonly\r\n", False),
    ],
)
def test_a_hold_is_told_in_many_ways(lines: str, held: bool) -> None:
    assert read_audio((BASE + lines).encode()).on_hold is held


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "v=0"),
        (b"<html>", "v=0"),
        (b"v=0\r\n" + b"x" * MAX_BYTES, "more than"),
        (BASE.encode(), "no audio"),
        ((BASE + "m=video 1 RTP/AVP 0\r\n").encode(), "no audio"),
        ((BASE + "m=audio x RTP/AVP 0\r\n").encode(), "cannot be read"),
        ((BASE + "m=audio 99999 RTP/AVP 0\r\n").encode(), "cannot be read"),
        ((BASE + "m=audio 9 UDP/TLS/RTP/SAVPF 0\r\n").encode(), "we do not speak"),
        (b"v=0\r\nm=audio 9 RTP/AVP 0\r\n", "does not name an IP address"),
        (b"v=0\r\nc=IN IP4 999.0.0.1\r\nm=audio 9 RTP/AVP 0\r\n", "does not name an IP address"),
        (b"v=0\r\nc=IN IP4 evil.example\r\nm=audio 9 RTP/AVP 0\r\n", "does not name an IP address"),
    ],
)
def test_what_no_call_can_be_made_of_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(BadSdp, match=why):
        read_audio(body)


def test_keys_of_a_wrong_form_are_none() -> None:
    lines = "".join(
        f"a=crypto:{line}\r\n"
        for line in (
            "1 AES_CM_128_HMAC_SHA1_80 inline:!!!",
            "2 AES_256_X inline:AAAA",
            "x y z",
            "3 AES_CM_128_HMAC_SHA1_80 inline:AAAA",
        )
    )
    assert read_audio((BASE + "m=audio 9 RTP/SAVP 0\r\n" + lines).encode()).crypto == ()


BESIDE = (
    "m=video 9002/2 RTP/AVP 97 98\r\na=rtpmap:97 H264/90000\r\n"
    "m=audio 9000 RTP/AVPF 0\r\n"
    "m=text 9004 RTP/AVP 99\r\nm=image 9006 udptl t38  \r\nm=audio 9008 RTP/AVP 8\r\n"
)


@pytest.mark.parametrize(
    ("told", "port"),
    [("9001", 9001), ("65535", 65_535), ("65536", None), ("0", None), ("9" * 5000, None)],
)
def test_a_port_for_reports_is_read_with_a_bound(told: str, port: int | None) -> None:
    """Of thousands of digits Python reads none."""
    theirs = read_audio(f"{BASE}m=audio 9000 RTP/AVP 0\r\na=rtcp:{told} IN IP4 192.0.2.5\r\n".encode())
    assert theirs.rtcp_port == port


def test_each_stream_of_an_offer_has_its_line_in_the_answer() -> None:
    theirs = read_audio((BASE + BESIDE).encode())
    agreed = agree(theirs, ALL, offered=False)
    answer = write_answer(theirs, agreed, address="192.0.2.1", port=4000, session=(1, 1)).decode()
    assert [line for line in answer.split("\r\n") if line.startswith("m=")] == [
        "m=video 0 RTP/AVP 97 98",
        "m=audio 4000 RTP/AVPF 0",
        "m=text 0 RTP/AVP 99",
        "m=image 0 udptl t38",
        "m=audio 0 RTP/AVP 8",
    ]
    # What belongs to our sound stands below its line.
    assert answer.index("a=sendrecv") < answer.index("m=text")
    assert answer.index("a=rtpmap:0 ") > answer.index("m=audio 4000")


@pytest.mark.parametrize("profile", ["RTP/AVP", "RTP/AVPF", "RTP/SAVP", "RTP/SAVPF"])
def test_the_answer_goes_over_the_transport_of_the_offer(profile: str) -> None:
    theirs = read_audio((BASE + f"m=audio 9000 {profile} 0\r\n").encode())
    agreed = agree(theirs, ALL, offered=False)
    key = new_crypto()[0] if theirs.secure else None
    answer = write_answer(theirs, agreed, address="192.0.2.1", port=4000, session=(1, 1), crypto=key)
    assert read_audio(answer).profile == profile


def test_a_line_that_is_none_gets_no_answer() -> None:
    theirs = read_audio((BASE + "m=audio 9000 RTP/AVP 0\r\nm=x\ry 1 z 2\r\nm=video\r\n").encode())
    assert theirs.after == ()
