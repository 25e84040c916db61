"""``RUN/listening/key-SHEET.json``: what raters must not know. It stays with whoever made the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.errors import NotWritten, UserError
from harness.plans.call import ID_PATTERN
from harness.records.base import FileModel, Seconds
from harness.scoring.listening.sheet import ItemId, Sha256, Sheet

FOLDER = "listening"
MAX_BYTES = 8_000_000

Kind = Literal["clip", "anchor", "gold", "trap", "null"]


class Place(FileModel):
    """Where a sound was cut from. ``run``: which of the key's runs."""

    run: int = Field(ge=0)
    call_id: str = Field(pattern=ID_PATTERN)
    recording_sha256: Sha256
    start_s: Seconds
    end_s: Seconds


class KeyItem(FileModel):
    """What an item is.

    Attributes:
        places: Of its sounds, in the order of the sheet; empty where they are ours.
        q_db: Of the modulated noise in it.
        right: Answers of a gold clip, a trap or a null pair that are right, as the sheet has the sounds.
    """

    kind: Kind
    places: tuple[Place, ...] = Field(default=(), max_length=2)
    q_db: float | None = None
    right: tuple[int, ...] = Field(default=(), max_length=7)

    @model_validator(mode="after")
    def _has_what_its_kind_has(self) -> Self:
        if (self.kind in ("gold", "trap", "null")) != bool(self.right):
            raise ValueError(f"{self.kind}: with {len(self.right)} right answers")
        if self.kind in ("clip", "anchor", "null") and not self.places:
            raise ValueError(f"{self.kind}: from nowhere")
        return self


class ListeningKey(FileModel):
    """The whole file.

    Attributes:
        runs: Names of the runs that the page has clips of, in their order.
        this_run: Which of them this key lies in.
        level_dbov: The active speech level of every clip (ITU-T P.56).
        softer: Which tone of each headphone trial is the softer one, 1 to 3.
    """

    version: Literal[1] = 1
    seed: int
    runs: tuple[str, ...] = Field(min_length=1, max_length=100)
    this_run: int = Field(ge=0)
    level_dbov: float
    sheet: Sheet
    softer: Annotated[tuple[int, ...], Field(max_length=20)] = ()
    items: dict[ItemId, KeyItem] = Field(max_length=1000)

    @model_validator(mode="after")
    def _tells_of_every_item(self) -> Self:
        if set(self.items) != {one.id for one in self.sheet.items}:
            raise ValueError("its items are not those of its sheet")
        if len(self.softer) != len(self.sheet.tones):
            raise ValueError("it does not tell the tones of its sheet")
        runs = {place.run for item in self.items.values() for place in item.places} | {self.this_run}
        if max(runs) >= len(self.runs):
            raise ValueError(f"it names run {max(runs)} of {len(self.runs)}")
        return self

    @model_validator(mode="after")
    def _has_clips_as_its_method_plays_them(self) -> Self:
        pairs = self.sheet.method == "ccr"
        if pairs and len(self.runs) != 2:
            raise ValueError(f"a comparison of {len(self.runs)} run(s)")
        for name, item in self.items.items():
            of = sorted(place.run for place in item.places)
            if item.kind == "clip" and not (of == [0, 1] if pairs else len(of) == 1):
                raise ValueError(f"items.{name}: a clip of {self.sheet.method} with {len(of)} place(s)")
        return self

    def of_kind(self, kind: Kind) -> list[str]:
        """Ids of the items that are one, in the order of the sheet."""
        return [one.id for one in self.sheet.items if self.items[one.id].kind == kind]


def key_path(run: Path, sheet: str) -> Path:
    """Where the key of a page lies."""
    return run / FOLDER / f"key-{sheet}.json"


def write_key(run: Path, key: ListeningKey) -> Path:
    """Raises NotWritten where it cannot be written."""
    path = key_path(run, key.sheet.id)
    try:
        write_model(path, key)
    except OSError as error:
        raise NotWritten.of(path, error) from error
    return path


def read_key(run: Path, sheet: str) -> ListeningKey:
    """The key of a page that was made from a run.

    Raises:
        UserError: There is none, it cannot be read, or is of another page.
    """
    path = key_path(run, sheet)
    if not path.is_file():
        known = sorted(one.stem.removeprefix("key-") for one in path.parent.glob("key-*.json"))
        pages = f"; pages of this run: {', '.join(known[:10])}" if known else ""
        raise UserError(f"{path}: is not there: no page {sheet} was made from this run{pages}")
    key = read_model(path, ListeningKey, max_bytes=MAX_BYTES, within=run)
    if key.sheet.id != sheet:
        raise UserError(f"{path}: was changed: it is of page {key.sheet.id}")
    return key
