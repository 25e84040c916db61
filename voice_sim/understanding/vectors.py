"""Keeps vectors of example lines on disk, so that each is encoded once: 170 lines take more than a second.

One SQLite file, a row a text, named after the encoder and the text's digest; processes share it. Whatever is
wrong with the file costs time and nothing else: what cannot be read is encoded, what cannot be written is not
kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from voice_sim.understanding.encoders.base import SentenceEncoder, Vectors

_BUSY_S = 5.0
_AT_ONCE = 500
"""SQLite takes so many values in one question."""


class VectorCache:
    """Vectors of texts in a file.

    Args:
        path: Of the file; made when it is first written to.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def encode(self, texts: Sequence[str], encoder: SentenceEncoder) -> dict[str, Vectors]:
        """The vector of each text, encoded where it was not kept."""
        keys = {text: _key(text, encoder) for text in dict.fromkeys(texts)}
        kept = self._read(list(keys.values()))
        found = {text: kept[key] for text, key in keys.items() if key in kept}
        missing = [text for text in keys if text not in found]
        new = dict(zip(missing, encoder.encode(missing), strict=True))
        self._keep({keys[text]: vector for text, vector in new.items()})
        return found | new

    def _read(self, keys: list[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        with contextlib.suppress(sqlite3.Error, ValueError), self._open() as base:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                wanted = ",".join("?" * len(some))
                rows = base.execute(f"SELECT key, vector FROM vectors WHERE key IN ({wanted})", some)
                found.update((key, np.frombuffer(blob, np.float32)) for key, blob in rows)
        return found

    def _keep(self, vectors: dict[str, Vectors]) -> None:
        if not vectors:
            return
        with contextlib.suppress(sqlite3.Error, OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as base:
                base.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB)")
                rows = [(key, np.asarray(vector, np.float32).tobytes()) for key, vector in vectors.items()]
                base.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        base = sqlite3.connect(self._path, timeout=_BUSY_S)
        try:
            with base:
                yield base
        finally:
            base.close()


class RememberingEncoder:
    """An encoder that keeps what it has encoded in a file, and asks another one for the rest.

    For tools that encode the same texts again and again; a call's own ears keep nothing that an agent says.
    """

    def __init__(self, encoder: SentenceEncoder, cache: VectorCache) -> None:
        self._encoder, self._cache = encoder, cache
        self.name = encoder.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        known = self._cache.encode(texts, self._encoder)
        return np.stack([known[text] for text in texts]) if texts else self._encoder.encode(texts)


def _key(text: str, encoder: SentenceEncoder) -> str:
    return hashlib.sha256(f"{encoder.name}\n{text}".encode()).hexdigest()
