"""A thread's own slice, read back from the kernel: asked for once, and no business of what it starts."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
import sys
import threading

import pytest

from harness.transports import short_slices
from harness.transports.short_slices import SLICE_S, ask_for_short_slices

READ = """
import ctypes, struct
own = ctypes.create_string_buffer(struct.pack("=IIQiIQQQ", 48, 0, 0, 0, 0, 0, 0, 0), 48)
ctypes.CDLL(None).syscall({number}, 0, own, 48, 0)
print(*struct.unpack("=IIQiIQQQ", own.raw))
"""


def _attributes() -> list[int]:
    """Of the calling thread: size, policy, flags, nice, priority, runtime, deadline, period."""
    own = ctypes.create_string_buffer(48)
    ctypes.memmove(own, (48).to_bytes(4, sys.byteorder), 4)
    assert ctypes.CDLL(None).syscall(_get_number(), 0, own, 48, 0) == 0
    view = memoryview(own.raw)
    return [int.from_bytes(view[a:b], sys.byteorder) for a, b in ((4, 8), (8, 16), (24, 32))]


def _get_number() -> int:
    return {"x86_64": 315, "aarch64": 275}[platform.machine()]


@pytest.fixture
def in_a_thread() -> list[object]:
    """Asks in a thread of its own, and has what it saw there before, after, and in a process it started."""
    seen: list[object] = []

    def asks() -> None:
        seen.append(_attributes())
        seen.append((ask_for_short_slices(), ask_for_short_slices()))
        seen.append(_attributes())
        script = READ.format(number=_get_number())
        seen.append(
            subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        )

    thread = threading.Thread(target=asks)
    thread.start()
    thread.join()
    return seen


def _grants_slices() -> bool:
    release = [int(part) for part in os.uname().release.split("-")[0].split(".")[:2]]
    return (
        sys.platform.startswith("linux")
        and platform.machine() in {"x86_64", "aarch64"}
        and release >= [6, 12]
    )


@pytest.mark.skipif(not _grants_slices(), reason="slices of one's own need Linux 6.12 on x86-64 or ARM")
def test_the_thread_has_it_and_what_it_starts_does_not(in_a_thread: list[object]) -> None:
    before, asked, after, child = in_a_thread
    if asked == (False, False):
        pytest.skip("this thread runs by another policy than a normal one's, or may not ask")
    assert asked == (True, True)
    assert isinstance(before, list)
    assert isinstance(after, list)
    assert isinstance(child, str)
    assert before[2] > SLICE_S * 1e9
    assert after == [before[0], 1, round(SLICE_S * 1e9)]
    told = [int(part) for part in child.split()]
    assert (told[2], told[5]) == (0, before[2])


def test_elsewhere_nothing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    short_slices._system.cache_clear()
    monkeypatch.setattr(short_slices, "_THREAD", threading.local())
    try:
        assert ask_for_short_slices() is False
    finally:
        short_slices._system.cache_clear()
