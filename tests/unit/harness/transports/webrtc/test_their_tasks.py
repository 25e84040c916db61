"""Only what aiortc's and aioice's own tasks run into is kept off the terminal."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Coroutine
from typing import Any

import pytest
from aiortc import RTCPeerConnection

from harness.transports.webrtc.their_tasks import keep_to_themselves


async def _fails_unwatched(coroutine: Coroutine[Any, Any, object]) -> None:
    task = asyncio.ensure_future(coroutine)
    await asyncio.wait([task])
    del task
    gc.collect()


async def _ours() -> None:
    raise ConnectionError("ours")


async def test_theirs_is_not_printed_and_ours_is(caplog: pytest.LogCaptureFixture) -> None:
    keep_to_themselves(asyncio.get_running_loop())
    closed = RTCPeerConnection()
    await closed.close()
    # Before anything is noted: what earlier tests left for the collector is told when it comes to it.
    gc.collect()
    with caplog.at_level(logging.WARNING):
        await _fails_unwatched(closed.createAnswer())
        assert caplog.records == []
        await _fails_unwatched(_ours())
    assert ["Task exception was never retrieved" in record.message for record in caplog.records] == [True]


async def test_a_handler_of_somebody_else_stays() -> None:
    loop = asyncio.get_running_loop()
    told: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: told.append(context))
    keep_to_themselves(loop)
    await _fails_unwatched(_ours())
    assert len(told) == 1
