"""Which utterance a transcript's words are of: known answers, and every sharing out tried one by one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.recognition.attribution import MOST_CELLS, ToldText, attributed

CURTAINS = "I would like to change the size of my curtains."
VAN = "The blue van is parked behind the old bakery."


def shared(said: Sequence[str], *told: tuple[str, int]) -> list[tuple[str, int]]:
    found = attributed(said, [ToldText(text=text, utterance=place) for text, place in told])
    return [(one.text, one.utterance) for one in found]


def test_one_text_of_two_utterances_is_cut_between_them() -> None:
    heard = "I would like to change the size of my girl.  The blue band is parked behind the old bacer."
    assert shared([CURTAINS, VAN], ("I'm gonna use the red sauce.", 0), (heard, 1)) == [
        ("I'm gonna use the red sauce.", 0),
        ("I would like to change the size of my girl.", 0),
        ("The blue band is parked behind the old bacer.", 1),
    ]


def test_a_text_that_comes_late_is_of_what_was_said_before() -> None:
    assert shared([CURTAINS, VAN], (CURTAINS, 1), (VAN, 1)) == [(CURTAINS, 0), (VAN, 1)]
    assert shared(["Yes.", "My number is five."], ("Yes", 1), ("my number is 5", 1)) == [
        ("Yes", 0),
        ("my number is 5", 1),
    ]


def test_two_texts_of_one_utterance_stay_with_it() -> None:
    told = [("I would like to change", 0), ("the size of my curtains", 0)]
    assert shared([CURTAINS, VAN], *told) == told


def test_characters_are_the_words_of_chinese() -> None:
    assert shared(["你好我想问一下", "我的号码是五"], ("你好，我想问一下。我的号码是五", 1)) == [
        ("你好，我想问一下。", 0),
        ("我的号码是五", 1),
    ]


def test_an_end_that_was_not_heard_borrows_no_word() -> None:
    """Taking "um" for "thank" would save one error: the alignment of the whole call does."""
    told = [("yes please", 0), ("um no I want that", 1)]
    assert shared(["yes please thank you", "no I want that"], *told) == told


def test_nothing_is_of_an_utterance_that_had_not_begun() -> None:
    assert shared([CURTAINS, VAN], (VAN, 0)) == [(VAN, 0)]


@pytest.mark.parametrize("text", ["...", "   ?", ""])
def test_what_has_no_words_stays(text: str) -> None:
    assert shared(["a", "b"], (text, 1)) == [(text, 1)]


def test_where_the_words_said_are_not_known_all_stays() -> None:
    assert shared(["", ""], ("one two", 0), ("three", 1)) == [("one two", 0), ("three", 1)]


def test_texts_beyond_measure_stay() -> None:
    many = " ".join(["word"] * (MOST_CELLS // 100))
    said = [" ".join(["word"] * 100), " ".join(["other"] * 100)]
    assert shared(said, (many, 1)) == [(many, 1)]


@pytest.mark.parametrize("places", [(1, 0), (2,), (-1,)])
def test_texts_out_of_order_are_refused(places: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="came after utterances"):
        shared(["a", "b"], *(("a", place) for place in places))


WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4)


@given(data=st.data())
def test_no_other_sharing_out_costs_less(data: st.DataObject) -> None:
    """Two an error (by jiwer), three a part that is taken for an earlier utterance."""
    said = data.draw(st.lists(WORDS, min_size=1, max_size=3))
    places = sorted(data.draw(st.lists(st.integers(0, len(said) - 1), min_size=1, max_size=2)))
    told = [(data.draw(WORDS), place) for place in places]
    words = [(word, text) for text, (of, _) in enumerate(told) for word in of]

    def cost(shares: Sequence[int]) -> int:
        found = 0
        for place, reference in enumerate(said):
            taken = [word for (word, _), share in zip(words, shares, strict=True) if share == place]
            told_of = jiwer.process_words(" ".join(reference), " ".join(taken))
            found += 2 * (told_of.substitutions + told_of.deletions + told_of.insertions)
        parts = [
            (text, share) for (_, text), share in zip(words, shares, strict=True) if share < told[text][1]
        ]
        return found + 3 * len(dict.fromkeys(parts))

    possible = (
        shares
        for shares in itertools.combinations_with_replacement(range(len(said)), len(words))
        if all(share <= told[text][1] for share, (_, text) in zip(shares, words, strict=True))
    )
    found = shared([" ".join(one) for one in said], *((" ".join(of), place) for of, place in told))
    mine = [share for text, share in found for _ in text.split()]
    assert " ".join(text for text, _ in found) == " ".join(word for word, _ in words)
    assert cost(mine) == min(map(cost, possible))
