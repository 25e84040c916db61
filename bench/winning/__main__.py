"""``python -m bench.winning [--by-cues] [--swap] [--only 'cs-*/*']``: who is won, by whose words?

Forty hesitant and resistant people, one of each scenario, are called in text by three agents that speak a
stranger's words (``fixtures/agents/words``): one does all its card asks, one presses after every no, one
reads its script out. Printed: the share won of those who can be won, and the share of task nodes that the
rules find achieved. With ``--swap`` the same people as each of the five types, with what their type changes.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Literal

from bench.winning.agents import ReadsOut, Winner
from bench.winning.outcomes import Outcome, by_type, outcome_of, shares, swapped
from bench.winning.words import FOLDER, AgentWords, strangers_words
from harness.calls.text.agents.base import TextAgent
from harness.calls.text.converse import converse
from harness.calls.text.medium import TextMedium
from harness.plans.benchmark import text_units
from harness.plans.unit import Unit
from harness.scenarios.folders import load_library
from harness.scenarios.scenario import Entry
from voice_sim.person.archetypes import Archetype

AGENTS = ("wins", "pushes", "reads out")
Understanding = Literal["examples", "words"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="entries like this")
    parser.add_argument("--by-cues", action="store_true", help="callers understand by cues, not by examples")
    parser.add_argument("--swap", action="store_true", help="the same people as each of the five types")
    parser.add_argument("--lost", action="store_true", help="print the dialogues of who was not won")
    parser.add_argument("--words", type=Path, default=FOLDER, help="the agents' words, a file a domain")
    arguments = parser.parse_args()
    words = strangers_words(arguments.words)
    found = [
        entry
        for scenario in load_library()
        for entry in scenario.entries()
        if entry.id in words and fnmatch(entry.id, arguments.only)
    ]
    understanding: Understanding = "words" if arguments.by_cues else "examples"
    if arguments.swap:
        _swap(found, understanding, words)
        return
    outcomes = {agent: list(_calls(found, agent, understanding, words)) for agent in AGENTS}
    print("\n".join(shares(outcomes)))
    if arguments.lost:
        for one in outcomes["wins"]:
            if one.winnable and not one.won:
                print(f"\n{one.text}")


def _swap(found: Sequence[Entry], understanding: Understanding, words: Mapping[str, AgentWords]) -> None:
    rows = {
        (agent, archetype): list(
            _calls([_as(entry, archetype) for entry in found], agent, understanding, words)
        )
        for agent in AGENTS[:2]
        for archetype in Archetype
    }
    print("\n".join(by_type(rows)))
    print("\n".join(swapped(rows)))


def _as(entry: Entry, archetype: Archetype) -> Entry:
    """The same person, of another type."""
    persona = entry.persona.model_copy(update={"archetype": archetype})
    return replace(entry, callee=entry.callee.model_copy(update={"persona": persona}))


def _calls(
    found: Sequence[Entry], agent: str, understanding: Understanding, words: Mapping[str, AgentWords]
) -> Iterator[Outcome]:
    units = text_units(found, policy="agenda", agent="sop", understanding=understanding, seed=1)
    yield from asyncio.run(_held(found, units, agent, words))


async def _held(
    found: Sequence[Entry], units: Sequence[Unit], agent: str, words: Mapping[str, AgentWords]
) -> list[Outcome]:
    outcomes = []
    async with TextMedium(units) as medium:
        for entry, unit in zip(found, units, strict=True):
            sides = replace(medium.sides(unit), agent=_agent(agent, entry, unit, words[entry.id]))
            outcomes.append(outcome_of(entry, (await converse(unit.plan, sides)).record))
    return outcomes


def _agent(name: str, entry: Entry, unit: Unit, words: AgentWords) -> TextAgent:
    if name == "reads out":
        return ReadsOut(entry, words)
    return Winner(entry, unit.plan.about.persona, words, pushes=name == "pushes")


if __name__ == "__main__":
    main()
