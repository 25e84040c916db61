"""Text and byte streams over LiveKit's data channels, put together from their packets.

A stream is a header with a topic and attributes, chunks in order, and a trailer. Everything here comes from
strangers: packets beyond the bounds are dropped and counted by why, and of a stream whose topic nobody asks
for nothing is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from google.protobuf.message import DecodeError
from livekit.protocol import models

MAX_PACKET_BYTES = 65_536
MAX_STREAM_BYTES = 65_536
MAX_OPEN = 64
MAX_PACKETS = 100_000
MAX_PACKETS_PER_S = 500
"""A talkative agent sends a few dozen a second; beyond this the channel is flooded and heard no more."""

Why = Literal["too large", "too many", "not understood"]
"""Of a packet that was dropped."""


@dataclass(kw_only=True)
class DataStream:
    """One stream, as far as it has come.

    Attributes:
        sender: The identity in whose name it is sent: a transcript of the caller bears the caller's.
        attributes: Of its header, and once it is complete of its trailer.
        began_s: Call time of its header.
        in_order: No chunk of it is missing.
    """

    stream_id: str
    topic: str
    sender: str
    attributes: dict[str, str]
    began_s: float
    content: bytearray = field(default_factory=bytearray)
    complete: bool = False
    in_order: bool = True
    chunks: int = 0

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")


@dataclass(kw_only=True)
class StreamInbox:
    """The data packets of one call.

    Args:
        topics: Whose streams are put together.

    Attributes:
        flooded: More came than the bounds allow; nothing is read any more.
    """

    topics: Collection[str]
    flooded: bool = False
    received: int = 0
    dropped_by: Counter[Why] = field(default_factory=Counter)
    _open: dict[str, DataStream] = field(default_factory=dict, repr=False)
    _second: int = field(default=-1, repr=False)
    _in_second: int = field(default=0, repr=False)

    def read(self, message: Any, *, t: float) -> DataStream | None:
        """The stream that a packet belongs to, where it brought something new; None where there is none.

        Args:
            message: As it came from the data channel.
            t: Call time at which it came.
        """
        packet = self._packet(message, t)
        if packet is None:
            return None
        kind = packet.WhichOneof("value")
        if kind == "stream_header":
            return self._begun(packet, t)
        if kind == "stream_chunk":
            return self._continued(packet.stream_chunk)
        if kind == "stream_trailer":
            return self._ended(packet.stream_trailer)
        return None

    def _packet(self, message: Any, t: float) -> models.DataPacket | None:
        self.received += 1
        if int(t) != self._second:
            self._second, self._in_second = int(t), 0
        self._in_second += 1
        if self.received > MAX_PACKETS or self._in_second > MAX_PACKETS_PER_S:
            self.flooded = True
        if self.flooded:
            self.dropped_by["too many"] += 1
            return None
        if len(message) > MAX_PACKET_BYTES:
            self.dropped_by["too large"] += 1
            return None
        packet = models.DataPacket()
        try:
            packet.ParseFromString(message if isinstance(message, bytes) else b"\xff")
        except (DecodeError, RecursionError):
            self.dropped_by["not understood"] += 1
            return None
        return packet

    def _begun(self, packet: models.DataPacket, t: float) -> DataStream | None:
        header = packet.stream_header
        if header.topic not in self.topics:
            return None
        if len(self._open) >= MAX_OPEN:
            # Whoever never ends its streams loses the oldest.
            del self._open[next(iter(self._open))]
            self.dropped_by["too many"] += 1
        stream = DataStream(
            stream_id=header.stream_id,
            topic=header.topic,
            sender=packet.participant_identity,
            attributes=dict(header.attributes),
            began_s=t,
        )
        self._open[header.stream_id] = stream
        if header.inline_content and not header.compression:
            self._add(stream, header.inline_content)
        elif header.inline_content:
            self.dropped_by["not understood"] += 1
        return stream

    def _continued(self, chunk: models.DataStream.Chunk) -> DataStream | None:
        stream = self._open.get(chunk.stream_id)
        if stream is None:
            return None
        stream.in_order &= chunk.chunk_index == stream.chunks
        stream.chunks += 1
        self._add(stream, chunk.content)
        return stream

    def _add(self, stream: DataStream, content: bytes) -> None:
        if len(stream.content) + len(content) > MAX_STREAM_BYTES:
            self.dropped_by["too large"] += 1
            return
        stream.content += content

    def _ended(self, trailer: models.DataStream.Trailer) -> DataStream | None:
        stream = self._open.pop(trailer.stream_id, None)
        if stream is None:
            return None
        stream.attributes |= dict(trailer.attributes)
        stream.complete = True
        return stream
