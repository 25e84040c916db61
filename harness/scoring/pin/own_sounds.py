"""Recordings that a call's own plan named: in the pinned plan they are the same ones, found from anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.plans.sounds.played import name_played
from voice_sim.policies.script import LineSound, ScriptLine


def with_own_sound(line: dict[str, Any], scripted: ScriptLine | None, *, place: str) -> dict[str, Any]:
    """A line that is said anew by the recording it was said by, with the other voice that was under it.

    Args:
        scripted: The line that it was in the call's own script.
        place: Call and line, for messages.

    Raises:
        UserError: A recording is not where it was.
    """
    if scripted is None or scripted.press:
        return line
    if scripted.under is not None:
        under = _sound(scripted.under, place=f"{place}: the voice under it")
        line = line | {"under": under, "under_after_s": scripted.under_after_s}
    if scripted.sound is None:
        return line
    if (name := name_played(scripted.say, scripted.sound.path)) is not None:
        rest = {field: value for field, value in line.items() if field != "say"}
        level = {"level_db": scripted.sound.level_db} if scripted.sound.level_db else {}
        return {"play": name, **rest, "kind": line.get("kind", "turn"), **level}
    return line | {"sound": _sound(scripted.sound, place=place)}


def found_from_anywhere(path: Path, *, place: str) -> str:
    """A path of a plan, which is as seen from where the run was started.

    Raises:
        UserError: There is nothing.
    """
    if not path.exists():
        raise UserError(
            f"{place}: {path} is not there, as seen from here",
            hint="Pin it from where the run was started, or with --sound: by what was sent.",
        )
    return str(path.resolve())


def _sound(sound: LineSound, *, place: str) -> dict[str, Any]:
    path = found_from_anywhere(sound.path, place=place)
    return {"path": path, **sound.model_dump(mode="json", exclude_defaults=True, exclude={"path"})}
