"""From a model's name to a local folder whose files have been checked against their checksums.

Where a model is looked for, in this order:

1. ``$OUTBOUNDEVAL_MODELS/<name>/``: a folder of your own. Once it is there it is used, or it is an error.
2. Its sources as ``table`` lists them: an installed model package (files that come in parts are
   joined once, into the cache), or what ``outboundeval models fetch <name>`` downloaded into the cache.

Nothing here goes to the network but :func:`fetch_model`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from harness.errors import UserError
from harness.models.advice import corrupt, missing, origin, reinstall, ways_without_download
from harness.models.checked_files import (
    WrongContent,
    cached_folder,
    folder_problems,
    publish_folder,
    remove_folder,
    sha256_of,
)
from harness.models.sources import (
    Downloader,
    DownloadFailed,
    Progress,
    folder_in_place,
    missing_modules,
    packaged_pieces,
)
from harness.models.table import MODELS, DownloadSource, ModelSpec, PackageSource, Source, files_digest
from harness.paths import MODELS_VARIABLE, own_models_dir


class ModelMissing(UserError):
    """The model is on none of its places; the message says which were tried and how to get it."""


class ModelCorrupt(UserError):
    """The model is there, but not as it should be; the message says what differs and what to do."""


@dataclass(frozen=True, kw_only=True)
class ResolvedModel:
    """A model that is ready for use.

    Attributes:
        path: The folder with the model's files.
        source: For a person: where they come from.
        digest: Twelve hex digits over the files' checksums: the same digest is the same model.
    """

    name: str
    path: Path
    source: str
    digest: str


class ModelState(StrEnum):
    READY = "ready"
    """There, and its checksums are right."""
    INSTALLED = "installed"
    """In a package; its files are joined or copied into the cache at first use."""
    MISSING = "missing"
    CORRUPT = "corrupt"


@dataclass(frozen=True, kw_only=True)
class ModelStatus:
    """What is known of one model on this machine.

    Attributes:
        size_bytes: Of all its files, as its first source has them.
        path: The folder, where the model is ready.
        detail: For a person: where it comes from; or what is wrong and what to do.
    """

    spec: ModelSpec
    size_bytes: int
    state: ModelState
    path: Path | None
    detail: str


def resolve_model(name: str) -> Path:
    """The folder of a model, its files checked. See the module's docstring for where it is looked for.

    The first call after an installation may join files (a second or two); later calls cost a few ``stat``.

    Raises:
        UserError: No model has this name, or ``$OUTBOUNDEVAL_MODELS`` is no folder.
        ModelMissing: It is nowhere; the message has the command that gets it.
        ModelCorrupt: A file differs from its checksum.
    """
    return resolve(name).path


def resolve(name: str) -> ResolvedModel:
    """As :func:`resolve_model`, with where the model comes from and its digest."""
    spec = _spec(name)
    found = _locate(spec, fresh=False)
    return found if isinstance(found, ResolvedModel) else _joined(spec, found)


def model_status(names: Iterable[str] | None = None) -> list[ModelStatus]:
    """The state of each model, or of those named. Joins and downloads nothing, reads only what changed.

    Raises:
        UserError: No model has this name, or ``$OUTBOUNDEVAL_MODELS`` is no folder.
    """
    return [_status(_spec(name), fresh=False) for name in names or MODELS]


def check_models(names: Iterable[str] | None = None) -> list[ModelStatus]:
    """As :func:`model_status`, but every byte of every file is read and its checksum computed anew."""
    return [_status(_spec(name), fresh=True) for name in names or MODELS]


def fetch_model(name: str, *, progress: Progress | None = None) -> ResolvedModel:
    """Gets a model onto this machine: joins it from its packages, or downloads it from its official home.

    A folder in the cache that fails its checksums is made anew. Nothing is done when the model is there.

    Raises:
        UserError: As :func:`resolve_model`; or the download failed, and the message says what to do instead.
    """
    spec = _spec(name)
    for source in spec.sources:
        folder = cached_folder(spec, source)
        if folder.is_dir() and folder_problems(folder, source.files, fresh=True):
            remove_folder(folder)
    try:
        return resolve(name)
    except ModelMissing:
        download = next((source for source in spec.sources if isinstance(source, DownloadSource)), None)
        if download is None:
            raise
    downloader = Downloader(download, progress=progress)
    try:
        publish_folder(cached_folder(spec, download), download.files, downloader.pieces)
    except (DownloadFailed, WrongContent) as error:
        ways = "\n".join(f"  {way}" for way in ways_without_download(spec))
        raise UserError(f"{name}: the download failed: {error}\nwithout network:\n{ways}") from error
    return resolve(name)


def _spec(name: str) -> ModelSpec:
    try:
        return MODELS[name]
    except KeyError:
        raise UserError(f"there is no model '{name}'; the models are: {', '.join(MODELS)}") from None


def _locate(spec: ModelSpec, *, fresh: bool) -> ResolvedModel | PackageSource:
    """The model's folder, or the installed packages out of which it is still to be joined."""
    own = _own_folder(spec)
    if own is not None:
        return _checked_own_folder(spec, own, fresh=fresh)
    for source in spec.sources:
        folder = cached_folder(spec, source)
        if folder.is_dir():
            todo = f"to make it anew: outboundeval models fetch {spec.name}"
            return _checked(spec, folder, source, f"cache, from {origin(source)}", todo, fresh=fresh)
        if isinstance(source, PackageSource) and not missing_modules(source):
            in_place = folder_in_place(source)
            if in_place is None:
                return source
            return _checked(spec, in_place, source, origin(source), reinstall(source), fresh=fresh)
    raise ModelMissing(missing(spec))


