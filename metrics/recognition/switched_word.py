"""Whether a word of another language was understood: by its letters in what a recogniser wrote, or by sound.

A recogniser writes a foreign word as the sentence's language would ("kinder garden"), so letters are compared
without accents, blanks and case, and need not all be right. Where it writes another word ("quassam"), it is
made to write the sentence with the word in it (:mod:`metrics.recognition.forced_decoding`): how probable that
is, is held against other words in the same place, and against what it wrote by itself.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from rapidfuzz.distance import Indel

VERSION = "2"
"""1 went by letters alone."""
UNDERSTOOD_FROM = 0.6
CLEARER_THAN_OTHERS = 2.0
"""Natural logarithms by which the word has to fit better than any other word in its place."""
BEHIND_WRITTEN = 4.5
"""By how many it may fit worse than what the recogniser writes by itself."""
MAX_CHARACTERS = 200


def likeness(wanted: str, heard: str) -> float:
    """0.0 (no letter in common) to 1.0 (the same letters)."""
    one, other = _letters(wanted), _letters(heard)
    return float(Indel.normalized_similarity(one, other)) if one else 0.0


def understood(wanted: str, heard: str) -> bool:
    """Whether what was heard is near enough to the word to be taken for it."""
    return likeness(wanted, heard) >= UNDERSTOOD_FROM


def fits(word: float, *, others: Sequence[float], written: float | None) -> bool:
    """Whether the word was said, by how well sentences fit to the sound.

    Args:
        word: The natural logarithm of the probability of the sentence with the word in it.
        others: The same with other words in its place, that of the control for one.
        written: The same of what the recogniser wrote by itself; None: it wrote nothing.
    """
    if written is None or word < written - BEHIND_WRITTEN:
        return False
    return all(word - other >= CLEARER_THAN_OTHERS for other in others)


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text[:MAX_CHARACTERS].casefold())
    return "".join(letter for letter in plain if letter.isalnum())
