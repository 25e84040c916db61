"""A suite of probes on disk: ``suite.yaml`` and the sounds that it names.

::

    name: restraint
    version: "1"
    summary: What an agent must not react to.
    callers:                      # who plays the requests, by language
      en: {engine: piper, name: joe}
    requests:                     # what makes an agent speak for a while
      en: ["Could you tell me in detail what you can do for me?"]
    over_after_s: [0.9, 1.5]      # into the agent's speech: so long after its onset, drawn evenly
    items:
      - id: cough-1
        kind: cough
        sound: sounds/cough-1.flac
        synthetic: true           # made by a generator, not recorded: its label says so
      - id: side_talk-en-1
        kind: side_talk
        language: en              # none: for every language
        says: Can you take the laundry out before it rains?
        sound: sounds/side_talk-en-1.flac
        level_db: -6              # against the caller's own level
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self

import soundfile
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from harness._files.outside_file import read_bytes
from harness._files.shipped import shipped_folder
from harness._files.validation import describe_validation_error
from harness._files.yaml_file import read_yaml
from harness.errors import UserError
from harness.plans.call import VoicePlan

SUITE_FILE = "suite.yaml"
MAX_ITEMS = 1000
MAX_SOUND_S = 10.0
MAX_SOUND_BYTES = 4_000_000
Language = Literal["en", "zh"]


class Item(BaseModel):
    """Something that is planted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")
    kind: str = Field(pattern=r"^[a-z][a-z_]{0,39}$")
    language: Language | None = None
    says: str = Field(default="", max_length=500)
    sound: Path
    level_db: float = Field(default=0.0, ge=-40.0, le=10.0)
    synthetic: bool = False

    @property
    def label(self) -> str:
        """What is heard, for a reader: words, or the kind of sound."""
        plain = self.kind.replace("_", " ")
        told = f"{plain}, synthetic" if self.synthetic else plain
        return f"({told}) {self.says}".strip()


class Suite(BaseModel):
    """A probe suite; see the module's docstring."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z_]{0,39}$")
    version: str = Field(max_length=20)
    summary: str = Field(max_length=300)
    callers: dict[Language, VoicePlan] = Field(min_length=1)
    requests: dict[Language, tuple[str, ...]]
    over_after_s: tuple[float, float] = (0.9, 1.5)
    items: tuple[Item, ...] = Field(min_length=1, max_length=MAX_ITEMS)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if set(self.requests) != set(self.callers) or not all(self.requests.values()):
            raise ValueError("requests: one list, not empty, for each language of 'callers'")
        ids = [item.id for item in self.items]
        if len(set(ids)) != len(ids):
            raise ValueError("items: ids must differ")
        if not 0.2 <= self.over_after_s[0] <= self.over_after_s[1] <= 30.0:
            raise ValueError("over_after_s: two numbers of seconds, 0.2 to 30, the smaller first")
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.kind for item in self.items))

    def items_in(self, language: Language, kind: str) -> list[Item]:
        """Those of a kind that may be heard in a call in this language."""
        return [item for item in self.items if item.kind == kind and item.language in (None, language)]


def suites_folder() -> Path:
    """Where the suites that come along lie."""
    return shipped_folder("probes")


def suite_names() -> list[str]:
    """The suites that come along."""
    return sorted(path.parent.name for path in suites_folder().glob(f"*/{SUITE_FILE}"))


def load_suite(name: str) -> Suite:
    """A suite by name, or from a folder (a name with a slash); its sounds as absolute paths.

    Raises:
        UserError: There is none, or it is broken; the message says where.
    """
    folder = Path(name) if "/" in name else suites_folder() / name
    if "/" not in name and name not in suite_names():
        raise UserError(f"there is no probe suite '{name}'; known: {', '.join(suite_names())}")
    path = folder / SUITE_FILE
    try:
        suite = Suite.model_validate(read_yaml(path, typed=True).content)
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=str(path))) from error
    here = folder.resolve()
    items = []
    for item in suite.items:
        sound = (here / item.sound).resolve()
        if not sound.is_relative_to(here):
            raise UserError(f"{path}: items.{item.id}: its sound lies outside the suite")
        items.append(item.model_copy(update={"sound": sound}))
    return suite.model_copy(update={"items": tuple(items)})


def sound_length_s(path: Path) -> float:
    """How long a sound of a suite is.

    Raises:
        UserError: It is no sound, or too long to be planted.
    """
    try:
        read_bytes(path, max_bytes=MAX_SOUND_BYTES)
        told = soundfile.info(path)
    except (OSError, RuntimeError) as error:
        raise UserError(f"{path}: cannot be read as sound: {error}") from error
    length_s = float(told.frames / max(1, told.samplerate))
    if told.channels != 1 or not 0.05 <= length_s <= MAX_SOUND_S:
        raise UserError(
            f"{path}: {told.channels} channels, {length_s:.2f} s; planted is one channel of 0.05 to "
            f"{MAX_SOUND_S:g} s"
        )
    return length_s


def languages_of(suite: Suite) -> Iterator[Language]:
    """Those in which it has callers, in the suite's order."""
    yield from suite.callers
