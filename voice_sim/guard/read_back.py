"""Values that the agent reads back and wants confirmed ("So that's 5 1 2 7, is that right?").

Values are compared, not spellings, and digits said one by one are one row, whatever marks stand between. For
a row of digits any fact that is such a row can be meant; for amounts, dates and other numbers only one that
was just told or that the words ask for: an agent has amounts and dates of its own to be confirmed.

Cannot see: names read back; codes of letters; a read-back without a question mark.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from spoken_language.chinese_numbers import DIGIT_VALUES
from spoken_language.english_number_words import SPOKEN_ZERO, UNITS, alternatives
from voice_sim.guard.claims import fact_values, family
from voice_sim.guard.values.reading import Value, values
from voice_sim.guard.words import CJK, sentences, words
from voice_sim.person.persona import Fact
from voice_sim.understanding.cues import says_any

_DIGIT_WORDS = alternatives((*UNITS, SPOKEN_ZERO[0]))
_DIGIT = rf"(?:\d|{_DIGIT_WORDS}|[{''.join(DIGIT_VALUES)}])"
_ROW = re.compile(
    rf"(?<![\w.]){_DIGIT}(?:[\s,，、…-]+{_DIGIT}){{2,}}(?![\w])|{_DIGIT}(?:[\s,，、…-]+{_DIGIT}){{2,}}(?=[{CJK}])",
    re.IGNORECASE,
)
_TAG = {
    "en": re.compile(
        r"(?:^|[,;:–—-]|\b)\W*(?:(?:and|so|now) )?(?:(?:is|are|was) (?:that|this|it|those|these|they"
        r"|everything|all of (?:it|that))"
        r"(?: all)? (?:(?<!all )right|correct|accurate|true)(?: so far| now)?"
        r"|(?:did|have|do) i (?:get|got|hear|heard|have|note|noted|take|taken|read|written?"
        r"|understand|understood)\b[^,;:]*"
        r"|(?<!all )right|correct|yes|isn't (?:it|that)(?: right)?)\?$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:我?(?:记|念|听|说|读)?得?(?:都|全)?(?:没记错吧|没听错吧|没错吧|记对了吗|对吗|对么|对吧|对不对|是吗|是吧|是不是"
        r"|正确吗|准确吗|是这样吗|有没有错))[？?]?$"
    ),
}
_WHETHER = {
    "en": re.compile(
        r"^\W*(?:(?:and|so|okay|now),? )*(?:(?:is|was) (?:it|that)|(?:is|was|does|do) your\b[^,;]{1,40}?"
        r"|(?:can|could|would) you (?:please )?confirm\b[^,;]{1,60}?"
        r"|your\b[^,;]{1,40}? (?:is|was|ends? (?:in|with))|it's|it is|that's) (?P<rest>[^,;]*)\?$",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"[是为](?P<rest>[^，。]{1,24})吗[？?]$"),
}
_BESIDE = 2
"""Words beside the value itself where the whole question is for it."""
_OR = re.compile(r"\bor\b|还是", re.IGNORECASE)
_ROW_FROM = 4
_NEAR_LENGTH = 2


@dataclass(frozen=True, kw_only=True)
class ReadBack:
    """A value that was read back.

    Attributes:
        fact: The fact that is meant.
        right: Whether it is the fact's value.
        row: It is a row of digits, as long as the fact's.
    """

    fact: Fact
    value: Value
    right: bool
    row: bool


def read_back(
    text: str, facts: Sequence[Fact], *, language: str, told: Collection[str] = ()
) -> ReadBack | None:
    """What the words want confirmed of the facts, a wrong value before a right one; None where nothing.

    Args:
        told: Keys of the facts that were told last.
    """
    held = _held(text, language)
    found = [one for value in held if (one := _meant(value, text, facts, told)) is not None]
    return min(found, key=lambda one: one.right, default=None)


def _held(text: str, language: str) -> list[Value]:
    said = list(sentences(_joined(text)))
    if not said or not said[-1].endswith(("?", "？")):
        return []
    tag = _TAG[language].search(said[-1])
    if tag is None:
        return _asked_whether(said[-1], language)
    inside = list(values(said[-1][: tag.start()]))
    return inside or [value for sentence in said[-2:-1] for value in values(sentence)]


def _asked_whether(question: str, language: str) -> list[Value]:
    """The value that the question ends in ("Is it 5127?"), and not one that it only speaks of."""
    found = _WHETHER[language].search(question)
    if found is None or _OR.search(question):
        return []
    ends_in = values(question)[-1:]
    rest = words(found["rest"])
    held = [value for value in ends_in if value.text.split(" ")[0] in question.casefold()]
    size = sum(len(words(value.text)) for value in values(found["rest"])[-1:])
    return held if size and len(rest) <= size + _BESIDE else _last_words(question, held)


def _last_words(question: str, held: list[Value]) -> list[Value]:
    end = " ".join(words(question))
    return [value for value in held if end.endswith(" ".join(words(value.text))) and _row(value)]


def _joined(text: str) -> str:
    """With every row of single digits in one piece, whatever was put between them."""

    def row(match: re.Match[str]) -> str:
        return re.sub(r"[\s,，、…-]+", "" if re.search(rf"[{CJK}]", match[0]) else " ", match[0])

    joined = _ROW.sub(row, text)
    return re.sub(r"(?<=\d) (?=\d\b)", "", joined) if re.search(rf"[{CJK}]", text) else joined


def _meant(value: Value, text: str, facts: Sequence[Fact], told: Collection[str]) -> ReadBack | None:
    row = _row(value)
    near: list[tuple[bool, bool, int, Fact]] = []
    for fact in facts:
        own = [other for other in fact_values(fact).values if _of_one_form(value, other)]
        if not own:
            continue
        lengths = [abs(len(row) - len(_row(other))) for other in own] if row else [0]
        if fact_values(fact).has(value) or any(row and _row(other).endswith(row) for other in own):
            return ReadBack(fact=fact, value=value, right=True, row=bool(row))
        just_told, asked = fact.key in told, bool(says_any(fact.cues, text))
        if just_told or asked or (row and min(lengths) <= _NEAR_LENGTH):
            near.append((not just_told, not asked, min(lengths), fact))
    if not near:
        return None
    best = min(near, key=lambda one: one[:3])
    return ReadBack(fact=best[3], value=value, right=False, row=bool(row) and best[2] == 0)


def _row(value: Value) -> str:
    """The digits of a row: no quantity of something, no round figure, and no year."""
    if value.kind != "number" or value.unit or family(value) == "year":
        return ""
    rows = (r for r in value.readings if r.isdigit() and len(r) >= _ROW_FROM)
    return max((r for r in rows if value.digits or not r.endswith("00")), key=len, default="")


def _of_one_form(first: Value, second: Value) -> bool:
    if _row(first) or _row(second):
        return bool(_row(first) and _row(second))
    if family(first) != family(second):
        return False
    if first.kind != "number" or family(first) != "number":
        return True
    if first.unit or second.unit:
        return bool(first.units & second.units)
    return True
