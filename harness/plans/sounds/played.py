"""Sounds that come along: a line that has ``play`` with the name of one becomes a line with that recording.

::

    - play: cough                # in the agent's silence; asks for no answer (kind: aside)
    - play: laugh
      barge_in_after_s: 1.2      # into the agent's speech (kind: backchannel)
    - play: ringback_us
      kind: turn                 # an answer is waited for

Such a line has no words: what a reader is told of it, ``(cough, synthetic)``, is no reference for error
rates. ``level_db`` says how much louder it is than what the caller says.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness._files.shipped import shipped_folder
from harness.errors import UserError

_RESTRAINT = Path("restraint", "sounds")
PLAYED: dict[str, tuple[str, Path]] = {
    "cough": ("probes", _RESTRAINT / "cough-1.flac"),
    "laugh": ("sounds", Path("laugh.flac")),
    "hold_music": ("probes", _RESTRAINT / "hold_music-1.flac"),
    "dial_tone_eu": ("sounds", Path("dial_tone_eu.flac")),
    "dial_tone_us": ("sounds", Path("dial_tone_us.flac")),
    "busy_tone_eu": ("sounds", Path("busy_tone_eu.flac")),
    "busy_tone_us": ("sounds", Path("busy_tone_us.flac")),
    "ringback_eu": ("sounds", Path("ringback_eu.flac")),
    "ringback_us": ("sounds", Path("ringback_us.flac")),
}
"""Of each name: which shipped folder, and the file in it. All of them are synthetic."""


def with_played(line: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """A line with ``play`` as one with a recording; the recording's path is absolute.

    Raises:
        UserError: There is no such sound, or the line also says or presses something.
    """
    name = line["play"]
    if not isinstance(name, str) or name not in PLAYED:
        raise UserError(f"{where}.play: there is no sound {name!r}; known: {', '.join(sorted(PLAYED))}")
    if others := [other for other in ("say", "press", "sound") if line.get(other)]:
        raise UserError(f"{where}: a line that plays a sound has no {', '.join(others)}")
    folder, file = PLAYED[name]
    rest = {field: value for field, value in line.items() if field not in ("play", "level_db")}
    sound = {"path": str(shipped_folder(folder) / file), "words": "heard", "trimmed": True}
    if "level_db" in line:
        sound["level_db"] = line["level_db"]
    kind = "aside" if rest.get("barge_in_after_s") is None else "backchannel"
    return {"kind": kind, **rest, "say": _told(name), "sound": sound}


def name_played(text: str, path: Path) -> str | None:
    """Which sound that comes along a line's text and recording are, on whatever machine it was played."""
    return next(
        (name for name, (_, file) in PLAYED.items() if (_told(name), file.name) == (text, path.name)), None
    )


def _told(name: str) -> str:
    return f"({name.replace('_', ' ')}, synthetic)"
