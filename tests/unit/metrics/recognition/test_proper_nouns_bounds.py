"""Proper nouns at their boundaries: what is near, what goes on beside an entity, and the shares by hand."""

from __future__ import annotations

import pytest

from metrics.intervals import bootstrap_mean_by_call, wilson
from metrics.recognition import proper_nouns
from metrics.recognition.normalize import Language, normalize
from metrics.recognition.proper_nouns import (
    Accuracy,
    Found,
    accuracy,
    accuracy_interval,
    find_entity,
    sound_key,
)
from spoken_language.entity_kinds import KINDS, EntityKind

RIGHT = Found(right=True, near_miss=False)
NEAR = Found(right=False, near_miss=True)
WRONG = Found(right=False, near_miss=False)
FAR_ENDS = ("extraordinarily", "incomprehensible")
"""Longer than a quarter of all, each, with ten or eleven words of two letters between."""


def _found(value: str, heard: str, kind: EntityKind, language: Language = "en") -> Found:
    return find_entity(value, heard, kind=kind, language=language)


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("bfpv", "1"),
        ("cgjkqsxz", "2"),
        ("dt", "3"),
        ("l", "4"),
        ("mn", "5"),
        ("r", "6"),
        ("babefipovu", "11111"),
        ("cagejikoquseximze", "222222252"),
        ("aeiouyhw", "0"),
        # The examples of Soundex, with digits for their first letters and of any length.
        ("Robert", "6163"),
        ("Rupert", "6163"),
        ("Rubin", "615"),
        ("Ashcraft", "02613"),
        ("Tymczak", "3522"),
        ("Pfister", "1236"),
        ("Honeyman", "0555"),
        ("Whitaker", "0326"),
        ("Wright", "0623"),
        ("Rory", "66"),
        ("swiss", "22"),
        ("swss", "2"),
        ("O'Neil", "054"),
        ("Ross-Smith", "6253"),
        ("李", ""),
        ("?!", ""),
    ],
)
def test_the_key_of_a_sound(word: str, key: str) -> None:
    assert sound_key(word) == key


@pytest.mark.parametrize("kind", KINDS)
def test_only_what_has_a_sound_has_a_near_miss(kind: EntityKind) -> None:
    near = kind in ("name", "place", "company", "product")
    assert _found("Whitaker", "mister Whittaker called", kind) == (NEAR if near else WRONG)
    assert _found("张强", "我是章强", kind, "zh") == (NEAR if near else WRONG)


