"""The blind sheet for people: every dialogue to be rated, then pairs of them, in an order drawn with a seed.

What a rater must not know, where a dialogue comes from, is in the key alone (:class:`RealismKey`); the sheet
has numbers. Both kinds of dialogues look alike: the same names of speakers, one line a turn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.judging.people.realism.parts import PARTS, Part
from harness.judging.people.sheet import Choice, Question, Sheet, SheetItem, SheetText, SheetTurn, Shown
from voice_sim.realism.pairing import Pair
from voice_sim.realism.verdicts import SCALE, Source
from voice_sim.talk import Talk

_TITLE = "Who is on the telephone?"
_INSTRUCTIONS = (
    "You will read telephone calls between an agent, who calls for a company, and a person. Some of these "
    "persons are human, some are played by a computer program. Only the person's lines count: not the "
    "agent's, and not whether the call succeeds. Mistakes of transcription occur in both kinds of calls. Go "
    "by your own impression, and do not go back over earlier answers."
)
_SCORE_ENDS = {0: "surely a machine", SCALE: "surely a human"}


class KeyTalk(BaseModel):
    """A dialogue behind an item."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    talk: str
    source: Source


class RealismKey(BaseModel):
    """What the sheet hides. Never to be given to a rater.

    Attributes:
        sheet: The sheet itself, so that answers can be held to it.
        items: Item -> the dialogue, or the two of a pair in the order in which they are shown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["realism-key"] = "realism-key"
    version: Literal[1] = 1
    seed: int
    sheet: Sheet
    items: dict[str, tuple[KeyTalk, ...]] = Field(max_length=20_000)


def make_sheet(
    human: Sequence[Talk],
    simulated: Sequence[Talk],
    pairs: Sequence[Pair],
    *,
    parts: Sequence[Part] = PARTS,
    seed: int,
) -> RealismKey:
    """The sheet and its key.

    Args:
        human, simulated: To be rated one by one (``score``, ``detect``).
        pairs: To be compared; each is shown once, ``first`` above.
        seed: Of the order.

    Raises:
        ValueError: Nothing is left to ask.
    """
    rng = random.Random(f"{seed} sheet")
    single: list[tuple[KeyTalk, ...]] = []
    if {"score", "detect"} & set(parts):
        single = [(KeyTalk(talk=talk.id, source="human"),) for talk in human]
        single += [(KeyTalk(talk=talk.id, source="simulated"),) for talk in simulated]
        rng.shuffle(single)
    double = [_in_order(pair) for pair in pairs] if "compare" in parts else []
    rng.shuffle(double)
    if not single and not double:
        raise ValueError("nothing is left to ask")
    talks: dict[tuple[Source, str], Talk] = {("human", talk.id): talk for talk in human}
    talks |= {("simulated", talk.id): talk for talk in simulated}
    for pair in pairs:
        talks[("human", pair.human.id)] = pair.human
        talks[("simulated", pair.simulated.id)] = pair.simulated
    # Numbers in the order in which they are met: neither they nor the texts tell where a dialogue comes from.
    texts: dict[str, SheetText] = {}
    names: dict[tuple[Source, str], str] = {}
    items, keys = [], {}
    for number, shown in enumerate([*single, *double], 1):
        for one in shown:
            place = (one.source, one.talk)
            if place not in names:
                names[place] = f"t{len(names) + 1:04d}"
                texts[names[place]] = _text(talks[place])
        item_id = f"q{number:04d}"
        keys[item_id] = shown
        items.append(_item(item_id, [names[(one.source, one.talk)] for one in shown], parts))
    sheet = Sheet(title=_TITLE, instructions=_INSTRUCTIONS, texts=texts, items=tuple(items))
    return RealismKey(seed=seed, sheet=sheet, items=keys)


def _in_order(pair: Pair) -> tuple[KeyTalk, ...]:
    human = KeyTalk(talk=pair.human.id, source="human")
    simulated = KeyTalk(talk=pair.simulated.id, source="simulated")
    return (human, simulated) if pair.first == "human" else (simulated, human)


def _text(talk: Talk) -> SheetText:
    return SheetText(
        turns=tuple(SheetTurn(speaker=turn.speaker, text=" ".join(turn.text.split())) for turn in talk.turns)
    )


def _item(item_id: str, texts: Sequence[str], parts: Sequence[Part]) -> SheetItem:
    if len(texts) == 2:
        question = Question(
            id="compare",
            asks="In which of the two is the person (caller) the human one?",
            choices=(Choice(value="A", label="Call A"), Choice(value="B", label="Call B")),
            why=False,
        )
        shows = (Shown(text=texts[0], label="Call A"), Shown(text=texts[1], label="Call B"))
        return SheetItem(id=item_id, title="Two calls side by side", shows=shows, questions=(question,))
    questions = []
    if "score" in parts:
        steps = [Choice(value=str(n), label=_SCORE_ENDS.get(n, str(n))) for n in range(SCALE + 1)]
        asks = f"How much like a real human being does the person (caller) sound, 0 to {SCALE}?"
        questions.append(Question(id="score", asks=asks, choices=tuple(steps), why=False))
    if "detect" in parts:
        sides = (Choice(value="human", label="a human being"), Choice(value="simulated", label="a program"))
        questions.append(Question(id="detect", asks="The person (caller) is ...", choices=sides, why=False))
    return SheetItem(id=item_id, title="One call", shows=(Shown(text=texts[0]),), questions=tuple(questions))
