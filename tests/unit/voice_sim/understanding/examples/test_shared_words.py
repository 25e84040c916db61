"""How much of an utterance's content words the examples have, weighted by rarity."""

from __future__ import annotations

import math

import pytest

from voice_sim.understanding.examples.shared_words import ExampleWords


def test_the_rarer_word_counts_for_more() -> None:
    words = ExampleWords(
        [["digits of the phone"], ["digits of the card"], ["your address"]], ["nice weather"]
    )
    shared = words.shared_with("The card digits?")
    # Four groups: "digit" in two of them, "card" in one.
    digits, card = math.log(5 / 3), math.log(5 / 2)
    assert shared.items == pytest.approx([digits / (digits + card), 1.0, 0.0])
    assert shared.nothing == 0.0


def test_a_word_that_nobody_has_takes_from_everybodys_share() -> None:
    words = ExampleWords([["the card"]], [])
    card, unknown = math.log(3 / 2), math.log(3 / 1)
    assert words.shared_with("card helicopter").items == pytest.approx([card / (card + unknown)])


def test_without_content_words_nothing_is_shared() -> None:
    assert ExampleWords([["the card"]], ["well"]).shared_with("And so it is.").items == pytest.approx([0.0])
