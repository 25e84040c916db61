"""No pattern that reads what an agent says takes exponential time, however often it repeats itself.

Words inside a repetition that can be read in two ways double the time with each time they are said: "Thank
you." thirty times was two to the thirtieth. The texts are made from the patterns themselves.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

import voice_sim.policies
import voice_sim.understanding

_parser: Any = importlib.import_module("re._parser")

AT_MOST_S = 0.1
TIMES = (8, 12, 16, 19, 22, 26, 30)
"""One after the other: what doubles with each is over the limit before it takes minutes."""
DOES_NOT_FIT = " qqq, qqq"
_PROBES = " a1A嗯.,?'-x先"
"""Signs for a set: the first that is in it."""
_MANY = 6
"""Repetitions that have an end no further away take no time to speak of."""


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def _patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _patterns_in(each)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from _patterns_in(each)


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern that stands in a module of what understands and decides, by where it stands."""
    return {
        f"{module.__name__}.{name} {number}": pattern
        for package in (voice_sim.understanding, voice_sim.policies)
        for module in _modules(package)
        for name, value in vars(module).items()
        for number, pattern in enumerate(_patterns_in(value))
        if isinstance(pattern.pattern, str)
    }


def _first_of(parts: Any) -> str:
    """A text that these parts of a parsed pattern match; look-arounds are left out."""
    return "".join(_one_of(part)[0] for part in parts)


def _one_of(part: Any) -> list[str]:
    """Texts that one part matches: one for each of its alternatives."""
    kind, value = str(part[0]), part[1]
    if kind == "LITERAL":
        return [chr(value)]
    if kind in ("IN", "NOT_LITERAL", "ANY"):
        return [_sign(part)]
    if kind == "BRANCH":
        return [text for branch in value[1] for text in _texts(branch)]
    if kind == "SUBPATTERN":
        return _texts(value[-1])
    if kind == "ATOMIC_GROUP":
        return _texts(value)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = value
        texts = [text * max(1, least) for text in _texts(inner)]
        return [*([""] if least == 0 else []), *texts] if most else [""]
    return [""]


def _texts(parts: Any) -> list[str]:
    """Texts that the parts match: each alternative of each of them once, beside the first of the others."""
    first = [_one_of(part)[0] for part in parts]
    found = {"".join(first): None}
    for place, part in enumerate(parts):
        for text in _one_of(part)[1:]:
            found["".join((*first[:place], text, *first[place + 1 :]))] = None
    return [*found]


def _sign(part: Any) -> str:
    one = _parser.SubPattern(_parser.State())
    one.append(part)
    fits = importlib.import_module("re._compiler").compile(one, 0)
    return next((sign for sign in _PROBES if fits.fullmatch(sign)), _first_literal(part))


def _first_literal(part: Any) -> str:
    for kind, value in part[1] if str(part[0]) == "IN" else ():
        if str(kind) == "LITERAL":
            return chr(value)
        if str(kind) == "RANGE":
            return chr(value[0])
    return ""


def repetitions(parts: Any, before: str = "") -> Iterator[tuple[str, list[str]]]:
    """What stands before each repetition without an end in a parsed pattern, and what is repeated there."""
    for place, part in enumerate(parts):
        lead = before + _first_of(parts[:place])
        kind, value = str(part[0]), part[1]
        if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            if value[1] >= _MANY:
                yield lead, _texts(value[2])
            yield from repetitions(value[2], lead)
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from repetitions(branch, lead)
        elif kind == "SUBPATTERN":
            yield from repetitions(value[-1], lead)
        elif kind == "ATOMIC_GROUP":
            yield from repetitions(value, lead)


def repeated(pattern: str, flags: int) -> Iterator[tuple[str, str]]:
    """Beginnings, and what may be repeated behind them: each thing by itself, and with each of the others."""
    for lead, alternatives in repetitions(_parser.parse(pattern, flags & ~re.UNICODE)):
        said = [text for text in alternatives if text]
        yield from ((lead, text + gap) for text in said for gap in ("", " ", ". "))
        yield from ((lead, one + other) for one in said for other in said if one != other)


def _search_s(pattern: re.Pattern[str], text: str) -> float:
    began = time.thread_time()
    pattern.search(text)
    return time.thread_time() - began


def slowest(pattern: re.Pattern[str]) -> tuple[float, str]:
    """The longest that a pattern takes on such texts, and on which."""
    worst = (0.0, "")
    for lead, text in dict.fromkeys(repeated(pattern.pattern, pattern.flags)):
        for times in TIMES:
            written = lead + text * times + DOES_NOT_FIT
            took_s = _search_s(pattern, written)
            if took_s > AT_MOST_S:
                # Some machines count what others took meanwhile: that does not come again.
                took_s = min(took_s, _search_s(pattern, written))
            worst = max(worst, (took_s, written))
            if worst[0] > AT_MOST_S:
                return worst
    return worst


@pytest.mark.parametrize("where", patterns())
def test_a_pattern_reads_what_is_repeated_at_once(where: str) -> None:
    took_s, text = slowest(patterns()[where])
    assert took_s <= AT_MOST_S, f"{took_s:.2f} s on {text!r}"


@pytest.mark.parametrize(
    "slow",
    [
        r"^(?:thanks?|thank|you|[\W_])*$",
        r"^(?:嗯+|好|[\W_])*$",
        r"^(?:(?:mr|ms)\.? [A-Z]\w*|good|[\W_])*$",
        r"have a (?:(?:nice|pleasant|fine|pleasant),? )+day",
        r"^(?:please|\W)*(?:(?:please (?:hold|wait)|wait)(?:please|\W)*)+$",
    ],
)
def test_one_that_is_read_in_two_ways_is_found(slow: str) -> None:
    assert slowest(re.compile(slow))[0] > AT_MOST_S
