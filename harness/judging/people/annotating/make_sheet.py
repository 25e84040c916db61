"""Makes a blind sheet of dialogues: replies on one dimension each, whole dialogues node by node.

Which ones is drawn by seed, evenly over the competitors and over dialogues. No judge's score plays a part,
and nothing on the sheet says who is judged: dialogues have numbers, and their order is drawn too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from harness.errors import UserError
from harness.judging.material import DialogueMaterial
from harness.judging.people.annotating.key import NODES, SCORE, Place, SheetKey
from harness.judging.people.sheet import (
    MAX_ITEMS,
    Choice,
    Note,
    Question,
    Sheet,
    SheetItem,
    SheetText,
    SheetTurn,
    Shown,
)
from metrics.dialogue.language_model.prompts import ALWAYS_APPLICABLE, PLANTED, prompt
from metrics.dialogue.verdicts import Dimension

_SCORES = tuple(Choice(value=value, label=value) for value in ("0", "1", "2"))
_NOT_APPLICABLE = Choice(value="not_applicable", label="not applicable")
_ACHIEVED = "achieved"
_OUTCOMES = (Choice(value=_ACHIEVED, label="achieved"), Choice(value="not_achieved", label="not achieved"))

_NODES_GUIDE = (
    "Read the whole call, then go through the steps. A step is achieved when the agent's words do what it "
    "says, in whatever words and no matter when. Half of a step that names two things is not achieved; a "
    "promise to do it later is not doing it. Name the first turn of the agent that achieves it. A step with "
    "a condition is not applicable if the condition never came up; if it came up and the agent did not act "
    "on it, it is not achieved."
)
_INSTRUCTIONS = (
    "You will see telephone calls between an agent, which phones for an organisation, and a caller, the "
    "person it talks to. Judge the agent only.\n\n"
    "Some items ask for a score of one marked reply on one dimension: judge that reply alone, on that "
    "dimension alone; the turns before it are there for context. Other items ask of a whole call which steps "
    "it achieved. What the agent was told to do can be unfolded below the call; what is not written there "
    "and was not said by the caller is invented.\n\n"
    "Give the reason in one line where you can: it is what differences between raters are settled by. Please "
    "do not talk about items with other raters before everybody is done."
)


@dataclass(kw_only=True)
class _Parts:
    """What the sheet is put together from. ``numbers``: of the dialogues; drawn, to tell nothing."""

    numbers: Sequence[int]
    texts: dict[str, SheetText] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    note_of: dict[str, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def text(self, number: int, material: DialogueMaterial) -> str:
        """The sheet's name of a dialogue."""
        if number not in self.names:
            name = self.names[number] = f"t{self.numbers[number]:04d}"
            turns = (
                SheetTurn(speaker=turn.speaker, text=turn.text, planted=turn.planted)
                for turn in material.dialogue.turns
            )
            self.texts[name] = SheetText(turns=tuple(turns))
        return self.names[number]

    def note(self, material: DialogueMaterial) -> str:
        """The sheet's name of what the agent was given; empty where nobody knows."""
        given = material.agent_prompt
        if not given:
            return ""
        if given not in self.note_of:
            name = self.note_of[given] = f"n{len(self.notes) + 1}"
            self.notes[name] = Note(title="What the agent was given", text=given)
        return self.note_of[given]


