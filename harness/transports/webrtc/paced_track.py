"""The uplink as a track of aiortc: pre-encoded packets, each on its absolute deadline."""

from __future__ import annotations

import asyncio
import fractions
import time
from typing import Any

import av
from aiortc import MediaStreamTrack
from aiortc.mediastreams import MediaStreamError

from harness.transports.base import MediaLog
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
        self._frame_ns = round(uplink.codec.frame_s * 1e9)
        self._time_base = fractions.Fraction(1, uplink.codec.clock_rate_hz)

    def speak(self, name: str) -> None:
        """Settles what is spoken; before the first frame is due.

        Raises:
            ValueError: The uplink is encoded in something else.
        """
        if name != self._uplink.codec.name:
            raise ValueError(f"what is said was made for {self._uplink.codec.name}, and not for {name}")

    async def recv(self) -> Any:
        if self.readyState != "live":
            raise MediaStreamError
        if self._log.first_deadline_ns is None:
            self._log.first_deadline_ns = time.monotonic_ns()
            self._started.set()
        deadline_ns = self._log.first_deadline_ns + self._frame * self._frame_ns
        wait_s = (deadline_ns - time.monotonic_ns()) / 1e9
        if wait_s > 0:
            await asyncio.sleep(wait_s)
        self._log.lateness_s.append((time.monotonic_ns() - deadline_ns) / 1e9)
        packet = av.Packet(self._uplink.take_frame())
        packet.pts = self._frame * self._uplink.codec.frame_ticks
        packet.time_base = self._time_base
        self._frame += 1
        return packet
