"""What has to be finished once it was begun: the end of a call that is over, and its files."""

from __future__ import annotations

import asyncio
from typing import Any


async def to_its_end(task: asyncio.Future[Any]) -> bool:
    """Waits for a task, also where the one who waits is told to break off meanwhile: once.

    Returns:
        Whether it was told to. What the task came to is asked of the task.

    Raises:
        asyncio.CancelledError: It was told a second time.
    """
    told = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            if told:
                raise
            told = True
    return told
