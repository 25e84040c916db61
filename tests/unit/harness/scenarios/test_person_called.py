"""The person of an entry, with everything that an agent's words may mean to them."""

from __future__ import annotations

from harness.scenarios.folders import load_entry
from harness.scenarios.person_called import CARD, person_called
from harness.scenarios.scenario import placeholders
from voice_sim.person.examples import Item, items_of, without_examples
from voice_sim.understanding.cues import says_any

ENTRY = load_entry("hr-background-check/analytical")


def test_examples_of_the_scenario_stand_beside_the_persons_own() -> None:
    person = person_called(ENTRY)
    lines = {one.item: one.lines for one in items_of(person)}
    shared = ENTRY.scenario.examples.facts["pay"]
    assert shared
    assert {author: lines[Item("fact", "pay")][author] for author in shared}.keys() == shared.keys()
    own = next(fact for fact in ENTRY.persona.facts if fact.key == "work_email").examples
    assert own
    assert set(own) <= set(lines[Item("fact", "work_email")])
    assert person.nothing == ENTRY.scenario.examples.nothing


def test_the_record_is_filled_into_examples_and_cues() -> None:
    person = person_called(ENTRY)
    written = [line for one in items_of(person) for lines in one.lines.values() for line in lines]
    written += [cue for one in items_of(person) for cue in one.cues]
    assert not placeholders(written)
    assert any("December 27" in line for line in written)


def test_the_cards_own_words_are_examples_where_a_cue_finds_them() -> None:
    person = person_called(ENTRY)
    pay = next(one for one in items_of(person) if one.item == Item("obstacle", "pay_rule"))
    card = [line for _, line in ENTRY.card.spoken_lines()]
    assert pay.lines[CARD]
    assert all(line in card and says_any(pay.cues, line) for line in pay.lines[CARD])


def test_all_else_of_the_person_is_as_it_was() -> None:
    person, own = without_examples(person_called(ENTRY)), without_examples(ENTRY.persona)
    assert person.model_dump(exclude={"must_ask"}) == own.model_dump(exclude={"must_ask"})
