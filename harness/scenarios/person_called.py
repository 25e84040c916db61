"""The person of an entry, with all that an agent's words may mean to them.

A person's file has what is theirs alone. In a call their record is filled into their cues and examples, the
scenario's shared examples stand beside their own, and so do the lines of the agent card that their cues find:
the card's own words are always understood.
"""

from __future__ import annotations

from harness.scenarios.scenario import Entry, KeyValue, SharedExamples, fill, fill_phrase
from voice_sim.person.examples import Item, Lines, items_of, map_cues, map_examples
from voice_sim.person.persona import Persona
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.cues import says_any

CARD = "card"
"""The author of the card's own lines."""


def person_called(entry: Entry) -> Persona:
    """Who answers the phone in this entry; without examples in the files there are none here."""
    record = entry.callee.record
    persona = map_cues(entry.persona, lambda cue: fill_phrase(cue, record))
    if not any(one.lines for one in items_of(persona)) and not entry.scenario.examples.facts:
        return persona
    persona = map_examples(
        persona, lambda item, own: _filled(_shared(item, entry.scenario.examples), own, record)
    )
    card = [line for _, line in entry.card.spoken_lines()]
    cues = {one.item: one.cues for one in items_of(persona)}

    def with_card(item: Item | None, lines: Lines) -> Lines:
        if item is None:
            return lines
        found = tuple(line for line in card if _means(item, line, cues[item], persona))
        return {**lines, **({CARD: found} if found and lines else {})}

    return map_examples(persona, with_card)


def _means(item: Item, line: str, cues: tuple[str, ...], persona: Persona) -> bool:
    if item.kind == "fact" and not acts_of(line, persona.language).asks:
        return False
    return says_any(cues, line)


def _shared(item: Item | None, shared: SharedExamples) -> Lines:
    if item is None:
        return shared.nothing
    return shared.facts.get(item.ref, {}) if item.kind == "fact" else {}


def _filled(common: Lines, own: Lines, record: dict[str, KeyValue]) -> Lines:
    return {
        author: tuple(fill([*common.get(author, ()), *own.get(author, ())], record))
        for author in dict.fromkeys([*common, *own])
    }
