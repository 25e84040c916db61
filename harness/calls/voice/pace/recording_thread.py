"""Where recordings are assembled while other calls of the process go on: one at a time, and last of all.

Calls that end together would each decode their minutes in a thread of their own, and all of these would keep
the interpreter from the one that sends the frames of the calls that still stand.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Result = TypeVar("Result")

NICENESS = 5
"""By so much less urgent than the process."""


async def assembled(make: Callable[[], Result]) -> Result:
    """What ``make`` returns, made in that thread."""
    return await asyncio.get_running_loop().run_in_executor(_thread(), make)


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="recording", initializer=_last_of_all)


def _last_of_all() -> None:
    """On Linux a thread has a priority of its own."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            own = threading.get_native_id()
            urgency = os.getpriority(os.PRIO_PROCESS, own)
            os.setpriority(os.PRIO_PROCESS, own, min(19, urgency + NICENESS))
