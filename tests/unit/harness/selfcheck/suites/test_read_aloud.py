"""The check of a suite that is read aloud finds what could not be judged, and passes what can."""

from __future__ import annotations

from typing import Any

import pytest

from harness.plans.probes.read_aloud import ReadAloudSuite
from harness.selfcheck.suites.read_aloud import check_read_aloud

GOOD = {
    "id": "one",
    "kind": "currency",
    "language": "en",
    "text": "That comes to $4 in all.",
    "key": "$4",
    "readings": ["four dollars"],
    "wrong": ["dollar four"],
}


def _problem(*items: dict[str, Any]) -> str:
    suite = ReadAloudSuite.model_validate(
        {
            "name": "mine",
            "version": "1",
            "summary": "",
            "callers": {"en": {"engine": "piper", "name": "joe"}},
            "items": items,
        }
    )
    (checked,) = check_read_aloud(suite)
    assert checked.items == len(items)
    return checked.problem


def test_good_items_have_no_problem() -> None:
    other = GOOD | {"id": "two", "text": "You owe me $9 from Friday.", "key": "$9"}
    assert _problem(GOOD, other) == ""


@pytest.mark.parametrize("said", ["4 dollars", "$ four", "four-dollars"])
def test_a_reading_that_somebody_would_have_to_read_first_is_found(said: str) -> None:
    assert _problem(GOOD | {"readings": [said]}).endswith("write it in words")
    assert _problem(GOOD | {"wrong": [said]}).endswith("write it in words")


def test_a_sentence_with_few_words_beside_its_key_is_found() -> None:
    assert "2 words around its key, 4 are needed" in _problem(GOOD | {"text": "It is $4."})


STRESSED = {
    "id": "stressed",
    "kind": "price",
    "language": "en",
    "text": "Listen to this. The room is forty pounds a night for two.",
    "key": "forty pounds",
    "control": "plain",
}
PLAIN = {
    "id": "plain",
    "kind": "price",
    "language": "en",
    "text": "Here you are. The room is forty pounds a night for two.",
    "key": "forty pounds",
}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, ""),
        (
            {"text": "Here you are. The room is forty pounds a week for four."},
            "its last 4 words are not",
        ),
        ({"key": "two", "text": PLAIN["text"]}, "its key is not that of its control, 'two'"),
    ],
)
def test_a_sentence_that_says_something_else_than_its_control_is_found(
    changed: dict[str, Any], told: str
) -> None:
    assert told in _problem(PLAIN | changed, STRESSED)
    assert bool(told) == bool(_problem(PLAIN | changed, STRESSED))


def test_a_foreign_phrase_has_the_words_around_it_that_its_control_has() -> None:
    native = PLAIN | {"text": "We serve it with a salad on the side.", "key": "salad"}
    foreign = STRESSED | {"text": "We serve it with a 沙拉 on the side.", "key": "沙拉", "key_language": "zh"}
    assert _problem(native, foreign) == ""
    other = foreign | {"text": "We bring it with a 沙拉 on a side dish."}
    assert _problem(native, other) == "stressed: other words around its key than in its control"


def test_two_sentences_that_differ_in_their_keys_alone_are_found_unless_they_are_compared() -> None:
    twin = GOOD | {"id": "two", "text": "That comes to $9 in all.", "key": "$9"}
    assert "another sentence has the same words" in _problem(GOOD, twin)
    assert _problem(GOOD, twin | {"control": "one"}) == ""
