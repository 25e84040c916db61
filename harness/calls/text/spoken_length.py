"""How long a text takes to say: what moves the clock of a dialogue that nobody speaks.

An estimate, for patience and length limits alone; no figure about an agent is computed from it.
"""

from __future__ import annotations

import re
from bisect import bisect_right

WORDS_PER_S = 2.5
"""150 words a minute, an ordinary pace of English on the telephone."""
CHARACTERS_PER_S = 4.2
"""250 characters a minute, an ordinary pace of Mandarin."""
PAUSE_S = 0.5
""" "…" inside a line is a pause (see ``voice_sim.voice.utterance``)."""
SHORTEST_S = 0.3
_SAME_S = 1e-6
"""Differences of clock readings are exact to less."""

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:['’.,:-][^\W_]+)*")


def spoken_s(text: str) -> float:
    """Estimated seconds of speech; 0 for a text without a word in it."""
    characters = len(_HAN.findall(text))
    words = len(_WORD.findall(_HAN.sub(" ", text)))
    if not characters and not words:
        return 0.0
    pauses = text.count("…") + text.count("...")
    return max(SHORTEST_S, words / WORDS_PER_S + characters / CHARACTERS_PER_S + pauses * PAUSE_S)


def said_within(text: str, seconds: float) -> str:
    """The beginning of a text that takes so long to say, to its last whole word; empty where no word fits."""
    if spoken_s(text) <= seconds:
        return text
    ends = sorted(found.end() for found in (*_HAN.finditer(text), *_WORD.finditer(_HAN.sub(" ", text))))
    fitting = bisect_right(ends, seconds + _SAME_S, key=lambda end: spoken_s(text[:end]))
    return text[: ends[fitting - 1]] if fitting else ""
