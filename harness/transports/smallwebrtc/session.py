"""Dials pipecat's SmallWebRTC agents: SDP over HTTP, then audio over DTLS-SRTP and RTVI over a data channel.

Addresses are described in ``signalling``; media is ``harness.transports.webrtc``.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

from harness.plans.on_the_wire import IceServer
from harness.transports.base import DialRequest, MediaLog, MediaSession
from harness.transports.smallwebrtc.rtvi import RtviInbox, client_ready
from harness.transports.smallwebrtc.signalling import exchange_sdp
from harness.transports.tls import trusted
from harness.transports.webrtc.dialling import dialled
from harness.transports.webrtc.ice.choice import choose_ice
from harness.transports.webrtc.offered_call import OfferedCall

_CODEC = "opus"


class SmallWebRTCTransport:
    """See the module's docstring."""

    name = "smallwebrtc"
    codec = _CODEC

    async def dial(self, request: DialRequest) -> MediaSession:
        return await dialled(SmallWebRTCSession(request), request)


class SmallWebRTCSession:
    """One call to a SmallWebRTC agent; a :class:`~harness.transports.base.MediaSession`."""

    log: MediaLog
    media_started: asyncio.Event
    ended: asyncio.Future[str]

    def __init__(self, request: DialRequest) -> None:
        self._request = request
        self._inbox = RtviInbox()
        self._call: OfferedCall | None = None
        self._offered = ""
        self._channel_closed = False

    @property
    def agent_name(self) -> str:
        return self._inbox.agent_name

    @property
    def stage(self) -> str:
        """What is being waited for, for messages."""
        return "waiting for the agent's server" if self._call is None else self._call.stage

    async def connect(self) -> None:
        """Offers, takes the answer, and returns when audio can flow."""
        answer = await exchange_sdp(self._request.to, self._offer, shown=self._request.agent)
        assert self._call is not None, "an answer follows an offer"
        await self._call.take_answer(answer)

    async def close(self) -> None:
        if self._call is not None:
            await self._call.close()
        if (dropped := self._inbox.dropped_event(t=self._request.clock.now_s())) is not None:
            self._request.on_event(dropped)

    async def _offer(self, named: Sequence[IceServer]) -> str:
        """The SDP of an offer by the plan's ICE servers; where it has none, by those that the agent names."""
        reach = self._request.to.reach
        if self._call is not None:
            if reach.ice_servers or not named:
                return self._offered
            await self._call.close()
        servers = reach.ice_servers or named
        tls = await trusted(reach.ca_file) if any(one.url.tls for one in servers) else None
        ice = await choose_ice(servers, relay_only=reach.relay_only, tls=tls, agent=self._request.agent)
        self._call = call = OfferedCall(self._request, codecs=reach.codecs or (_CODEC,), ice=ice)
        self.log, self.media_started, self.ended = call.log, call.media_started, call.ended
        self._open_data_channel(call)
        self._offered = await call.offer()
        return self._offered

    def _open_data_channel(self, call: OfferedCall) -> None:
        channel = call.open_data_channel("chat")

        @channel.on("open")
        def on_open() -> None:
            channel.send(client_ready(uuid.uuid4().hex[:8]))

        @channel.on("message")
        def on_message(message: str | bytes) -> None:
            self._on_message(call, message)

    def _on_message(self, call: OfferedCall, message: str | bytes) -> None:
        event = self._inbox.read(message, t=self._request.clock.now_s())
        if self._channel_closed:
            return  # counted, no more
        if event is not None:
            self._request.on_event(event)
        if self._inbox.flooded:
            self._channel_closed = True
            call.tell("data-channel-flood", {"messages": self._inbox.received})
            call.stop_data()
        if self._inbox.peer_left:
            call.end("the agent said that it left")
