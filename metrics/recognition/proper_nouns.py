"""Proper noun accuracy: names, places, numbers and the like that a transcript has right (Tables 15 and 20).

An entity is *right* where its normal form stands in the transcript's, from word to word: spaces, case, and
numbers in words or in digits do not count, a digit more or less does (415 is not in 4156). A wrong one is a
*near miss* where something there sounds like it: the same consonants in the same classes, or letters that
differ by a quarter at most (English), the same syllables whatever their tone (Chinese). Codes, numbers,
dates, amounts and addresses know no near miss: one digit wrong is another number. In an address @ and a dot
between letters are the words that are said for them; a date may have its day before its month.

*Micro* is right ones over all; *macro* the mean of the kinds' shares: many digits do not hide few names.
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, get_args

from rapidfuzz.distance import Levenshtein

from metrics.intervals import Interval, bootstrap_mean_by_call, wilson
from metrics.recognition.normalize import Language, normalize

VERSION = "1"

EntityKind = Literal["name", "place", "company", "product", "date", "code", "digits", "amount", "address"]
KINDS: tuple[EntityKind, ...] = get_args(EntityKind)
SOUNDING: frozenset[EntityKind] = frozenset({"name", "place", "company", "product"})
"""Kinds that have a near miss."""

_CLASSES = {
    letter: digit
    for digit, letters in enumerate(("bfpv", "cgjkqsxz", "dt", "l", "mn", "r"), start=1)
    for letter in letters
}
_NEAR = 0.25
_MONTHS = frozenset(month.casefold() for month in month_name if month)
_MONTH_FIRST = re.compile(r"([A-Za-z]+) ([0-9]{1,2})(?:st|nd|rd|th)?(?:,? ([0-9]{4}))?")
_ENDINGS = {"1": "st", "2": "nd", "3": "rd"}
_LONGEST = 12
"""Words of a window that is compared."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a transcript has of one entity."""

    right: bool
    near_miss: bool = False


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """Over all entities of some kinds.

    Attributes:
        right, near_misses, n: Counts.
        by_kind: Right ones and all, of each kind that there is.
        micro_interval: Wilson's, as though entities were independent.
    """

    right: int
    near_misses: int
    n: int
    by_kind: dict[EntityKind, tuple[int, int]]

    @property
    def micro(self) -> float | None:
        """Right ones over all; None without any."""
        return self.right / self.n if self.n else None

    @property
    def macro(self) -> float | None:
        """The mean of the kinds' shares; None without any."""
        shares = [right / n for right, n in self.by_kind.values() if n]
        return sum(shares) / len(shares) if shares else None

    @property
    def micro_interval(self) -> Interval:
        return wilson(self.right, self.n)


def find_entity(value: str, transcript: str, *, kind: EntityKind, language: Language) -> Found:
    """Whether a transcript has an entity.

    Args:
        value: As it is written, or as it is said.
        transcript: Of the utterance that held it.
    """
    if kind == "address":
        value, transcript = _signs_said(value), _signs_said(transcript)
    if language == "zh":
        wanted, heard = normalize(value, "zh"), normalize(transcript, "zh")
        if _holds_characters(heard, wanted):
            return Found(right=True)
        return Found(right=False, near_miss=kind in SOUNDING and _sounds_inside(wanted, heard))
    wanted = "".join(normalize(value, "en").split())
    words = normalize(transcript, "en").split()
    windows = {"".join(window) for window in _windows(words)}
    forms = {wanted, *(_other_orders(value) if kind == "date" else ())}
    if wanted and not windows.isdisjoint(forms):
        return Found(right=True)
    return Found(right=False, near_miss=kind in SOUNDING and any(_alike(wanted, one) for one in windows))


