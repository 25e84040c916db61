"""Stamps at real UDP sockets on loopback: taken at the sending, whatever the event loop does meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import select
import socket
import struct
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from harness.transports.clock import CallClock
from harness.transports.impairment import Impairment, Outages
from harness.transports.probe_socket import CHANNEL_DATA, ProbeSocket, attach_probe
from harness.transports.stamp import RtpStamp

PATIENCE_S = 20.0
LINUX = sys.platform.startswith("linux")


def _rtp(sequence: int, *, timestamp: int = 0, ssrc: int = 0xABCD, payload_type: int = 111) -> bytes:
    return struct.pack("!BBHLL", 0x80, payload_type, sequence, timestamp, ssrc) + b"payload"


@dataclass
class _Peer(asyncio.DatagramProtocol):
    datagrams: list[bytes] = field(default_factory=list)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.datagrams.append(data)


@dataclass
class _Probed:
    """A probed asyncio socket, and a plain one that talks to it."""

    transport: asyncio.DatagramTransport
    protocol: _Peer
    probe: ProbeSocket
    stranger: socket.socket
    received: list[RtpStamp] = field(default_factory=list)
    sent: list[RtpStamp] = field(default_factory=list)

    @property
    def address(self) -> Any:
        return self.transport.get_extra_info("sockname")


@contextlib.asynccontextmanager
async def _probed(
    *, inbound: Impairment | None = None, outbound: Impairment | None = None
) -> AsyncIterator[_Probed]:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.create_datagram_endpoint(_Peer, local_addr=("127.0.0.1", 0))
    received: list[RtpStamp] = []
    sent: list[RtpStamp] = []
    probe = attach_probe(
        transport,
        protocol,
        on_received=received.append,
        on_sent=sent.append,
        inbound=inbound or Impairment(),
        outbound=outbound or Impairment(),
    )
    stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    stranger.bind(("127.0.0.1", 0))
    stranger.settimeout(PATIENCE_S)
    try:
        yield _Probed(transport, protocol, probe, stranger, received, sent)
    finally:
        transport.close()
        stranger.close()
        await asyncio.sleep(0)


async def _wait_for(items: list[Any], count: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while len(items) < count:  # noqa: ASYNC110 - no event tells of a datagram
            await asyncio.sleep(0.002)


async def test_header_fields_are_read_as_sent() -> None:
    async with _probed() as probed:
        probed.stranger.sendto(_rtp(65_535, timestamp=2**32 - 1, ssrc=2**31 + 5), probed.address)
        await _wait_for(probed.received, 1)
        [stamp] = probed.received
        assert (stamp.sequence, stamp.media_ticks, stamp.ssrc) == (65_535, 2**32 - 1, 2**31 + 5)
        assert probed.protocol.datagrams == [_rtp(65_535, timestamp=2**32 - 1, ssrc=2**31 + 5)]


async def test_it_is_known_whether_more_has_come() -> None:
    async with _probed() as probed:
        assert not probed.probe.has_more()
        probed.stranger.sendto(_rtp(1), probed.address)
        # Behind the event loop, which would read it.
        assert select.select([probed.probe.fileno()], [], [], PATIENCE_S)[0]
        assert probed.probe.has_more()
        await _wait_for(probed.protocol.datagrams, 1)
        assert not probed.probe.has_more()
    assert not probed.probe.has_more()


async def test_a_flood_holds_nobody_up_for_longer_than_a_datagram() -> None:
    """What is due on the event loop (a frame of ours) waits for one datagram, however many have come."""
    async with _probed() as probed:
        for sequence in range(200):
            probed.stranger.sendto(_rtp(sequence), probed.address)
        handled = [0]
        async with asyncio.timeout(PATIENCE_S):
            while handled[-1] <= 20:
                await asyncio.sleep(0)
                handled.append(len(probed.protocol.datagrams))
    assert max(after - before for before, after in itertools.pairwise(handled)) <= 1


@pytest.mark.skipif(not LINUX, reason="kernel stamps are Linux's")
async def test_a_packet_is_stamped_when_it_arrived_not_when_the_loop_got_to_it() -> None:
    """The loop is blocked for 100 ms after sending; the stamp must lie at the sending all the same."""
    async with _probed() as probed:
        assert probed.probe.kernel_timestamps
        brackets = []
        for number in range(5):
            before_ns = time.monotonic_ns()
            probed.stranger.sendto(_rtp(number), probed.address)
            after_ns = time.monotonic_ns()
            time.sleep(0.1)  # noqa: ASYNC251 - blocking the loop is the test
            brackets.append((before_ns, after_ns, time.monotonic_ns()))
            await _wait_for(probed.received, number + 1)
        assert [stamp.sequence for stamp in probed.received] == list(range(5))
        # On loopback a datagram arrives within sendto(); 1 ms allows for the change of clocks.
        errors_ms = [
            max(before - stamp.monotonic_ns, stamp.monotonic_ns - after, 0) / 1e6
            for (before, after, _), stamp in zip(brackets, probed.received, strict=True)
        ]
        assert np.median(errors_ms) < 1.0
        # And none is as late as the reading was.
        assert all(
            stamp.monotonic_ns < blocked
            for (_, _, blocked), stamp in zip(brackets, probed.received, strict=True)
        )


async def test_a_departure_is_stamped_when_it_is_handed_to_the_kernel() -> None:
    async with _probed() as probed:
        before_ns = time.monotonic_ns()
        probed.transport.sendto(_rtp(77, timestamp=960), probed.stranger.getsockname())
        after_ns = time.monotonic_ns()
        [stamp] = probed.sent
        assert before_ns <= stamp.monotonic_ns <= after_ns
        assert (stamp.sequence, stamp.media_ticks) == (77, 960)
        data, _ = await asyncio.get_running_loop().run_in_executor(None, probed.stranger.recvfrom, 2048)
        assert data == _rtp(77, timestamp=960)


NO_RTP = {
    "STUN": b"\x00\x01" + bytes(18),
    "DTLS": b"\x16\xfe\xfd" + bytes(20),
    "TURN channel data": b"\x40\x00" + bytes(20),
    "RTCP sender report": b"\x80\xc8" + bytes(26),
    "RTCP receiver report": b"\x81\xc9" + bytes(30),
    "too short": b"\x80\x6f\x00\x01",
    "empty": b"",
}


@pytest.mark.parametrize("kind", NO_RTP)
async def test_what_is_no_rtp_passes_unstamped_and_unimpaired(kind: str) -> None:
    async with _probed(inbound=Impairment(loss=1.0), outbound=Impairment(loss=1.0)) as probed:
        probed.stranger.sendto(NO_RTP[kind], probed.address)
        await _wait_for(probed.protocol.datagrams, 1)
        assert probed.protocol.datagrams == [NO_RTP[kind]]
        probed.transport.sendto(NO_RTP[kind] or b"\x00", probed.stranger.getsockname())
        data, _ = await asyncio.get_running_loop().run_in_executor(None, probed.stranger.recvfrom, 2048)
        assert data == (NO_RTP[kind] or b"\x00")
        assert probed.received == probed.sent == []


@pytest.mark.parametrize("payload_type", [0, 8, 9, 63, 96, 111, 127])
@pytest.mark.parametrize("marker", [0, 128])
async def test_every_audio_payload_type_is_rtp_with_or_without_marker(payload_type: int, marker: int) -> None:
    async with _probed() as probed:
        probed.stranger.sendto(_rtp(1, payload_type=payload_type | marker), probed.address)
        await _wait_for(probed.received, 1)
        assert probed.received[0].sequence == 1


async def test_a_lossy_way_in_drops_what_its_generator_says_and_nothing_else() -> None:
    packets, loss, seed = 400, 0.3, 4
    twin = Impairment(loss=loss, seed=seed)
    kept = [number for number in range(packets) if twin.meet()]
    async with _probed(inbound=Impairment(loss=loss, seed=seed)) as probed:
        for start in range(0, packets, 20):
            for number in range(start, start + 20):
                probed.stranger.sendto(_rtp(number), probed.address)
            await _wait_for(probed.received, sum(number < start + 20 for number in kept))
        await asyncio.sleep(0.02)
        assert sorted(stamp.sequence for stamp in probed.received) == kept
        assert len(probed.protocol.datagrams) == len(kept)
        assert 0.2 < 1 - len(kept) / packets < 0.4


@pytest.mark.skipif(not LINUX, reason="kernel stamps are Linux's")
async def test_a_packet_held_back_is_stamped_with_its_arrival_plus_the_delay() -> None:
    seed, packets = 9, 50
    twin = Impairment(delay_s=0.04, jitter_s=0.02, seed=seed)
    delays_s = [twin.meet()[0] for _ in range(packets)]
    async with _probed(inbound=Impairment(delay_s=0.04, jitter_s=0.02, seed=seed)) as probed:
        sent_ns = []
        for number in range(packets):
            sent_ns.append(time.monotonic_ns())
            probed.stranger.sendto(_rtp(number), probed.address)
            await asyncio.sleep(0.004)
        assert probed.received == [] or probed.received[0].monotonic_ns > sent_ns[0] + 20_000_000
        await _wait_for(probed.received, packets)
        stamps = {stamp.sequence: stamp.monotonic_ns for stamp in probed.received}
        errors_ms = [
            (stamps[number] - sent_ns[number]) / 1e6 - delays_s[number] * 1000 for number in range(packets)
        ]
        # The stamp is the kernel's plus the delay, not the time at which the loop delivered the packet.
        assert min(errors_ms) > -0.5
        assert np.median(errors_ms) < 0.5
        assert len(probed.protocol.datagrams) == packets


async def test_a_doubled_packet_comes_and_goes_twice() -> None:
    async with _probed(
        inbound=Impairment(duplicates=1.0, delay_s=0.01), outbound=Impairment(duplicates=1.0)
    ) as probed:
        probed.stranger.sendto(_rtp(5), probed.address)
        await _wait_for(probed.protocol.datagrams, 2)
        assert [stamp.sequence for stamp in probed.received] == [5, 5]
        probed.transport.sendto(_rtp(6), probed.stranger.getsockname())
        loop = asyncio.get_running_loop()
        came = [await loop.run_in_executor(None, probed.stranger.recvfrom, 2048) for _ in range(2)]
        assert [data for data, _ in came] == [_rtp(6), _rtp(6)]
        assert [stamp.sequence for stamp in probed.sent] == [6]


async def test_an_outage_silences_both_ways() -> None:
    clock = CallClock()
    dead = Outages(clock=clock, starts_s=(0.0,), length_s=PATIENCE_S * 10)
    async with _probed(inbound=Impairment(outages=dead), outbound=Impairment(outages=dead)) as probed:
        probed.stranger.sendto(_rtp(1), probed.address)
        probed.stranger.sendto(NO_RTP["STUN"], probed.address)
        await _wait_for(probed.protocol.datagrams, 1)
        assert probed.protocol.datagrams == [NO_RTP["STUN"]]
        probed.transport.sendto(_rtp(2), probed.stranger.getsockname())
        probed.transport.sendto(NO_RTP["STUN"], probed.stranger.getsockname())
        data, _ = await asyncio.get_running_loop().run_in_executor(None, probed.stranger.recvfrom, 2048)
        assert data == NO_RTP["STUN"]
        # It left us all the same: what is sent is known at our socket.
        assert [stamp.sequence for stamp in probed.sent] == [2]


async def test_a_delayed_way_out_is_stamped_before_the_network_and_sent_after_the_delay() -> None:
    async with _probed(outbound=Impairment(delay_s=0.08)) as probed:
        before_ns = time.monotonic_ns()
        probed.transport.sendto(_rtp(1), probed.stranger.getsockname())
        assert probed.sent[0].monotonic_ns <= time.monotonic_ns()
        data, _ = await asyncio.get_running_loop().run_in_executor(None, probed.stranger.recvfrom, 2048)
        assert time.monotonic_ns() - before_ns >= 79_000_000
        assert data == _rtp(1)


async def test_what_is_held_back_when_the_socket_closes_is_dropped_quietly() -> None:
    held_back_s = 0.3
    inbound, outbound = Impairment(delay_s=held_back_s), Impairment(delay_s=held_back_s)
    async with _probed(inbound=inbound, outbound=outbound) as probed:
        probed.transport.sendto(_rtp(2), probed.stranger.getsockname())
        probed.stranger.sendto(_rtp(1), probed.address)
        assert select.select([probed.probe.fileno()], [], [], PATIENCE_S)[0]
        # Closed as soon as it was read: a machine that is held up later on would deliver it.
        async with asyncio.timeout(PATIENCE_S):
            while probed.probe.has_more():  # noqa: ASYNC110 - no event tells of it
                await asyncio.sleep(0)
    await asyncio.sleep(held_back_s + 0.05)
    assert probed.received == []


async def test_a_loop_that_cannot_be_probed_is_named() -> None:
    class NoSocket(asyncio.DatagramTransport):
        pass

    with pytest.raises(RuntimeError, match="uvloop"):
        attach_probe(
            NoSocket(),
            _Peer(),
            on_received=lambda stamp: None,
            on_sent=lambda stamp: None,
            inbound=Impairment(),
            outbound=Impairment(),
        )


async def test_at_a_turn_server_what_it_wraps_is_stamped_and_nothing_else() -> None:
    """Four bytes before each packet (ChannelData, RFC 8656, 12.4), on a socket that is connected."""
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(PATIENCE_S)
        transport, protocol = await loop.create_datagram_endpoint(_Peer, remote_addr=server.getsockname())
        received: list[RtpStamp] = []
        sent: list[RtpStamp] = []
        attach_probe(
            transport,
            protocol,
            on_received=received.append,
            on_sent=sent.append,
            inbound=Impairment(),
            outbound=Impairment(),
            wrapped=CHANNEL_DATA,
        )
        packet = _rtp(7, timestamp=9, ssrc=11)
        wrapped = struct.pack("!HH", 0x4001, len(packet)) + packet
        others = [b"\x01\x13\x00\x00stun", packet, b"", b"\x40"]
        for datagram in (*others, wrapped):
            server.sendto(datagram, transport.get_extra_info("sockname"))
            transport.sendto(datagram)
        await _wait_for(received, 1)
        transport.close()
        await asyncio.sleep(0)
    assert [(one.sequence, one.media_ticks, one.ssrc) for one in received] == [(7, 9, 11)]
    assert [(one.sequence, one.media_ticks, one.ssrc) for one in sent] == [(7, 9, 11)]
    assert protocol.datagrams == [*others, wrapped]
