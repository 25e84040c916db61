"""The uplink as a track of aiortc: each packet on its absolute deadline.

Packets that were encoded before the call leave as they are. Where it was open what would be spoken, the
uplink holds plain sound (:data:`UNENCODED`), and each frame is encoded one frame before it is due.
"""

from __future__ import annotations

import asyncio
import fractions
import time
from typing import Any

import av
import numpy as np
from aiortc import MediaStreamTrack
from aiortc.mediastreams import MediaStreamError

from harness.transports.base import MediaLog
from harness.transports.codecs.base import Samples
from harness.transports.codecs.frame_by_frame import FrameByFrame
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.short_slices import ask_for_short_slices
from harness.transports.uplink import Uplink


class PacedTrack(MediaStreamTrack):
    """Hands the uplink's packets to aiortc, each on its absolute deadline."""

    kind = "audio"

    def __init__(self, uplink: Uplink, log: MediaLog, started: asyncio.Event) -> None:
        super().__init__()
        self._started = started
        self._uplink = uplink
        self._log = log
        self._frame = 0
        self._codec = uplink.codec
        self._time_base = fractions.Fraction(1, uplink.codec.clock_rate_hz)
        self._encoder: FrameByFrame | None = None
        self._encoded = b""

    def speak(self, name: str) -> None:
        """Settles what is spoken; before the first frame is due.

        Raises:
            ValueError: The uplink is encoded in something else.
        """
        if name == self._uplink.codec.name:
            return
        if self._uplink.codec.name != UNENCODED:
            raise ValueError(f"what is said was made for {self._uplink.codec.name}, and not for {name}")
        self._codec = codec_named(name)
        self._uplink.settle(self._codec)
        self._time_base = fractions.Fraction(1, self._codec.clock_rate_hz)
        self._encoder = FrameByFrame(CODECS.load(name))
        self._log.sent_delay_s = self._codec.delay_s

    async def recv(self) -> Any:
        if self.readyState != "live":
            raise MediaStreamError
        if self._log.first_deadline_ns is None:
            ask_for_short_slices()
            self._log.first_deadline_ns = time.monotonic_ns()
            self._started.set()
            if self._encoder is not None:
                self._encoder.first(_sound(self._uplink.take_frame()))
                self._encoded = self._encoder.take(_sound(self._uplink.take_frame()))
        deadline_ns = self._log.first_deadline_ns + round(self._frame * self._codec.frame_s * 1e9)
        wait_s = (deadline_ns - time.monotonic_ns()) / 1e9
        if wait_s > 0:
            await asyncio.sleep(wait_s)
        self._log.lateness_s.append((time.monotonic_ns() - deadline_ns) / 1e9)
        if self._encoder is None:
            packet = av.Packet(self._uplink.take_frame())
        else:
            packet = av.Packet(self._encoded)
            # After this packet has left, which it does when we are done here: 0.1 to 0.3 ms of the 20.
            asyncio.get_running_loop().call_soon(self._encode_next)
        packet.pts = self._frame * self._codec.frame_ticks
        packet.time_base = self._time_base
        self._frame += 1
        return packet

    def _encode_next(self) -> None:
        assert self._encoder is not None
        self._encoded = self._encoder.take(_sound(self._uplink.take_frame()))


def _sound(packet: bytes) -> Samples:
    return np.frombuffer(packet, "<i2").astype(np.float32) / np.float32(32767.0)
