"""After the seven steps: what an agent may say to the person in its own words, written by a language model.

Each manner of speaking is asked for by itself and sees nothing of the others, as different authors would, so
that the lines of one can be tried on those of the others. A persona without examples is understood by its cue
phrases alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_ai import StructuredDict
from pydantic_ai.models import Model

from voice_sim.authoring.prompts import prompt, version_of
from voice_sim.authoring.writing import LANGUAGES, Check, Written, persona_json, write_checked
from voice_sim.person.examples import Item, Lines, items_of, map_examples, what_items_are
from voice_sim.person.persona import Persona
from voice_sim.person.texts import Line

VERSION = version_of("examples")
MANNERS: Mapping[str, str] = {
    "formal": "Formal and complete: full sentences, polite, as somebody reads from a desk.",
    "chatty": "Chatty and short: everyday words, half sentences, contractions, fillers.",
    "indirect": "Indirect: asks and tells by a detour, with the reason or the use of it instead of its name.",
}
"""The authors: name -> how they speak."""
LINES_EACH, NOTHING_EACH = 2, 6
"""Lines that each author writes of an item at least, and of what means nothing."""


class _Lines(BaseModel):
    """What one author writes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    items: dict[str, tuple[Line, ...]]
    nothing: tuple[Line, ...]


async def exemplify(model: Model, persona: Persona, *, check: Check) -> Written:
    """The persona with examples by every one of :data:`MANNERS` in place of those it had.

    Args:
        check: Of the whole persona with one author's lines in it; its problems are sent back.

    Raises:
        NotWritten: The model gave no usable lines in one of the manners.
    """
    names = {str(one.item): one.item for one in items_of(persona)}
    whole = map_examples(persona, lambda item, lines: {})
    problems: list[str] = []
    for author, manner in MANNERS.items():
        whole, left = await _one_author(model, whole, author, manner, names, check)
        problems += [f"{author}: {problem}" for problem in left]
    return Written(persona=whole, problems=tuple(problems))


async def _one_author(
    model: Model, persona: Persona, author: str, manner: str, names: Mapping[str, Item], check: Check
) -> tuple[Persona, tuple[str, ...]]:
    """The persona with this author's lines besides those it has, and what is still wrong with them."""

    def wrong(written: _Lines) -> list[str]:
        return [*_missing(written, names), *_twice(written), *check(_with_lines(persona, author, written))]

    written, left = await write_checked(
        model,
        instructions=prompt("examples").format(lines=LINES_EACH, nothing=NOTHING_EACH)
        + f"\n\nLanguage of all lines: {LANGUAGES[persona.language]}.",
        material=_material(persona, manner),
        answer_type=StructuredDict(_schema(tuple(names)), name="examples"),
        read=_Lines.model_validate,
        check=wrong,
        whole="answer",
    )
    return _with_lines(persona, author, written), left


def _with_lines(persona: Persona, author: str, written: _Lines) -> Persona:
    def more(item: Item | None, lines: Lines) -> Lines:
        new = written.nothing if item is None else written.items.get(str(item), ())
        return {**lines, author: new} if new else lines

    return map_examples(persona, more)


def _missing(written: _Lines, names: Mapping[str, Item]) -> Iterator[str]:
    for name in names:
        have = len(written.items.get(name, ()))
        if have < LINES_EACH:
            yield f"items.{name}: {have} lines, at least {LINES_EACH} are needed"
    for name in written.items:
        if name not in names:
            yield f"items.{name}: there is no such item"
    if len(written.nothing) < NOTHING_EACH:
        yield f"nothing: {len(written.nothing)} lines, at least {NOTHING_EACH} are needed"


def _twice(written: _Lines) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name, lines in (*written.items.items(), ("nothing", written.nothing)):
        for line in lines:
            if (first := seen.setdefault(line.casefold(), name)) != name or lines.count(line) > 1:
                yield f"{name}: '{line}' stands twice (also {first})"


def _material(persona: Persona, manner: str) -> str:
    about = what_items_are(persona)
    items = [
        {"name": str(one.item), "is": about[one.item], "known by": list(one.cues)}
        for one in items_of(persona)
    ]
    listed = json.dumps(items, ensure_ascii=False, indent=1)
    person = persona_json(persona)
    return f"<person>\n{person}\n</person>\n\n<items>\n{listed}\n</items>\n\n<manner>{manner}</manner>"


def _schema(names: tuple[str, ...]) -> dict[str, Any]:
    lines = {"type": "array", "items": {"type": "string"}}
    items = {"type": "object", "properties": dict.fromkeys(names, lines), "required": list(names)}
    return {
        "type": "object",
        "properties": {"items": items, "nothing": lines},
        "required": ["items", "nothing"],
    }
