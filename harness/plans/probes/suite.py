"""A suite of probes on disk: a folder with ``suite.yaml``, its sounds, a README and a LICENSE.

What every suite has is here; what it asks of an agent, and how, is its ``form``, one module each, listed in
:mod:`harness.plans.probes.forms`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from random import Random
from typing import Any, Literal, Self

import soundfile
from pydantic import BaseModel, ConfigDict, Field

from harness._files.outside_file import read_bytes
from harness._files.shipped import shipped_folder
from harness.errors import UserError
from harness.plans.call import VoicePlan

SUITE_FILE = "suite.yaml"
MAX_ITEMS = 1000
MAX_CALL_ID = 80
"""Characters of a call's id in a plan (:mod:`harness.plans.plan`)."""
MAX_SOUND_S = 10.0
MAX_SOUND_BYTES = 4_000_000
Language = Literal["en", "zh"]
Size = Literal["few", "quick", "full"]
"""``few``: a handful, in one language, to see what a suite does. No rate is known from so little."""


class Suite(BaseModel, ABC):
    """What every probe suite has.

    Attributes:
        form: Which module of :mod:`harness.plans.probes.forms` knows the rest of it.
        callers: Who speaks, by language.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    form: str
    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")
    version: str = Field(max_length=20)
    summary: str = Field(max_length=300)
    callers: dict[Language, VoicePlan] = Field(min_length=1)

    @abstractmethod
    def placed_in(self, folder: Path) -> Self:
        """The suite with its sounds as absolute paths inside its folder (:func:`inside`)."""

    @abstractmethod
    def described(self) -> list[str]:
        """A line for each item, as ``probes show`` prints them."""

    @property
    def item_count(self) -> int:
        """How many items it has, for ``probes list``: fewer than lines where some describe no item."""
        return len(self.described())

    @abstractmethod
    def calls(self, *, size: Size, random: Random) -> list[dict[str, Any]]:
        """The calls of a size, drawn by ``random``, as they could be written in a plan.

        Each has ``probe``, a :class:`harness.plans.probes.planted.ProbePlan`, with what it takes in seconds.
        """

    def with_own_sounds(self, sounds: dict[str, Path], folder: Path) -> Self:
        """The suite with recordings of the user's own in place of all its sounds of some kinds.

        Args:
            sounds: Folders by kind, relative to ``folder``.

        Raises:
            UserError: It has no such kind, or the folder no recordings.
        """
        if sounds:
            raise UserError(f"probes.sounds: {self.name} has no sounds that could be replaced")
        return self


def suites_folder() -> Path:
    """Where the suites that come along lie."""
    return shipped_folder("probes")


def suite_names() -> list[str]:
    """The suites that come along."""
    return sorted(path.parent.name for path in suites_folder().glob(f"*/{SUITE_FILE}"))


def inside(folder: Path, path: Path, item: str) -> Path:
    """Where a file of a suite lies, as an absolute path.

    Raises:
        UserError: Outside the suite's folder, or nowhere.
    """
    here = folder.resolve()
    found = (here / path).resolve()
    if not found.is_relative_to(here):
        raise UserError(f"{folder / SUITE_FILE}: items.{item}: its sound lies outside the suite")
    if not found.is_file():
        raise UserError(
            f"{folder / SUITE_FILE}: items.{item}: there is no sound '{path}' in the suite's folder"
        )
    return found


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
