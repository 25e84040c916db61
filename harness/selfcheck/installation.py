"""What is installed and stored: Python, packages and extras, models, folders, calibrations."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from packaging.requirements import Requirement

from harness.errors import UserError
from harness.models.language.keys import keys_that_are_set
from harness.models.listing import licence_label
from harness.models.resolve import ModelState, ModelStatus, check_models, model_status
from harness.models.sources import package_folder
from harness.models.table import LANGUAGE_MODEL, MODELS
from harness.paths import CACHE_VARIABLE, HOME_VARIABLE, cache_dir, calibration_path, data_dir
from harness.selfcheck.finding import Check, Verdict
from harness.selfcheck.livekit_server import SERVER_VARIABLE, server_program
from harness.transports.by_scheme import transport_names
from harness.transports.livekit.signalling.access import KEY_VARIABLE, SECRET_VARIABLE, TOKEN_VARIABLE

DISTRIBUTION = "outboundeval"
OLDEST_PYTHON = (3, 11)
FREE_BYTES_BOUND = 500_000_000
"""Room that joined models and a few recorded calls need."""
MAX_CALIBRATION_BYTES = 10_000_000


def python_check() -> Check:
    """The interpreter's version."""
    old = sys.version_info < OLDEST_PYTHON
    return Check(
        name="python",
        verdict=Verdict.FAIL if old else Verdict.OK,
        found=f"{platform.python_version()} ({sys.executable})",
        todo=f"use Python {'.'.join(map(str, OLDEST_PYTHON))} or newer" if old else "",
    )


def package_checks(distribution: str = DISTRIBUTION) -> list[Check]:
    """Everything that the installed distribution requires: one check a package, and one for each extra."""
    try:
        metadata = importlib.metadata.metadata(distribution)
    except importlib.metadata.PackageNotFoundError:
        todo = "make setup, or in a clone: pip install -e '.[local]'"
        return [Check(name=distribution, verdict=Verdict.FAIL, found="not installed as a package", todo=todo)]
    checks = [Check(name=distribution, verdict=Verdict.OK, found=metadata["Version"])]
    for requirement in _requirements(distribution, extra=""):
        lack, found = _found(requirement)
        checks.append(
            Check(
                name=f"package {requirement.name}",
                verdict=Verdict.FAIL if lack else Verdict.OK,
                found=found,
                todo=_install(requirement) if lack else "",
            )
        )
    for extra in metadata.get_all("Provides-Extra") or []:
        members = list(_requirements(distribution, extra=extra))
        results = [_found(requirement) for requirement in members]
        lacking = [need for need, (lack, _) in zip(members, results, strict=True) if lack]
        checks.append(
            Check(
                name=f"extra {extra}",
                verdict=Verdict.WARN if lacking else Verdict.OK,
                found=", ".join(found for _, found in results),
                todo=f"if you need it: {_install(*lacking)}" if lacking else "",
            )
        )
    return checks


def model_checks() -> list[Check]:
    """Every model, its checksums computed anew."""
    return [_model_check(model) for model in check_models()]


def language_model_check() -> Check:
    """Which language models can be asked: those of providers whose key is set, and those served here."""
    keys = keys_that_are_set()
    local = [
        model.spec.name
        for model in model_status([spec.name for spec in MODELS.values() if spec.kind == LANGUAGE_MODEL])
        if model.state in (ModelState.READY, ModelState.INSTALLED) and package_folder("xllamacpp")
    ]
    found = f"keys: {', '.join(keys) or 'none set'}; on this machine: {', '.join(local) or 'none'}"
    return Check(name="language models", verdict=Verdict.OK, found=found)


def folder_checks() -> list[Check]:
    """Whether the cache and the data folder can be written to, and have room."""
    return [
        _folder_check("cache folder", cache_dir(), CACHE_VARIABLE),
        _folder_check("data folder", data_dir(), HOME_VARIABLE),
    ]


def calibration_checks() -> list[Check]:
    """Whether each transport's own timing error has been measured on this machine."""
    return [_calibration_check(transport) for transport in transport_names()]


