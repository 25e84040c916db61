"""How much sound a file promises in its header, so that one that was cut off can be told.

A WAV file says in its ``data`` chunk how many bytes follow (RIFF; in RF64 and BW64 the chunk ``ds64`` has it,
EBU Tech 3306), a FLAC file in STREAMINFO how many samples (RFC 9639, 8.2). Other formats promise nothing that
can be held against them.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

_UNKNOWN = (0, 0x7FFFFFFF, 0x7FFFF000, 0xFFFFFFFE, 0xFFFFFFFF)
"""What a recorder writes that does not know how long it will record."""
MAX_CHUNKS = 10_000


def promised_frames(file: BinaryIO) -> int | None:
    """Frames (samples of each channel) that the header promises; None where it promises nothing.

    The file is read from its beginning, and stands somewhere else afterwards.
    """
    file.seek(0)
    head = file.read(12)
    if head[:4] in (b"RIFF", b"RF64", b"BW64") and head[8:12] == b"WAVE":
        return _of_wav(file)
    if head[:4] == b"fLaC":
        file.seek(4)
        return _of_flac(file)
    return None


def _of_wav(file: BinaryIO) -> int | None:
    frame_bytes, long_bytes = 0, None
    for _ in range(MAX_CHUNKS):
        head = file.read(8)
        if len(head) < 8:
            return None
        name, size = struct.unpack("<4sI", head)
        if name == b"data":
            if size == 0xFFFFFFFF and long_bytes is not None:
                size = long_bytes
            elif size in _UNKNOWN:
                return None
            return size // frame_bytes if frame_bytes else None
        content = file.read(min(size, 64))
        if name == b"fmt " and len(content) >= 14:
            frame_bytes = struct.unpack_from("<H", content, 12)[0]
        elif name == b"ds64" and len(content) >= 16:
            long_bytes = struct.unpack_from("<Q", content, 8)[0]
        # Chunks begin at even places.
        file.seek(size - len(content) + size % 2, 1)
    return None


def _of_flac(file: BinaryIO) -> int | None:
    head = file.read(4 + 18)
    if len(head) < 22 or head[0] & 0x7F != 0:
        return None
    # After sizes of blocks (2 x 16 bits) and frames (2 x 24): 20 bits rate, 3 channels, 5 depth, 36 samples.
    return (int.from_bytes(head[14:22], "big") & 0xFFFFFFFFF) or None
