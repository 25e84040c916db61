from __future__ import annotations

import pytest

from harness.reports.parts.formats import address, clock, count, day, interval, length, number


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (1234.4, "ms", "1,234"),
        (-120.0, "ms", "−120"),
        (-0.2, "ms", "0"),
        (0.0933, "ratio", "9.3"),
        (1.0, "ratio", "100.0"),
        (-0.0001, "ratio", "0.0"),
        (4.128, "mos", "4.13"),
        (-71.4, "dBFS", "−71"),
    ],
)
def test_numbers(value: float, unit: str, shown: str) -> None:
    assert number(value, unit) == shown


def test_an_interval_shows_only_the_ends_that_are_known() -> None:
    assert interval(0.1, 0.25, "ratio") == "10.0 – 25.0\u202f%"
    assert interval(600, None, "ms") == "at least 600\u202fms"
    assert interval(None, 600, "ms") == "at most 600\u202fms"
    assert interval(None, None, "ms") == ""
    assert interval(0.0, 0.0, "ratio") == "0.0 – 0.0\u202f%"


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00.0"), (59.96, "1:00.0"), (62.44, "1:02.4"), (-1, "0:00.0")]
)
def test_clock(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.12, "0.1\u202fs"), (34, "34\u202fs"), (125, "2\u202fmin 05\u202fs"), (3720, "1\u202fh 02\u202fmin")],
)
def test_length(seconds: float, shown: str) -> None:
    assert length(seconds) == shown


def test_day() -> None:
    assert day("2026-11-03T02:05:00+00:00") == "3 Nov 2026, 02:05 UTC"
    assert day("2026-11-03") == "3 Nov 2026"
    assert day("yesterday") == "yesterday"


def test_count() -> None:
    assert (count(1, "call"), count(1200, "call")) == ("1 call", "1,200 calls")


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        ("http://127.0.0.1:7860", "http://127.0.0.1:7860"),
        ("https://me:pw@bot.example/path", "https://bot.example/path"),
        ("livekit+wss://rtc.example/room?token=s3cret", "livekit+wss://rtc.example/room?…"),
        ("sip:bob:pw@example.org:5060;transport=tls", "sip:bob@example.org:5060"),
        ("http://[broken", "(unreadable address)"),
    ],
)
def test_addresses_show_no_secret(agent: str, shown: str) -> None:
    assert address(agent) == shown
