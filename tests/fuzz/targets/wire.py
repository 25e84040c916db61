"""What agents send: answers to our offer, messages on the data channel."""

from __future__ import annotations

import asyncio
from pathlib import Path

from aiortc import RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack

from harness.errors import SetupFailed
from harness.transports.smallwebrtc import signalling
from harness.transports.smallwebrtc.peer_connection import PeerConnection
from harness.transports.smallwebrtc.rtvi import RtviInbox
from tests.fuzz.targets.base import Target

AGENT = "http://127.0.0.1:1"


def rtvi(data: bytes, folder: Path) -> None:
    """A message a line, of text, and once more all of it as one of bytes."""
    inbox = RtviInbox()
    for number, line in enumerate(data.split(b"\n")):
        inbox.read(line.decode("utf-8", "surrogateescape"), t=number / 10)
    inbox.read(data, t=0.0)


def sdp(data: bytes, folder: Path) -> None:
    """What a server answers to our offer, from its body to the negotiated connection."""
    asyncio.run(_negotiated(data))


async def _negotiated(data: bytes) -> None:
    response = signalling._Response(url=AGENT, status=200, content_type="application/json", body=data)
    answer = signalling._answer_of(AGENT, response)
    signalling._check_answer(AGENT, answer)
    pc = PeerConnection(lambda error: None)
    pc.addTrack(AudioStreamTrack())
    pc.createDataChannel("chat")
    try:
        await pc.setLocalDescription(await pc.createOffer())
        try:
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
