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


def test_two_sentences_that_differ_in_their_keys_alone_are_found_unless_they_are_compared() -> None:
    twin = GOOD | {"id": "two", "text": "That comes to $9 in all.", "key": "$9"}
    assert "another sentence has the same words" in _problem(GOOD, twin)
    assert _problem(GOOD, twin | {"control": "one"}) == ""
