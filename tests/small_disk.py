"""A disk that is really too small: a file system of its own where one may be mounted, else a limit on files.

Both are met in the middle of a write, as on a machine whose disk fills.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MNT_DETACH = 2
"""Gone from the tree at once, whoever still has a file of it open."""


@contextmanager
def small_disk(folder: Path, *, bytes_: int) -> Iterator[Path]:
    """A file system of so many bytes, mounted at a new folder.

    Raises:
        PermissionError: Nothing may be mounted here.
    """
    folder.mkdir()
    # By the system's call: the programs that a machine happens to have are hidden from tests.
    system = ctypes.CDLL(None, use_errno=True)
    if system.mount(b"tmpfs", bytes(folder), b"tmpfs", 0, f"size={bytes_}".encode()):
        raise PermissionError(os.strerror(ctypes.get_errno()))
    try:
        yield folder
    finally:
        system.umount2(bytes(folder), _MNT_DETACH)


@contextmanager
def small_files(*, bytes_: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes: EFBIG, since Python ignores SIGXFSZ."""
    before, bytecode = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    # Half a .pyc is taken for a whole one by everybody who imports the module later.
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = bytecode
