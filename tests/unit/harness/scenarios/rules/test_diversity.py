"""The two measures of similarity, worked by hand, and the lines that two people share."""

from __future__ import annotations

import math
import random

import pytest

from harness.scenarios.folders import library_root, load_scenario
from harness.scenarios.rules.diversity import (
    ALIKE_MAX,
    COPIED_MAX,
    Pair,
    compare,
    persona_text,
    shared_lines,
)
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Fact, MustAsk, Persona, Phrases, Style


def _person(role: str, *, language: str = "en", **fields: object) -> Persona:
    return Persona.model_validate({"archetype": "hesitant", "language": language, "role": role} | fields)


def _pair(one: Persona, other: Persona) -> Pair:
    (pair,) = compare([("a/hesitant", one), ("b/hesitant", other)])
    return pair


def test_copied_is_the_share_of_four_word_runs() -> None:
    # six words have three runs of four; with the last word changed two of them are left: 2 of 4 in the union
    pair = _pair(_person("one two three four five six"), _person("one two three four five seven"))
    assert pair.copied == pytest.approx(2 / 4)


def test_alike_is_the_cosine_of_square_roots_of_counts() -> None:
    # "red red blue" and "red green": sqrt(2) * 1 / (sqrt(2 + 1) * sqrt(1 + 1)); "the" does not count
    pair = _pair(_person("the red red blue"), _person("red the green"))
    assert pair.alike == pytest.approx(math.sqrt(2) / (math.sqrt(3) * math.sqrt(2)))


def test_in_chinese_runs_are_of_six_characters_and_pairs_are_counted() -> None:
    pair = _pair(_person("春夏秋冬东西南北", language="zh"), _person("春夏秋冬东西前后", language="zh"))
    assert pair.copied == pytest.approx(1 / 5)  # three runs each, one shared
    assert pair.alike == pytest.approx(5 / 7)  # seven pairs each, five shared


def test_the_same_text_is_one_and_another_text_is_nothing() -> None:
    text = "nothing here is shared with anybody else at all today"
    same, other = _pair(_person(text), _person(text)), _pair(_person(text), _person("quite different words"))
    assert (same.copied, same.alike) == (pytest.approx(1), pytest.approx(1))
    assert (other.copied, other.alike) == (0, 0)
    assert same.too_similar
    assert not other.too_similar


def test_people_of_different_languages_are_not_compared() -> None:
    assert compare([("a/hesitant", _person("word")), ("b/hesitant", _person("词", language="zh"))]) == []


@pytest.mark.parametrize(
    ("first", "second", "group"),
    [
        ("cs-a/hesitant", "cs-a/resistant", "scenario"),
        ("cs-a/hesitant", "cs-b/hesitant", "archetype"),
        ("cs-a/hesitant", "cs-b/resistant", "other"),
    ],
)
def test_pairs_are_grouped_by_what_they_have_in_common(first: str, second: str, group: str) -> None:
    assert Pair(first=first, second=second, language="en", copied=0, alike=0).group == group


@pytest.mark.parametrize(
    ("language", "copied", "alike", "verdict"),
    [
        ("en", COPIED_MAX, 0.0, True),
        ("en", COPIED_MAX - 0.001, ALIKE_MAX["en"] - 0.001, False),
        ("en", 0.0, ALIKE_MAX["en"], True),
        ("zh", 0.0, ALIKE_MAX["zh"], True),
        ("zh", 0.0, ALIKE_MAX["zh"] - 0.001, False),
    ],
)
def test_the_thresholds(language: str, copied: float, alike: float, verdict: bool) -> None:
    assert Pair(first="", second="", language=language, copied=copied, alike=alike).too_similar is verdict


def test_ids_cues_and_settings_are_no_text_of_the_person() -> None:
    persona = _person(
        "role",
        must_ask=(MustAsk(id="secret_id", ask=("asked",), answered_by=("secret cue",)),),
        facts=(Fact(key="secret_key", value="value", cues=("secret cue",)),),
    )
    assert persona_text(persona).split() == ["role", "asked", "value"]


def test_a_line_of_six_words_belongs_to_one_person() -> None:
    long, short = "I told you that three times already", "I told you that already"
    one = _person("a", style=Style(good=(long, short)), phrases=Phrases(goodbye=(long,)))
    other = _person("b", style=Style(good=("I told you THAT three times - already!", short)))
    (shared,) = shared_lines([("x/hesitant", one), ("x/resistant", other)])
    assert {name for name, _ in shared.places} == {"x/hesitant", "x/resistant"}
    assert ("x/resistant", "style.good.0") in shared.places
    assert shared_lines([("x/hesitant", one)]) == []  # repeating oneself is human


@pytest.mark.parametrize("replaced", [0.1, 0.2, 0.3])
def test_a_copy_with_words_replaced_lies_far_above_the_thresholds(replaced: float) -> None:
    """What the thresholds rest on: random words of the same people put into a copy of each."""
    people = load_scenario(library_root() / "en" / "customer_service" / "bank_complaint").personas
    pool = [word for person in people for word in persona_text(person).split() if word.isalpha()]
    chance = random.Random(0)

    def changed(text: str) -> str:
        words = text.split(" ")
        return " ".join(
            chance.choice(pool) if w.isalpha() and chance.random() < replaced else w for w in words
        )

    for person in people:
        original = _person(persona_text(person))
        pair = _pair(original, _person(changed(original.role)))
        assert pair.copied > 2 * COPIED_MAX
        assert pair.alike > ALIKE_MAX["en"] + 0.2


def test_there_are_five_types_in_the_groups() -> None:
    people = [(f"s/{archetype}", _person(f"word{i}")) for i, archetype in enumerate(Archetype)]
    assert len(compare(people)) == 10
