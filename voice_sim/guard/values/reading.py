"""Every value in a text: amounts, numbers, dates, times, months, weekdays, email addresses.

A value is compared by its readings, never by its spelling. ``unit`` is what is counted ("yuan", "payment",
"岁"); "" where nothing follows.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from spoken_language.chinese_numbers import DIGIT_VALUES, TEN
from spoken_language.english_number_words import NUMBER_WORDS, alternatives
from voice_sim.guard.values.chinese_values import chinese_values
from voice_sim.guard.values.english_values import english_values
from voice_sim.guard.values.value import Value, ValueKind
from voice_sim.guard.words import CJK

__all__ = ["Value", "ValueKind", "values"]

_STEMS = [word for word in NUMBER_WORDS if not any(other in word for other in NUMBER_WORDS - {word})]
"""Number words that hold no other: "seven" is in "seventy", too."""
_MAY_HOLD_ONE = re.compile(
    rf"[0-9０-９@{''.join(DIGIT_VALUES)}{TEN}]|oh\b| dot |{alternatives(_STEMS)}"
    r"|half|quarter|double|triple|day|jan|feb|march|apr|may|june?|july?|aug|sept?|oct|nov|dec",
    re.IGNORECASE,
)
"""Most sentences hold no value, and reading them for one takes long."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_EMAIL = re.compile(r"[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_SPOKEN_EMAIL = re.compile(
    r"\b([a-z0-9]+(?:,? (?:dot|underscore|dash) [a-z0-9]+)*),? at ([a-z0-9]+(?:,? dot [a-z0-9]+)+)"
)


@lru_cache(maxsize=32768)
def values(text: str) -> tuple[Value, ...]:
    """Every value in a text, in order; English and Chinese may be mixed."""
    if not _MAY_HOLD_ONE.search(text):
        return ()
    folded = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).replace("’", "'"))
    lower = folded.casefold()
    found = [
        Value(kind="email", readings=frozenset({match[0]}), text=match[0], at=match.start())
        for match in _EMAIL.finditer(lower)
    ]
    found += [
        Value(kind="email", readings=frozenset({_spoken_email(match)}), text=match[0], at=match.start())
        for match in _SPOKEN_EMAIL.finditer(lower)
    ]
    rest = _SPOKEN_EMAIL.sub(" ", _EMAIL.sub(" ", folded))
    if re.search(rf"[{CJK}]", rest):
        return (*found, *chinese_values(rest))
    return (*found, *english_values(rest))


def _spoken_email(match: re.Match[str]) -> str:
    def written(part: str) -> str:
        part = re.sub(r",? dot ", ".", part)
        return re.sub(r",? underscore ", "_", re.sub(r",? dash ", "-", part))

    return f"{written(match[1])}@{written(match[2])}"
