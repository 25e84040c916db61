"""Gives the memory of recordings back to the system when a call is done with it.

glibc serves large blocks apart from its heap at first, and from the heap once a block as large was freed; the
heap only shrinks from its end. A process that holds many calls beside each other, each with arrays of
megabytes, so keeps several times what it uses.
"""

from __future__ import annotations

import contextlib
import ctypes

LARGE_BYTES = 262_144
_M_MMAP_THRESHOLD = -3
"""``malloc.h`` of glibc; setting it also ends its being moved."""


def give_back_large_blocks() -> None:
    """From now on every block above :data:`LARGE_BYTES` goes back as soon as it is freed; nothing happens
    with another C library."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
