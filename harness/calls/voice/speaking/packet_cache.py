"""Keeps the packets of clips on disk, so that a line is encoded once.

Encoding takes most of the time in which a call is prepared, and the process that prepares it sends the frames
of others. An entry is named after every sample that it carries and after what the codec makes of a sound that
is always the same: another bit rate, option or version of an encoder has entries of its own. Files are
written aside and renamed, so that several processes may share a folder; one that cannot be read counts as not
there. When the folder is full, the entries that were not used for longest go.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
import tempfile
import time
from collections.abc import Sequence
from functools import cache
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
_LONGEST = 0xFFFF
_SUFFIX, _PART = ".packets", ".part"
_ABANDONED_S = 3600.0
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
        except OSError:
            return None
        with contextlib.suppress(OSError):
            # The modification time says when an entry was last of use.
            os.utime(path)
        return _packets_of(content, frames)

    def _put(self, path: Path, packets: Sequence[bytes]) -> None:
        if max(map(len, packets), default=0) > _LONGEST:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self._folder, suffix=_PART)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(_content_of(packets))
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        self._written += 1
        if (self._written - 1) % LOOK_EVERY == 0:
            self._make_room()

    def _make_room(self) -> None:
        entries = []
        for path in self._folder.glob("*"):
            with contextlib.suppress(OSError):
                stat = path.stat()
                if path.suffix == _SUFFIX:
                    entries.append((stat.st_mtime_ns, stat.st_size, path))
                elif path.suffix == _PART and stat.st_mtime < time.time() - _ABANDONED_S:
                    path.unlink(missing_ok=True)
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self._max_bytes:
                return
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
                total -= size

    def _path(self, codec: Codec, pcm: Samples) -> Path:
        key = hashlib.sha256(_fingerprint(codec))
        key.update(np.ascontiguousarray(pcm, np.float32).tobytes())
        return self._folder / f"{key.hexdigest()}{_SUFFIX}"


@cache
def _fingerprint(codec: Codec) -> bytes:
    """What decides the packets of a sound, beside the sound."""
    made = codec.encode(_PROBE)
    about = [codec.name, av.__version__, codec.frame_samples, codec.delay_samples, codec.times]
    digest = hashlib.sha256(json.dumps(about).encode())
    for packet in made:
        digest.update(struct.pack("<I", len(packet)) + packet)
    return digest.digest()


def _probe() -> Samples:
    """A fifth of a second of voice-like sound: a glide with overtones, and noise."""
    t_s = np.arange(9600) / 48_000
    glide = sum(np.sin(2 * np.pi * (150 + 400 * t_s) * t_s * over) / over for over in range(1, 20))
    noise = np.random.default_rng(0).normal(0, 0.05, len(t_s))
    return (0.1 * glide + noise).astype(np.float32)


_PROBE = _probe()


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
