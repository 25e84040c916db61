"""A set of labelled lines: what an agent may say to a person, and what it means to them.

A set is a folder of YAML files, each with ``lines``. They were written by somebody who knew neither cues nor
examples of the people, and read by somebody else without the labels; lines that the two read differently are
not in the set::

    lines:
      - entry: hr-background-check/hesitant
        says: And where was there room for improvement, in your eyes?
        means: [fact.weakness]            # several where it means several; empty: nothing to this person
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from harness._files.shipped import shipped_folder
from harness._files.validation import describe_validation_error
from harness._files.yaml_file import read_yaml
from harness.errors import UserError
from harness.scenarios.folders import load_entries
from harness.scenarios.person_called import person_called
from voice_sim.person.examples import Item, ItemKind, items_of
from voice_sim.person.persona import Persona
from voice_sim.person.texts import Line

_KINDS = "|".join(get_args(ItemKind))


class LabelledLine(BaseModel):
    """One line as written; see the module's docstring."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entry: str = Field(min_length=1, max_length=200)
    says: Line
    means: tuple[Annotated[str, StringConstraints(pattern=rf"^({_KINDS})\.[a-z0-9_]{{1,48}}$")], ...] = Field(
        default=(), max_length=20
    )


class LabelledFile(BaseModel):
    """One file of a set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lines: tuple[LabelledLine, ...] = Field(min_length=1, max_length=5000)


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A line, whom it is said to, and what it means to them."""

    entry: str
    persona: Persona
    says: str
    means: frozenset[Item]


def sets_root() -> Path:
    """The folder with the sets that come along: ``development`` and ``held_out``."""
    return shipped_folder("understanding")


def load_labelled(folder: Path) -> list[Labelled]:
    """All lines of a set, with their people.

    Raises:
        UserError: The folder holds no set, a file is broken, or a label is no item of that person.
    """
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise UserError(f"{folder}: no labelled lines here (*.yaml)")
    found = [(file, number, line) for file in files for number, line in enumerate(_lines(file))]
    entries = load_entries([line.entry for _, _, line in found])
    people = {name: person_called(entry) for name, entry in entries.items()}
    known = {name: {str(one.item): one.item for one in items_of(person)} for name, person in people.items()}
    labelled = []
    for file, number, line in found:
        unknown = [label for label in line.means if label not in known[line.entry]]
        if unknown:
            raise UserError(f"{file}: lines.{number}.means: {line.entry} has no '{unknown[0]}'")
        means = frozenset(known[line.entry][label] for label in line.means)
        labelled.append(Labelled(entry=line.entry, persona=people[line.entry], says=line.says, means=means))
    return labelled


def _lines(file: Path) -> tuple[LabelledLine, ...]:
    try:
        return LabelledFile.model_validate(read_yaml(file).content).lines
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=str(file))) from error
