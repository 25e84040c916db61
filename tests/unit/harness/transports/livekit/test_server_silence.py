"""A server's own packets are taken out, by their frame and their time stamps; the agent's are not."""

from __future__ import annotations

import pytest

from harness.transports.base import ReceivedPacket
from harness.transports.livekit.server_silence import FRAME, ServerSilence
from harness.transports.stamp import RtpStamp

VOICE, OWN_SILENCE = b"\x78\x01\x02", b"\xf8\xff\xfe"


def packet(sequence: int, ticks: int, payload: bytes = VOICE, *, ssrc: int = 7) -> ReceivedPacket:
    stamp = RtpStamp(
        media_ticks=ticks & 0xFFFFFFFF, monotonic_ns=sequence, sequence=sequence & 0xFFFF, ssrc=ssrc
    )
    return ReceivedPacket(stamp=stamp, payload=payload)


def sifted(*packets: ReceivedPacket) -> list[tuple[int, int]]:
    """Numbers and time stamps of what is left."""
    silence = ServerSilence()
    left = [one.stamp for one in map(silence.sift, packets) if one is not None]
    return [(one.sequence, one.media_ticks) for one in left if isinstance(one, RtpStamp)]


@pytest.mark.parametrize("first", [100, 65_533])
def test_two_at_the_end_are_the_servers(first: int) -> None:
    """As livekit-server sends them: the last time stamp once more, then one 24.5 ms ahead."""
    last = first * 960 + 1920
    voice = [packet(first + n, first * 960 + n * 960) for n in range(3)]
    own = [packet(first + 3, last, FRAME), packet(first + 4, last + 1176, FRAME)]
    assert sifted(*voice, *own) == sifted(*voice)
    assert len(sifted(*voice)) == 3


def test_who_goes_on_after_a_mute_has_lost_nothing() -> None:
    voice = [packet(n, n * 960) for n in range(5)]
    own = [packet(5, 4 * 960, FRAME), packet(6, 4 * 960 + 1300, FRAME)]
    later = [packet(n, 90_000 + n * 960) for n in (7, 8)]
    numbers = [number for number, _ in sifted(*voice, *own, *later)]
    assert numbers == [0, 1, 2, 3, 4, 5, 6]
    # One of before that comes late keeps its number.
    assert (3, 3 * 960) in sifted(*voice[:3], voice[4], *own, voice[3], later[0])


def test_an_agent_s_own_silence_is_its_own() -> None:
    """At a constant rate it is the same frame; its clock goes on with its numbers, over losses as well."""
    constant = [packet(n, n * 960, FRAME) for n in (0, 1, 2, 5, 6)]
    assert len(sifted(*constant)) == 5
    short = [packet(0, 0), packet(1, 960, OWN_SILENCE), packet(2, 960, OWN_SILENCE)]
    assert len(sifted(*short)) == 3
    assert len(sifted(packet(1, 960), packet(2, 5, FRAME, ssrc=8))) == 2
