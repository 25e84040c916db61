"""SRTP: opened with the right key, and with no other."""

from __future__ import annotations

import struct

import pytest

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
