"""The grammar of phrases, by hand."""

from __future__ import annotations

import pytest

from spoken_language.phrases import marked, option_pattern, parse, part_pattern


def _words(text: str) -> list[str]:
    return text.lower().split()


def test_parts_alternatives_and_words() -> None:
    trouble = (("sorry",), ("apologi*",)), (("the", "trouble"),)
    assert parse("sorry | apologi* + the trouble", _words) == trouble
    assert parse("c++ | a+b", _words) == ((("c++",), ("a+b",)),)


@pytest.mark.parametrize("phrase", ["", "sorry |", "| sorry", "sorry + ", "+ sorry", "sorry + + trouble"])
def test_what_says_nothing_to_look_for_is_refused(phrase: str) -> None:
    with pytest.raises(ValueError, match="has an empty part or alternative"):
        parse(phrase, _words)


@pytest.mark.parametrize(
    ("phrase", "turn", "found"),
    [
        ("the trouble", "sorry for the trouble", True),
        ("the trouble", "the other trouble", False),
        ("rouble", "the trouble", False),
        ("trou", "the trouble", False),
        ("trou*", "the trouble", True),
        ("the trou* here", "the troubles here", True),
        ("the trou* here", "the troubles right here", False),
        ("a.c", "abc", False),
        ("sorry | trouble", "trouble", True),
    ],
)
def test_whole_words_side_by_side_are_found(phrase: str, turn: str, found: bool) -> None:
    (part,) = parse(phrase, _words)
    assert bool(part_pattern(part).search(marked(_words(turn)))) is found


def test_neighbours_are_both_found() -> None:
    """The mark between two words serves both."""
    assert len(option_pattern(["no"]).findall(marked(["no", "no", "no"]))) == 3
