"""Whether a word of another language was understood: by its letters in what a recogniser wrote.

A recogniser writes a foreign word as the sentence's language would ("kinder garden"), so letters are compared
without accents, blanks and case, and need not all be right.
"""

from __future__ import annotations

import unicodedata

from rapidfuzz.distance import Indel

VERSION = "1"
UNDERSTOOD_FROM = 0.6
MAX_CHARACTERS = 200


def likeness(wanted: str, heard: str) -> float:
    """0.0 (no letter in common) to 1.0 (the same letters)."""
    one, other = _letters(wanted), _letters(heard)
    return float(Indel.normalized_similarity(one, other)) if one and other else 0.0


def understood(wanted: str, heard: str) -> bool:
    """Whether what was heard is near enough to the word to be taken for it."""
    return likeness(wanted, heard) >= UNDERSTOOD_FROM


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text[:MAX_CHARACTERS].casefold())
    return "".join(letter for letter in plain if letter.isalnum())
