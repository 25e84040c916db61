"""Step 7, persona scaling: one persona becomes five people, one of each user type.

A language model writes them. Whether they are five different people, each true to its type, is checked
without
one: the orders in ``_ORDERS`` hold in all 40 sets of five people of the benchmark's own English and Chinese
content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from pydantic_ai.models import Model

from voice_sim.authoring.prompts import version_of
from voice_sim.authoring.writing import Check, Written, persona_json, write_persona
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona
from voice_sim.understanding.words import spoken_words

VERSION = version_of("scale", "persona")

Compare = Callable[[Sequence[tuple[str, Persona]]], Sequence[str]]
"""Names what two people of a set have in common that they should not; a line each."""

_PACES = ("slow", "normal", "fast")
_PAUSES = ("short", "normal", "long")
_OFTEN = ("never", "sometimes", "often")


@dataclass(frozen=True, kw_only=True)
class _Order:
    """One type has less of something than another."""

    less: Archetype
    more: Archetype
    what: str
    measure: Callable[[Persona], float]
    strictly: bool = True


def words_per_line(persona: Persona) -> float:
    """Mean words of a spoken line (Chinese: characters); 0 where there are none."""
    lines = [line for _, line in persona.spoken_lines()]
    return fmean(len(spoken_words(line)) for line in lines) if lines else 0.0


def _pace(persona: Persona) -> float:
    return _PACES.index(persona.manner.pace)


def _pauses(persona: Persona) -> float:
    return _PAUSES.index(persona.manner.pauses)


def _interrupts(persona: Persona) -> float:
    return _OFTEN.index(persona.manner.interrupts)


def _backchannels(persona: Persona) -> float:
    return _OFTEN.index(persona.manner.backchannels)


def _obstacles(persona: Persona) -> float:
    return len(persona.obstacles)


_C, _A, _H, _R, _E = Archetype
_ORDERS = (
    *(_Order(less=_E, more=more, what="words in a line", measure=words_per_line) for more in (_C, _A, _H)),
    *(_Order(less=less, more=_E, what="pace", measure=_pace) for less in (_A, _H)),
    *(_Order(less=_E, more=more, what="pauses", measure=_pauses) for more in (_A, _H)),
    _Order(less=_C, more=_H, what="pauses", measure=_pauses, strictly=False),
    *(_Order(less=less, more=_R, what="interruptions", measure=_interrupts) for less in (_A, _H)),
    *(_Order(less=less, more=_C, what="backchannels", measure=_backchannels) for less in (_R, _E)),
    *(
        _Order(less=less, more=_R, what="obstacles", measure=_obstacles, strictly=False)
        for less in (_C, _A, _E)
    ),
)


async def scale(model: Model, persona: Persona, archetype: Archetype, name: str, *, check: Check) -> Written:
    """Another person of this user type for the same call.

    Args:
        name: A standardized name that nobody else of the set has.

    Raises:
        NotWritten: The model gave none.
    """
    kind = f"{archetype.value}: {archetype.definition}"
    material = f"<persona>\n{persona_json(persona)}\n</persona>\n\n<type>{kind}</type>\n\n<name>{name}</name>"

    def named(written: Persona) -> list[str]:
        wrong = written.demographics.name != name
        return [f"demographics.name: must be '{name}'", *check(written)] if wrong else list(check(written))

    fixed = {"language": persona.language, "archetype": archetype}
    return await write_persona(model, "scale", material, language=persona.language, fixed=fixed, check=named)


def scale_problems(people: Mapping[Archetype, Persona], *, compare: Compare) -> list[str]:
    """What keeps five personas from being five different people, each true to its user type. No model
    needed."""
    problems = [f"{archetype}: is missing" for archetype in Archetype if archetype not in people]
    problems += [
        f"{archetype}: says of itself that it is {persona.archetype}"
        for archetype, persona in people.items()
        if persona.archetype is not archetype
    ]
    names = Counter(persona.demographics.name for persona in people.values())
    problems += [f"the name '{name}' {count} times" for name, count in names.items() if count > 1]
    for order in _ORDERS:
        if order.less not in people or order.more not in people:
            continue
        less, more = order.measure(people[order.less]), order.measure(people[order.more])
        if less > more or (order.strictly and less == more):
            must = "fewer" if order.strictly else "no more"
            if order.what == "pace":
                must = "a slower one"
            problems.append(
                f"{order.what}: {order.less} has {less:.3g}, {order.more} {more:.3g}; "
                f"{order.less} must have {must} than {order.more}"
            )
    return [*problems, *compare([(archetype.value, persona) for archetype, persona in people.items()])]
