"""What agents send: answers to our offer, messages on the data channel."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from pathlib import Path
from unittest.mock import patch

import httpx
from aiortc import RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack

from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.transports.offers.dialects import DIALECTS
from harness.transports.offers.exchange import exchange
from harness.transports.offers.inbox import Inbox
from harness.transports.offers.known import FASTRTC, GPT_LIVE, OPENAI, PLAIN_SDP
from harness.transports.offers.profile import Offer, Profile
from harness.transports.offers.server import Server
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


def channel(data: bytes, folder: Path) -> None:
    """A message a line, as each of the dialects over a data channel reads it."""
    for dialect in DIALECTS.values():
        inbox = Inbox(dialect=dialect())
        for number, line in enumerate(data.split(b"\n")):
            inbox.read(line.decode("utf-8", "surrogateescape"), t=number / 10)
        inbox.read(data, t=0.0)
        inbox.close(t=99.0)


def offered(data: bytes, folder: Path) -> None:
    """What servers of all dialects reply to an offer; a page's description among it."""
    for profile in (FASTRTC, OPENAI, GPT_LIVE, PLAIN_SDP):
        for status in (201, 404):
            asyncio.run(_exchanged(profile, status, data))


async def _exchanged(profile: Profile, status: int, data: bytes) -> None:
    def reply(request: httpx.Request) -> httpx.Response:
        found = 200 if request.method == "GET" else status
        headers = {"content-type": "application/json", "location": data[:80].decode("latin-1")}
        safe = {name: "".join(sign for sign in text if " " <= sign <= "~") for name, text in headers.items()}
        return httpx.Response(found, content=data, headers=safe)

    async with httpx.AsyncClient(transport=httpx.MockTransport(reply)) as client:
        server = Server(client=client, base=AGENT, query={}, shown=AGENT)
        with contextlib.suppress(SetupFailed):
            await exchange(server, profile, Offer(sdp="v=0", call_id="1"), given_path="")


TARGETS = {
    "channel": Target(run=channel, form="lines"),
    "offered": Target(run=offered, form="json"),
    "rtvi": Target(run=rtvi, form="lines"),
    "sdp": Target(run=sdp, form="json"),
}
