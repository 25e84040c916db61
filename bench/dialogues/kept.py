"""Calls with agents of other makers as they are kept, each turn of the caller as two readers judged it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from harness.plans.task import TaskPlan, settled, task_of
from harness.scenarios.folders import load_library
from harness.scenarios.scenario import Entry
from spoken_language.dialogue import Speaker

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "understanding" / "dialogues"


@dataclass(frozen=True, kw_only=True)
class KeptTurn:
    """What one side said.

    Attributes:
        readers: Of a caller's turn, what each reader said of it: "ok", "not read", or "past" and a kind.
    """

    speaker: Speaker
    text: str
    readers: tuple[str, ...] = ()

    @property
    def past(self) -> bool:
        """Whether it talks past the agent's words in the eyes of all readers."""
        return bool(self.readers) and all(one.startswith("past") for one in self.readers)


@dataclass(frozen=True, kw_only=True)
class KeptDialogue:
    """One call."""

    name: str
    file: str
    entry: str
    seed: int
    ended: str
    turns: tuple[KeptTurn, ...]

    def caller_turns(self) -> Iterator[int]:
        """Positions of what the caller said."""
        return (at for at, turn in enumerate(self.turns) if turn.speaker == "caller")

    @property
    def task(self) -> TaskPlan:
        """What the caller was given; with the person as the seed has drawn them."""
        return settled(task_of(_entries()[self.entry]), seed=self.seed)


def kept_dialogues(folder: Path = FOLDER, *, files: str = "*") -> list[KeptDialogue]:
    """Every call of a folder, file by file.

    Args:
        files: Of these alone, as a pattern of their names without the ending.
    """
    found = []
    for path in sorted(folder.glob(f"{files}.yaml")):
        content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
        for name, one in content.items():
            found.append(
                KeptDialogue(
                    name=name,
                    file=path.stem,
                    entry=one["entry"],
                    seed=one["seed"],
                    ended=one["ended"],
                    turns=_turns(one["turns"]),
                )
            )
    return found


def _turns(rows: Sequence[dict[str, Any]]) -> tuple[KeptTurn, ...]:
    return tuple(
        KeptTurn(speaker="agent", text=row["agent"])
        if "agent" in row
        else KeptTurn(speaker="caller", text=row["caller"], readers=tuple(row.get("readers", ())))
        for row in rows
    )


@cache
def _entries() -> dict[str, Entry]:
    return {entry.id: entry for scenario in load_library() for entry in scenario.entries()}
