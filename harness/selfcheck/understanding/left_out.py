"""Leave-one-author-out recall: is what one author wrote understood by the lines of the others?

Each author's example lines are tried on a caller that has only the other authors' lines. A person whose
figure is low has items that the authors saw differently, or too few lines: strangers will see them
differently, too. The weights were fitted on these very lines (each on the others', too), so that this is no
figure for strangers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from harness.scenarios.person_called import CARD
from harness.selfcheck.understanding.callers_here import understander_of
from harness.selfcheck.understanding.figures import Share
from voice_sim.person.examples import Item, ItemKind, items_of, map_examples
from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.perception import Perceiver
from voice_sim.understanding.examples.evidence import KINDS


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Of one example line, tried without the lines of its author.

    Attributes:
        understood: What it was written for was taken of it.
        beside: Something else was.
    """

    item: Item
    author: str
    line: str
    understood: bool
    beside: bool


def left_out(persona: Persona, *, on_author: Callable[[str], None] = lambda author: None) -> list[LeftOut]:
    """Every example line of a person, author by author.

    What was encoded for it is kept, so that a run that was broken off goes on where it stood, but for the
    comparing.

    Raises:
        MissingEncoderError: The package with the encoder is not installed.
    """
    items = list(items_of(persona))
    tried: list[LeftOut] = []
    for author in sorted({author for one in items for author in one.lines} - {CARD}):
        on_author(author)
        tried += _of_author(persona, author)
    return tried


def left_out_by_language(
    people: Mapping[str, Persona], *, on_person: Callable[[str], None] = lambda told: None
) -> dict[str, list[LeftOut]]:
    """Every example line of several people, by their language.

    Args:
        people: By the entry that calls them.
        on_person: Told before each, which it is and how many there are.

    Raises:
        MissingEncoderError: The package with the encoder is not installed.
    """
    found: dict[str, list[LeftOut]] = {}
    for number, (entry, persona) in enumerate(people.items(), 1):
        on_person(f"{entry}, {number} of {len(people)}")
        found.setdefault(persona.language, []).extend(left_out(persona))
    return found


def _of_author(persona: Persona, author: str) -> Iterator[LeftOut]:
    others = map_examples(
        persona, lambda item, lines: {by: said for by, said in lines.items() if by != author}
    )
    has_lines = {one.item for one in items_of(others) if one.lines}
    perceiver = Perceiver(others, understander=understander_of(others, keeps=True))
    for one in items_of(persona):
        for line in one.lines.get(author, ()) if one.item in has_lines else ():
            items = set(perceiver.perceive(line).items())
            yield LeftOut(
                item=one.item,
                author=author,
                line=line,
                understood=one.item in items,
                beside=bool(items - {one.item}),
            )


def recall(tried: list[LeftOut], kind: ItemKind | None = None) -> Share:
    """Of the lines (for items of this kind), those that were understood."""
    of = [one for one in tried if kind is None or one.item.kind == kind]
    return Share(hits=sum(one.understood for one in of), n=len(of))


def recall_by_kind(tried: list[LeftOut]) -> dict[str, Share]:
    """Of all lines, and of those for each kind of item."""
    return {"all": recall(tried), **{kind: recall(tried, kind) for kind in KINDS}}
