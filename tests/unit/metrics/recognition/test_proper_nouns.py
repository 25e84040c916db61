import pytest

from metrics.recognition.normalize import Language
from metrics.recognition.proper_nouns import Found, accuracy, find_entity, sound_key
from spoken_language.entity_kinds import EntityKind

RIGHT: list[tuple[EntityKind, str, str, Language]] = [
    ("name", "Jane Kang", "this is jane kang speaking", "en"),
    ("place", "Chang Jiang", "near Changjiang.", "en"),
    ("code", "AB12", "the code is A B one two", "en"),
    ("digits", "415", "dial four one five please", "en"),
    ("amount", "$4.99", "it costs four dollars and ninety nine cents", "en"),
    ("date", "March 3rd", "on March third", "en"),
    ("name", "张强", "我是張強", "zh"),
    ("amount", "25元", "一共二十五块钱", "zh"),
    ("digits", "8051", "尾号八零五一", "zh"),
    # Another number, or a spelled letter, in a clause beside it.
    ("digits", "12", "Room 12, 3 nights.", "en"),
    ("amount", "$40", "It was order 7, $40.", "en"),
    ("digits", "4155551234", "Yes, for table 2, 415 555 1234.", "en"),
    ("digits", "4155551234", "415, 555, 1234", "en"),
    ("digits", "415", "dial 415. Thanks", "en"),
    ("code", "AB12", "my code is C. A B twelve", "en"),
    ("code", "AB12", "is it a AB12", "en"),
    ("digits", "12", "12，3晚", "zh"),
    ("digits", "-5", "minus five", "en"),
    ("digits", "2345-6789", "I am calling from 2345-6789.", "en"),
    ("digits", "3-502", "住3-502号", "zh"),
    # A year behind a day.
    ("date", "May 5", "May 5, 2024", "en"),
    ("date", "May 5", "May 5 2024 at noon", "en"),
    ("date", "May 5, 2024", "may fifth twenty twenty four", "en"),
    ("name", "李明", "我叫李明，请您重复一下", "zh"),
    ("name", "李明", "我叫李明吧", "zh"),
    ("name", "李明", "李明想改时间", "zh"),
    ("address", "x.5@y.com", "x dot five at y dot com", "en"),
    ("address", "x.5@y.com", "it is x.5@y.com.", "en"),
    ("address", "a_1@y-2.org", "a underscore one at y dash two dot org", "en"),
]
WRONG: list[tuple[EntityKind, str, str, Language]] = [
    ("digits", "415", "dial 4156", "en"),
    ("digits", "805", "尾号8051", "zh"),
    ("code", "AB12", "the code is A B one three", "en"),
    ("name", "Jane Kang", "nobody said it", "en"),
    ("code", "AB12", "C AB12", "en"),
    ("code", "AB12", "AB12 D", "en"),
    ("digits", "-5", "5", "en"),
    ("digits", "5", "-5", "en"),
    ("digits", "5", "-5度", "zh"),
    ("digits", "1234", "555, 1234", "en"),
    ("digits", "415", "my number is 415, 555", "en"),
    ("digits", "12", "12，3", "zh"),
    ("date", "May 5", "May 15, 2024", "en"),
    ("date", "May 5, 2024", "May 5, 2019", "en"),
    ("address", "x.5@y.com", "x5@y.com", "en"),
]


@pytest.mark.parametrize(("kind", "value", "heard", "language"), RIGHT)
def test_right_whatever_the_writing(kind: EntityKind, value: str, heard: str, language: Language) -> None:
    assert find_entity(value, heard, kind=kind, language=language) == Found(right=True)


@pytest.mark.parametrize(("kind", "value", "heard", "language"), WRONG)
def test_wrong_is_wrong(kind: EntityKind, value: str, heard: str, language: Language) -> None:
    assert find_entity(value, heard, kind=kind, language=language) == Found(right=False)


def test_a_near_miss_is_told_beside_and_never_counts() -> None:
    assert find_entity("Whitaker", "mister Witacre called", kind="name", language="en").near_miss
    assert find_entity("Whitaker", "mister Whittaker called", kind="name", language="en").near_miss
    assert not find_entity("Whitaker", "mister Robinson called", kind="name", language="en").near_miss
    assert find_entity("张强", "我是章强", kind="name", language="zh") == Found(right=False, near_miss=True)
    assert not find_entity("4155", "dial 4156", kind="digits", language="en").near_miss


def test_a_name_of_two_characters_is_no_part_of_one_of_three() -> None:
    longer = find_entity("李明", "我叫李明亮", kind="name", language="zh")
    assert not longer.right
    assert not find_entity("李明", "你好，我叫李明亮。", kind="name", language="zh").right


def test_keys_of_sounds() -> None:
    # Vowels between keep equal classes apart, h and w do not.
    assert sound_key("Robert") == sound_key("Rupert")
    assert sound_key("Robert") != sound_key("Rubin")
    assert sound_key("") == ""


def test_micro_and_macro_by_hand() -> None:
    found: list[tuple[EntityKind, Found]] = [("digits", Found(right=True))] * 8
    found += [("name", Found(right=False, near_miss=True)), ("name", Found(right=True))]
    result = accuracy(found)
    assert result.micro == pytest.approx(0.9)
    assert result.macro == pytest.approx(0.75)
    assert (result.near_misses, result.by_kind) == (1, {"digits": (8, 8), "name": (1, 2)})
    assert accuracy([]).micro is None


@pytest.mark.parametrize(
    ("value", "transcript", "kind", "right"),
    [
        ("O'Brien", "It's O'Brien's account, and not mine.", "name", True),
        ("John", "That is John’s.", "name", True),
        ("Paris", "Paris's oldest hotel", "place", True),
        ("Sainsbury's", "I work at Sainsbury's.", "company", True),
        ("John", "That is Johnson's.", "name", False),
        ("HB20", "That is HB20's.", "code", False),
    ],
)
def test_what_belongs_to_somebody_names_them(
    value: str, transcript: str, kind: EntityKind, right: bool
) -> None:
    assert find_entity(value, transcript, kind=kind, language="en").right is right
