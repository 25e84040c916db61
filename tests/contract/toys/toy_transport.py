"""A transport to an agent in this very process, as another package would bring it: see ``test_toys``.

No network, no RTP: a stamp has its time and its media position, and nothing else. The agent at
``toy://anywhere:1/CODEC`` (default: the toy codec) greets, hears what the caller sends in the toy codec, and
answers half a second after each of its lines. What it says and heard is kept in :data:`calls`.
"""

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import soundfile

from harness.errors import SetupFailed
from harness.transports.base import DialRequest, MediaLog, ReceivedPacket
from harness.transports.codecs.base import Codec
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.stamp import PacketStamp

RATE = 48_000
GREETS_AFTER_S = 0.3
ANSWERS_AFTER_S = 0.5
QUIET_S = 0.3
VOICED = 0.02

calls: list["ToySession"] = []


class ToyTransport:
    name = "toy-room"
    codec = "toy"

    def __init__(self, says: tuple[np.ndarray, ...] = ()) -> None:
        self._says = says

    async def dial(self, request: DialRequest) -> "ToySession":
        codec = urlsplit(request.agent).path.strip("/") or self.codec
        if codec not in CODECS.names():
            raise SetupFailed(f"{request.agent}: nobody here speaks {codec}")
        says = self._says or tuple(_read(Path(path)) for path in request.to.request_data["says"])
        session = ToySession(request=request, codec=codec_named(codec), says=says)
        calls.append(session)
        session.begin()
        return session


@dataclass(kw_only=True)
class ToySession:
    request: DialRequest
    codec: Codec
    says: tuple[np.ndarray, ...]
    log: MediaLog = field(init=False)
    media_started: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    agent_name: str = "a toy"
    said_s: list[float] = field(default_factory=list)
    """Call times of the first sample of what the agent said."""
    heard_last_s: list[float] = field(default_factory=list)
    """Call times of the last voiced sample of each line of the caller, as the agent heard it."""

    def __post_init__(self) -> None:
        self.log = MediaLog(codec=self.codec.name)

    def begin(self) -> None:
        self._zero_ns = time.monotonic_ns()
        self._planned: dict[int, bytes] = {}
        self._silent = self.codec.encode(np.zeros(self.codec.frame_samples, np.float32))[0]
        self._say(self._zero_ns + round(GREETS_AFTER_S * 1e9))
        self._tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._speak())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _hear(self) -> None:
        uplink = self.request.uplink
        codec, decoder = uplink.codec, uplink.codec.decoder()
        self.log.first_deadline_ns = self._zero_ns
        self.media_started.set()
        frame = last_voiced = -1
        while True:
            frame += 1
            deadline_ns = await self._due(frame * codec.frame_s)
            payload = uplink.take_frame()
            now_ns = time.monotonic_ns()
            self.log.sent.append(PacketStamp(media_ticks=frame * codec.frame_ticks, monotonic_ns=now_ns))
            self.log.lateness_s.append((now_ns - deadline_ns) / 1e9)
            loud = np.flatnonzero(np.abs(decoder.decode(payload)) > VOICED)
            if len(loud):
                last_voiced = frame
                last_ns = deadline_ns + round((int(loud[-1]) / RATE - codec.delay_s) * 1e9)
            elif last_voiced >= 0 and (frame - last_voiced) * codec.frame_s > QUIET_S:
                last_voiced = -1
                self.heard_last_s.append(self.request.clock.at_s(last_ns))
                self._say(last_ns + round(ANSWERS_AFTER_S * 1e9))

    async def _speak(self) -> None:
        frame = -1
        while True:
            frame += 1
            await self._due(frame * self.codec.frame_s)
            stamp = PacketStamp(media_ticks=frame * self.codec.frame_ticks, monotonic_ns=time.monotonic_ns())
            packet = ReceivedPacket(stamp=stamp, payload=self._planned.pop(frame, self._silent))
            self.log.received.append(packet)
            self.request.on_packet(packet)

    async def _due(self, after_s: float) -> int:
        deadline_ns = self._zero_ns + round(after_s * 1e9)
        await asyncio.sleep(max(0.0, (deadline_ns - time.monotonic_ns()) / 1e9))
        return deadline_ns

    def _say(self, at_ns: int) -> None:
        """The next of what it has to say, from the first frame boundary at or after that time."""
        if len(self.said_s) >= len(self.says):
            return
        sound = self.says[len(self.said_s)]
        first = -(-(at_ns - self._zero_ns) // round(self.codec.frame_s * 1e9))
        for number, payload in enumerate(self.codec.encode(np.pad(sound, (0, RATE // 10)))):
            self._planned[first + number] = payload
        self.said_s.append(self.request.clock.at_s(self._zero_ns + round(first * self.codec.frame_s * 1e9)))


def _read(path: Path) -> np.ndarray:
    sound, rate = soundfile.read(path, dtype="float32")
    assert rate == RATE
    return np.asarray(sound)
