"""Evidence for the example lines of everybody who speaks a language, worked out by several processes."""

from __future__ import annotations

from collections.abc import Mapping
from multiprocessing import Pool
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bench.understanding.queries import Query, people, queries_of
from voice_sim.person.examples import items_of
from voice_sim.person.persona import Persona
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.cues import find_any
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.evidence import Evidence, evidence_of
from voice_sim.understanding.examples.pieces import pieces_of
from voice_sim.understanding.examples.shared_words import ExampleWords
from voice_sim.understanding.vectors import VectorCache

Truth = NDArray[np.float64]
"""1 for the item that the line of this row was written for, 0 for every other."""
Known = Mapping[str, Vectors]


def evidence_of_examples(
    language: Literal["en", "zh"], *, cache: Path, seed: int, jobs: int
) -> tuple[Evidence, Truth]:
    """Evidence and truth, a row for each pair of a line and an item of the person."""
    everybody = people(language)
    with Pool(jobs) as pool:
        found = pool.starmap(_of_person, [(one, cache, seed) for one in everybody], chunksize=2)
    return np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])


def _of_person(persona: Persona, cache: Path, seed: int) -> tuple[Evidence, Truth]:
    queries = list(queries_of(persona, seed=seed))
    texts = [part for query in queries for part in pieces_of(query.text, persona.language)]
    for one in items_of(persona):
        texts += [line for lines in one.lines.values() for line in lines]
    texts += [line for lines in persona.nothing.values() for line in lines]
    known = VectorCache(cache).encode(texts, E5Encoder())
    rows = [_of_query(query, known) for query in queries]
    return np.concatenate([one for one, _ in rows]), np.concatenate([one for _, one in rows])


def _of_query(query: Query, known: Known) -> tuple[Evidence, Truth]:
    persona = query.persona
    items = [one for one in items_of(persona) if one.lines]
    evidence = evidence_of(
        np.stack([known[part] for part in pieces_of(query.text, persona.language)]),
        examples=[_rows(one.lines, known) for one in items],
        nothing=_rows(persona.nothing, known),
        kinds=[one.item.kind for one in items],
        asks=acts_of(query.text, persona.language).asks,
        cues=[find_any(one.cues, query.text) for one in items],
        shared=ExampleWords([_lines(one.lines) for one in items], _lines(persona.nothing)).shared_with(
            query.text
        ),
    )
    return evidence, np.array([float(one.item == query.means) for one in items])


def _rows(by_author: Mapping[str, tuple[str, ...]], known: Known) -> Vectors:
    lines = _lines(by_author)
    return np.stack([known[line] for line in lines]) if lines else np.zeros((0, 1), np.float32)


def _lines(by_author: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [line for lines in by_author.values() for line in lines]
