"""The planted set: dialogues with one known fault of the simulated caller each, and clean ones.

A set is a folder of YAML files, each with ``dialogues``. A dialogue is written as it was said::

    - id: card-digits-wrong
      entry: cs-bank-complaint/analytical     # whose persona it is
      ended: satisfied                        # satisfied refused gave_up agent_hung_up limit other
      fault: {kind: contradicted_fact, by: rules, note: Gives 8834 for a card that ends in 8843.}
      text: |
        A: Hello, is that Mr. Zhao?           # the agent
        C: Yes, that's correct.               # the caller
        H: Yes, that's correct.               # what a recogniser heard of the caller's turn above
        C*: Eight eight three four.           # the caller's turn with the fault

A dialogue without ``fault`` is clean. ``by`` says who could see the fault: ``rules`` where it is one of the
signs that a check documents (a value, a name, a set phrase, a count), ``reading`` where it takes
understanding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness._files.shipped import shipped_folder
from harness._files.yaml_file import YamlFile, read_yaml
from harness.calls.guard import must_have_of
from harness.errors import UserError
from harness.scenarios.folders import find_folders, library_root, load_scenario
from harness.scenarios.scenario import Entry
from voice_sim.guard.misunderstanding.card import read_card
from voice_sim.guard.session import Ended, Kind, Session, Turn

MAX_TURNS = 200
_LINE = re.compile(r"^([ACH])(\*?): ?(.*)$")


class Fault(BaseModel):
    """What the simulated caller did wrong, as planted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
    by: Literal["rules", "reading"]
    note: str = Field(min_length=1, max_length=500)


class PlantedDialogue(BaseModel):
    """One dialogue of the set as written; see the module's docstring."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]
    entry: str
    ended: Ended
    note: str = Field(default="", max_length=500)
    fault: Fault | None = None
    text: str = Field(min_length=1, max_length=40_000)


class PlantedFile(BaseModel):
    """One file of the set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dialogues: tuple[PlantedDialogue, ...] = Field(min_length=1, max_length=500)


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A dialogue that can be checked, and the truth about it.

    Attributes:
        part: Name of the folder it lies in ("development", "held_out").
        fault_turn: Position of the turn with the fault; None where the dialogue is clean.
    """

    id: str
    part: str
    session: Session
    language: str
    fault: Fault | None = None
    fault_turn: int | None = None


def guard_set_root() -> Path:
    """The folder of the set that comes along."""
    return shipped_folder("guard")


def load_guard_set(folder: Path) -> list[Planted]:
    """Every dialogue at or below a folder, files in order of their names.

    Raises:
        UserError: There is none, a file cannot be read, an entry does not exist, an id is there twice.
    """
    files = sorted(folder.rglob("*.yaml")) if folder.is_dir() else []
    if not files:
        raise UserError(
            f"{folder}: no .yaml file here or below; a set is a folder of dialogues (docs/guard.md)"
        )
    written = [(file, *_read(file)) for file in files]
    entries = {
        entry.id: entry for path in find_folders([library_root()]) for entry in load_scenario(path).entries()
    }
    found: dict[str, Planted] = {}
    for file, source, dialogues in written:
        for number, (dialogue, turns, marked) in enumerate(dialogues):
            where = f"{file}:{source.line_of(('dialogues', number))}: {dialogue.id}"
            if dialogue.id in found:
                raise UserError(f"{where}: this id is there twice")
            if dialogue.entry not in entries:
                raise UserError(
                    f"{where}: there is no entry {dialogue.entry!r} (outboundeval scenarios list)"
                )
            part = file.parent.name if file.parent != folder else folder.name
            entry = entries[dialogue.entry]
            found[dialogue.id] = Planted(
                id=dialogue.id,
                part=part,
                session=_session(dialogue, turns, entry),
                language=entry.persona.language,
                fault=dialogue.fault,
                fault_turn=marked,
            )
    return list(found.values())


_Read = tuple[PlantedDialogue, tuple[Turn, ...], int | None]
"""A dialogue, its turns, and the position of the marked one."""


def _read(file: Path) -> tuple[YamlFile, list[_Read]]:
    source = read_yaml(file)
    try:
        written = PlantedFile.model_validate(source.content)
    except ValidationError as error:
        first = error.errors()[0]
        place = tuple(part for part in first["loc"] if isinstance(part, str | int))
        where = ".".join(str(part) for part in place)
        raise UserError(f"{file}:{source.line_of(place)}: {where}: {first['msg']}") from error
    dialogues = []
    for number, dialogue in enumerate(written.dialogues):
        where = f"{file}:{source.line_of(('dialogues', number))}: {dialogue.id}"
        turns, marked = _turns(dialogue.text, where)
        if (dialogue.fault is None) != (marked is None):
            raise UserError(f"{where}: a fault needs its turn marked C*, and a clean dialogue has none")
        dialogues.append((dialogue, turns, marked))
    return source, dialogues


def _turns(text: str, where: str) -> tuple[tuple[Turn, ...], int | None]:
    turns: list[Turn] = []
    marked: int | None = None
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _LINE.match(line)
        if match is None:
            raise UserError(f"{where}: a line begins with 'A: ', 'C: ', 'C*: ' or 'H: ', not {line[:20]!r}")
        side, star, said = match[1], match[2], "" if match[3] == '""' else match[3]
        if side == "H":
            if not turns or turns[-1].speaker != "caller":
                raise UserError(f"{where}: an H line stands below a C line")
            turns[-1] = Turn(speaker="caller", text=turns[-1].text, heard=said)
            continue
        if star:
            marked = len(turns)
        turns.append(Turn(speaker="agent" if side == "A" else "caller", text=said))
    if len(turns) > MAX_TURNS:
        raise UserError(f"{where}: more than {MAX_TURNS} turns")
    return tuple(turns), marked


def _session(dialogue: PlantedDialogue, turns: tuple[Turn, ...], entry: Entry) -> Session:
    return Session(
        persona=entry.persona,
        turns=turns,
        ended=dialogue.ended,
        today=entry.scenario.reference_date,
        also_known=tuple(way for value in entry.key_values for way in (value.value, *value.spoken)),
        card=read_card(entry.prompt()),
        must_have=must_have_of(entry.flow),
    )
