"""The port between a call and a way of reaching an agent. One file beside this one per transport.

A transport dials, sends the frames of an :class:`Uplink` on absolute deadlines, and notes
when each packet really left and arrived. It measures nothing else and decides nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import OnTheWire
from harness.records.call import Event
from harness.transports.clock import CallClock
from harness.transports.codecs.table import codec_named
from harness.transports.stamp import PacketStamp
from harness.transports.uplink import Uplink


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedPacket:
    """A media packet of the agent, as it came."""

    stamp: PacketStamp
    payload: bytes


@dataclass(kw_only=True)
class MediaLog:
    """What passed the socket in one call, and how punctual our sender was.

    Raises:
        UnknownPartError: There is no such codec.
    """

    codec: str
    """What the agent's payloads are decoded with, by its name in the table of codecs; settled before the call
    stands. What we send may be another one: the uplink's."""
    received: list[ReceivedPacket] = field(default_factory=list)
    early: list[ReceivedPacket] = field(default_factory=list)
    """What came before the agent took the call (early media: ring-back tones, announcements), in the same
    codec. It is kept in the recording, and is no part of the call."""
    silent: list[ReceivedPacket] = field(default_factory=list)
    """What came in the streams of ``received`` and is no sound, nor stands for any that was lost: keys
    (RFC 4733), comfort noise (RFC 3389). Its sequence numbers are theirs."""
    sent: list[PacketStamp] = field(default_factory=list)
    sent_delay_s: float | None = None
    """Delay of the codec that the transport itself encodes frames in; None: they leave as they are."""
    first_deadline_ns: int | None = None
    """When frame 0 of the uplink was due."""
    lateness_s: list[float] = field(default_factory=list)
    """Per frame, how long after its deadline it was handed over."""
    kernel_timestamps: bool = False
    path: str = "direct"
    """Which way packets take: see ``Media.path``."""
    repeated: int = 0
    """Copies of packets in ``received`` that the transport itself put aside."""

    def let_go(self) -> None:
        """Keeps nothing of what passed, once the call has been recorded."""
        self.received.clear()
        self.early.clear()
        self.silent.clear()
        self.sent.clear()
        self.lateness_s.clear()

    def __post_init__(self) -> None:
        # Before the call stands, not after it, when its recording would be lost.
        codec_named(self.codec)


@dataclass(frozen=True, kw_only=True)
class DialRequest:
    """All that a transport needs to place a call.

    ``on_packet`` and ``on_event`` are called on the event loop as things happen; they must return quickly.

    Attributes:
        agent: The address as it may be kept and shown: the one for messages.
        to: The address as it is dialled, with credentials, headers and request data. For the wire alone.
    """

    agent: str
    to: OnTheWire = field(repr=False)
    clock: CallClock
    uplink: Uplink
    conditions: ConditionsPlan
    seed: int
    connect_s: float
    on_packet: Callable[[ReceivedPacket], None]
    on_event: Callable[[Event], None]


class ConnectionLost(str):
    """How a call ended that the agent did not end: the network, or a server between, did."""


class MediaSession(Protocol):
    """A call that stands."""

    log: MediaLog
    media_started: asyncio.Event
    """Set when frame 0 of the uplink is due."""
    ended: asyncio.Future[str]
    """Done when the agent's side ended the call; its result says how: a :class:`ConnectionLost` where the
    agent did nothing. Its exception, a ``HarnessFault``, where it was our own side."""

    @property
    def agent_name(self) -> str:
        """What the agent calls itself; empty where it says nothing."""
        ...

    async def close(self) -> None:
        """Ends the session; returns within a few seconds whatever the peer does."""


@runtime_checkable
class PressesKeys(Protocol):
    """A session on which the keys of a telephone can be pressed."""

    def press(self, keys: str | None, frame: int) -> bool:
        """Presses keys one after the other, from a frame of the uplink on.

        Args:
            keys: Of ``0-9A-D*#``; None: those that wait are not pressed.

        Returns:
            False where the agent takes none.
        """
        ...


class Transport(Protocol):
    """A way of reaching agents, by the scheme of their address."""

    name: str
    codec: str
    """What it sends, by its name in the table of codecs: calls are prepared in it."""

    async def dial(self, request: DialRequest) -> MediaSession:
        """Places the call.

        Raises:
            SetupFailed: No media session came about within ``connect_s``; the message says why.
        """
