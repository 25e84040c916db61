"""Keeps synthesised speech on disk, so that a line is synthesised once and sounds the same in every run.

One file an entry (``HASH.npz``), named after everything that decides the samples: engine, its version and
settings, voice, rate, text. Samples are kept as float32, not in an audio format: what comes out of the cache
must equal what went in, bit for bit. Files are written aside and renamed, so that several processes may
share a folder; a file that cannot be read counts as not there. When the folder is full, the entries that were
not used for longest go.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from voice_sim.tts.base import MAX_SPEECH_S, Speech

DEFAULT_MAX_BYTES = 2 * 1024 * 1024 * 1024
_MAX_ENTRY_BYTES = int(MAX_SPEECH_S) * 192_000 * 4
_SUFFIX = ".npz"


class SynthesisCache:
    """A folder of synthesised speech.

    Args:
        folder: Made when it is first written to.
        max_bytes: The folder's files together are kept below this.
    """

    def __init__(self, folder: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._folder = folder
        self._max_bytes = max_bytes

    def get(self, key: str) -> Speech | None:
        """The speech that was kept under ``key``, or None."""
        path = self._path(key)
        try:
            if path.stat().st_size > _MAX_ENTRY_BYTES:
                return None
            with path.open("rb") as file, np.load(file, allow_pickle=False) as entry:
                speech = Speech(samples=entry["samples"], sample_rate_hz=int(entry["sample_rate_hz"]))
            # The modification time says when an entry was last of use.
            os.utime(path)
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            return None
        return speech

    def put(self, key: str, speech: Speech) -> None:
        """Keeps ``speech`` under ``key``; does nothing where the folder cannot be written to."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    np.savez(file, samples=speech.samples, sample_rate_hz=speech.sample_rate_hz)
                Path(name).replace(self._path(key))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._make_room(keep=self._path(key))

    def _make_room(self, *, keep: Path) -> None:
        entries = []
        for path in self._folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                stat = path.stat()
                entries.append((stat.st_mtime_ns, stat.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self._max_bytes:
                return
            if path != keep:
                path.unlink(missing_ok=True)
                total -= size

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}{_SUFFIX}"


def synthesis_key(*, engine: str, identity: str, voice: str, rate: float, text: str) -> str:
    """The key of one synthesis: it differs whenever anything differs that decides the samples."""
    return json.dumps([engine, identity, voice, rate, text], ensure_ascii=False)
