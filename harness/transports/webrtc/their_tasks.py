"""Keeps off the terminal what aiortc's and aioice's own tasks run into when a connection goes under them.

They start tasks that nobody waits for: acknowledgements of the data channel, consent checks. One that is at
work while its connection is closed fails, and Python would print its traceback at some later time, in the
middle of another call. What matters of a connection is told by its state.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import PurePath
from typing import Any

_THEIRS = frozenset({"aiortc", "aioice"})

_log = logging.getLogger(__name__)


def keep_to_themselves(loop: asyncio.AbstractEventLoop) -> None:
    """From now on such failures are noted for whoever debugs, and not printed. A loop that has a handler of
    its own keeps it."""
    if loop.get_exception_handler() is None:
        loop.set_exception_handler(_without_theirs)


def _without_theirs(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not _is_theirs(context.get("future")):
        loop.default_exception_handler(context)
        return
    _log.debug("%s", context.get("message"), exc_info=context.get("exception"))


def _is_theirs(future: object) -> bool:
    """Whether it is a task that runs a coroutine of theirs."""
    code = getattr(future.get_coro(), "cr_code", None) if isinstance(future, asyncio.Task) else None
    return code is not None and PurePath(code.co_filename).parent.name in _THEIRS
