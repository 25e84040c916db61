"""Model files on disk: checking them against their checksums, and putting a new folder in place in one step.

A checksum is computed once per file: a small stamp in the cache remembers the size, the modification time and
the checksum that were seen, and a file is read again only when one of them differs. New folders are written
beside their destination and renamed, so that a second process sees either nothing or the whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from harness.errors import UserError
from harness.models.table import ModelFile, ModelSpec, Source, files_digest
from harness.paths import CACHE_VARIABLE, cache_dir

READ_BYTES = 1 << 20
MAX_STAMP_BYTES = 100_000
STALE_AFTER_S = 24 * 3600.0
TEMPORARY_PREFIX = ".incomplete-"

File = TypeVar("File", bound=ModelFile)


class WrongContent(Exception):
    """What a source gave is not the file that it should be; the message says which and how it differs."""


def cached_folder(spec: ModelSpec, source: Source) -> Path:
    """The cache folder of a model from one of its sources; it need not exist.

    The checksums are part of the name, so that another version of a model is another folder.
    """
    return cache_dir() / "models" / f"{spec.name}-{files_digest(source.files)}"


def folder_problems(folder: Path, files: Sequence[ModelFile], *, fresh: bool = False) -> list[str]:
    """What is wrong with a model's folder, one line a file; empty when every file is what it should be.

    Args:
        folder: The folder that should hold ``files``.
        files: Expected names, sizes and checksums; optional ones are not asked for.
        fresh: Read every byte again, whatever the stamp says.
    """
    stamp = {} if fresh else _read_stamp(folder)
    seen: dict[str, dict[str, int | str]] = {}
    problems = []
    for file in files:
        if file.optional:
            continue
        path = folder / file.name
        try:
            status = path.stat()
            if status.st_size != file.size:
                problems.append(f"{path}: {status.st_size} bytes, expected {file.size}")
                continue
            known = stamp.get(file.name)
            now: dict[str, int | str] = {"size": status.st_size, "mtime_ns": status.st_mtime_ns}
            if known == {**now, "sha256": file.sha256}:
                continue
            digest = sha256_of(read_pieces(path))
        except FileNotFoundError:
            problems.append(f"{path}: not there")
            continue
        except OSError as error:
            problems.append(f"{path}: cannot be read: {error.strerror}")
            continue
        if digest != file.sha256:
            problems.append(f"{path}: its sha256 is {digest}, expected {file.sha256}")
            continue
        seen[file.name] = {**now, "sha256": digest}
    if seen and not problems:
        _write_stamp(folder, {**stamp, **seen})
    return problems


def sha256_of(pieces: Iterable[bytes]) -> str:
    """The checksum of a content given in pieces, in hex."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def read_pieces(path: Path) -> Iterator[bytes]:
    """A file's content, a mebibyte at a time."""
    with path.open("rb") as stream:
        while piece := stream.read(READ_BYTES):
            yield piece


def publish_folder(target: Path, files: Sequence[File], content: Callable[[File], Iterable[bytes]]) -> None:
    """Writes a model's folder and puts it in place in one step.

    Where another process put the same folder in place meanwhile, that one stays and ours is dropped.

    Args:
        target: The folder to make. Its parent is made where it is missing.
        files: What it is to hold; the sizes and checksums are checked while writing.
        content: Gives a file's content in pieces.

    Raises:
        UserError: The cache cannot be written to.
        WrongContent: A content has not the expected size or checksum. Nothing is left behind.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(target.parent)
        temporary = Path(tempfile.mkdtemp(prefix=TEMPORARY_PREFIX, dir=target.parent))
    except OSError as error:
        raise _unwritable(target.parent, error) from error
    try:
        for file in files:
            _write_checked(temporary / file.name, file, content(file))
        temporary.chmod(0o755)
        # Refused when the folder is there already: then another process was faster, with the same content.
        with contextlib.suppress(FileExistsError):
            _rename_to_new(temporary, target)
    except OSError as error:
        raise _unwritable(target.parent, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    if problems := folder_problems(target, files):
        raise WrongContent("\n".join(problems))


def remove_folder(folder: Path) -> None:
    """Takes a model's folder out of the cache; nothing happens when it is not there."""
    if not folder.exists():
        return
    try:
        # Renamed first, so that no other process meets a folder that is half gone.
        doomed = Path(tempfile.mkdtemp(prefix=TEMPORARY_PREFIX, dir=folder.parent))
        folder.rename(doomed / folder.name)
    except OSError as error:
        raise _unwritable(folder.parent, error) from error
    shutil.rmtree(doomed, ignore_errors=True)


def _rename_to_new(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        if target.is_dir():
            raise FileExistsError(str(target)) from error
        raise


def _write_checked(path: Path, file: ModelFile, pieces: Iterable[bytes]) -> None:
    digest = hashlib.sha256()
    size = 0
    with path.open("xb") as stream:
        for piece in pieces:
            size += len(piece)
            if size > file.size:
                raise WrongContent(f"{file.name}: longer than the {file.size} bytes expected")
            digest.update(piece)
            stream.write(piece)
        stream.flush()
        os.fsync(stream.fileno())
    if size != file.size:
        raise WrongContent(f"{file.name}: {size} bytes, expected {file.size}")
    if digest.hexdigest() != file.sha256:
        raise WrongContent(f"{file.name}: its sha256 is {digest.hexdigest()}, expected {file.sha256}")


def _remove_stale(folder: Path) -> None:
    """Takes away what a process that was killed left behind."""
    for entry in folder.glob(f"{TEMPORARY_PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - entry.stat().st_mtime > STALE_AFTER_S:
                shutil.rmtree(entry, ignore_errors=True)


def _unwritable(folder: Path, error: OSError) -> UserError:
    return UserError(
        f"{folder}: cannot be written to: {error.strerror or error}\n"
        f"free some space, or set {CACHE_VARIABLE} to a folder that can be written to"
    )


def _stamp_path(folder: Path) -> Path:
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:32]
    return cache_dir() / "verified" / f"{name}.json"


def _read_stamp(folder: Path) -> dict[str, object]:
    try:
        path = _stamp_path(folder)
        if path.stat().st_size > MAX_STAMP_BYTES:
            return {}
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    files = content.get("files") if isinstance(content, dict) else None
    return files if isinstance(files, dict) else {}


def _write_stamp(folder: Path, files: dict[str, object]) -> None:
    # Without a stamp the files are only read again next time; `doctor` reports a cache that is read-only.
    with contextlib.suppress(OSError):
        path = _stamp_path(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump({"folder": str(folder), "files": files}, stream)
        Path(temporary).replace(path)
