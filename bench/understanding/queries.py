"""The example lines as questions to each other: each line of an author, with only the others' as examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from harness.scenarios.folders import load_library
from harness.scenarios.person_called import CARD, person_called
from voice_sim.person.examples import Item, items_of, map_examples
from voice_sim.person.persona import Persona

A_PERSON = 60
"""Lines tried of each person, drawn at random."""


@dataclass(frozen=True, kw_only=True)
class Query:
    """A line, the person without its author's lines, and the item that it was written for (None: nothing)."""

    persona: Persona
    text: str
    means: Item | None


def people(language: str) -> list[Persona]:
    """Everybody of that language, as called."""
    scenarios = [one for one in load_library() if one.language == language]
    return [person_called(entry) for scenario in scenarios for entry in scenario.entries()]


def queries_of(persona: Persona, *, seed: int) -> Iterator[Query]:
    """Lines of the person, each as a query; the card's own lines are examples only."""
    written: list[tuple[str, str, Item | None]] = [
        (author, line, one.item) for one in items_of(persona) for author, line in _lines(one.lines)
    ]
    written += [(author, line, None) for author, line in _lines(persona.nothing)]
    random = Random(f"{seed} {persona.role}")
    random.shuffle(written)
    authors = {author for author, _, _ in written}
    without = {author: _without(persona, author) for author in authors}
    for author, text, item in written[:A_PERSON]:
        yield Query(persona=without[author], text=text, means=item)


def _lines(by_author: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(author, line) for author, lines in by_author.items() if author != CARD for line in lines]


def _without(persona: Persona, author: str) -> Persona:
    return map_examples(
        persona, lambda item, lines: {who: said for who, said in lines.items() if who != author}
    )
