"""What the self-test is made of: defects at two strengths, in families that are made in one way.

A family makes **runs**: folders of kept calls, one for the clean agent, one for the clean agent with other
draws, and one for each defect at each strength. All of them are scored as any run is
(:func:`harness.scoring.run.score_run`), and nothing else is known of them but what was planted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.analysis.instruments import Kind

Size = Literal["quick", "full"]
Direction = Literal[1, -1]
Grade = Literal["weak", "strong"]
GRADES: tuple[Grade, ...] = ("weak", "strong")
CLEAN, AGAIN = "clean", "clean-again"
"""The run that all others are compared with, and the same with another seed."""
Progress = Callable[[str], None]
TOO_BUSY = "this machine is too busy to keep the time of a call, three times; leave it idle"


@dataclass(frozen=True, kw_only=True)
class Strength:
    """How bad: a number that the family knows how to plant, and the same for people."""

    amount: float
    told: str


@dataclass(frozen=True, kw_only=True)
class Defect:
    """Something that an agent, a voice or a file is bad at.

    Attributes:
        told: For people: what it does.
        moves: The metrics that have to tell, each with the way in which it goes: up is 1.
        weak, strong: Written down here, before anything is measured.
    """

    name: str
    told: str
    moves: Mapping[str, Direction]
    weak: Strength
    strong: Strength

    def strength(self, grade: Grade) -> Strength:
        return self.weak if grade == "weak" else self.strong


@dataclass(frozen=True, kw_only=True)
class Order:
    """A run that is to be made.

    Attributes:
        folder: Of the run.
        defect: None: the clean agent.
        amount: Strength of the defect; 0 without one.
    """

    folder: Path
    defect: str | None
    amount: float
    seed: int
    size: Size

    def strength_of(self, defect: str) -> float:
        """How strong a defect is in this run: 0 where it is another that is planted."""
        return self.amount if defect == self.defect else 0.0


Planted = Mapping[str, float]
"""Metric -> what its value ought to be, by the count of whoever planted it. Only what can be counted so."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """Defects whose runs are made alike.

    Attributes:
        way: ``made``: calls made as files, with truth in them; ``placed``: calls placed to a reference agent.
        defects: At least one.
        only: What has to be measured of its runs.
        without: Models that nothing of it needs.
        make: Makes the calls of a run and keeps them; says what it planted.
        missing: What this machine lacks for it; empty where nothing is.
        no_weights: Metric -> what it lacks here, for metrics that are left out without it.
        related: Metrics that hang together, so that none is claimed to move alone among them: what a defect
            of one of them does to the others is told and not judged.
        again: In which sizes the clean agent is held to itself with another seed: a family whose runs take
            minutes leaves that to the full size.
    """

    name: str
    way: Literal["made", "placed"]
    defects: tuple[Defect, ...]
    only: frozenset[Kind]
    without: frozenset[str] = frozenset()
    make: Callable[[Order, Progress], Planted]
    missing: Callable[[], str] = lambda: ""
    no_weights: Callable[[], Mapping[str, str]] = lambda: {}
    related: frozenset[str] = frozenset()
    again: frozenset[Size] = frozenset({"quick", "full"})


def run_name(defect: Defect, grade: Grade) -> str:
    """Of the run of a defect at a strength."""
    return f"{defect.name}.{grade}"
