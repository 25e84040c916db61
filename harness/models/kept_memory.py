"""Keeps the memory that a network is done with for its next run.

Whisper's encoder takes and frees some 600 MB of passing arrays for a window, a few MB at a time. glibc gives
blocks of that size back to the system at once, and the system clears every page anew for the next one: a
third of the encoder's processor time. What is computed is the same to the bit.

The opposite of :mod:`harness.calls.voice.large_blocks`, which is for a process that holds calls.
"""

from __future__ import annotations

import contextlib
import ctypes

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""``malloc.h`` of glibc."""
_NEVER = 2_000_000_000
_APART = 1_000_000_000
"""Bytes from which a block is apart from the heap all the same."""


def keep_freed_memory() -> None:
    """From now on what is freed stays with this process, in one heap for all of its threads, which begin
    after this; nothing happens with another C library."""
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        # The heaps of single threads have room for 64 MB, so that larger blocks would still go back.
        libc.mallopt(_M_ARENA_MAX, 1)
        libc.mallopt(_M_MMAP_THRESHOLD, _APART)
        libc.mallopt(_M_TRIM_THRESHOLD, _NEVER)
