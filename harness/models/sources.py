"""How each kind of source gives a model's files: installed packages and downloads."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from harness.models.checked_files import READ_BYTES, WrongContent, read_pieces
from harness.models.table import DownloadSource, PackagedFile, PackageSource, RemoteFile

HUB = "https://huggingface.co/"
HUB_VARIABLE = "HF_ENDPOINT"
"""The usual variable that names a mirror of the model hub. The checksums stay the same."""

CONNECT_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 30.0

Progress = Callable[[int, int], None]
"""Called with the bytes received so far and the bytes expected, over all files of a model."""


class DownloadFailed(Exception):
    """A file could not be had from the network; the message says which and why."""


def package_folder(module: str) -> Path | None:
    """Where a package is installed, without importing it; None when it is not."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def missing_modules(source: PackageSource) -> list[str]:
    """The packages of a source that are not installed, by import name."""
    modules = sorted({part.partition(":")[0] for file in source.files for part in file.parts})
    return [module for module in modules if package_folder(module) is None]


def folder_in_place(source: PackageSource) -> Path | None:
    """The folder of an installed package that holds all files under their right names, ready for use.

    None where files are in parts, have other names or lie in several folders: then they have to be copied.
    """
    folders = set()
    for file in source.files:
        if len(file.parts) != 1:
            return None
        path = _part_path(file.parts[0])
        if path.name != file.name:
            return None
        folders.add(path.parent)
    return folders.pop() if len(folders) == 1 else None


def packaged_pieces(file: PackagedFile) -> Iterator[bytes]:
    """A file's content out of the installed packages, its parts joined.

    Raises:
        WrongContent: A part is missing from its package, or cannot be read.
    """
    for part in file.parts:
        path = _part_path(part)
        try:
            yield from read_pieces(path)
        except OSError as error:
            raise WrongContent(f"{path}: cannot be read: {error.strerror}") from error


class Downloader:
    """Fetches the files of one source, in turn, with progress over all of them."""

    def __init__(self, source: DownloadSource, *, progress: Progress | None = None) -> None:
        self._total = sum(file.size for file in source.files)
        self._received = 0
        self._progress = progress

    def pieces(self, file: RemoteFile) -> Iterator[bytes]:
        """A file's content as it arrives.

        Raises:
            DownloadFailed: The network, the server, or a content longer than it should be.
        """
        url = _mirrored(file.url)
        timeout = httpx.Timeout(READ_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
        received = 0
        try:
            with httpx.stream("GET", url, follow_redirects=True, timeout=timeout) as response:
                response.raise_for_status()
                for piece in response.iter_bytes(READ_BYTES):
                    received += len(piece)
                    if received > file.size:
                        raise DownloadFailed(f"{url}: longer than the {file.size} bytes expected")
                    self._received += len(piece)
                    if self._progress is not None:
                        self._progress(self._received, self._total)
                    yield piece
        except httpx.HTTPStatusError as error:
            raise DownloadFailed(f"{url}: the server answered {error.response.status_code}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise DownloadFailed(f"{url}: {str(error) or type(error).__name__}") from error


def _part_path(part: str) -> Path:
    module, _, inside = part.partition(":")
    folder = package_folder(module)
    if folder is None:
        raise WrongContent(f"the package {module} is not installed")
    return folder / inside


def _mirrored(url: str) -> str:
    mirror = os.environ.get(HUB_VARIABLE, "").rstrip("/")
    return f"{mirror}/{url.removeprefix(HUB)}" if mirror and url.startswith(HUB) else url
