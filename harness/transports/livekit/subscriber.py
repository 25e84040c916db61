"""The others' sound out of a LiveKit room: the connection that the server offers.

Its first offer has data channels alone; audio comes with later ones. aiortc starts a receiver only if DTLS
is up when the offer is applied: applied earlier, the track would appear and no packet of it ever arrive. So
an offer waits until the connection is no longer being set up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from aiortc import RTCDtlsTransport, RTCRtpTransceiver, RTCSessionDescription
from aiortc import sdp as aiortc_sdp

from harness.transports.base import DialRequest
from harness.transports.livekit.candidates import Candidates
from harness.transports.livekit.publisher import CODEC
from harness.transports.livekit.server_silence import ServerSilence
from harness.transports.livekit.signalling.signal_client import SignalClient
from harness.transports.webrtc.codec_choice import capabilities
from harness.transports.webrtc.connection_state import ConnectionState, NotConnected
from harness.transports.webrtc.ice.choice import ChosenIce
from harness.transports.webrtc.media_tap import MediaTap, turn_away
from harness.transports.webrtc.peer_connection import PeerConnection, shield, told

MAX_OFFERS = 200
MAX_SDP_CHARS = 200_000
MAX_SECTIONS = 60
MAX_SOURCES = 4
"""Of a section: its sound has one."""


@dataclass(frozen=True, kw_only=True)
class _Offer:
    sdp: str
    number: int


class Subscriber:
    """One call's connection for what the others send.

    Args:
        is_voice: Whether a track (``TR_…``) is the agent's voice: nobody else's sound is taken.
        on_message: Given every message of the server's data channels.
        on_over: Called with how the connection ended.
        on_refused: Called with why an offer could not be taken.
    """

    def __init__(
        self,
        request: DialRequest,
        tap: MediaTap,
        *,
        ice: ChosenIce,
        is_voice: Callable[[str], bool],
        on_message: Callable[[Any], None],
        on_over: Callable[[str], None],
        on_refused: Callable[[str], None],
        on_unusable: Callable[[Exception], None],
    ) -> None:
        self._tap = tap
        self._is_voice = is_voice
        self._on_refused = on_refused
        self._on_unusable = on_unusable
        self._state = ConnectionState(on_over)
        self.pc = PeerConnection(self._state.failed_to_connect, ice)
        self._state.follow(self.pc)
        self.candidates = Candidates(self.pc)
        self._offers: asyncio.Queue[_Offer] = asyncio.Queue(MAX_OFFERS)
        self._changed = asyncio.Condition()
        self._tracks: dict[str, str] = {}
        self._servers = ServerSilence()
        self._stamped = False
        self.heard = asyncio.Event()
        self.pc.on("datachannel", lambda channel: channel.on("message", on_message))

    def offered(self, sdp: str, number: int) -> None:
        """An offer of the server; they are answered one after the other."""
        if len(sdp) > MAX_SDP_CHARS or self._offers.full():
            self._on_refused("an offer of the server is too long, or one too many")
            return
        self._offers.put_nowait(_Offer(sdp=sdp, number=number))

    async def run(self, signal: SignalClient) -> None:
        """Answers offers until it is cancelled."""
        while True:
            offer = await self._offers.get()
            if self.pc.connectionState == "connecting":
                try:
                    await self._state.until_connected()
                except NotConnected:
                    return
            try:
                answer = await self._answer(offer.sdp)
            # aiortc's parser and negotiation raise whatever a broken description leads them to.
            except Exception as error:
                self._on_refused(f"an offer of the server cannot be used: {told(error)}")
                continue
            await signal.send(answer={"type": "answer", "sdp": answer, "id": offer.number})

    def listen(self) -> None:
        """Takes the agent's voice from now on, and nobody else's sound; again whenever it may be another
        track."""
        for transceiver in self.pc.getTransceivers():
            track = self._tracks.get(transceiver.mid or "", "")
            if transceiver.kind == "audio" and self._is_voice(track):
                self._tap.listen_to(transceiver.receiver, self._servers.sift)
                self.heard.set()
            else:
                turn_away(transceiver.receiver)

    async def until_heard(self) -> None:
        """Returns when the agent's voice may come.

        Raises:
            NotConnected: It cannot.
        """
        await self.heard.wait()
        await self._state.until_connected()

    @property
    def dtls(self) -> RTCDtlsTransport:
        """By which the agent's voice comes; there once :meth:`until_heard` has returned. All sections share
        one transport."""
        dtls: RTCDtlsTransport = self.pc.getTransceivers()[0].receiver.transport
        return dtls

    async def _answer(self, sdp: str) -> str:
        pc = self.pc
        described = aiortc_sdp.SessionDescription.parse(sdp)
        if len(described.media) > MAX_SECTIONS:
            raise ValueError(f"more than {MAX_SECTIONS} media sections")
        self._tracks = {media.rtp.muxId: _track_of(media.msid) for media in described.media}
        await pc.setRemoteDescription(RTCSessionDescription(sdp=sdp, type="offer"))
        for transceiver in pc.getTransceivers():
            _take_sound_alone(transceiver)
        _know_sources(pc.getTransceivers(), described)
        # Before the answer: a packet may come as soon as the server has it.
        self.listen()
        await pc.setLocalDescription(await pc.createAnswer())
        self._stamp()
        await self.candidates.described()
        answer: str = pc.localDescription.sdp
        return answer

    def _stamp(self) -> None:
        """All sections share one transport; it is there from the first answer on."""
        if self._stamped:
            return
        transports = [one.receiver.transport for one in self.pc.getTransceivers()]
        if self.pc.sctp is not None:
            transports.append(self.pc.sctp.transport)
        for dtls in transports[:1]:
            self._tap.stamp_sockets(dtls)
            shield(dtls, self._on_unusable, on_lost=self._state.way_lost)
            self._stamped = True


def _take_sound_alone(transceiver: RTCRtpTransceiver) -> None:
    if transceiver.kind == "audio":
        transceiver.setCodecPreferences(capabilities([CODEC]))
    else:
        transceiver.direction = "inactive"


def _know_sources(
    transceivers: Iterable[RTCRtpTransceiver], described: aiortc_sdp.SessionDescription
) -> None:
    """Tells aiortc which SSRCs a section has now: it takes them in when a receiver starts, and never again.
    Where a room has two sections of sound, those of a track that comes later in a section that is used once
    more would be nobody's, and the voice be dropped."""
    sources = {media.rtp.muxId: [one.ssrc for one in media.ssrc] for media in described.media}
    for transceiver in transceivers:
        receiver = transceiver.receiver
        for ssrc in sources.get(transceiver.mid or "", [])[:MAX_SOURCES]:
            # Not public, but what it looks receivers up in.
            receiver.transport._rtp_router.ssrc_table[ssrc] = receiver


def _track_of(msid: str | None) -> str:
    """``TR_…`` of ``PA_…|TR_… TR_…``; newer servers put the track into the stream's name, too."""
    parts = (msid or "").replace("|", " ").split()
    return next((part for part in reversed(parts) if part.startswith("TR_")), "")
