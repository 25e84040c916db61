"""ICE candidates that come one by one."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from harness.transports.livekit.candidates import MAX_CANDIDATES, Candidates

GOOD = "candidate:1 1 udp 2130706431 127.0.0.1 7882 typ host"


class _Connection:
    def __init__(self) -> None:
        self.added: list[Any] = []

    async def addIceCandidate(self, candidate: Any) -> None:
        if candidate.port == 9:
            raise ValueError("no")
        self.added.append(candidate)


def _init(candidate: str = GOOD, **more: Any) -> str:
    return json.dumps({"candidate": candidate, "sdpMid": "0", "sdpMLineIndex": 0, **more})


async def test_they_wait_for_the_description() -> None:
    connection = _Connection()
    candidates = Candidates(connection)  # type: ignore[arg-type]
    candidates.take(_init())
    await asyncio.sleep(0)
    assert connection.added == []
    await candidates.described()
    candidates.take(_init())
    await asyncio.sleep(0)
    assert [one.ip for one in connection.added] == ["127.0.0.1", "127.0.0.1"]
    assert connection.added[0].sdpMid == "0"


@pytest.mark.parametrize(
    "garbage",
    ["", "{", "[]", "{}", '{"candidate": 5}', _init("candidate:x"), _init(""), "[" * 900, "x" * 2000],
)
async def test_garbage_is_let_go(garbage: str) -> None:
    connection = _Connection()
    candidates = Candidates(connection)  # type: ignore[arg-type]
    candidates.take(garbage)
    candidates.take(_init(GOOD.replace("7882", "9")))
    await candidates.described()
    assert connection.added == []


async def test_there_are_not_too_many() -> None:
    connection = _Connection()
    candidates = Candidates(connection)  # type: ignore[arg-type]
    for _ in range(MAX_CANDIDATES + 50):
        candidates.take(_init())
    await candidates.described()
    assert len(connection.added) == MAX_CANDIDATES
