"""Dials pipecat's SmallWebRTC agents: SDP over HTTP, then Opus over DTLS-SRTP and RTVI over a data channel.

Addresses are described in ``signalling``; media is ``harness.transports.webrtc``.
"""

from __future__ import annotations

import asyncio
import uuid

from harness.errors import SetupFailed
from harness.transports.base import DialRequest, MediaLog, MediaSession
from harness.transports.smallwebrtc.rtvi import RtviInbox, client_ready
from harness.transports.smallwebrtc.signalling import exchange_sdp
from harness.transports.webrtc.offered_call import OfferedCall


class SmallWebRTCTransport:
    """See the module's docstring."""

    name = "smallwebrtc"
    codec = "opus"

    async def dial(self, request: DialRequest) -> MediaSession:
        session = SmallWebRTCSession(request)
        try:
            async with asyncio.timeout(request.connect_s):
                await session.connect()
        except TimeoutError:
            await session.close()
            raise SetupFailed(
                f"{request.agent}: no media session within {request.connect_s:g} s ({session.stage})"
            ) from None
        except BaseException:
            await session.close()
            raise
        return session


class SmallWebRTCSession:
    """One call to a SmallWebRTC agent; a :class:`~harness.transports.base.MediaSession`."""

    def __init__(self, request: DialRequest) -> None:
        self._request = request
        self._inbox = RtviInbox()
        self._call = OfferedCall(request)
        self._channel_closed = False
        self.log: MediaLog = self._call.log
        self.media_started = self._call.media_started
        self.ended = self._call.ended

    @property
    def agent_name(self) -> str:
        return self._inbox.agent_name

    @property
    def stage(self) -> str:
        return self._call.stage

    async def connect(self) -> None:
        """Offers, takes the answer, and returns when audio can flow."""
        self._open_data_channel()
        offer = await self._call.offer()
        await self._call.take_answer(await exchange_sdp(self._request.to, offer, shown=self._request.agent))

    async def close(self) -> None:
        await self._call.close()
        if (dropped := self._inbox.dropped_event(t=self._request.clock.now_s())) is not None:
            self._request.on_event(dropped)

    def _open_data_channel(self) -> None:
        channel = self._call.open_data_channel("chat")

        @channel.on("open")
        def on_open() -> None:
            channel.send(client_ready(uuid.uuid4().hex[:8]))

        channel.on("message", self._on_message)

    def _on_message(self, message: str | bytes) -> None:
        event = self._inbox.read(message, t=self._request.clock.now_s())
        if self._channel_closed:
            return  # counted, no more
        if event is not None:
            self._request.on_event(event)
        if self._inbox.flooded:
            self._channel_closed = True
            self._call.tell("data-channel-flood", {"messages": self._inbox.received})
            self._call.stop_data()
        if self._inbox.peer_left:
            self._call.end("the agent said that it left")
