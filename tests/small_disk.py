"""A disk that is really too small: a file system of its own where one may be mounted, else a limit on files.

Both are met in the middle of a write, as on a machine whose disk fills.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_disk(folder: Path, *, bytes_: int) -> Iterator[Path]:
    """A file system of so many bytes, mounted at a new folder.

    Raises:
        PermissionError: Nothing may be mounted here.
    """
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={bytes_}", "tmpfs", str(folder)]
    mount = shutil.which("mount")
    done = subprocess.run(command, capture_output=True, text=True, check=False) if mount else None
    if done is None or done.returncode:
        raise PermissionError(done.stderr.strip() if done is not None else "there is no 'mount'")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def small_files(*, bytes_: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes: EFBIG, since Python ignores SIGXFSZ."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
