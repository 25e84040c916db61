"""How alike letters have to be, at the bound, and what of a text is compared."""

from __future__ import annotations

import pytest

from metrics.recognition.switched_word import fits, likeness, understood


@pytest.mark.parametrize(
    ("wanted", "heard", "alike", "told"),
    [
        # Of ten letters in both words six are in common, in order; of fourteen eight; of eleven eight.
        ("abcde", "abcxy", 0.6, True),
        ("abcdefg", "abcdxyz", 8 / 14, False),
        ("abcde", "abcdxy", 8 / 11, True),
    ],
)
def test_six_tenths_of_the_letters_are_enough(wanted: str, heard: str, alike: float, told: bool) -> None:
    assert likeness(wanted, heard) == pytest.approx(alike)
    assert understood(wanted, heard) is told
    assert understood(heard, wanted) is told


def test_accents_blanks_marks_and_case_are_no_letters() -> None:
    assert likeness("Déjà vu", "deja-VU!") == 1.0
    assert likeness("Wi-Fi 5", "wifi5") == 1.0


def test_200_characters_are_compared() -> None:
    assert likeness("a" * 200, "a" * 200 + "bcd") == 1.0
    # The last of them is another: 199 in common of 200 each.
    assert likeness("a" * 199 + "b", "a" * 199 + "c") == pytest.approx(0.995)


def test_of_nothing_nothing_is_alike() -> None:
    assert (likeness("", ""), likeness("?!", "..."), likeness("", "a"), likeness("a", "")) == (0.0,) * 4


def test_the_best_of_the_others_and_what_was_written_both_have_to_be_behind() -> None:
    assert fits(-10.0, others=[-12.0, -40.0], written=-5.5) is True
    assert fits(-10.0, others=[-11.9, -40.0], written=-20.0) is False
    assert fits(-10.0, others=[-40.0, -40.0], written=-5.4) is False
    assert fits(-10.0, others=[], written=-5.4) is False


def test_without_others_the_word_was_said_whatever_its_logarithm() -> None:
    """-0.3 - 2 + 2 is a little more than -0.3."""
    assert fits(-0.3, others=[], written=-0.3) is True
