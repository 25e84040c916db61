"""What the caller may know: everything in the persona, and all that the agent has said so far."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from voice_sim.guard.session import Session
from voice_sim.guard.values.reading import Value, values
from voice_sim.guard.words import sentences, words
from voice_sim.person.persona import Persona

_NOT_KNOWLEDGE = frozenset(
    {"cues", "answered_by", "overcome_cues", "bad", "examples", "overcome_examples", "nothing"}
)
_NEAR = 0.1
_CLAUSE = 4
_COMMA = re.compile(r"[,，]")


@dataclass(kw_only=True)
class Knowledge:
    """Values and words that some texts contain."""

    readings: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str]] = field(default_factory=set)
    numbers: list[float] = field(default_factory=list)
    digit_strings: list[str] = field(default_factory=list)
    raw: str = ""
    names: set[str] = field(default_factory=set)

    def add(self, text: str) -> None:
        """Everything in a text is known from now on."""
        self.raw += "\n" + text.casefold()
        self.names.update(words(text))
        for sentence in sentences(text) or (text,):
            for value in values(sentence):
                self.readings |= value.readings | value.parts
                self.pairs.update((reading, unit) for reading in value.readings for unit in value.units)
                self.digit_strings += [reading for reading in value.readings if reading.isdigit()]
                if value.number is not None:
                    self.numbers.append(value.number)

    def has(self, value: Value) -> bool:
        """Whether the value, in any of its readings, is among what is known."""
        if value.readings & self.readings or _agreeing(value, self.readings):
            return True
        if value.number is not None and value.kind == "number":
            if value.digits and any(
                len(reading) >= 2 and reading in known
                for reading in value.readings
                for known in self.digit_strings
            ):
                return True
            if value.hedged and any(abs(value.number - n) <= _NEAR * n for n in self.numbers):
                return True
            if not value.unit or value.unit == "yuan":
                # "Twenty-four" for 24,000: the thousands are often left out, or the hundreds put in.
                return any(value.number * factor in self.numbers for factor in (100, 1000, 10000))
        return False


def _agreeing(value: Value, known: set[str]) -> bool:
    """A date and a bare day of the month ("the fourteenth") agree."""
    if value.kind == "date":
        return any(f"day{reading.split('-')[1]}" in known for reading in value.readings)
    if value.kind == "day":
        return any(f"of-date-{reading}" in known for reading in value.readings)
    return False


@lru_cache(maxsize=64)
def persona_texts(persona: Persona) -> tuple[str, ...]:
    """Every text of a persona but its cues and the lines that it would never say."""
    return tuple(_texts(persona.model_dump()))


def _texts(part: object) -> Iterable[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, int | float) and not isinstance(part, bool):
        yield str(part)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key not in _NOT_KNOWLEDGE:
                yield from _texts(value)
    elif isinstance(part, list | tuple):
        for item in part:
            yield from _texts(item)


def knowledge_of(session: Session) -> Knowledge:
    """What the person knows when the telephone rings."""
    known = Knowledge()
    for text in (*persona_texts(session.persona), *session.also_known):
        known.add(text)
    known.readings |= {reading[2:] for reading in known.readings if re.fullmatch(r"(19|20)\d\d", reading)}
    if session.today is not None:
        for days in range(-2, 4):
            day = session.today + datetime.timedelta(days=days)
            known.readings |= {f"d{day.month}-{day.day}", f"of-date-day{day.day}"}
        known.readings.add(str(session.today.year))
        if age := session.persona.demographics.age:
            known.readings |= {str(session.today.year - age), str(session.today.year - age - 1)}
    return known


@lru_cache(maxsize=64)
def own_sentences(persona: Persona) -> frozenset[tuple[str, ...]]:
    """The sentences of the persona's spoken lines, as words: what it says by heart is never at fault.

    Also what is left and right of a comma, where a speaker may make a pause and so end the sentence, unless
    that is as short as "Yes".
    """
    found: set[tuple[str, ...]] = set()
    for _, line in persona.spoken_lines():
        for sentence in (line, *sentences(line)):
            found.add(words(sentence))
            for comma in _COMMA.finditer(sentence):
                clauses = words(sentence[: comma.start()]), words(sentence[comma.end() :])
                found |= {clause for clause in clauses if len(clause) >= _CLAUSE}
    return frozenset(found)