def make_sheet(
    materials: Sequence[DialogueMaterial],
    *,
    source: str,
    sample: int,
    seed: int = 0,
    dimensions: Sequence[Dimension] = tuple(Dimension),
    nodes: bool = True,
) -> SheetKey:
    """A sheet and its key.

    Args:
        sample: So many replies of each dimension, and so many whole dialogues, or as many as there are.
        dimensions: Those that replies are rated on; may be empty.
        nodes: Whether whole dialogues are rated too.

    Raises:
        UserError: There is nothing to rate, or more than a sheet holds.
    """
    draw = random.Random(seed)
    held = [one for one in materials if not one.not_judged and one.dialogue.replies()]
    parts = _Parts(numbers=draw.sample(range(1, len(held) + 1), len(held)))
    items: list[tuple[SheetItem, Place]] = []
    for dimension in dimensions:
        for number, turn in _replies(held, sample, draw):
            items.append(_reply_item(parts, number, held[number], turn, dimension))
    if nodes:
        items += [_nodes_item(parts, number, held[number]) for number in _evenly(held, draw)[:sample]]
    if not items:
        raise UserError(f"{source}: holds nothing to rate: no dialogue with a reply of the agent")
    if len(items) > MAX_ITEMS:
        raise UserError(f"{len(items)} items; a sheet holds {MAX_ITEMS}: choose a smaller --sample")
    draw.shuffle(items)
    numbered = [
        (item.model_copy(update={"id": f"i{place:04d}"}), where)
        for place, (item, where) in enumerate(items, 1)
    ]
    guides = {one.value: prompt(one.value) for one in dimensions}
    sheet = Sheet(
        title="Calls to rate",
        instructions=_INSTRUCTIONS,
        guides=guides | ({NODES: _NODES_GUIDE} if nodes else {}),
        notes=parts.notes,
        texts=dict(sorted(parts.texts.items())),
        items=tuple(item for item, _ in numbered),
    )
    return SheetKey(
        source=source, seed=seed, sheet=sheet, places={item.id: where for item, where in numbered}
    )


def _evenly(held: Sequence[DialogueMaterial], draw: random.Random) -> list[int]:
    """All dialogues in a drawn order in which the competitors take turns."""
    by_competitor: dict[str, list[int]] = {}
    for number, material in enumerate(held):
        by_competitor.setdefault(material.competitor, []).append(number)
    queues = list(by_competitor.values())
    draw.shuffle(queues)
    for queue in queues:
        draw.shuffle(queue)
    longest = max((len(queue) for queue in queues), default=0)
    return [queue[place] for place in range(longest) for queue in queues if place < len(queue)]


def _replies(held: Sequence[DialogueMaterial], sample: int, draw: random.Random) -> Iterator[tuple[int, int]]:
    """(dialogue, turn) of drawn replies: one of each dialogue before a second of any."""
    order = _evenly(held, draw)
    left = {}
    for number in order:
        replies = held[number].dialogue.replies()
        left[number] = draw.sample(replies, len(replies))
    given = 0
    while given < sample and any(left.values()):
        for number in order:
            if left[number] and given < sample:
                given += 1
                yield number, left[number].pop()


def _reply_item(
    parts: _Parts, number: int, material: DialogueMaterial, turn: int, dimension: Dimension
) -> tuple[SheetItem, Place]:
    planted = dimension in material.dialogue.tried_by(turn)
    always = planted or dimension in ALWAYS_APPLICABLE
    item = SheetItem(
        id="new",
        title=dimension.value.replace("_", " ").capitalize(),
        guide=dimension.value,
        note=parts.note(material),
        shows=(Shown(text=parts.text(number, material), until=turn, focus=turn),),
        questions=(
            Question(
                id=SCORE,
                # What the judges are told of a planted place, raters are told too.
                asks=PLANTED if planted else "",
                choices=_SCORES if always else (*_SCORES, _NOT_APPLICABLE),
            ),
        ),
    )
    return item, _place(material, dimension.value, turn)


def _nodes_item(parts: _Parts, number: int, material: DialogueMaterial) -> tuple[SheetItem, Place]:
    questions = []
    for node in material.flow.nodes:
        # With a person who cannot be won, what takes the place of their yes applies whatever came up.
        branch = None if material.flow.takes_the_place(node) else node.branch
        condition = f" (only if: {branch.when})" if branch else ""
        questions.append(
            Question(
                id=node.id,
                asks=f"{node.criterion}{condition}",
                choices=(*_OUTCOMES, _NOT_APPLICABLE) if branch else _OUTCOMES,
                turn_for=_ACHIEVED,
                turns=tuple(material.dialogue.replies()),
            )
        )
    item = SheetItem(
        id="new",
        title="Steps of the whole call",
        guide=NODES,
        note=parts.note(material),
        shows=(Shown(text=parts.text(number, material)),),
        questions=tuple(questions),
    )
    return item, _place(material, NODES, None)


def _place(material: DialogueMaterial, what: str, turn: int | None) -> Place:
    return Place(
        what=what,
        dialogue=material.id,
        digest=material.digest,
        entry=material.entry,
        domain=material.domain,
        competitor=material.competitor,
        turn=turn,
    )
