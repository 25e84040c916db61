"""Keys that are pressed in a call: as telephone events among the media (RFC 4733), or in an INFO."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

DIGITS = "0123456789*#ABCD"
"""By their number as an event."""
_EVENT = struct.Struct("!BBH")
_VOLUME = 10
TONE_MS = 160
PAUSE_MS = 100
FRAME_MS = 20
END_COPIES = 3
"""RFC 4733, 2.5.1.4."""
KEY_MS = TONE_MS + END_COPIES * FRAME_MS + PAUSE_MS
"""From the beginning of a key to that of the next."""


@dataclass(frozen=True, kw_only=True)
class EventPacket:
    """One packet of an event: what is sent instead of a frame of sound.

    Attributes:
        first: The first one, which has the marker bit and whose time stamp all of them carry.
    """

    payload: bytes
    first: bool


def event_packets(digit: str, *, rate_hz: int, tone_ms: int = TONE_MS) -> Iterator[EventPacket]:
    """The packets of one key, one a frame; the last ones say that it was let go.

    Args:
        rate_hz: Of the clock that the events run on.
    """
    number = DIGITS.index(digit)
    per_frame = rate_hz * FRAME_MS // 1000
    frames = max(1, tone_ms // FRAME_MS)
    for frame in range(1, frames + 1):
        duration = min(frame * per_frame, 0xFFFF)
        yield EventPacket(payload=_EVENT.pack(number, _VOLUME, duration), first=frame == 1)
    for _ in range(END_COPIES):
        duration = min(frames * per_frame, 0xFFFF)
        yield EventPacket(payload=_EVENT.pack(number, 0x80 | _VOLUME, duration), first=False)


def keys_ms(keys: str) -> int:
    """From the beginning of the first key to the end of the last one's tone."""
    return (len(keys) - 1) * KEY_MS + TONE_MS


class EventReader:
    """Reads the events of a peer: each key once, whatever is lost of it and however often its end comes."""

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None

    def read(self, payload: bytes, timestamp: int) -> str | None:
        """The key that begins with this packet; None: it is none, or one that is known already."""
        if len(payload) < _EVENT.size:
            return None
        number, _, _ = _EVENT.unpack_from(payload)
        if number >= len(DIGITS) or self._last == (number, timestamp):
            return None
        self._last = (number, timestamp)
        return DIGITS[number]


def info_digit(content_type: str, body: bytes) -> str | None:
    """The key of an INFO, in either of the two forms that are in use; None: it is about something else."""
    text = body[:200].decode("ascii", "replace")
    if content_type.startswith("application/dtmf-relay"):
        found = re.search(r"^Signal\s*=\s*([0-9A-D*#])\s*$", text, re.MULTILINE | re.IGNORECASE)
    elif content_type.startswith("application/dtmf"):
        found = re.fullmatch(r"\s*([0-9A-D*#])\s*", text, re.IGNORECASE)
    else:
        return None
    return found[1].upper() if found else None
