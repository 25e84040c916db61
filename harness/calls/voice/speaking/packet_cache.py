"""Keeps the packets of clips on disk, so that a line is encoded once.

Encoding takes most of the time in which a call is prepared, and the process that prepares it sends the frames
of others. An entry is named after the codec, its encoder's version and every sample that it carries: what
comes out is what would have been encoded. Files are written aside and renamed, so that several processes may
share a folder; one that cannot be read counts as not there. When the folder is full, the entries that were
not used for longest go.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
import tempfile
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import av
import numpy as np

from harness.transports.codecs.base import Codec, Samples
from harness.transports.codecs.prepared import UNENCODED

DEFAULT_MAX_BYTES = 512 * 1024 * 1024
LOOK_EVERY = 500
"""Entries that a process writes between two looks at how full the folder is."""
_MOST_BYTES = 16 * 1024 * 1024
_SUFFIX = ".packets"
_COUNT = struct.Struct("<I")


class PacketCache:
    """A folder of encoded sound.

    Args:
        folder: Made when it is first written to.
        max_bytes: The folder's files together are kept about below this.
    """

    def __init__(self, folder: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._written = 0

    def encode(self, codec: Codec, pcm: Samples) -> list[bytes]:
        """As ``codec.encode``, or what it gave for these samples before."""
        if codec.name == UNENCODED:
            return codec.encode(pcm)
        path = self._path(codec, pcm)
        packets = self._get(path, frames=-(-len(pcm) // codec.frame_samples))
        if packets is None:
            packets = codec.encode(pcm)
            self._put(path, packets)
        return packets

    def _get(self, path: Path, *, frames: int) -> list[bytes] | None:
        try:
            if path.stat().st_size > _MOST_BYTES:
                return None
            content = path.read_bytes()
            # The modification time says when an entry was last of use.
            os.utime(path)
        except OSError:
            return None
        return _packets_of(content, frames)

    def _put(self, path: Path, packets: Sequence[bytes]) -> None:
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(_content_of(packets))
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            if self._written % LOOK_EVERY == 0:
                self._make_room()
            self._written += 1

    def _make_room(self) -> None:
        entries = []
        for path in self._folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                stat = path.stat()
                entries.append((stat.st_mtime_ns, stat.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _path(self, codec: Codec, pcm: Samples) -> Path:
        versions = {name: str(version) for name, version in av.library_versions.items()}
        key = hashlib.sha256(json.dumps([codec.name, av.__version__, versions]).encode())
        key.update(np.ascontiguousarray(pcm, np.float32).tobytes())
        return self._folder / f"{key.hexdigest()}{_SUFFIX}"


def _content_of(packets: Sequence[bytes]) -> bytes:
    """Checksum, how many, how long each is, and the packets."""
    lengths = struct.pack(f"<{len(packets)}H", *map(len, packets))
    body = _COUNT.pack(len(packets)) + lengths + b"".join(packets)
    return hashlib.sha256(body).digest() + body


def _packets_of(content: bytes, frames: int) -> list[bytes] | None:
    """None where it is not what was written."""
    checksum, body = content[:32], content[32:]
    if hashlib.sha256(body).digest() != checksum or _COUNT.unpack_from(body)[0] != frames:
        return None
    lengths = struct.unpack_from(f"<{frames}H", body, _COUNT.size)
    ends = accumulate(lengths, initial=_COUNT.size + 2 * frames)
    return [body[start:end] for start, end in pairwise(ends)]
