"""The example lines of a person: what an agent's words may mean to them, item by item.

An :class:`Item` is one thing that an utterance of the agent can mean: it asks for a fact, answers one of the
person's questions, brings up an obstacle or overcomes it, pleases, annoys, or drives away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from voice_sim.person.persona import Persona
from voice_sim.person.texts import ByAuthor

ItemKind = Literal["fact", "must_ask", "obstacle", "overcome", "positive", "negative", "hang_up"]
Lines = Mapping[str, tuple[str, ...]]
"""Author -> lines."""


@dataclass(frozen=True, order=True)
class Item:
    """What an utterance can mean to a person, or do to anybody.

    Attributes:
        kind: ``must_ask`` means that it answers that question, ``overcome`` that it helps over that obstacle;
            ``act``: what one of its sentences does, whatever it is about; ``does``: what the last one does.
        ref: Key of the fact, id of the must-ask or obstacle, position of the trigger or ending; name of the
            act.
    """

    kind: ItemKind | Literal["act", "does"]
    ref: str

    def __str__(self) -> str:
        return f"{self.kind}.{self.ref}"


@dataclass(frozen=True, kw_only=True)
class ItemExamples:
    """An item with its example lines and its cue phrases."""

    item: Item
    lines: Lines
    cues: tuple[str, ...]


def items_of(persona: Persona) -> Iterator[ItemExamples]:
    """All items of a person, those without examples too, in the order of the file."""
    for fact in persona.facts:
        yield ItemExamples(item=Item("fact", fact.key), lines=fact.examples, cues=fact.cues)
    for asked in persona.must_ask:
        yield ItemExamples(item=Item("must_ask", asked.id), lines=asked.examples, cues=asked.answered_by)
    for one in persona.obstacles:
        yield ItemExamples(item=Item("obstacle", one.id), lines=one.examples, cues=one.cues)
        yield ItemExamples(item=Item("overcome", one.id), lines=one.overcome_examples, cues=one.overcome_cues)
    for number, trigger in enumerate(persona.triggers.positive):
        yield ItemExamples(item=Item("positive", str(number)), lines=trigger.examples, cues=trigger.cues)
    for number, trigger in enumerate(persona.triggers.negative):
        yield ItemExamples(item=Item("negative", str(number)), lines=trigger.examples, cues=trigger.cues)
    for number, ending in enumerate(persona.hang_up):
        yield ItemExamples(item=Item("hang_up", str(number)), lines=ending.examples, cues=ending.cues)


def what_items_are(persona: Persona) -> dict[Item, str]:
    """Each item in the words of the person's own file: a fact's value, the question that is answered, when it
    comes about."""
    about: dict[Item, str] = {}
    for fact in persona.facts:
        about[Item("fact", fact.key)] = fact.value
    for asked in persona.must_ask:
        about[Item("must_ask", asked.id)] = next(iter(asked.ask), "")
    for one in persona.obstacles:
        about[Item("obstacle", one.id)] = one.when
        about[Item("overcome", one.id)] = one.overcome_by
    for number, trigger in enumerate(persona.triggers.positive):
        about[Item("positive", str(number))] = trigger.when
    for number, trigger in enumerate(persona.triggers.negative):
        about[Item("negative", str(number))] = trigger.when
    for number, ending in enumerate(persona.hang_up):
        about[Item("hang_up", str(number))] = ending.when
    return about


def has_examples(persona: Persona) -> bool:
    """Whether anything can be understood by examples."""
    return any(one.lines for one in items_of(persona))


def without_examples(persona: Persona) -> Persona:
    """The person alone, as they were before anybody wrote examples for them."""
    return map_examples(persona, lambda item, lines: {})


def map_examples(persona: Persona, changed: Callable[[Item | None, Lines], Lines]) -> Persona:
    """The person with other examples.

    Args:
        changed: Gives the new lines of an item, for its old ones; None stands for what means nothing.
    """

    def new(kind: ItemKind, ref: str, lines: Lines) -> dict[str, tuple[str, ...]]:
        return ByAuthor(changed(Item(kind, ref), lines))

    def part(one: Any, kind: ItemKind, ref: str, **more: Any) -> Any:
        return one.model_copy(update={"examples": new(kind, ref, one.examples)} | more)

    def numbered(parts: tuple[Any, ...], kind: ItemKind) -> tuple[Any, ...]:
        return tuple(part(one, kind, str(number)) for number, one in enumerate(parts))

    triggers = persona.triggers
    return persona.model_copy(
        update={
            "facts": tuple(part(one, "fact", one.key) for one in persona.facts),
            "must_ask": tuple(part(one, "must_ask", one.id) for one in persona.must_ask),
            "obstacles": tuple(
                part(
                    one, "obstacle", one.id, overcome_examples=new("overcome", one.id, one.overcome_examples)
                )
                for one in persona.obstacles
            ),
            "triggers": triggers.model_copy(
                update={
                    "positive": numbered(triggers.positive, "positive"),
                    "negative": numbered(triggers.negative, "negative"),
                }
            ),
            "hang_up": numbered(persona.hang_up, "hang_up"),
            "nothing": ByAuthor(changed(None, persona.nothing)),
        }
    )


def map_cues(persona: Persona, changed: Callable[[str], str]) -> Persona:
    """The person with every cue phrase changed."""

    def new(cues: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(changed, cues))

    def parts(of: tuple[Any, ...], *fields: str) -> tuple[Any, ...]:
        return tuple(
            one.model_copy(update={field: new(getattr(one, field)) for field in fields}) for one in of
        )

    triggers = persona.triggers
    return persona.model_copy(
        update={
            "facts": parts(persona.facts, "cues"),
            "must_ask": parts(persona.must_ask, "answered_by"),
            "obstacles": parts(persona.obstacles, "cues", "overcome_cues"),
            "triggers": triggers.model_copy(
                update={
                    "positive": parts(triggers.positive, "cues"),
                    "negative": parts(triggers.negative, "cues"),
                }
            ),
            "hang_up": parts(persona.hang_up, "cues"),
            "termination": parts(persona.termination, "cues"),
        }
    )
