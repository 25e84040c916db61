"""Proper noun accuracy: names, places, numbers and the like that a transcript has right (Tables 15 and 20).

An entity is *right* where its normal form stands in the transcript's, from word to word: spaces, case, and
numbers in words or in digits do not count, a digit more or less does (415 is not in 4156). A wrong one is a
*near miss* where something there sounds like it: the same consonants in the same classes, or letters that
differ by a quarter at most (English), the same syllables whatever their tone (Chinese). A clause counts by
itself, too: in "room 12, 3 nights" there is a 12, but none in "12, 3". Codes, numbers,
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

from rapidfuzz.distance import Levenshtein

from metrics.intervals import Interval, bootstrap_mean_by_call, wilson
from metrics.recognition.normalize import Language, normalize
from spoken_language.entity_kinds import EntityKind

VERSION = "3"
"""1 took no clause by itself, so that a number beside an entity made it wrong; a sign, a letter before a code
and a third character of a name went unseen. 2 took "Whitcombe's" for another name than Whitcombe."""

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
_WITH_NUMBERS: frozenset[EntityKind] = frozenset({"date", "code", "digits", "amount"})
_CLAUSE_END = re.compile(r"[,.;!?](?=\s|$|[\u3400-\u9fff])|[，。；！？、]")
_POSSESSIVE = re.compile(r"(?<=[^\W\d_])['’]s\b", re.IGNORECASE)
_YEAR = re.compile("(?:19|20)[0-9]{2}")
_DAY_AND_YEAR = re.compile(rf"((?:{'|'.join(sorted(_MONTHS))})(?:[12][0-9]|3[01]|[1-9]))(?:19|20)[0-9]{{2}}")
_PARTICLES = "啊呀吧呢吗嘛了的哦喔先生"
_ADDRESS = re.compile(r"\S+@\S+")
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
    holds = _holds_in_chinese if language == "zh" else _holds_in_english
    if holds(value, transcript, kind) or _in_a_clause(value, transcript, kind, language):
        return Found(right=True)
    if kind not in SOUNDING:
        return Found(right=False)
    if language == "en" and (plain := _POSSESSIVE.sub("", transcript)) != transcript:
        return find_entity(value, plain, kind=kind, language=language)
    wanted, heard = normalize(value, language), normalize(transcript, language)
    if language == "zh":
        return Found(right=False, near_miss=_sounds_inside(wanted, heard))
    joined = "".join(wanted.split())
    near = any(_alike(joined, "".join(one)) for one in _windows(heard.split()))
    return Found(right=False, near_miss=near)


def _in_a_clause(value: str, transcript: str, kind: EntityKind, language: Language) -> bool:
    """Whether a clause by itself has the entity: "Room 12, 3 nights" has 12, though 12 and 3 are one number
    where nobody hears the comma. A clause that is nothing but numbers goes on with the number before it."""
    holds = _holds_in_chinese if language == "zh" else _holds_in_english
    clauses = [one for one in _CLAUSE_END.split(transcript) if one.strip()]
    for clause, *beside in zip(clauses, ["", *clauses], [*clauses[1:], ""], strict=False):
        if kind in _WITH_NUMBERS and any(_is_part_of_a_number(one, kind, language) for one in beside):
            continue
        if holds(value, clause, kind):
            return True
    return False


def _is_part_of_a_number(clause: str, kind: EntityKind, language: Language) -> bool:
    plain = normalize(clause, language).replace(" ", "")
    return plain.isdigit() and not (kind == "date" and _YEAR.fullmatch(plain))


def _holds_in_english(value: str, transcript: str, kind: EntityKind) -> bool:
    """Whether neighbouring words of a transcript are the entity, and none beside them makes it another."""
    wanted = "".join(normalize(value, "en").split())
    forms = {wanted, *(_other_orders(value) if kind == "date" else ())}
    words = normalize(transcript, "en").split()
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + _LONGEST) + 1):
            said = "".join(words[begin:end])
            if said in forms or (kind == "date" and _without_year(said) in forms):
                before, after = words[begin - 1 : begin], words[end : end + 1]
                if not (_is_another(kind, before) or (kind == "code" and _is_letter(after))):
                    return True
    return False


def _is_another(kind: EntityKind, before: Sequence[str]) -> bool:
    """Whether the word before a match belongs to it: a sign, or a letter of the code that was not said."""
    if kind in ("digits", "amount") and list(before) == ["minus"]:
        return True
    return kind == "code" and _is_letter(before)


def _is_letter(neighbour: Sequence[str]) -> bool:
    return any(len(one) == 1 and one.isalpha() and one not in ("a", "i") for one in neighbour)


def _without_year(said: str) -> str:
    """ "may52024" as "may5": a year behind a day was not asked for, and makes it no other day."""
    found = _DAY_AND_YEAR.fullmatch(said)
    return found[1] if found else said


def _holds_in_chinese(value: str, transcript: str, kind: EntityKind) -> bool:
    wanted, heard = normalize(value, "zh"), normalize(transcript, "zh")
    if not _holds_characters(heard, wanted, kind):
        return False
    # 李明 is not in 我叫李明亮: of a name of two characters a third that ends the clause is a part.
    return kind != "name" or len(wanted) != 2 or not _has_a_third(wanted, transcript)


def _has_a_third(name: str, transcript: str) -> bool:
    """Whether wherever the name is said a single character, and no particle, stands between it and the
    clause's end."""
    longer = re.compile(rf"{re.escape(name)}[\u3400-\u9fff]\Z")
    clauses = [normalize(one, "zh") for one in _CLAUSE_END.split(transcript)]
    said = [one for one in clauses if name in one]
    return bool(said) and all(longer.search(one) is not None and one[-1] not in _PARTICLES for one in said)


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
    said = _ADDRESS.sub(lambda match: _spelled_address(match.group()), text)
    for sign, word in ((r"\.", "dot"), ("_", "underscore"), ("-", "dash")):
        said = re.sub(rf"(?<=[A-Za-z0-9]){sign}(?=[A-Za-z])", f" {word} ", said)
    return said


