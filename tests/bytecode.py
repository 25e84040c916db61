"""Modules are compiled once, and not by each of the hundreds of processes that tests start.

Where ``PYTHONDONTWRITEBYTECODE`` is set, as in many containers, each of them would compile all of ours, and
each worker of pytest-xdist rewrite all tests: half of what the tests took.
"""

from __future__ import annotations

import os
import sys


def keep_bytecode() -> None:
    """Has this process, and those that it starts, write bytecode beside the sources (``make clean``)."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
