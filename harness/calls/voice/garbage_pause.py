"""Keeps Python's garbage collector from stopping the sender while calls are in progress."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_calls = 0


@contextmanager
def undisturbed() -> Iterator[None]:
    """While any call is in this block, a full collection does not look at what was alive when the first
    began: walking through the models and libraries takes tens of milliseconds, as long as two frames."""
    global _calls
    if _calls == 0:
        gc.collect()
        gc.freeze()
    _calls += 1
    try:
        yield
    finally:
        _calls -= 1
        if _calls == 0:
            gc.unfreeze()