def livekit_check() -> Check:
    """Whether rooms of LiveKit can be joined, and calibrated against on this machine; both optional."""
    rights = [name for name in (TOKEN_VARIABLE, KEY_VARIABLE, SECRET_VARIABLE) if os.environ.get(name)]
    found = f"credentials set: {', '.join(rights) or 'none'}; "
    try:
        found += f"server to calibrate against: {server_program()}"
    except UserError as error:
        wrong = bool(os.environ.get(SERVER_VARIABLE))
        verdict = Verdict.WARN if wrong else Verdict.OK
        return Check(
            name="livekit",
            verdict=verdict,
            found=found + (str(error) if wrong else "no server to calibrate against"),
            todo=f"set {SERVER_VARIABLE} to the program livekit-server" if wrong else "",
        )
    return Check(name="livekit", verdict=Verdict.OK, found=found)


def espeak_check() -> Check:
    """espeak-ng, which adds many synthetic accents; optional."""
    program = shutil.which("espeak-ng")
    package = package_folder("espeakng_loader")
    found = program or (str(package) if package else "not installed; optional: it adds robotic accents")
    return Check(name="espeak-ng", verdict=Verdict.OK, found=found)


def _requirements(distribution: str, *, extra: str) -> Iterator[Requirement]:
    """What a distribution needs on this platform: always (extra empty), or for one of its extras alone."""
    for text in importlib.metadata.requires(distribution) or []:
        requirement = Requirement(text)
        always = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if always is (extra == "") and (
            requirement.marker is None or requirement.marker.evaluate({"extra": extra})
        ):
            yield requirement


def _found(requirement: Requirement) -> tuple[bool, str]:
    """Whether a requirement is lacking, and what is installed of it (with the extras that it asks for)."""
    name = requirement.name
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return True, f"{name} missing"
    if not requirement.specifier.contains(version, prereleases=True):
        return True, f"{name} {version} ({requirement.specifier} is needed)"
    for extra in sorted(requirement.extras):
        for need in _requirements(name, extra=extra):
            # An extra may name other extras of its own package: those are listed by themselves.
            if need.name != name and _found(need)[0]:
                return True, f"{name} {version} without {need.name} (of its extra {extra})"
    return False, f"{name} {version}"


def _install(*requirements: Requirement) -> str:
    wanted = []
    for requirement in requirements:
        extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
        wanted.append(f"'{requirement.name}{extras}{requirement.specifier}'")
    return f"{sys.executable} -m pip install {' '.join(wanted)}"


def _model_check(model: ModelStatus) -> Check:
    name = f"model {model.spec.name}"
    if model.state in (ModelState.READY, ModelState.INSTALLED):
        found = f"{model.detail}; checksums right; licence {licence_label(model)}"
        return Check(name=name, verdict=Verdict.OK, found=found)
    bad = model.spec.needed or model.state is ModelState.CORRUPT
    what, _, todo = model.detail.partition("\n")
    return Check(name=name, verdict=Verdict.FAIL if bad else Verdict.WARN, found=what, todo=todo)


def _folder_check(name: str, folder: Path, variable: str) -> Check:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"probe")
        free_bytes = shutil.disk_usage(folder).free
    except OSError as error:
        found = f"{folder}: cannot be written to: {error.strerror}"
        todo = f"set {variable} to a folder that can be written to"
        return Check(name=name, verdict=Verdict.FAIL, found=found, todo=todo)
    tight = free_bytes < FREE_BYTES_BOUND
    return Check(
        name=name,
        verdict=Verdict.WARN if tight else Verdict.OK,
        found=f"{folder}, {free_bytes / 1e9:.1f} GB free",
        todo=f"free some space, or set {variable} to a folder on another disk" if tight else "",
    )


def _calibration_check(transport: str) -> Check:
    name = f"calibration {transport}"
    path = calibration_path(transport)
    command = "outboundeval calibrate" + ("" if transport == "smallwebrtc" else f" --transport {transport}")
    try:
        status = path.stat()
        if status.st_size > MAX_CALIBRATION_BYTES:
            raise ValueError(f"larger than {MAX_CALIBRATION_BYTES} bytes")
        json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        found = "none stored: figures are printed without this machine's own error bar"
        return Check(name=name, verdict=Verdict.WARN, found=found, todo=command)
    except (OSError, ValueError) as error:
        return Check(name=name, verdict=Verdict.FAIL, found=f"{path}: not readable: {error}", todo=command)
    measured = datetime.fromtimestamp(status.st_mtime, UTC)
    found = f"{path}, measured {measured:%Y-%m-%d %H:%M} UTC"
    return Check(name=name, verdict=Verdict.OK, found=found)
