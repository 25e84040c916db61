"""A call by one offer of ours and one answer of the agent's, however these two are carried.

What carries them is the transport's own (``smallwebrtc``): it asks for the :meth:`offer`, brings it to the
agent, and gives the answer to :meth:`take_answer`. Then audio flows.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from typing import Any

from aiortc import RTCDataChannel, RTCSessionDescription

from harness.errors import SetupFailed
from harness.records.call import Event
from harness.transports.base import DialRequest, MediaLog
from harness.transports.webrtc.answer import check_answer
from harness.transports.webrtc.codec_choice import capabilities
from harness.transports.webrtc.connection_state import ConnectionState, NotConnected
from harness.transports.webrtc.ice.choice import NO_SERVERS, ChosenIce
from harness.transports.webrtc.loopback import allow_loopback_candidates
from harness.transports.webrtc.media_tap import MediaTap
from harness.transports.webrtc.paced_track import PacedTrack
from harness.transports.webrtc.peer_connection import PeerConnection, shield, told
from harness.transports.webrtc.their_tasks import keep_to_themselves

_CLOSE_TIMEOUT_S = 5.0


class OfferedCall:
    """The media of one call; what a :class:`~harness.transports.base.MediaSession` is made around.

    Args:
        codecs: What is offered, for both directions, in order of preference; the uplink's among them.
        ice: The servers by which we are found.

    Attributes:
        log, media_started, ended: As of a media session.
        stage: What is being waited for, for messages.
    """

    def __init__(
        self, request: DialRequest, *, codecs: Sequence[str] = ("opus",), ice: ChosenIce = NO_SERVERS
    ) -> None:
        allow_loopback_candidates()
        keep_to_themselves(asyncio.get_running_loop())
        self.log = MediaLog(codec=codecs[0])
        self.media_started = asyncio.Event()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.stage = "waiting for the SDP answer"
        self._request = request
        self._codecs = tuple(codecs)
        self._state = ConnectionState(self.end)
        self._pc = PeerConnection(self._state.failed_to_connect, ice)
        self._state.follow(self._pc)
        self._track = PacedTrack(request.uplink, self.log, self.media_started)
        self._sender = self._pc.addTrack(self._track)
        self._tap = MediaTap(request, self.log)
        self._unusable = 0
        self._ice = ice
        self._background: set[asyncio.Task[None]] = set()

    def open_data_channel(self, label: str, *, ordered: bool = True) -> RTCDataChannel:
        """Before the offer is made."""
        return self._pc.createDataChannel(label, ordered=ordered)

    async def offer(self) -> str:
        """The SDP of our offer, all candidates in it. Packets are stamped from now on.

        Raises:
            SetupFailed: Nobody could find us by it.
        """
        for server, why in self._ice.passed_over:
            self.tell("ice-server", {"server": server, "problem": why})
        try:
            preferred = capabilities(self._codecs)
        except ValueError as error:
            raise SetupFailed(f"{self._request.agent}: reach.codecs: {error}") from error
        self._pc.getTransceivers()[0].setCodecPreferences(preferred)
        await self._pc.setLocalDescription(await self._pc.createOffer())
        self._tap.stamp_sockets(self._sender.transport)
        shield(self._sender.transport, self._on_unusable, on_lost=self._state.way_lost)
        sdp: str = self._pc.localDescription.sdp
        if "a=candidate:" not in sdp:
            relay = "" if self._ice.turn is None else f": {self._ice.turn.url.shown} gave no relay"
            raise SetupFailed(f"{self._request.agent}: there is no way by which we could be reached{relay}")
        return sdp

    async def take_answer(self, sdp: str) -> None:
        """Returns when audio can flow.

        Raises:
            SetupFailed: It cannot; the message says why.
        """
        agent = self._request.agent
        codec = check_answer(agent, sdp, offered=self._codecs)
        transceiver = self._pc.getTransceivers()[0]
        # One alone from now on, for both directions: aiortc would send what stands first in our offer.
        transceiver.setCodecPreferences(capabilities([codec]))
        self.log.codec = codec
        try:
            self._track.speak(codec)
        except ValueError as error:
            raise SetupFailed(f"{agent}: it answers with {codec}; {error}: --codec {codec}") from error
        self._tap.speaks(codec)
        try:
            await self._pc.setRemoteDescription(RTCSessionDescription(sdp=sdp, type="answer"))
        # aiortc's parser and negotiation raise whatever a broken description leads them to.
        except Exception as error:
            raise SetupFailed(f"{agent}: its SDP answer cannot be used: {told(error)}") from error
        if transceiver.currentDirection != "sendrecv":
            raise SetupFailed(
                f"{agent}: its SDP answer does not let audio flow both ways: "
                f"ours would be {transceiver.currentDirection}"
            )
        self._tap.listen_to(transceiver.receiver)
        self.stage = "ICE and DTLS"
        try:
            await self._state.until_connected()
        except NotConnected as failure:
            raise SetupFailed(f"{agent}: {failure} ({self.stage})") from failure
        self._tap.connected(self._sender.transport)
        self.stage = "connected"

    async def close(self) -> None:
        """Takes what has come, and ends the connection; returns within a few seconds."""
        await self._tap.read_up()
        with contextlib.suppress(asyncio.InvalidStateError):
            self.ended.cancel()
        for task in self._background:
            task.cancel()
        if not await self._pc.hang_up(within_s=_CLOSE_TIMEOUT_S):
            self.tell("close-timeout", {"after_s": _CLOSE_TIMEOUT_S})

    def stop_data(self) -> None:
        """Ends all data channels: to close one is not enough where its association would go on feeding the
        event loop."""
        if self._pc.sctp is not None:
            self.run(self._pc.sctp.stop())

    def end(self, how: str) -> None:
        """The agent's side ended the call, or the network did; the first to say so is believed."""
        if not self.ended.done():
            self.ended.set_result(how)

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        """Puts what was seen at the wire into the timeline."""
        clock = self._request.clock
        self._request.on_event(Event(t=clock.now_s(), side="agent", kind=kind, source="wire", data=data))

    def run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Beside the call, until it is over."""
        task: asyncio.Task[None] = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _on_unusable(self, error: Exception) -> None:
        self._unusable += 1
        if self._unusable == 1:
            self.tell("unusable-packet", {"error": told(error)})
