"""The recordings that a script names: found from the plan file's folder, and told by what is in them.

A plan's digest holds the checksum of each recording: another sound under the same name is another call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness._files.outside_file import read_bytes
from harness.errors import UserError
from harness.plans.sounds.played import with_played
from voice_sim.policies.script import LineSound

MAX_SOUND_BYTES = 40_000_000
"""Of one line: more than a minute in any format that is read."""


def with_sounds_from(folder: Path, script: Any, *, where: str) -> Any:
    """A script as written in a plan, with each line's ``sound`` as seen from here and with its checksum.

    What is no script, no line or no sound is left as it is: the plan's own check says what is wrong with it.

    Args:
        folder: What paths in the plan start at.
        where: The call in the plan, for messages.

    Raises:
        UserError: A recording cannot be read, or is not the one that the plan was written with.
    """
    lines = script.get("lines") if isinstance(script, Mapping) else None
    if not isinstance(lines, list):
        return script
    found = []
    for position, written in enumerate(lines):
        line = written
        if isinstance(line, Mapping) and "play" in line:
            line = with_played(line, where=f"{where}.script.lines[{position}]")
        for field in ("sound", "under"):
            line = _looked_at(folder, line, field, place=f"{where}.script.lines[{position}].{field}")
        found.append(line)
    return {**script, "lines": found}


def _looked_at(folder: Path, line: Any, field: str, *, place: str) -> Any:
    """A line whose recording is named with its checksum; one without any, as it is."""
    named = line.get(field) if isinstance(line, Mapping) else None
    if isinstance(named, str):
        named = {"path": named}
    if not isinstance(named, Mapping) or not isinstance(named.get("path"), str):
        return line
    path = folder / named["path"]
    sha256 = _sha256(path, place)
    if named.get("sha256") not in (None, "", sha256):
        raise UserError(f"{place}: {path} is not the recording that the plan was written with")
    return {**line, field: {**named, "path": str(path), "sha256": sha256}}


def sound_bytes(sound: LineSound) -> bytes:
    """What a line's recording holds now.

    Raises:
        UserError: It cannot be read, or is another one than when the plan was made.
    """
    content = _read(sound.path, f"sound {sound.path}")
    if sound.sha256 and hashlib.sha256(content).hexdigest() != sound.sha256:
        raise UserError(f"sound {sound.path}: has changed since the plan was read; start a new run")
    return content


def _sha256(path: Path, place: str) -> str:
    return hashlib.sha256(_read(path, place)).hexdigest()


def _read(path: Path, place: str) -> bytes:
    try:
        return read_bytes(path, max_bytes=MAX_SOUND_BYTES)
    except OSError as error:
        raise UserError(f"{place}: {path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the name
        raise UserError(f"{place}: {str(path)!r} cannot be read: {error}") from error
