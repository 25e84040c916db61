"""The key of a sheet: what its raters must not know. It stays with whoever made the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.judging.people.sheet import Name, Sheet

SUFFIX = ".key.json"
MAX_BYTES = 200_000_000

NODES = "nodes"
SCORE = "score"
"""The question of an item about a reply; of one about nodes, each question is a node."""


class Place(BaseModel):
    """Where an item of the sheet comes from.

    Attributes:
        what: A dimension, or ``nodes``.
        dialogue, digest: The dialogue, and a digest over everything that was judged.
        turn: The reply; None where the whole dialogue is rated.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: str
    dialogue: str
    digest: str
    entry: str = ""
    domain: str = ""
    competitor: str = ""
    turn: int | None = None


class SheetKey(BaseModel):
    """``SHEET.key.json``. ``source``: what the sheet was made from; ``places``: by item."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    source: str = ""
    seed: int = 0
    sheet: Sheet
    places: dict[Name, Place] = Field(default_factory=dict)


def key_path(page: Path) -> Path:
    """Where the key of a page is written: beside it."""
    return page.with_name(page.stem + SUFFIX)


def read_key(path: Path) -> SheetKey:
    """Raises UserError where it cannot be read, or lacks an item of its sheet."""
    key = read_model(path, SheetKey, max_bytes=MAX_BYTES)
    if missing := [item.id for item in key.sheet.items if item.id not in key.places]:
        raise UserError(f"{path}: says nothing of item {missing[0]}")
    return key


def find_key(answers: Sequence[Path]) -> Path:
    """The only key beside the raters' files.

    Raises:
        UserError: There is none, or more than one.
    """
    folders = dict.fromkeys(path.parent for path in answers)
    found = [path for folder in folders for path in sorted(folder.glob(f"*{SUFFIX}"))]
    if len(found) == 1:
        return found[0]
    where = ", ".join(str(folder) for folder in folders)
    if not found:
        raise UserError(f"{where}: there is no key here; name it with --key SHEET{SUFFIX}")
    names = ", ".join(path.name for path in found)
    raise UserError(f"{where}: there are several keys ({names}); name the sheet's with --key")
