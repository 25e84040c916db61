"""What is kept of what comes: the agent's own sound, opened by its key, by the numbers that were agreed."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator
from typing import cast

import pytest

from harness.records.timeline import AGENT_WAITS
from harness.transports.base import MediaLog
from harness.transports.impairment import impairments
from harness.transports.sip.media.encryption import Encryption
from harness.transports.sip.media.intake import Intake
from harness.transports.sip.media.sdp import SUITES, new_crypto
from harness.transports.stamp import RtpStamp
from tests.unit.harness.transports.sip.standing import agreed, request_of, rtp

FIRST, SECOND = ("192.0.2.9", 1000), ("192.0.2.9", 2000)
MS = 1_000_000


class Coming:
    """An intake to which packets come when the test says so."""

    def __init__(self) -> None:
        self.passed_over: Counter[str] = Counter()
        self.events: list[tuple[str, dict[str, object]]] = []
        self.others: list[int] = []
        self.log = MediaLog(codec="pcmu")
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sock.bind(("127.0.0.1", 0))
        self.sock.setblocking(False)
        request = request_of([], [])
        inbound, _ = impairments(request.conditions, seed=0, clock=request.clock)
        self.intake = Intake(
            self.sock,
            inbound=inbound,
            passed_over=self.passed_over,
            on_packet=request.on_packet,
            on_event=lambda kind, data: self.events.append((kind, data)),
            on_other=self.others.append,
        )
        self.intake.connect(
            agreed(), self.log, lambda packet, rate_hz: None, clock_rate_hz=8000, answered_ns=None
        )

    def comes(self, data: bytes, source: tuple[str, int], at_ms: int) -> None:
        self.intake._take(data, source, at_ms * MS)

    def kept(self) -> list[int]:
        return [cast(RtpStamp, packet.stamp).sequence for packet in self.log.received]

    def told(self, kind: str) -> list[dict[str, object]]:
        return [data for what, data in self.events if what == kind]


@pytest.fixture
async def coming() -> AsyncIterator[Coming]:
    made = Coming()
    yield made
    asyncio.get_running_loop().remove_reader(made.sock.fileno())
    made.sock.close()


def other_side() -> tuple[Encryption, Encryption]:
    """Ours, and the agent's."""
    (ours,), (theirs,) = new_crypto(SUITES[:1]), new_crypto(SUITES[:1])
    return Encryption(ours, theirs), Encryption(theirs, ours)


async def test_what_the_key_does_not_open_settles_no_place(coming: Coming) -> None:
    here, agent = other_side()
    coming.intake.expect(("192.0.2.1", 9), here)
    coming.comes(rtp(0, 1), SECOND, 1000)
    for number in range(3):
        coming.comes(agent.lock(rtp(0, number)), FIRST, 1020 + 20 * number)
    assert coming.kept() == [0, 1, 2]
    assert coming.passed_over == {"cannot be decrypted": 1}


async def test_what_is_no_sound_settles_no_place(coming: Coming) -> None:
    coming.comes(b"\x00\x01", SECOND, 1000)
    for number in range(3):
        coming.comes(rtp(0, number), FIRST, 1020 + 20 * number)
    assert coming.kept() == [0, 1, 2]


async def test_encrypted_sound_moves_only_with_packets_that_open(coming: Coming) -> None:
    here, agent = other_side()
    coming.intake.expect(("192.0.2.1", 9), here)
    for number in range(3):
        coming.comes(agent.lock(rtp(0, number)), FIRST, 1000 + 20 * number)
    for number in range(20):
        coming.comes(rtp(0, number), ("192.0.2.66", 1), 4000 + number)
    for number in range(10, 16):
        coming.comes(agent.lock(rtp(0, number)), SECOND, 5000 + 20 * number)
    assert coming.kept() == [0, 1, 2, 10, 11, 12, 13, 14, 15]
    assert coming.passed_over == {"cannot be decrypted": 20}


async def test_a_new_key_begins_anew_and_the_same_one_does_not(coming: Coming) -> None:
    here, agent = other_side()
    named = ("192.0.2.1", 9)
    coming.intake.expect(named, here)
    for number in range(2):
        coming.comes(agent.lock(rtp(0, number)), FIRST, 1000 + number)
    coming.intake.expect(named, here)
    coming.comes(agent.lock(rtp(0, 5)), SECOND, 1010)
    assert coming.kept() == [0, 1]
    here, agent = other_side()
    coming.intake.expect(named, here)
    coming.comes(agent.lock(rtp(0, 6)), SECOND, 1020)
    assert coming.kept() == [0, 1, 6]


async def test_sound_under_another_number_is_told_while_the_call_stands(coming: Coming) -> None:
    for number in range(49):
        coming.comes(rtp(8, number), FIRST, 1000 + 20 * number)
    assert coming.told(AGENT_WAITS) == []
    assert coming.others == [8] * 4
    coming.comes(rtp(8, 49), FIRST, 1980)
    said = "a second of its sound came as payload type 8 (pcma), which was not agreed"
    assert coming.told(AGENT_WAITS) == [{"detail": said}]
    assert coming.passed_over == {"payload type 8": 50}


async def test_single_packets_under_another_number_and_comfort_noise_are_not_told(coming: Coming) -> None:
    for number in range(0, 400, 2):
        coming.comes(rtp(8 if number % 8 else 0, number), FIRST, 1000 + 20 * number)
        coming.comes(rtp(13, number + 1), FIRST, 1020 + 20 * number)
    assert coming.others == []
    assert coming.told(AGENT_WAITS) == []


async def test_what_is_no_sound_is_known_to_have_come(coming: Coming) -> None:
    reported: list[int] = []
    coming.intake.connect(
        agreed(),
        coming.log,
        lambda packet, rate_hz: reported.append(packet.sequence_number),
        clock_rate_hz=8000,
        answered_ns=None,
    )
    # Sound, a key, comfort noise, and sound in a codec that was not agreed, which is missing.
    for number, kind in enumerate((0, 101, 0, 101, 13, 8, 0)):
        coming.comes(rtp(kind, number), FIRST, 1000 + 20 * number)
    assert coming.kept() == [0, 2, 6]
    silent = [cast(RtpStamp, packet.stamp).sequence for packet in coming.log.silent]
    assert silent == [1, 3, 4]
    # Of a stream that is known by two packets of sound.
    assert reported == [0, 2, 3, 4, 6]
    coming.log.let_go()
    assert coming.log.silent == []
