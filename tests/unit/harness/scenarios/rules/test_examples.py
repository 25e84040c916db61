"""Example lines: enough of them, by enough authors, and none that another is but for a word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.scenarios.folders import load_entry
from harness.scenarios.rules.examples import alike_problems, number_problems
from harness.scenarios.scenario import Entry
from voice_sim.person.examples import Item, Lines, map_examples

WISH = Item("fact", "wish")


@pytest.fixture(scope="module")
def entry() -> Entry:
    return load_entry("cs-bank-complaint/hesitant")


def _with(entry: Entry, item: Item, lines: Lines) -> Entry:
    """The entry with these examples of one item, and no shared ones of it."""
    person = map_examples(entry.persona, lambda one, old: lines if one == item else old)
    shared = {key: old for key, old in entry.scenario.examples.facts.items() if key != item.ref}
    examples = entry.scenario.examples.model_copy(update={"facts": shared})
    return replace(
        entry,
        scenario=entry.scenario.model_copy(update={"examples": examples}),
        callee=entry.callee.model_copy(update={"persona": person}),
    )


def test_six_lines_by_three_authors_are_enough_and_five_are_not(entry: Entry) -> None:
    assert list(number_problems(entry)) == []
    enough = {author: (f"{author} one", f"{author} two") for author in "xyz"}
    assert list(number_problems(_with(entry, WISH, enough))) == []
    [(place, message)] = number_problems(_with(entry, WISH, {**enough, "z": ("z one",)}))
    at = [fact.key for fact in entry.persona.facts].index("wish")
    assert place == f"persona.facts.{at}.examples"
    assert message == "fact.wish: 5 example lines, at least 6 are needed"


def test_two_authors_are_too_few(entry: Entry) -> None:
    two = {author: tuple(f"{author} {number}" for number in range(4)) for author in "xy"}
    [(_, message)] = number_problems(_with(entry, WISH, two))
    assert message == "fact.wish: examples by 2 authors, at least 3 are needed"


def test_an_item_without_a_cue_needs_no_examples(entry: Entry) -> None:
    facts = tuple(
        fact.model_copy(update={"cues": ()} if fact.key == "wish" else {}) for fact in entry.persona.facts
    )
    bare = _with(entry, WISH, {})
    person = bare.persona.model_copy(
        update={
            "facts": tuple(
                fact.model_copy(update={"examples": {}}) if fact.key == "wish" else fact for fact in facts
            )
        }
    )
    bare = replace(bare, callee=bare.callee.model_copy(update={"persona": person}))
    assert [message for _, message in number_problems(bare)] == []


def test_lines_that_differ_in_one_word_are_alike(entry: Entry) -> None:
    lines = {
        "x": ("Which purple umbrella suits elephants?", "Owls sing."),
        "y": ("Which purple umbrella suits penguins?", "Owls hum.", "Which umbrella suits purple elephants?"),
    }
    before = len(list(alike_problems(_with(entry, WISH, {}))))
    found = list(alike_problems(_with(entry, WISH, lines)))
    assert len(found) == before + 1
    assert any(
        "'Which purple umbrella suits penguins?' (y) is 'Which purple umbrella suits elephants?'" in message
        for _, message in found
    )
