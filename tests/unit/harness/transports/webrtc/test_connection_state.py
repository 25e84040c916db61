"""How a connection that stood came to its end, over loopback: by a goodbye, or by nobody's act."""

from __future__ import annotations

import asyncio

import pytest
from aiortc import RTCPeerConnection
from aiortc.mediastreams import AudioStreamTrack

from harness.transports.base import ConnectionLost
from harness.transports.webrtc.connection_state import ConnectionState
from harness.transports.webrtc.loopback import allow_loopback_candidates
from harness.transports.webrtc.peer_connection import PeerConnection, shield


@pytest.mark.parametrize("says_goodbye", [True, False])
async def test_a_way_that_is_lost_is_told_from_a_goodbye(says_goodbye: bool) -> None:
    allow_loopback_candidates()
    ends: list[str] = []
    over = asyncio.Event()

    def on_over(how: str) -> None:
        ends.append(how)
        over.set()

    state = ConnectionState(on_over)
    ours, theirs = PeerConnection(state.failed_to_connect), RTCPeerConnection()
    state.follow(ours)
    theirs_state = ConnectionState(lambda how: None)
    theirs_state.follow(theirs)
    sender = ours.addTrack(AudioStreamTrack())
    await ours.setLocalDescription(await ours.createOffer())
    dtls = sender.transport
    shield(dtls, lambda error: None, on_lost=state.way_lost)
    await theirs.setRemoteDescription(ours.localDescription)
    await theirs.setLocalDescription(await theirs.createAnswer())
    await ours.setRemoteDescription(theirs.localDescription)
    async with asyncio.timeout(20):
        await state.until_connected()
        # Before it stands there too, a goodbye of theirs says nothing to us.
        await theirs_state.until_connected()
        assert ends == []
        if says_goodbye:
            await theirs.close()
        else:
            # As aioice does by itself once nobody has answered it for half a minute.
            await dtls.transport._connection.close()
        await over.wait()
    assert isinstance(ends[0], ConnectionLost) is not says_goodbye
    await asyncio.gather(ours.close(), theirs.close())
