"""Keeps a language model's judgements on disk: scoring a run again costs nothing when nothing changed."""

from __future__ import annotations

import contextlib
from pathlib import Path

from harness.atomic_file import write_text
from harness.paths import cache_dir

_MAX_BYTES = 1_000_000


class VerdictStore:
    """Answers by key, one file each; see :class:`metrics.dialogue.language_model.AnswerStore`.

    Attributes:
        hits, misses: How many answers were there, and how many were not, since it was made.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_dir() / "judgements"
        self.hits = 0
        self.misses = 0

    def get(self, key: str) -> str | None:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            path = self._path(key)
            if path.stat().st_size <= _MAX_BYTES:
                answer = path.read_text(encoding="utf-8")
                self.hits += 1
                return answer
        self.misses += 1
        return None

    def put(self, key: str, answer: str) -> None:
        # A full disk must not lose the judgement itself: it is only asked for again the next time.
        with contextlib.suppress(OSError):
            write_text(self._path(key), answer)

    def told(self) -> str:
        """For a person: how much came from the store."""
        asked = self.hits + self.misses
        if not asked:
            return "nothing was asked"
        return f"{self.hits} of {asked} judgements were kept from before ({100 * self.hits / asked:.0f} %)"

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
