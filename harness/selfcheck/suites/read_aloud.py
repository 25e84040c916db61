"""A suite of the form ``read_aloud`` looked at as an instrument: can its sentences be told apart and judged?

It has no sounds: what is checked is written. That a recogniser hears the readings as they are written is not
checked here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from harness.plans.probes.read_aloud import ReadAloudItem, ReadAloudSuite
from harness.plans.probes.suite import Language

LEAST_AROUND: dict[Language, int] = {"en": 4, "zh": 5}
"""Words (Chinese: characters) beside the key, by which a sentence is found again in what an agent says."""
_APOSTROPHES = "'’"


@dataclass(frozen=True, kw_only=True)
class KindCheck:
    """The items of one kind in one language.

    Attributes:
        judged: Those with readings.
        readings: That are licensed, of all of them.
        wrong: Readings that are known to be wrong, of all of them.
        problem: Of the first item that has one, by its id; empty: none.
    """

    kind: str
    language: Language
    items: int
    judged: int
    readings: int
    wrong: int
    problem: str = ""

    def document(self) -> dict[str, Any]:
        return asdict(self)


def check_read_aloud(suite: ReadAloudSuite) -> list[KindCheck]:
    """Every kind of a suite, in each language that has it.

    A problem is: a reading with a digit or a symbol (somebody would have to read it first); two sentences
    with the same words around their keys, or one with hardly any (:data:`LEAST_AROUND`): which of them an
    agent said could not be known. Sentences without a key are judged whole, and have no such words. And a
    sentence that says something else than its control: what is compared has to be the same words, up to
    the end of both; of a phrase in another language, the words around it.
    """
    by_id = {item.id: item for item in suite.items}
    around: dict[tuple[str, ...], set[str]] = {}
    for item in suite.items:
        if item.key:
            # An item and its control may well be the same sentence: that is what is compared.
            around.setdefault(_around(item), set()).add(item.control or item.id)
    grouped: dict[tuple[str, Language], list[ReadAloudItem]] = {}
    for item in suite.items:
        grouped.setdefault((item.kind, item.language), []).append(item)
    return [
        KindCheck(
            kind=kind,
            language=language,
            items=len(items),
            judged=sum(bool(item.readings) for item in items),
            readings=sum(len(item.readings) for item in items),
            wrong=sum(len(item.wrong) for item in items),
            problem=next(filter(None, (_problem(item, around, by_id) for item in items)), ""),
        )
        for (kind, language), items in grouped.items()
    ]


def _problem(
    item: ReadAloudItem, around: dict[tuple[str, ...], set[str]], by_id: dict[str, ReadAloudItem]
) -> str:
    for said in (*item.readings, *item.wrong):
        odd = _no_words(said)
        if odd:
            return f"{item.id}: '{said}' has '{odd}': write it in words"
    if item.control and (differs := _differs(item, by_id[item.control])):
        return f"{item.id}: {differs}"
    if not item.key:
        return ""
    beside = _around(item)
    if len(around[beside]) > 1:
        return f"{item.id}: another sentence has the same words around its key"
    if len(beside) < LEAST_AROUND[item.language]:
        unit = "characters" if item.language == "zh" else "words"
        return f"{item.id}: {len(beside)} {unit} around its key, {LEAST_AROUND[item.language]} are needed"
    return ""


def _differs(item: ReadAloudItem, control: ReadAloudItem) -> str:
    """In what a sentence and its control cannot be compared; empty: in nothing."""
    if item.readings:
        return ""
    if item.key_language:
        return "" if _around(item) == _around(control) else "other words around its key than in its control"
    if item.key != control.key:
        return f"its key is not that of its control, '{control.key}'"
    one, other = _words(item.text, item.language), _words(control.text, item.language)
    same = 0
    while same < min(len(one), len(other)) and one[-1 - same] == other[-1 - same]:
        same += 1
    least = LEAST_AROUND[item.language]
    if same < least:
        unit = "characters" if item.language == "zh" else "words"
        return f"its last {least} {unit} are not those of its control: what is compared has to be the same"
    return ""


def _no_words(said: str) -> str:
    """The first sign that is neither a letter, a space nor an apostrophe."""
    return next((sign for sign in said if not _is_of_words(sign)), "")


def _is_of_words(sign: str) -> bool:
    return sign in _APOSTROPHES or sign == " " or unicodedata.category(sign)[0] in "LM"


def _around(item: ReadAloudItem) -> tuple[str, ...]:
    """The words of the sentence beside its key; Chinese by characters."""
    return _words(item.text.replace(item.key, " ") if item.key else item.text, item.language)


def _words(text: str, language: Language) -> tuple[str, ...]:
    plain = "".join(sign if _is_of_words(sign) else " " for sign in text.lower())
    return tuple(_characters(plain) if language == "zh" else plain.split())


def _characters(text: str) -> Iterable[str]:
    return (sign for sign in text if sign != " ")
