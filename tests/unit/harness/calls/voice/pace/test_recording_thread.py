"""Recordings are assembled one after the other, in one thread that comes last."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time

import pytest

from harness.calls.voice.pace.recording_thread import NICENESS, assembled


def test_one_at_a_time_whatever_loop_asks() -> None:
    standing, most, threads = 0, 0, set()

    def make() -> int:
        nonlocal standing, most
        standing += 1
        most = max(most, standing)
        threads.add(threading.get_native_id())
        time.sleep(0.01)
        standing -= 1
        return most

    async def several() -> list[int]:
        return await asyncio.gather(*(assembled(make) for _ in range(4)))

    assert asyncio.run(several()) + asyncio.run(several()) == [1] * 8
    assert len(threads) == 1
    assert threads != {threading.get_native_id()}


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="threads have a priority of their own on Linux"
)
def test_that_thread_alone_comes_last() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = niceness()
    assert asyncio.run(assembled(niceness)) == min(19, before + NICENESS)
    assert niceness() == before


def test_what_goes_wrong_there_is_told_here() -> None:
    def fail() -> None:
        raise ValueError("no such codec")

    with pytest.raises(ValueError, match="no such codec"):
        asyncio.run(assembled(fail))
