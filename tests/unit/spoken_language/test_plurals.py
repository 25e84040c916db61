from __future__ import annotations

import pytest

from spoken_language.plurals import plural


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("call", "calls"),
        ("reply", "replies"),
        ("stretch", "stretches"),
        ("day", "days"),
        ("guess", "guesses"),
    ],
)
def test_regular_nouns(one: str, several: str) -> None:
    assert plural(one) == several
