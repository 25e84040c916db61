"""Rules for example lines: enough of them, by enough authors, no two the same but for a word."""

from __future__ import annotations

from collections.abc import Iterator

from harness.scenarios.rules.card import Problem
from harness.scenarios.scenario import Entry
from voice_sim.person.examples import Item, ItemExamples, Lines, items_of
from voice_sim.understanding.words import spoken_words

FEWEST_OF_A_FACT, FEWEST, FEWEST_AUTHORS = 6, 5, 3
SHORTEST = 4
"""Words from which two lines that differ in one are alike; of shorter ones that is the difference."""


def number_problems(entry: Entry) -> Iterator[Problem]:
    """Items with too few examples, or too few authors.

    An item without a cue phrase is none that an agent's words bring about, and needs none.
    """
    for one in items_of(entry.persona):
        written = _written(one, entry)
        count, fewest = sum(map(len, written.values())), _fewest(one.item)
        if one.cues and count < fewest:
            yield _place(entry, one.item), f"{one.item}: {count} example lines, at least {fewest} are needed"
        if one.cues and len(written) < FEWEST_AUTHORS:
            message = f"{one.item}: examples by {len(written)} authors, at least {FEWEST_AUTHORS} are needed"
            yield _place(entry, one.item), message


def alike_problems(entry: Entry) -> Iterator[Problem]:
    """Lines of one person that are the same but for at most one word, each beside the first of its like."""
    first: dict[tuple[str, ...], tuple[Item, str, str]] = {}
    for one in items_of(entry.persona):
        for author, lines in _written(one, entry).items():
            for line in lines:
                gaps = _with_gaps(spoken_words(line))
                before = next((first[gap] for gap in gaps if gap in first), None)
                if before is not None:
                    item, other, said = before
                    yield (
                        _place(entry, one.item),
                        f"{one.item}: '{line}' ({author}) is '{said}' of {item} ({other}) but for a word",
                    )
                for gap in gaps:
                    first.setdefault(gap, (one.item, author, line))


def _written(one: ItemExamples, entry: Entry) -> Lines:
    """What was written for the item: in the person's own file, and for all who share a fact."""
    shared = entry.scenario.examples.facts.get(one.item.ref, {}) if one.item.kind == "fact" else {}
    authors = dict.fromkeys([*shared, *one.lines])
    return {author: (*shared.get(author, ()), *one.lines.get(author, ())) for author in authors}


def _fewest(item: Item) -> int:
    return FEWEST_OF_A_FACT if item.kind == "fact" else FEWEST


def _with_gaps(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The words with each in turn left open."""
    if len(words) < SHORTEST:
        return []
    return [(*words[:at], "", *words[at + 1 :]) for at in range(len(words))]


def _place(entry: Entry, item: Item) -> str:
    """Where the item stands in the person's file."""
    persona = entry.persona
    if item.kind == "fact":
        return f"persona.facts.{[fact.key for fact in persona.facts].index(item.ref)}.examples"
    if item.kind == "must_ask":
        return f"persona.must_ask.{[one.id for one in persona.must_ask].index(item.ref)}.examples"
    if item.kind in ("obstacle", "overcome"):
        field = "examples" if item.kind == "obstacle" else "overcome_examples"
        return f"persona.obstacles.{[one.id for one in persona.obstacles].index(item.ref)}.{field}"
    if item.kind == "hang_up":
        return f"persona.hang_up.{item.ref}.examples"
    return f"persona.triggers.{item.kind}.{item.ref}.examples"
