"""How a turn's lines come out of the mouth: fillers and pauses of the user type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from voice_sim.person.manners import Manners
from voice_sim.policies.agenda.draft import Turn
from voice_sim.policies.agenda.lines import LineBook, Role, with_pause

_INTERJECTION = re.compile(
    r"(i mean|oh|ah|um|uh|er|well|hm+|mm+|yes|yeah|no|okay|right|sorry|嗯|哦|啊|呃|那个|哎|喂|对|好)\b", re.I
)

LONG_ENOUGH = 12
"""Characters from which a line is worth a filler or a pause."""


def spoken_pieces(
    turn: Turn, *, manners: Manners, book: LineBook, just_said: Sequence[Role], random: Random
) -> list[str]:
    """The lines of ``turn`` as said. Every element is one of :meth:`LineBook.texts`.

    ``just_said``: the lines of the turn before; no two turns running begin with the same filler.
    """
    spoken: list[str] = []
    for piece in turn.pieces:
        text = piece.text
        if len(text) >= LONG_ENOUGH and random.random() < manners.hesitation_rate + manners.pause_rate:
            text = with_pause(text)
        spoken.append(text)
    fillers = [filler for filler in book.stock["filler"] if book.role_of(filler) not in just_said]
    first = spoken[0] if spoken else ""
    thinks = len(first) >= LONG_ENOUGH and not _INTERJECTION.match(first) and turn.pieces[0].takes_thought
    if fillers and thinks and random.random() < manners.filler_rate:
        spoken.insert(0, random.choice(fillers))
    return spoken
