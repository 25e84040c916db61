"""Families whose calls are files are made beside those whose calls are placed, in a process of their own.

A placed call waits for most of its time, and needs a core at once when it does not: so this process takes
only what the calls leave over (Linux' ``SCHED_IDLE``; elsewhere the lowest priority).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, get_args

from pydantic import ValidationError

from harness.selfcheck.calibration.page import made_with
from harness.selfcheck.selftest.entries import Family, Progress, Size
from harness.selfcheck.selftest.families.table import FAMILIES
from harness.selfcheck.selftest.run import MOST_BYTES, FamilyResult, cells_file, try_family

LEAST_PRIORITY = 19
DONE = "done "
ENDS_WITHIN_S = 10.0


class MadeBeside:
    """Makes families while it is open.

    Args:
        families: To be made, in this order; none: nothing is started.
        folder: As of :func:`harness.selfcheck.selftest.run.try_family`.
    """

    def __init__(self, families: Sequence[Family], folder: Path, size: Size) -> None:
        self._names = [family.name for family in families]
        self._folder, self._size = folder, size
        self._done: set[str] = set()
        self._told = ""
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._names:
            command = [sys.executable, "-P", "-m", "harness.selfcheck.selftest.beside"]
            command += [str(self._folder), self._size, *self._names]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self._reader = threading.Thread(target=self._read, daemon=True)
            self._reader.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def result(self, family: Family, progress: Progress) -> FamilyResult:
        """What a family came to; waits for it. What was not made beside is made here.

        Raises:
            NotWritten, UserError, HarnessFault: See :func:`harness.selfcheck.selftest.run.try_family`.
        """
        if self._reader is not None and family.name in self._names:
            while family.name not in self._done and self._reader.is_alive():
                progress(self._told)
                self._reader.join(0.5)
        if family.name in self._done and (kept := self._kept(family)) is not None:
            return kept
        return try_family(family, self._folder, self._size, progress)

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        # Closed while it is read where everything is broken off.
        with contextlib.suppress(ValueError):
            for line in self._process.stdout:
                if line.startswith(DONE):
                    self._done.add(line.removeprefix(DONE).strip())
                else:
                    self._told = line.strip()

    def _kept(self, family: Family) -> FamilyResult | None:
        try:
            written = cells_file(self._folder, self._size, family).read_bytes()[:MOST_BYTES]
            result = FamilyResult.model_validate_json(written)
        except (OSError, ValidationError):
            return None
        return result if result.sources == made_with() else None


def main(arguments: Sequence[str]) -> None:
    """``FOLDER SIZE FAMILY...``: makes them, and tells each that is done on a line of its own."""
    folder, size, *names = arguments
    assert size in get_args(Size)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(LEAST_PRIORITY)
    for family in FAMILIES:
        if family.name in names:
            result = try_family(family, Path(folder), "full" if size == "full" else "quick", _tell)
            # What this machine lacks is told by whoever asks.
            if not result.missing:
                print(f"{DONE}{family.name}", flush=True)


def _tell(told: str) -> None:
    print(" ".join(told.split()), flush=True)


if __name__ == "__main__":
    # As by Ctrl-C: those who hear its calls for it are ended before it is.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    main(sys.argv[1:])