def _with_vowels(of: int, changed: int) -> tuple[str, str]:
    """A word of consonants, and the same with some of them changed to a vowel: as many edits, another key."""
    word = ("bdlmr" * of)[:of]
    return word, "".join("a" if at % 3 == 1 and at // 3 < changed else one for at, one in enumerate(word))


@pytest.mark.parametrize(
    ("value", "heard", "found"),
    [
        ("Kate", "kale", NEAR),
        ("Anna", "ann", NEAR),
        ("Ann", "anna", NEAR),
        ("Ann", "ant", WRONG),
        ("Al", "el", WRONG),
        ("Al", "all", WRONG),
        (*_with_vowels(24, 6), NEAR),
        (*_with_vowels(23, 6), WRONG),
        # Far by letters: the same key of three, the same of two, and another.
        ("Tamara", "donora", NEAR),
        ("Kate", "cody", WRONG),
        ("Tamara", "donola", WRONG),
        ("Whitaker", "it was whit acre", NEAR),
        ("Whitaker", "whit acre it was", NEAR),
        ("?!", "hello there", WRONG),
        ("Kate", "", WRONG),
    ],
)
def test_near_is_a_quarter_of_the_letters_or_a_key_of_three(value: str, heard: str, found: Found) -> None:
    assert _found(value, heard, "name") == found


def _of_words(count: int) -> str:
    between = ["ba", "be", "bo", "ca", "ce", "co", "da", "de", "ga", "fa", "fe"][: count - 2]
    return " ".join([FAR_ENDS[0], *between, FAR_ENDS[1]])


def test_an_entity_of_twelve_words_is_compared_and_none_of_thirteen() -> None:
    for count, right, near in ((12, RIGHT, NEAR), (13, WRONG, WRONG)):
        value = _of_words(count)
        assert len(normalize(value, "en").split()) == count
        other = value.replace("ns", "nds")
        assert _found(value, value, "company") == right
        assert _found(value, f"yes {value} yes", "company") == right
        assert _found(value, other, "company") == near
        assert _found(value, f"{other} yes", "company") == near
        assert _found(value, f"yes {other}", "company") == near


ENGLISH: list[tuple[EntityKind, str, str, bool]] = [
    # A sign before a number or an amount, and before nothing else.
    ("amount", "$5", "it is minus five dollars", False),
    ("amount", "$5", "it is five dollars", True),
    ("amount", "$5", "minus that it is five dollars", True),
    ("code", "12", "minus twelve", True),
    ("place", "Pier 39", "minus pier 39", True),
    # A letter beside a code, and beside nothing else; "a" and "I" are words.
    ("code", "AB12", "i AB12", True),
    ("code", "AB12", "AB12 i guess", True),
    ("code", "AB12", "AB12 a", True),
    ("code", "AB12", "so AB12 it is", True),
    ("code", "AB12", "AB12 D it is", False),
    ("code", "AB12", "for option 3 AB12", True),
    ("digits", "12", "b 12", True),
    ("digits", "12", "12 b", True),
    ("digits", "?!", "12", False),
    # Behind a part of another a whole one.
    ("code", "AB12", "C AB12 no just AB12", True),
    # Dates with the day first.
    ("date", "March 1", "the first of March", True),
    ("date", "March 2", "the second of March", True),
    ("date", "March 3rd", "the third of March", True),
    ("date", "March 3rd", "3 March", True),
    ("date", "March 3rd", "3rd March", True),
    ("date", " march 4 ", "the fourth of March", True),
    ("date", "March 11", "the eleventh of March", True),
    ("date", "March 12th", "the 12th of March", True),
    ("date", "March 13", "the thirteenth of March", True),
    ("date", "March 21", "the twenty first of March", True),
    ("date", "March 22", "the twenty second of March", True),
    ("date", "March 23", "the twenty third of March", True),
    ("date", "March 30", "the thirtieth of March", True),
    ("date", "March 3, 2024", "the third of March 2024", True),
    ("date", "March 3 2024", "3 March 2024", True),
    ("date", "March 3, 2024", "the third of March 2023", False),
    ("date", "March 3", "the third of May", False),
    ("date", "March 3", "the fourth of March", False),
    ("date", "Gate 12", "12 gate", False),
    ("digits", "May 5", "5 May", False),
    ("digits", "May 5", "May 5 2024", False),
    # A clause of numbers goes on with the number before it, unless it is the year of a date.
    ("digits", "415", "dial 415, 2024", False),
    ("digits", "415", "Hello, dial 415, 555", False),
    ("digits", "415", "dial 415, , 555", False),
    ("digits", "1234", "555, 1234, thanks", False),
    ("date", "May 5", "on May 5, 12", False),
    ("date", "May 5", "On May 5, 2024, 3 nights.", True),
    ("code", "AB12", "it is AB12, 345", False),
    ("amount", "$40", "7, $40", False),
    ("place", "Pier 39", "at Pier 39, 7", True),
    ("digits", "12", "7, yes, room 12, 3 nights", True),
    ("digits", "12", "room 12, 3 nights, 7", True),
    ("digits", "12", "so, room 12, 3 nights", True),
    ("digits", "12", "room 13, 3 nights", False),
    # Signs that are said.
    ("address", "fern.com", "fern dot com", True),
    ("address", "my_fern", "my underscore fern", True),
    ("address", "my-fern", "my dash fern", True),
    ("address", "a@b.5", "it is a@b.5, 3 nights", True),
    ("address", "a.b_c-d@e.org", "a dot b underscore c dash d at e dot org", True),
    ("address", "a.1_2-3@4.org", "a dot one underscore two dash three at four dot org", True),
    ("address", "a@e.org", "a b at e dot com", False),
    ("code", "my_fern", "my underscore fern", False),
]


@pytest.mark.parametrize(("kind", "value", "heard", "right"), ENGLISH)
def test_in_english(kind: EntityKind, value: str, heard: str, right: bool) -> None:
    assert _found(value, heard, kind).right is right


CHINESE: list[tuple[EntityKind, str, str, bool]] = [
    ("digits", "12", "12", True),
    ("digits", "12", "123晚", False),
    ("digits", "12", "晚312", False),
    ("digits", "12", "123和12", True),
    ("digits", "12", "12和123", True),
    ("digits", "？", "12", False),
    ("amount", "5元", "负五元", False),
    ("amount", "5元", "不是负的是五元", True),
    ("date", "5号", "负五号", True),
    # Latin letters beside Latin letters, and beside nothing else.
    ("code", "ab", "我要abc", False),
    ("code", "bc", "我要abc", False),
    ("code", "ab", "我要ab的", True),
    ("code", "12", "我要a12b", True),
    ("code", "a1", "我要2a1b", True),
    # A third character of a name, and of nothing else.
    ("name", "李明", "李明亮", False),
    ("name", "李明", "李明", True),
    ("name", "李明", "我叫李明早上", True),
    ("name", "李明", "我叫李明亮，李明", True),
    ("name", "李明", "李明，我叫李明亮", True),
    ("name", "李明", "我叫李明亮，是李明亮", False),
    ("name", "李明", "李，明", True),
    ("name", "李明", "我叫张强", False),
    ("name", "李", "我叫李明", True),
    ("name", "李明亮", "我叫李明亮亮", True),
    ("place", "北京", "我去北京西", True),
    # A clause by itself.
    ("digits", "415", "拨415，2024", False),
    ("digits", "415", "好，拨415，555", False),
    ("digits", "12", "7，好，房间12，3晚", True),
]


@pytest.mark.parametrize(("kind", "value", "heard", "right"), CHINESE)
def test_in_chinese(kind: EntityKind, value: str, heard: str, right: bool) -> None:
    assert _found(value, heard, kind, "zh").right is right


@pytest.mark.parametrize(
    ("value", "heard", "found"),
    [
        ("张强", "章强", NEAR),
        ("张强", "章强来了", NEAR),
        ("张强", "我是章强", NEAR),
        ("李明", "我是丽明啊", NEAR),
        ("张强", "我是章", WRONG),
        ("张强", "强", WRONG),
        ("张强", "强章", WRONG),
        ("？", "你好", WRONG),
        ("张强", "", WRONG),
    ],
)
def test_near_in_chinese_are_the_same_syllables(value: str, heard: str, found: Found) -> None:
    assert _found(value, heard, "name", "zh") == found


def test_without_pinyin_nothing_sounds_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proper_nouns, "find_spec", lambda name: None)
    assert _found("张强", "我是章强", "name", "zh") == WRONG


