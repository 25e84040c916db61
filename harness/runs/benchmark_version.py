"""The benchmark's own version: its content, the caller's rules, and how the caller understands.

It goes by the text of the files, not by a number that somebody may forget to raise: figures of two versions
are never compared silently.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import voice_sim
from harness._files.shipped import shipped_folder

OF_CODE = (".py", ".md", ".json", ".yaml", ".txt")


@cache
def benchmark_version() -> str:
    """Twelve hex digits over the scenarios that ship, the caller's code and its example lines."""
    digest = hashlib.sha256()
    for root in (Path(voice_sim.__file__).parent, shipped_folder("scenarios")):
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix in OF_CODE:
                content = path.read_bytes()
                digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:12]
