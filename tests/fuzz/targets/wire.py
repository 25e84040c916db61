"""What agents send: answers to our offer, messages on the data channel."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from unittest.mock import patch

import httpx
from aiortc import RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack

from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.transports.smallwebrtc import signalling
from harness.transports.smallwebrtc.rtvi import RtviInbox
from harness.transports.webrtc.answer import check_answer
from harness.transports.webrtc.codec_choice import OFFERABLE
from harness.transports.webrtc.peer_connection import PeerConnection
from tests.fuzz.targets.base import Target

AGENT = "http://127.0.0.1:1"


def rtvi(data: bytes, folder: Path) -> None:
    """A message a line, of text, and once more all of it as one of bytes."""
    inbox = RtviInbox()
    for number, line in enumerate(data.split(b"\n")):
        inbox.read(line.decode("utf-8", "surrogateescape"), t=number / 10)
    inbox.read(data, t=0.0)


def sdp(data: bytes, folder: Path) -> None:
    """What a server answers to our offer, from the body of its reply to the negotiated connection."""
    reply = httpx.MockTransport(
        lambda request: httpx.Response(200, content=data, headers={"content-type": "application/json"})
    )
    with patch.object(httpx, "AsyncClient", partial(httpx.AsyncClient, transport=reply)):
        asyncio.run(_negotiated())


async def _offer(servers: object) -> str:
    return "v=0"


async def _negotiated() -> None:
    answer = await signalling.exchange_sdp(OnTheWire(url=AGENT), _offer, shown=AGENT)
    pc = PeerConnection(lambda error: None)
    pc.addTrack(AudioStreamTrack())
    pc.createDataChannel("chat")
    try:
        await pc.setLocalDescription(await pc.createOffer())
        try:
            check_answer(AGENT, answer, offered=OFFERABLE)
            await pc.setRemoteDescription(RTCSessionDescription(sdp=answer, type="answer"))
        # As in the session: whatever a broken description leads aiortc to ends this call.
        except Exception as error:
            raise SetupFailed(str(error)) from error
        await asyncio.sleep(0)
    finally:
        await pc.hang_up(within_s=1.0)


TARGETS = {
    "rtvi": Target(run=rtvi, form="lines"),
    "sdp": Target(run=sdp, form="json"),
}
