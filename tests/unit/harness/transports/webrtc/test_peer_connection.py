"""A connection that is closed by several at once, and one that cannot be closed in time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from aiortc import RTCPeerConnection
from aiortc.mediastreams import AudioStreamTrack

from harness.transports.webrtc.peer_connection import PeerConnection


async def _open() -> PeerConnection:
    pc = PeerConnection(lambda error: None)
    pc.addTrack(AudioStreamTrack())
    pc.createDataChannel("chat")
    await pc.setLocalDescription(await pc.createOffer())
    return pc


async def test_whoever_gives_up_waiting_does_not_disturb_the_one_who_closes() -> None:
    untold: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: untold.append(about))
    pc = await _open()
    # As aiortc does when the peer has said goodbye.
    by_itself = asyncio.ensure_future(pc.close())
    gives_up = asyncio.ensure_future(pc.close())
    await asyncio.sleep(0)
    gives_up.cancel()
    await asyncio.wait([gives_up])
    assert gives_up.cancelled()
    await by_itself
    await pc.close()
    assert pc.connectionState == "closed"
    del by_itself, gives_up
    assert untold == []


async def test_one_that_cannot_be_closed_in_time_leaves_neither_sockets_nor_tasks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(self: RTCPeerConnection) -> None:
        await asyncio.Event().wait()

    before = asyncio.all_tasks()
    pc = await _open()
    ice = pc.getTransceivers()[0].receiver.transport.transport._connection
    ice._query_consent_task = asyncio.ensure_future(asyncio.Event().wait())
    monkeypatch.setattr(RTCPeerConnection, "close", never)
    assert not await pc.hang_up(within_s=0.01)
    for _ in range(3):
        await asyncio.sleep(0)
    assert all(protocol.transport.is_closing() for protocol in ice._protocols)
    assert asyncio.all_tasks() == before
    monkeypatch.undo()
    await RTCPeerConnection.close(pc)


async def test_one_that_is_closed_in_time_says_so() -> None:
    assert await (await _open()).hang_up(within_s=5.0)


async def test_sockets_that_are_just_being_opened_are_closed_though_nobody_waits_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened, done = asyncio.Event(), []

    async def gathers(self: RTCPeerConnection, _: object = None) -> None:
        await opened.wait()
        done.append("gathered")

    async def closes(self: RTCPeerConnection) -> None:
        done.append("closed")

    monkeypatch.setattr(RTCPeerConnection, "setLocalDescription", gathers)
    monkeypatch.setattr(RTCPeerConnection, "close", closes)
    pc = PeerConnection(lambda error: None)
    waits = asyncio.ensure_future(pc.setLocalDescription())
    await asyncio.sleep(0)
    waits.cancel()
    await asyncio.wait([waits])
    closing = asyncio.ensure_future(pc.close())
    for _ in range(5):
        await asyncio.sleep(0)
    assert done == []
    opened.set()
    await closing
    assert done == ["gathered", "closed"]
