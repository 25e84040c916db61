"""Writes ``RUN/placings.jsonl`` while a run goes on; see :mod:`harness.records.placed.placings`."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from harness._files.atomic_file import as_written
from harness.errors import NotWritten
from harness.records.placed.placings import PLACINGS_FILE, Placing

What = Literal["began", "dialled", "over", "ended", "lost", "pacing", "limit"]


class Journal:
    """Appends to the file. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / PLACINGS_FILE
        self._began_s = time.monotonic()

    def __enter__(self) -> Self:
        try:
            self._file = self._path.open("ab")
        except OSError as error:
            raise NotWritten.of(self._path, error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._file.close()

    def note(self, what: What, **fields: Any) -> None:
        """One line, at once.

        Raises:
            NotWritten: The disk is full, or the like.
        """
        placing = Placing(t_s=round(time.monotonic() - self._began_s, 3), what=what, **fields)
        try:
            self._file.write(as_written(placing.model_dump_json(exclude_defaults=True) + "\n"))
            self._file.flush()
        except OSError as error:
            raise NotWritten.of(self._path, error) from error
