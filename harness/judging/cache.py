"""Keeps a language model's judgements on disk: scoring a run again costs nothing when nothing changed."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from harness._files.atomic_file import write_model
from harness._files.checksum import seal_of
from harness.paths import cache_dir

_MAX_BYTES = 1_000_000
_MAX_NAMED = 3


class CachedAnswer(BaseModel):
    """One file. ``seal``: over key and answer (:func:`~harness._files.checksum.seal_of`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: str
    seal: str


class VerdictStore:
    """Answers by key, one file each; see :class:`metrics.dialogue.language_model.AnswerStore`.

    Each is sealed with a checksum over its key and content. One that is not as it was written (changed by
    hand, torn, under another key) is not used and named in :meth:`problems`; nor is one used that an earlier
    version kept without a seal.

    Args:
        fresh: Use nothing that is there; what is asked now takes its place.

    Attributes:
        hits, misses: How many answers were there and of use, and how many were not, since it was made.
    """

    def __init__(self, folder: Path | None = None, *, fresh: bool = False) -> None:
        self._folder = folder or cache_dir() / "judgements"
        self.fresh = fresh
        self.hits = 0
        self.misses = 0
        self._given: set[str] = set()
        self._damaged: list[Path] = []
        self._unsealed = 0

    def get(self, key: str) -> str | None:
        answer = None if self.fresh else self._read(key)
        if answer is None:
            self.misses += 1
        else:
            self.hits += 1
            self._given.add(key)
        return answer

    def put(self, key: str, answer: str) -> None:
        if key in self._given:  # it was of no use to who asked for it
            self._given.discard(key)
            self.hits -= 1
            self.misses += 1
        # A full disk must not lose the judgement itself: it is only asked for again the next time.
        with contextlib.suppress(OSError):
            write_model(self._path(key), CachedAnswer(answer=answer, seal=seal_of(key, answer)))

    def told(self) -> str:
        """For a person: how much came from the store."""
        asked = self.hits + self.misses
        if not asked:
            return "nothing was asked"
        if self.fresh:
            return f"{asked} judgements asked afresh; they take the place of what was kept"
        # 100 % is all of it: 999 of 1000 must not be rounded up to that.
        return f"{self.hits} of {asked} judgements were kept from before ({100 * self.hits // asked} %)"

    def problems(self) -> list[str]:
        """For a person, a line each: what was there and could not be used. It was asked again."""
        lines = []
        if self._unsealed:
            lines.append(
                f"{self._unsealed} kept judgements have no seal (an earlier version kept them): asked again"
            )
        if self._damaged:
            named = ", ".join(str(path) for path in self._damaged[:_MAX_NAMED])
            more = len(self._damaged) - _MAX_NAMED
            lines.append(
                f"{len(self._damaged)} kept judgements are not as they were written (changed by hand?), "
                f"asked again: {named}" + (f" and {more} more" if more > 0 else "")
            )
        return lines

    def _read(self, key: str) -> str | None:
        path = self._path(key)
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise ValueError(f"larger than {_MAX_BYTES} bytes")
            content = json.loads(path.read_bytes())
            if isinstance(content, dict) and "seal" not in content:
                self._unsealed += 1
                return None
            cached = CachedAnswer.model_validate(content)
            if cached.seal == seal_of(key, cached.answer):
                return cached.answer
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            pass  # told with those whose seal is wrong
        self._damaged.append(path)
        return None

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
