"""Figures that nobody said and that follow from what was said: halves, rests, sums, days between dates."""

from __future__ import annotations

import datetime
import re
from itertools import combinations

from metrics.dialogue.rules.figures.facts import SMALL, Facts

NUMBERS_MAX = 200
"""So many known numbers are set against each other; a prompt has some dozens."""

_HALF = re.compile(r"\bhalf\b|\bhalves\b|一半|对半|各半", re.IGNORECASE)
_DOUBLE = re.compile(r"\b(?:twice|double|both)\b|两倍|翻倍|双份", re.IGNORECASE)
_SUM = re.compile(
    r"\b(?:together|altogether|in total|in all|left|remain\w*|difference|makes|that's|comes to|rest|each)\b"
    r"|一共|总共|加起来|合计|还剩|剩下|相差|各",
    re.IGNORECASE,
)
_WORKING = re.compile(r"\b(?:working|business)\b|工作日", re.IGNORECASE)


def follows_from(number: str, unit: str, known: Facts, sentence: str) -> bool:
    """Whether a figure follows from known ones, where the sentence says how, or where it always does."""
    value = float(number)
    if unit == "percent":
        return (_plain(100 - value), "percent") in known.near
    if unit == "day" and not _WORKING.search(sentence) and value in _days_between(known):
        return True
    given = sorted(float(one) for one in known.numbers if len(one) < 8)[:NUMBERS_MAX]
    if _HALF.search(sentence) and 2 * value in given:
        return True
    if _DOUBLE.search(sentence) and value / 2 in given:
        return True
    if value <= SMALL or not _SUM.search(sentence):
        return False
    return any(
        value in (one + other, abs(one - other), one * other)
        for one, other in combinations(given, 2)
        if max(one, other) > SMALL
    )


def _plain(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _days_between(known: Facts) -> set[int]:
    if known.today is None:
        return set()
    found = set()
    for month, day in known.dates:
        for year in (known.today.year - 1, known.today.year):
            try:
                found.add(abs((datetime.date(year, month, day) - known.today).days))
            except ValueError:
                continue
    return found
