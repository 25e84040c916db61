"""Our own sound into a LiveKit room: the connection that we offer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiortc import RTCSessionDescription
from livekit.protocol import models

from harness.errors import SetupFailed
from harness.transports.base import DialRequest, MediaLog
from harness.transports.livekit.candidates import Candidates
from harness.transports.livekit.signalling.signal_client import SignalClient
from harness.transports.webrtc.codec_choice import capabilities
from harness.transports.webrtc.connection_state import ConnectionState, NotConnected
from harness.transports.webrtc.ice.choice import ChosenIce
from harness.transports.webrtc.media_tap import MediaTap
from harness.transports.webrtc.paced_track import PacedTrack
from harness.transports.webrtc.peer_connection import PeerConnection, shield, told

CODEC = "opus"


class Publisher:
    """One call's own track.

    Args:
        on_over: Called with how the connection ended.
    """

    def __init__(
        self,
        request: DialRequest,
        log: MediaLog,
        started: asyncio.Event,
        tap: MediaTap,
        *,
        ice: ChosenIce,
        on_over: Callable[[str], None],
        on_unusable: Callable[[Exception], None],
    ) -> None:
        self._agent = request.agent
        self._state = ConnectionState(on_over)
        self.pc = PeerConnection(self._state.failed_to_connect, ice)
        self._state.follow(self.pc)
        self._tap = tap
        self._on_unusable = on_unusable
        self.candidates = Candidates(self.pc)
        self._track = PacedTrack(request.uplink, log, started)
        self._track.speak(CODEC)
        self._published = asyncio.Event()
        self._answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def publish(self, signal: SignalClient) -> None:
        """Returns when our sound flows.

        Raises:
            SetupFailed: It does not; the message says why.
        """
        pc = self.pc
        transceiver = pc.addTransceiver(self._track, direction="sendonly")
        transceiver.setCodecPreferences(capabilities([CODEC]))
        await pc.setLocalDescription(await pc.createOffer())
        dtls = transceiver.sender.transport
        self._tap.stamp_sockets(dtls)
        shield(dtls, self._on_unusable, on_lost=self._state.way_lost)
        # Without TF_NO_DTX the server has us told to send nothing in silence.
        await signal.send(
            add_track=_announced(transceiver.sender._track_id),
        )
        await self._published.wait()
        await signal.send(offer={"type": "offer", "sdp": pc.localDescription.sdp})
        sdp = await self._answer
        try:
            await pc.setRemoteDescription(RTCSessionDescription(sdp=sdp, type="answer"))
            await self.candidates.described()
        # aiortc's parser and negotiation raise whatever a broken description leads them to.
        except Exception as error:
            raise SetupFailed(
                f"{self._agent}: the server's SDP answer cannot be used: {told(error)}"
            ) from error
        try:
            await self._state.until_connected()
        except NotConnected as failure:
            raise SetupFailed(f"{self._agent}: {failure} (our own sound)") from failure

    def published(self) -> None:
        """The server knows of our track."""
        self._published.set()

    def answered(self, sdp: str) -> None:
        if not self._answer.done():
            self._answer.set_result(sdp)

    @property
    def is_published(self) -> bool:
        return self._published.is_set()


def _announced(cid: str) -> dict[str, object]:
    return {
        "cid": cid,
        "name": "microphone",
        "type": models.TrackType.AUDIO,
        "source": models.TrackSource.MICROPHONE,
        "disable_dtx": True,
        "disable_red": True,
        "audio_features": [models.AudioTrackFeature.TF_NO_DTX],
    }