def _spelled_address(written: str) -> str:
    """Every sign of an e-mail address in words, also beside digits; a mark at its end, which is the
    sentence's, stays."""
    said = written.replace("@", " at ")
    for sign, word in (("\\.", "dot"), ("_", "underscore"), ("-", "dash")):
        said = re.sub(rf"(?<=[A-Za-z0-9 ]){sign}(?=[A-Za-z0-9])", f" {word} ", said)
    return said


def _alike(wanted: str, heard: str) -> bool:
    if Levenshtein.normalized_distance(wanted, heard) <= _NEAR:
        return True
    key = sound_key(wanted)
    return len(key) >= 3 and key == sound_key(heard)


def _windows(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + _LONGEST) + 1):
            yield words[begin:end]


def _holds_characters(heard: str, wanted: str, kind: EntityKind) -> bool:
    """Whether ``wanted`` stands in ``heard``, and no sign, number or Latin word goes on at its ends."""
    if not wanted:
        return False
    for match in re.finditer(re.escape(wanted), heard):
        before, after = heard[match.start() - 1 : match.start()], heard[match.end() : match.end() + 1]
        below_zero = before == "负" and kind in ("digits", "amount")
        if not (below_zero or _goes_on(before, wanted[0]) or _goes_on(wanted[-1], after)):
            return True
    return False


def _goes_on(one: str, other: str) -> bool:
    return any(_is(one) and _is(other) for _is in (str.isdigit, lambda c: c.isascii() and c.isalpha()))


def _sounds_inside(wanted: str, heard: str) -> bool:
    if not wanted or find_spec("pypinyin") is None:
        return False
    from pypinyin import lazy_pinyin  # an extra

    key = lazy_pinyin(wanted)
    return any(lazy_pinyin(heard[start : start + len(wanted)]) == key for start in range(len(heard)))
