"""The parts of an utterance that may each mean something: the whole, and its sentences.

Clauses were tried as well: on the development sets they add nothing (0.906 as meant at 0.028 false with them,
0.900 at 0.026 without), and each part costs its 15 ms.
"""

from __future__ import annotations

from typing import Literal

from voice_sim.understanding.acts import split_sentences

MOST_PIECES = 9
"""Of a speech of many sentences the last count: what is said last wants the answer."""


def pieces_of(text: str, language: Literal["en", "zh"]) -> list[str]:
    """The whole first, then its sentences, each once; at most :data:`MOST_PIECES`."""
    sentences = [part for part in dict.fromkeys(split_sentences(text, language)) if part != text]
    return [text, *sentences[-(MOST_PIECES - 1) :]]
