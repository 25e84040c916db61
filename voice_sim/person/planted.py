"""Which planted places a text has: how the mark of a turn is read from what was said, in any medium."""

from __future__ import annotations

import re
from functools import lru_cache

from voice_sim.person.persona import Persona
from voice_sim.person.stimulus import Stimulus

_WORD = re.compile(r"[㐀-䶿一-鿿]|(?:(?![㐀-䶿一-鿿])[^\W_])+")


def planted_in(text: str, persona: Persona) -> tuple[Stimulus, ...]:
    """The planted places of the person whose first or second line the text contains, in the person's order.

    Words decide: pauses, punctuation and what is said around them do not count.
    """
    if not persona.stimuli:
        return ()
    said = _words(text)
    return tuple(place for place in persona.stimuli if any(_words(line) in said for line in place.say))


@lru_cache(maxsize=8192)
def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "
