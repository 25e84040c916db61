"""Evidence phrases of a persona (``refund + days | when``), looked for in what the agent says.

The grammar is the scenarios': ``+`` joins parts that must all occur, ``|`` alternatives of a part, and
``*`` ends a word beginning. A Chinese phrase is found anywhere in a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from voice_sim.guard.words import CJK

_WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])[^\W_])+(?:'[a-z]+)?\*?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def met(cues: Iterable[str], said: str) -> bool:
    """Whether one of the cues occurs in what was said."""
    marked = _marked(said)
    return any(all(part.search(marked) for part in _parts(cue)) for cue in cues)


def touched(cues: Iterable[str], said: str) -> bool:
    """Whether at least one part of a cue occurs."""
    marked = _marked(said)
    return any(any(part.search(marked) for part in _parts(cue)) for cue in cues)


@lru_cache(maxsize=8192)
def _marked(said: str) -> str:
    return "\x1f" + "\x1f".join(word.rstrip("*") for word in _words(said)) + "\x1f"


@lru_cache(maxsize=8192)
def _parts(cue: str) -> tuple[re.Pattern[str], ...]:
    patterns = []
    for part in re.split(r"(?:^|\s)\+(?=\s|$)", cue):
        options = ["\x1f" + "\x1f".join(map(_one, _words(option))) + "\x1f" for option in part.split("|")]
        patterns.append(re.compile("|".join(options)))
    return tuple(patterns)


def _one(word: str) -> str:
    return f"{re.escape(word[:-1])}[^\x1f]*" if word.endswith("*") else re.escape(word)


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return _WORD.findall(_THOUSANDS.sub("", folded))
