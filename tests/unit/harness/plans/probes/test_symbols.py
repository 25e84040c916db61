"""The suite ``symbols``: enough of each kind, readings in words alone, and numbers as num2words says them."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

import pytest
from num2words import num2words

from harness.plans.probes.forms import load_suite
from harness.plans.probes.read_aloud import ReadAloudItem, ReadAloudSuite

WORDS = {"en": re.compile(r"[a-z']+( [a-z']+)*"), "zh": re.compile(r"[一-鿿a-z]+( [一-鿿a-z]+)*")}
SOUNDS_LIKE = {"to": "two", "too": "two", "for": "four", "oh": "o", "ate": "eight", "won": "one", "bee": "b"}
FAMILIES = ("large_number", "decimal")


@cache
def _suite() -> ReadAloudSuite:
    suite = load_suite("symbols")
    assert isinstance(suite, ReadAloudSuite)
    return suite


def _items(language: str) -> list[ReadAloudItem]:
    return [item for item in _suite().items if item.language == language]


def _around(item: ReadAloudItem) -> str:
    return item.text.replace(item.key, "§")


def test_there_are_enough_of_each_kind() -> None:
    english = Counter(item.kind for item in _items("en"))
    chinese = Counter(item.kind for item in _items("zh"))
    assert english.total() >= 240
    assert chinese.total() >= 120
    assert len(english) >= 20
    assert len(chinese) >= 15
    assert min((english | chinese).values()) >= 8
    assert min(english.values()) >= 8
    assert min(chinese.values()) >= 8
    assert set(chinese) <= set(english)


def test_each_has_right_and_wrong_readings_in_words_alone() -> None:
    for item in _suite().items:
        assert item.key, item.id
        assert item.readings, item.id
        assert 1 <= len(item.wrong) <= 3, item.id
        for said in (*item.readings, *item.wrong):
            assert WORDS[item.language].fullmatch(said), f"{item.id}: {said}"
        assert len(set(item.readings)) == len(item.readings), item.id
        assert len(set(item.wrong)) == len(item.wrong), item.id


def test_no_wrong_reading_sounds_like_a_right_one() -> None:
    for item in _suite().items:
        right, wrong = (
            {" ".join(SOUNDS_LIKE.get(word, word) for word in said.split()) for said in own}
            for own in (item.readings, item.wrong)
        )
        assert not right & wrong, f"{item.id}: {right & wrong}"


def test_a_sentence_is_known_by_the_words_around_its_key() -> None:
    items = _suite().items
    assert len({item.text for item in items}) == len(items)
    assert len({_around(item) for item in items}) == len(items)
    for item in items:
        assert item.text.count(item.key) == 1, item.id
        assert not item.text.startswith(item.key), item.id
        said = re.findall(r"[A-Za-z']+|[一-鿿]", _around(item))
        assert len(said) >= (4 if item.language == "en" else 5), item.id


def test_english_sentences_of_a_kind_differ_in_most_of_their_words() -> None:
    words = {item.id: set(re.findall(r"[a-z']+", _around(item).lower())) for item in _items("en")}
    for one, other in combinations(_items("en"), 2):
        if one.kind == other.kind:
            shared = words[one.id] & words[other.id]
            assert len(shared) <= 0.5 * min(len(words[one.id]), len(words[other.id])), f"{one.id}, {other.id}"


@pytest.mark.parametrize("american", [True, False])
def test_whole_and_decimal_numbers_are_read_as_another_program_reads_them(american: bool) -> None:
    found = 0
    for item in _items("en"):
        plain = item.key.replace(",", "")
        if item.kind not in FAMILIES or not re.fullmatch(r"\d+(\.\d+)?", plain):
            continue
        said = num2words(float(plain) if "." in plain else int(plain))
        said = re.sub(r"[-,]", " ", said)
        if american:
            said = said.replace(" and ", " ")
        assert " ".join(said.split()) in item.readings, item.id
        found += 1
    assert found >= 15


def test_ordinals_and_shares_are_read_as_another_program_reads_them() -> None:
    of_kind = {"ordinal": r"(\d+)(?:st|nd|rd|th)", "percent": r"(\d+)%"}
    for kind, written in of_kind.items():
        found = 0
        for item in _items("en"):
            number = re.fullmatch(written, item.key)
            if item.kind != kind or number is None:
                continue
            said = num2words(int(number[1]), to="ordinal" if kind == "ordinal" else "cardinal")
            wanted = said.replace("-", " ") + (" percent" if kind == "percent" else "")
            assert wanted in item.readings, item.id
            found += 1
        assert found >= 4, kind


def test_chinese_digits_are_read_one_by_one_or_as_a_number_and_never_both() -> None:
    digits = dict(zip("0123456789", "零一二三四五六七八九", strict=True))
    for item in _items("zh"):
        if item.kind == "phone" and item.key.isdigit():
            one_by_one = "".join(digits[digit] for digit in item.key)
            assert one_by_one in item.readings, item.id
            assert not any(unit in said for said in item.readings for unit in "十百千万"), item.id


def test_the_quick_size_is_of_many_kinds_and_the_full_one_has_every_item() -> None:
    suite = _suite()
    quick = suite.calls(size="quick", random=Random(1))
    kinds = [one["kind"] for call in quick if call["language"] == "en" for one in call["probe"]["to_read"]]
    assert len(kinds) == len(set(kinds)) == 10
    asked = [
        one["item"] for call in suite.calls(size="full", random=Random(1)) for one in call["probe"]["to_read"]
    ]
    assert sorted(asked) == sorted(item.id for item in suite.items)
