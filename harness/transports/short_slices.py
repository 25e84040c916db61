"""Asks Linux to run the thread that keeps media time soon after it wakes.

On a busy machine a thread whose frame is due waits until the slice of whoever has the core is over, some
milliseconds. Since Linux 6.12 a thread may ask for a slice of its own (EEVDF; sched_setattr(2), where
``sched_runtime`` is a normal thread's slice), and one with a shorter slice is let in at once, as long as it
has not had more than its share. It takes no right to ask and gives nobody more of the processor; other
kernels and systems go on as they are.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import sys
import threading

SLICE_S = 0.0001
"""The shortest that Linux grants."""

_CALLS = {"x86_64": (314, 315), "aarch64": (274, 275)}
"""``sched_setattr`` and ``sched_getattr`` by machine."""
_NORMAL = (0, 3)
"""``SCHED_OTHER`` and ``SCHED_BATCH``; whoever runs otherwise was told to, and stays so."""
_RESET_ON_FORK = 0x01
"""What is started from this thread (an agent, a recogniser) runs as it would have."""


class _Attributes(ctypes.Structure):
    """``struct sched_attr`` in its first form (48 bytes), see sched_setattr(2)."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    )


def ask_for_short_slices() -> bool:
    """For the calling thread, once; whether the kernel took it (older ones take it and do nothing)."""
    if getattr(_THREAD, "asked_in", 0) == os.getpid():
        return True
    system = _system()
    if system is None:
        return False
    library, set_number, get_number = system
    own = _Attributes(size=ctypes.sizeof(_Attributes))
    if library.syscall(get_number, 0, ctypes.byref(own), own.size, 0) != 0 or own.policy not in _NORMAL:
        return False
    if own.nice < 0:  # It would not be passed on any more.
        return False
    own.flags |= _RESET_ON_FORK
    own.runtime = round(SLICE_S * 1e9)
    if library.syscall(set_number, 0, ctypes.byref(own), 0) != 0:
        return False
    _THREAD.asked_in = os.getpid()
    return True


_THREAD = threading.local()


@functools.cache
def _system() -> tuple[ctypes.CDLL, int, int] | None:
    usable = sys.platform.startswith("linux") and ctypes.sizeof(ctypes.c_void_p) == 8
    numbers = _CALLS.get(platform.machine()) if usable else None
    return (ctypes.CDLL(None, use_errno=True), *numbers) if numbers else None
