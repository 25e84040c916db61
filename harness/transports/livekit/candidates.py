"""ICE candidates that a LiveKit server sends one by one, kept until the connection can take them."""

from __future__ import annotations

import asyncio
from typing import Any

from aiortc import RTCPeerConnection
from aiortc.sdp import candidate_from_sdp

from harness._files.json_file import BadJson, parse_json

MAX_CANDIDATES = 64
MAX_CHARS = 1_000


class Candidates:
    """Those for one connection."""

    def __init__(self, pc: RTCPeerConnection) -> None:
        self._pc = pc
        self._waiting: list[Any] = []
        self._count = 0
        self._described = False
        self._adding: set[asyncio.Task[None]] = set()

    def take(self, candidate_init: str) -> None:
        """One candidate as JSON (``RTCIceCandidateInit``); what cannot be used is let go."""
        self._count += 1
        candidate = _candidate(candidate_init)
        if candidate is None or self._count > MAX_CANDIDATES:
            return
        if not self._described:
            self._waiting.append(candidate)
            return
        task = asyncio.ensure_future(self._add(candidate))
        self._adding.add(task)
        task.add_done_callback(self._adding.discard)

    async def described(self) -> None:
        """The connection has its remote description: candidates that came before may be taken now."""
        self._described = True
        waiting, self._waiting = self._waiting, []
        for candidate in waiting:
            await self._add(candidate)

    async def _add(self, candidate: Any) -> None:
        try:
            await self._pc.addIceCandidate(candidate)
        # Of a section that is not there, of a kind that aioice does not know: another one will do.
        except Exception:
            return


def _candidate(text: str) -> Any:
    if len(text) > MAX_CHARS:
        return None
    try:
        content = parse_json(text.encode())
        if not isinstance(content, dict) or not isinstance(content.get("candidate"), str):
            return None
        candidate = candidate_from_sdp(content["candidate"].partition(":")[2])
    except (BadJson, ValueError, AssertionError, IndexError):
        return None
    mid, line = content.get("sdpMid"), content.get("sdpMLineIndex")
    candidate.sdpMid = mid if isinstance(mid, str) else None
    candidate.sdpMLineIndex = line if isinstance(line, int) else 0
    return candidate