def accuracy(found: Sequence[tuple[EntityKind, Found]]) -> Accuracy:
    """The share of entities that are right, all together and by kind."""
    by_kind: dict[EntityKind, tuple[int, int]] = {}
    for kind, one in found:
        right, n = by_kind.get(kind, (0, 0))
        by_kind[kind] = (right + one.right, n + 1)
    return Accuracy(
        right=sum(one.right for _, one in found),
        near_misses=sum(one.near_miss for _, one in found),
        n=len(found),
        by_kind=by_kind,
    )


def accuracy_interval(found_by_call: dict[str, list[float]], *, seed: int = 0) -> Interval:
    """Of the micro share: Wilson's where each call has one entity, else by resampling whole calls.

    Args:
        found_by_call: 1.0 for a right entity, 0.0 for a wrong one, by call.
    """
    values = [value for one in found_by_call.values() for value in one]
    if all(len(one) == 1 for one in found_by_call.values()) or len(set(values)) < 2:
        return wilson(round(sum(values)), len(values))
    return bootstrap_mean_by_call(found_by_call, seed=seed)


def sound_key(word: str) -> str:
    """The first letter and the classes of the consonants behind it, as Soundex has them, of any length.

    Vowels part what would fall together; h and w do not.
    """
    letters = [letter for letter in word.casefold() if letter.isascii() and letter.isalnum()]
    if not letters:
        return ""
    classes = [str(_CLASSES.get(letter, "" if letter in "hw" else "0")) for letter in letters]
    joined = re.sub(r"([0-9])\1+", r"\1", "".join(classes))
    first = str(_CLASSES.get(letters[0], "0"))
    return first + joined.removeprefix(first).replace("0", "")


def _other_orders(date: str) -> Iterator[str]:
    """A date that is written with its month first, as it is said with its day first."""
    parts = _MONTH_FIRST.fullmatch(date.strip())
    if parts is not None and parts[1].casefold() in _MONTHS:
        month, day, year = parts[1].casefold(), parts[2], parts[3] or ""
        ending = "th" if day.startswith("1") and len(day) == 2 else _ENDINGS.get(day[-1], "th")
        for said in (day, f"{day}{ending}"):
            for between in ("", "of"):
                yield f"{said}{between}{month}{year}"


def _signs_said(text: str) -> str:
    """What is said for the signs of an e-mail address, whether or not it was written as one."""
    said = text.replace("@", " at ")
    for sign, word in ((r"\.", "dot"), ("_", "underscore"), ("-", "dash")):
        said = re.sub(rf"(?<=[A-Za-z0-9]){sign}(?=[A-Za-z])", f" {word} ", said)
    return said


def _alike(wanted: str, heard: str) -> bool:
    if len(wanted) < 3 or len(heard) < 3:
        return False
    if Levenshtein.normalized_distance(wanted, heard) <= _NEAR:
        return True
    key = sound_key(wanted)
    return len(key) >= 3 and key == sound_key(heard)


def _windows(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + _LONGEST) + 1):
            yield words[begin:end]


def _holds_characters(heard: str, wanted: str) -> bool:
    """Whether ``wanted`` stands in ``heard``, and no number or Latin word goes on at its ends."""
    if not wanted:
        return False
    for match in re.finditer(re.escape(wanted), heard):
        before, after = heard[match.start() - 1 : match.start()], heard[match.end() : match.end() + 1]
        if not (_goes_on(before, wanted[0]) or _goes_on(wanted[-1], after)):
            return True
    return False


def _goes_on(one: str, other: str) -> bool:
    return bool(one and other) and any(
        _is(one) and _is(other) for _is in (str.isdigit, lambda c: c.isascii() and c.isalpha())
    )


def _sounds_inside(wanted: str, heard: str) -> bool:
    if not wanted or len(heard) < len(wanted) or find_spec("pypinyin") is None:
        return False
    from pypinyin import lazy_pinyin  # an extra

    key = lazy_pinyin(wanted)
    return any(
        lazy_pinyin(heard[start : start + len(wanted)]) == key
        for start in range(len(heard) - len(wanted) + 1)
    )
