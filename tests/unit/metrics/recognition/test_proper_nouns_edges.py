"""Entities beside what only looks like a part of them, and the seed of an interval over calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from metrics.intervals import Interval, wilson
from metrics.recognition import proper_nouns
from metrics.recognition.normalize import Language
from metrics.recognition.proper_nouns import accuracy_interval, find_entity
from spoken_language.entity_kinds import EntityKind


def _is_right(value: str, heard: str, kind: EntityKind, language: Language = "en") -> bool:
    return find_entity(value, heard, kind=kind, language=language).right


@pytest.mark.parametrize("heard", ["AB12 is row D", "AB12 row D"])
def test_a_letter_further_behind_a_code_is_none_of_it(heard: str) -> None:
    assert _is_right("AB12", heard, "code") is True


def test_a_year_goes_with_a_month_and_not_with_a_number() -> None:
    assert _is_right("May 5", "it is May 5 2024", "date") is True
    assert _is_right("5", "it is 52024", "date") is False


def test_a_date_that_is_written_with_its_day_first_is_looked_for_as_it_is() -> None:
    assert _is_right("5 May", "it is on 5 May", "date") is True
    assert _is_right("5 May", "it is on 6 May", "date") is False


def test_a_possessive_is_taken_away_in_english_alone() -> None:
    assert _is_right("Tom", "that is Tom's", "name") is True
    assert _is_right("Tom", "我叫Tom's", "name", "zh") is False


def test_calls_are_drawn_with_the_seed_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Mapping[str, Sequence[float]], int]] = []

    def drawn(by_call: Mapping[str, Sequence[float]], *, seed: int) -> Interval:
        asked.append((by_call, seed))
        return wilson(1, 2)

    monkeypatch.setattr(proper_nouns, "bootstrap_mean_by_call", drawn)
    uneven = {"a": [1.0, 0.0, 1.0], "b": [1.0], "c": [0.0]}
    assert accuracy_interval(uneven) == wilson(1, 2)
    assert accuracy_interval(uneven, seed=3) == wilson(1, 2)
    assert asked == [(uneven, 0), (uneven, 3)]
