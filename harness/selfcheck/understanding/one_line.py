"""What one line of the agent would be taken for by one person, and which of their examples say so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.selfcheck.understanding.callers_here import ears_by_words, encoder, understander_of, vectors_kept
from voice_sim.person.examples import Item, Lines, items_of
from voice_sim.person.persona import Persona
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.examples.pieces import pieces_of
from voice_sim.understanding.examples.understander import meant

NEAREST = 3


@dataclass(frozen=True, kw_only=True)
class Near:
    """An example line.

    Attributes:
        part: The part of what was said that it is nearest to: the whole, a sentence, a clause.
        cosine: Of the two.
    """

    author: str
    line: str
    part: str
    cosine: float


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An item that the line might mean.

    Attributes:
        taken: Whether it is, when nothing in the call makes any item likelier.
    """

    item: Item
    probability: float
    taken: bool
    nearest: tuple[Near, ...]


@dataclass(frozen=True, kw_only=True)
class TakenFor:
    """What a line would be taken for.

    Attributes:
        candidates: All items with examples, the likeliest first.
        nothing: The nearest of the lines that mean nothing.
        by_words: What cue phrases alone would take it for.
        taken_from, also_from, beside_from: The thresholds; see
            :class:`voice_sim.understanding.examples.weights.Weights`.
    """

    candidates: tuple[Candidate, ...]
    nothing: tuple[Near, ...]
    by_words: tuple[Item, ...]
    taken_from: float
    also_from: float
    beside_from: float


def taken_for(persona: Persona, says: str) -> TakenFor:
    """What ``says`` would be taken for, at no particular moment of the call.

    Raises:
        MissingEncoderError: The package with the encoder is not installed.
    """
    understander = understander_of(persona)
    odds, weights = understander.odds(says), understander.weights
    taken = {one.item for one in meant(odds, weights)}
    lines = {one.item: one.lines for one in items_of(persona)}
    parts = pieces_of(says, persona.language)
    said = encoder().encode(parts)
    ranked = sorted((item for item in odds if item in lines), key=lambda item: (-odds[item], item))
    return TakenFor(
        candidates=tuple(
            Candidate(
                item=item,
                probability=float(1 / (1 + np.exp(-odds[item]))),
                taken=item in taken,
                nearest=_nearest(parts, said, lines[item]),
            )
            for item in ranked
        ),
        nothing=_nearest(parts, said, persona.nothing),
        by_words=tuple(sorted(ears_by_words(persona)(says))),
        taken_from=weights.taken_from,
        also_from=weights.also_from,
        beside_from=weights.beside_from,
    )


def _nearest(parts: list[str], said: Vectors, by_author: Lines) -> tuple[Near, ...]:
    written = [(author, line) for author, lines in by_author.items() for line in lines]
    if not written:
        return ()
    vectors = vectors_kept().encode([line for _, line in written], encoder())
    cosines = np.stack([vectors[line] for _, line in written]) @ said.T
    order = np.argsort(-cosines.max(axis=1), kind="stable")[:NEAREST]
    return tuple(
        Near(
            author=written[at][0],
            line=written[at][1],
            part=parts[int(cosines[at].argmax())],
            cosine=float(cosines[at].max()),
        )
        for at in order
    )
