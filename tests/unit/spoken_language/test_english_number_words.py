"""English words of numbers, and that nothing else of ours spells them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from spoken_language.english_number_words import (
    CARDINALS,
    NUMBER_WORDS,
    ORDINAL_SCALES,
    ORDINALS,
    SCALES,
    alternatives,
    spelled,
    spelled_digits,
    spelled_ordinal,
)

ROOT = Path(__file__).parents[3]
OF_ANOTHER_PURPOSE = {"voice_sim/understanding/topic.py": "its list of words without content has some"}
PACKAGES = ("spoken_language", "metrics", "voice_sim", "harness")
_TEXTS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict)
MOST_WORDS = 3
"""Different number words in one text: more are a list of them. "Ten to eight, one of the two" is prose."""


@pytest.mark.parametrize(
    ("value", "words", "ordinal"),
    [
        (0, "zero", "zeroth"),
        (12, "twelve", "twelfth"),
        (21, "twenty-one", "twenty-first"),
        (90, "ninety", "ninetieth"),
        (101, "one hundred and one", "one hundred and first"),
        (1200, "one thousand two hundred", "one thousand two hundredth"),
        (2_300_005, "two million three hundred thousand and five", None),
    ],
)
def test_numbers_are_spelled(value: int, words: str, ordinal: str | None) -> None:
    assert spelled(value) == words
    assert ordinal is None or spelled_ordinal(value) == ordinal


def test_digits_are_spelled_one_by_one() -> None:
    assert spelled_digits("3A0") == "three A zero"


def test_tables_have_one_word_for_each_value() -> None:
    assert (CARDINALS["seven"], CARDINALS["seventeen"], CARDINALS["seventy"]) == (7, 17, 70)
    assert (CARDINALS["nought"], CARDINALS["hundred"]) == (0, 100)
    assert SCALES == {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
    assert (ORDINALS["first"], ORDINALS["twelfth"], ORDINALS["ninetieth"]) == (1, 12, 90)
    assert (ORDINAL_SCALES["hundredth"], ORDINAL_SCALES["trillionth"]) == (100, 10**12)
    assert all(re.fullmatch("[a-z]+", word) for word in NUMBER_WORDS)


def test_longer_words_are_tried_first() -> None:
    assert alternatives(["six", "sixteen", "four"]) == "sixteen|four|six"


def test_number_words_are_spelled_in_one_place() -> None:
    lists = [
        f"{path.relative_to(ROOT)}:{line}: {sorted(found)}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in OF_ANOTHER_PURPOSE
        for line, found in number_lists(path.read_text(encoding="utf-8"))
    ]
    assert lists == []


@pytest.mark.parametrize(
    "planted",
    [
        "WORDS = 'one two three four five'",
        "PATTERN = re.compile(r'(?:twenty|thirty|forty|fifty)')",
        "TENS = ('twenty', 'thirty', 'forty', 'fifty')",
        "VALUES = {'ten': 10, 'eleven': 11, 'twelve': 12, 'thirteen': 13}",
        "PATTERN = rf'{x}(?:hundred|thousand|million|billion){y}'",
        "ORDINALS = ['first', 'second', 'third', 'fourth']",
    ],
)
def test_planted_list_is_found(planted: str) -> None:
    assert len(list(number_lists(planted))) == 1


def test_prose_is_no_list() -> None:
    prose = '"""One, two, three, four, five."""'
    assert list(number_lists(f"{prose}\nTEXT = 'the first of two'\n# one two three four")) == []


def number_lists(text: str) -> Iterator[tuple[int, set[str]]]:
    """Line and words of each text, or collection of texts, that spells more than a few numbers."""
    tree = ast.parse(text)
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if id(node) not in passed and isinstance(node, _TEXTS):
            below = list(ast.walk(node))
            texts = (one.value for one in below if isinstance(one, ast.Constant) and type(one.value) is str)
            found = {word for one in texts for word in re.findall("[a-z]+", one)} & NUMBER_WORDS
            if len(found) > MOST_WORDS:
                passed |= {id(one) for one in below}
                yield node.lineno, found
