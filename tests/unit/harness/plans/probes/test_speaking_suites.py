"""The suites whose sentences have a control: as many as stated, and each pair differs in one thing only."""

from __future__ import annotations

from random import Random

import pytest

from harness.plans.probes.forms import load_suite
from harness.plans.probes.read_aloud import ReadAloudItem, ReadAloudSuite


def pairs(name: str, language: str) -> list[tuple[ReadAloudItem, ReadAloudItem]]:
    suite = load_suite(name)
    assert isinstance(suite, ReadAloudSuite)
    by_id = {one.id: one for one in suite.items}
    return [(one, by_id[one.control]) for one in suite.items if one.control and one.language == language]


@pytest.mark.parametrize(
    ("name", "english", "chinese"), [("rate", 20, 10), ("code_switch", 20, 10), ("emotion", 20, 12)]
)
def test_a_third_is_chinese(name: str, english: int, chinese: int) -> None:
    assert (len(pairs(name, "en")), len(pairs(name, "zh"))) == (english, chinese)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_stressed_and_plain_say_the_same_to_the_letter(language: str) -> None:
    for stressed, plain in pairs("rate", language):
        assert stressed.key == plain.key
        marks = ". " if language == "en" else "。"
        assert stressed.text.partition(marks)[2] == plain.text.partition(marks)[2]
        assert stressed.text != plain.text
        assert not any(letter.isdigit() for letter in stressed.text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_switched_and_native_differ_in_the_word_alone(language: str) -> None:
    for switched, native in pairs("code_switch", language):
        assert switched.key_language not in ("", language)
        assert not native.key_language
        assert switched.text.replace(switched.key, native.key) == native.text
    languages = [switched.key_language for switched, _ in pairs("code_switch", "en")]
    assert {one: languages.count(one) for one in languages} == dict.fromkeys(("fr", "es", "de", "zh"), 5)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_said_after_an_emotion_is_said_after_neutral_words(language: str) -> None:
    found = pairs("emotion", language)
    kinds = [one.kind for one, _ in found]
    assert len({kinds.count(one) for one in ("sad_news", "good_news", "apology", "urgency")}) == 1
    for moved, neutral in found:
        tail = neutral.text.removeprefix("Here is what was noted down. ").removeprefix(
            "以下是记录下来的内容。"
        )
        assert tail != neutral.text
        assert moved.text.endswith(tail)


@pytest.mark.parametrize("name", ["rate", "code_switch", "emotion"])
def test_the_quick_size_takes_three_minutes_at_most_and_keeps_pairs_together(name: str) -> None:
    calls = load_suite(name).calls(size="quick", random=Random(3))
    assert sum(call["probe"]["seconds"] for call in calls) <= 180
    for call in calls:
        items = {one["item"] for one in call["probe"]["to_read"]}
        assert all(one["control"] in items for one in call["probe"]["to_read"] if one.get("control"))
