"""Reads files that a stranger may have laid there: plain files only, bounded, and inside the folder that they
are said to be in.

A FIFO, a device, a folder, a file that is too large or a link that leads out of a run are an :class:`OSError`
with words of their own, so that whoever tells of a file that cannot be read tells of these as well.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from harness.errors import UserError


def read_bytes(path: Path, *, max_bytes: int, within: Path | None = None) -> bytes:
    """What a plain file holds.

    Args:
        max_bytes: A file that holds more is not read.
        within: The folder that it must lie in, links followed.

    Raises:
        OSError: It cannot be read, is no plain file, is too large or lies elsewhere. ``strerror`` says which.
    """
    if within is not None:
        check_within(path, within)
    # Not blocking: opening a FIFO that nobody writes to would wait for ever.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        state = os.fstat(descriptor)
        _check_mode(state.st_mode, path)
        _check_size(state.st_size, path, max_bytes)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(max_bytes + 1)
        _check_size(len(content), path, max_bytes)
        return content
    finally:
        os.close(descriptor)


def read_text(path: Path, *, max_bytes: int) -> str:
    """The text of a plain file in UTF-8, without its byte order mark.

    Raises:
        UserError: It cannot be read, is no plain file, too large, or no UTF-8; the message names the file.
    """
    try:
        return read_bytes(path, max_bytes=max_bytes).decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    except ValueError as error:  # a NUL in the name
        raise UserError(f"{path!r}: cannot be read: {error}") from error


def check_plain(path: Path) -> None:
    """Does nothing where a path is a plain file: one that a library will open.

    Raises:
        OSError: It is none, or there is nothing.
    """
    _check_mode(path.stat().st_mode, path)


def check_within(path: Path, folder: Path) -> None:
    """Does nothing where a path, links followed, lies in a folder.

    Raises:
        OSError: It leads out of it.
    """
    if not path.resolve().is_relative_to(folder.resolve()):
        raise OSError(errno.EXDEV, f"is a link that leads out of {folder}", str(path))


def _check_mode(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder, not a file", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "is a device or a pipe, not a file", str(path))


def _check_size(size: int, path: Path, max_bytes: int) -> None:
    if size > max_bytes:
        raise OSError(errno.EFBIG, f"{size} bytes; the most that is read is {max_bytes}", str(path))
