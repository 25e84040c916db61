"""The ears of a simulated caller as they are on this machine: what a line of the agent is taken to mean."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from harness.paths import cache_dir
from harness.plans.understanding import BY_WORDS
from harness.plans.understanding_here import resolved_understanding
from voice_sim.person.examples import Item
from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.perception import Perceiver
from voice_sim.understanding.encoders.base import SentenceEncoder
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.understander import UnderstandsByExamples, lines_of
from voice_sim.understanding.vectors import RememberingEncoder, VectorCache

Ears = Callable[[str], frozenset[Item]]
"""The items that a line is taken to mean."""


def ears_of(persona: Persona) -> tuple[str, Ears]:
    """How a caller with this persona understands here (as it stands in plans), and what it takes a line for.

    By examples, the persona's are encoded now, unless they are kept from an earlier time.
    """
    understanding = resolved_understanding(None, policy="agenda", persona=persona)
    if understanding == BY_WORDS:
        return BY_WORDS, ears_by_words(persona)
    return understanding, _taken(Perceiver(persona, understander=understander_of(persona)))


def ears_by_words(persona: Persona) -> Ears:
    """The same with nothing but the persona's cue phrases."""
    return _taken(Perceiver(persona))


def understander_of(persona: Persona, *, keeps: bool = False) -> UnderstandsByExamples:
    """Understands for this persona by examples.

    Args:
        keeps: Vectors of what it is asked about are kept, too, with those of the examples.

    Raises:
        MissingEncoderError: The package with the encoder is not installed.
    """
    vectors = vectors_kept().encode(lines_of(persona), encoder())
    asked = RememberingEncoder(encoder(), vectors_kept()) if keeps else encoder()
    return UnderstandsByExamples(persona, asked, vectors=vectors)


def vectors_kept() -> VectorCache:
    """Where callers, too, keep the vectors of example lines."""
    return VectorCache(cache_dir() / "vectors.sqlite")


@cache
def encoder() -> SentenceEncoder:
    """One for the whole process."""
    return E5Encoder()


def _taken(perceiver: Perceiver) -> Ears:
    return lambda text: frozenset(perceiver.perceive(text).items())
