"""Keys: events as RFC 4733 has them, each read once; INFO in both forms."""

from __future__ import annotations

import struct

import pytest

from harness.transports.sip.media.dtmf import EventReader, event_packets, info_digit


def test_a_key_is_pressed_held_and_let_go() -> None:
    packets = list(event_packets("5", rate_hz=8000, tone_ms=100))
    told = [struct.unpack("!BBH", packet.payload) for packet in packets]
    # Five frames of 20 ms, then three copies of the end (RFC 4733, 2.5.1.4).
    assert [(number, end >> 7, duration) for number, end, duration in told] == [
        *((5, 0, 160 * frame) for frame in range(1, 6)),
        *[(5, 1, 800)] * 3,
    ]
    assert [packet.first for packet in packets] == [True] + [False] * 7


def test_a_key_is_heard_once_whatever_is_lost_of_it() -> None:
    reader = EventReader()
    packets = [packet.payload for packet in event_packets("#", rate_hz=8000)]
    assert [reader.read(payload, 1000) for payload in packets[3:]] == ["#"] + [None] * (len(packets) - 4)
    assert reader.read(packets[-1], 5000) == "#"
    assert reader.read(b"\x05", 9000) is None
    assert reader.read(b"\xff\x00\x00\x00", 9000) is None


@pytest.mark.parametrize(
    ("kind", "body", "digit"),
    [
        ("application/dtmf-relay", b"Signal=5\r\nDuration=160\r\n", "5"),
        ("application/dtmf-relay", b"Signal= *\r\n", "*"),
        ("application/dtmf", b"a", "A"),
        ("application/dtmf", b"55", None),
        ("application/dtmf-relay", b"Duration=160", None),
        ("text/plain", b"5", None),
        ("application/dtmf", b"\xff\xfe", None),
    ],
)
def test_keys_in_an_info(kind: str, body: bytes, digit: str | None) -> None:
    assert info_digit(kind, body) == digit