def _own_folder(spec: ModelSpec) -> Path | None:
    root = own_models_dir()
    return root / spec.name if root is not None and (root / spec.name).is_dir() else None


def _checked_own_folder(spec: ModelSpec, folder: Path, *, fresh: bool) -> ResolvedModel:
    """The user's folder may hold the files of any one of the model's sources."""
    attempts: list[list[str]] = []
    for source in spec.sources:
        problems = folder_problems(folder, source.files, fresh=fresh)
        if not problems:
            return _resolved(spec, folder, source, f"{MODELS_VARIABLE}={folder.parent}")
        attempts.append(problems)
    nearest = min(attempts, key=len)
    todo = f"put the right files there, or take the folder away, or unset {MODELS_VARIABLE}"
    raise ModelCorrupt(corrupt(spec, nearest, todo))


def _checked(
    spec: ModelSpec, folder: Path, source: Source, origin: str, todo: str, *, fresh: bool
) -> ResolvedModel:
    if problems := folder_problems(folder, source.files, fresh=fresh):
        raise ModelCorrupt(corrupt(spec, problems, todo))
    return _resolved(spec, folder, source, origin)


def _resolved(spec: ModelSpec, folder: Path, source: Source, origin: str) -> ResolvedModel:
    return ResolvedModel(name=spec.name, path=folder, source=origin, digest=files_digest(source.files))


def _joined(spec: ModelSpec, source: PackageSource) -> ResolvedModel:
    folder = cached_folder(spec, source)
    try:
        publish_folder(folder, source.files, packaged_pieces)
    except WrongContent as error:
        raise ModelCorrupt(corrupt(spec, [str(error)], reinstall(source))) from error
    return _resolved(spec, folder, source, f"cache, from {origin(source)}")


def _status(spec: ModelSpec, *, fresh: bool) -> ModelStatus:
    path: Path | None = None
    try:
        found = _locate(spec, fresh=fresh)
        if isinstance(found, ResolvedModel):
            state, path, detail = ModelState.READY, found.path, found.source
        else:
            if fresh:
                _check_parts(spec, found)
            state, detail = ModelState.INSTALLED, f"{origin(found)}; copied into the cache at first use"
    except ModelMissing as error:
        state, detail = ModelState.MISSING, str(error)
    except ModelCorrupt as error:
        state, detail = ModelState.CORRUPT, str(error)
    size_bytes = sum(file.size for file in spec.sources[0].files)
    return ModelStatus(spec=spec, size_bytes=size_bytes, state=state, path=path, detail=detail)


def _check_parts(spec: ModelSpec, source: PackageSource) -> None:
    for file in source.files:
        try:
            digest = sha256_of(packaged_pieces(file))
        except WrongContent as error:
            raise ModelCorrupt(corrupt(spec, [str(error)], reinstall(source))) from error
        if digest != file.sha256:
            problem = f"{' + '.join(file.parts)}: sha256 {digest}, expected {file.sha256}"
            raise ModelCorrupt(corrupt(spec, [problem], reinstall(source)))
