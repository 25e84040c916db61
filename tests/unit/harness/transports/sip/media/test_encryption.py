"""SRTP: opened with the right key, and with no other."""

from __future__ import annotations

import struct
import threading
import time

import pytest

from harness.transports.sip.media import encryption as encryption_module
from harness.transports.sip.media.encryption import Encryption, Unreadable
from harness.transports.sip.media.sdp import SUITES, new_crypto

PACKET = struct.pack("!BBHLL", 0x80, 0, 1, 160, 99) + b"sound" * 20


@pytest.mark.parametrize("suite", SUITES)
def test_what_one_side_locks_the_other_opens(suite: str) -> None:
    (ours,), (theirs,) = new_crypto((suite,)), new_crypto((suite,))
    here, there = Encryption(ours, theirs), Encryption(theirs, ours)
    locked = here.lock(PACKET)
    # Sequence number and time stamp stay in clear, sound does not.
    assert locked[:12] == PACKET[:12]
    assert b"sound" not in locked
    assert there.open(locked) == PACKET
    with pytest.raises(Unreadable):
        there.open(locked)


def test_another_key_opens_nothing() -> None:
    (ours,), (theirs,), (wrong,) = (new_crypto(SUITES[:1]) for _ in range(3))
    with pytest.raises(Unreadable):
        Encryption(theirs, wrong).open(Encryption(ours, theirs).lock(PACKET))
    for junk in (b"", b"\x80", b"\x00" * 40):
        with pytest.raises(Unreadable):
            Encryption(theirs, ours).open(junk)


def numbered(number: int) -> bytes:
    return struct.pack("!BBHLL", 0x80, 0, number & 0xFFFF, number * 160, 99) + b"sound" * 20


def test_where_one_side_takes_another_key_the_other_direction_counts_on() -> None:
    (ours,), (theirs,), (later,) = (new_crypto(SUITES[:1]) for _ in range(3))
    here, there = Encryption(ours, theirs), Encryption(theirs, ours)
    # Packets are numbered by two bytes, and how often those ran over is a part of the key of each.
    for number in range(0xFFF0, 0x1_0010):
        assert there.open(here.lock(numbered(number))) == numbered(number)
    assert here.has(ours, theirs)
    after = Encryption(ours, later, before=here)
    assert not after.has(ours, theirs)
    assert there.open(after.lock(numbered(0x1_0011))) == numbered(0x1_0011)
    assert after.open(Encryption(later, ours).lock(PACKET)) == PACKET


class OneAtATime:
    """A session that notices when a second thread comes in."""

    def __init__(self, policy: object) -> None:
        self.inside = self.most = 0

    def protect(self, packet: bytes) -> bytes:
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.002)
        self.inside -= 1
        return packet

    protect_rtcp = protect


def test_sound_and_reports_leave_by_two_threads_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encryption_module, "Session", OneAtATime)
    (ours,), (theirs,), (later,) = (new_crypto(SUITES[:1]) for _ in range(3))
    before = Encryption(ours, theirs)
    # For a moment each has another one of them, over the same session.
    after = Encryption(ours, later, before=before)
    reports = threading.Thread(target=lambda: [before.lock(PACKET, rtcp=True) for _ in range(10)])
    reports.start()
    for _ in range(10):
        after.lock(PACKET)
    reports.join()
    assert isinstance(after._out, OneAtATime)
    assert after._out.most == 1