def test_shares_of_three_kinds_by_hand() -> None:
    found: list[tuple[EntityKind, Found]] = [("digits", RIGHT)] * 3
    found += [("digits", WRONG), ("name", NEAR), ("place", NEAR), ("place", RIGHT)]
    result = accuracy(found)
    assert result == Accuracy(
        right=4, near_misses=2, n=7, by_kind={"digits": (3, 4), "name": (0, 1), "place": (1, 2)}
    )
    assert result.micro == pytest.approx(4 / 7)
    assert result.macro == pytest.approx((3 / 4 + 0 + 1 / 2) / 3)
    assert result.micro_interval == wilson(4, 7)


def test_a_kind_without_entities_has_no_share() -> None:
    result = Accuracy(right=1, near_misses=0, n=2, by_kind={"name": (0, 0), "digits": (1, 2)})
    assert result.macro == 0.5
    assert accuracy([]) == Accuracy(right=0, near_misses=0, n=0, by_kind={})
    assert (accuracy([]).micro, accuracy([]).macro) == (None, None)
    nothing_right = accuracy([("name", WRONG)])
    assert (nothing_right.micro, nothing_right.macro) == (0.0, 0.0)


def test_one_entity_a_call_or_all_alike_have_the_interval_of_wilson() -> None:
    assert accuracy_interval({"a": [1.0], "b": [0.0], "c": [1.0]}) == wilson(2, 3)
    assert accuracy_interval({"a": [1.0, 1.0], "b": [1.0]}) == wilson(3, 3)
    assert accuracy_interval({"a": [0.0, 0.0], "b": [0.0]}) == wilson(0, 3)
    assert accuracy_interval({}) == wilson(0, 0)


def test_several_entities_a_call_are_resampled_by_call() -> None:
    by_call = {"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0, 0.0], "d": [1.0, 0.0], "e": [0.0, 1.0]}
    assert accuracy_interval(by_call) == bootstrap_mean_by_call(by_call, seed=0)
    uneven = {"a": [1.0, 0.0, 1.0], "b": [1.0], "c": [0.0]}
    assert accuracy_interval(uneven, seed=3) == bootstrap_mean_by_call(uneven, seed=3)
    assert accuracy_interval(uneven, seed=3).method != wilson(3, 5).method
