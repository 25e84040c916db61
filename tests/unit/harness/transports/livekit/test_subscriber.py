"""What the connection that a LiveKit server offers takes in, over loopback."""

from __future__ import annotations

import asyncio

from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack

from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.transports.base import DialRequest, MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.livekit.subscriber import Subscriber
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink, silence
from harness.transports.webrtc.ice.choice import NO_SERVERS
from harness.transports.webrtc.loopback import allow_loopback_candidates
from harness.transports.webrtc.media_tap import MediaTap

VOICE, OTHER, NEXT_VOICE = "TR_voice", "TR_other", "TR_next"


class _Server:
    """What offers: data channels first, tracks later, as a LiveKit server does."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[int] = asyncio.Queue()
        self.voice = VOICE
        log = MediaLog(codec="opus")
        request = DialRequest(
            agent="AGENT",
            to=on_the_wire("http://127.0.0.1:1"),
            clock=CallClock(),
            uplink=Uplink(background=silence(OPUS)),
            conditions=ConditionsPlan(),
            seed=0,
            connect_s=1.0,
            on_packet=self._on_packet,
            on_event=lambda event: None,
        )
        self.subscriber = Subscriber(
            request,
            MediaTap(request, log),
            ice=NO_SERVERS,
            is_voice=lambda track: track == self.voice,
            on_message=lambda message: None,
            on_over=lambda how: None,
            on_refused=lambda why: None,
            on_unusable=lambda error: None,
        )
        self.pc = RTCPeerConnection()
        self.pc.createDataChannel("_reliable")

    async def offer(self) -> None:
        await self.pc.setLocalDescription(await self.pc.createOffer())
        answer = await self.subscriber._answer(self.pc.localDescription.sdp)
        await self.pc.setRemoteDescription(RTCSessionDescription(sdp=answer, type="answer"))

    def add(self, track: str, *, ssrc: int) -> None:
        sender = self.pc.addTrack(AudioStreamTrack())
        sender._track_id, sender._ssrc = track, ssrc

    async def close(self) -> None:
        await asyncio.gather(self.pc.close(), self.subscriber.pc.close())

    def _on_packet(self, packet: ReceivedPacket) -> None:
        assert isinstance(packet.stamp, RtpStamp)
        self.heard.put_nowait(packet.stamp.ssrc)


async def test_a_voice_in_a_section_that_is_used_once_more_is_heard() -> None:
    """The room has another track of sound: by its payload type alone a packet could be of either."""
    allow_loopback_candidates()
    server = _Server()
    try:
        async with asyncio.timeout(20):
            await server.offer()
            await server.subscriber._state.until_connected()
            server.add(VOICE, ssrc=1111)
            server.add(OTHER, ssrc=2222)
            await server.offer()
            await server.subscriber.until_heard()
            assert await server.heard.get() == 1111
            # The track goes; the next one of its participant takes its place, and has an SSRC of its own.
            sender = server.pc.getTransceivers()[0].sender
            sender._track_id, sender._ssrc = NEXT_VOICE, 3333
            server.voice = NEXT_VOICE
            await server.offer()
            while await server.heard.get() != 3333:
                pass
            for _ in range(5):
                assert await server.heard.get() == 3333
    finally:
        await server.close()
