"""Keys that the caller presses: by telephone events (RFC 4733), or by INFO to an agent that takes none."""

from __future__ import annotations

import asyncio
import time

from harness.transports.sip.media.dtmf import DIGITS, KEY_MS, TONE_MS
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.signalling.asking import Asking

_INFO_S = 2.0
"""So long an answer to an INFO is waited for."""


class Pressing:
    """The keys of one call.

    Args:
        leg: Its sound, which has begun.
        asking: What asks in its dialog.
    """

    def __init__(self, leg: Leg, asking: Asking) -> None:
        self._leg = leg
        self._asking = asking
        self._by_info: asyncio.Task[None] | None = None

    def press(self, keys: str | None, frame: int) -> bool:
        """See :class:`~harness.transports.base.PressesKeys`."""
        agreed = self._leg.agreed
        if agreed is None or any(one not in DIGITS for one in keys or ""):
            return False
        if agreed.event_type is not None:
            self._leg.press(keys, frame)
            return True
        self.stop()
        if keys is not None:
            self._by_info = asyncio.create_task(self._inform(keys, self._leg.due_at_ns(frame)))
        return True

    def stop(self) -> None:
        """Keys that wait are not pressed."""
        if self._by_info is not None:
            self._by_info.cancel()

    async def _inform(self, keys: str, at_ns: int) -> None:
        for number, key in enumerate(keys):
            due_ns = at_ns + number * KEY_MS * 1_000_000
            await asyncio.sleep(max(0.0, (due_ns - time.monotonic_ns()) / 1e9))
            body = f"Signal={key}\r\nDuration={TONE_MS}\r\n".encode()
            kind = [("Content-Type", "application/dtmf-relay")]
            await self._asking.in_dialog("INFO", kind, body, limit_s=_INFO_S)
