"""Every entry of the tables of English writing, and where each rule ends: the same sound, the same words."""

from __future__ import annotations

import pytest

from metrics.recognition.english import normalize_english

SAME = [
    # Expected form first, then all that must come to it.
    ("a quarter mile", "¼ mile"),
    ("3 quarters full", "¾ full", "three quarters full"),
    ("5 pounds", "£5", "5£", "five pounds"),
    ("5 euros", "€5", "5 €", "five euros"),
    ("5 yuan", "¥5", "five yuan"),
    ("5 rupees", "₹5", "five rupees"),
    ("1 pounds", "£1", "one pound"),
    ("1 euros", "€1", "one euro"),
    ("1 rupees", "₹1", "one rupee"),
    ("1 cents", "one cent", "$0.01"),
    ("10 cents", "$0.10", "ten cents"),
    ("0 cents", "0.00 dollars"),
    ("it was 50 cents", "it was $0.50", "it was fifty cents"),
    ("99 cents off", "$0.99 off", "ninety nine cents off"),
    ("0.5 dollars", "$0.5"),
    ("0.125 dollars", "$0.125"),
    ("1.50 dollars", "$1.50", "one dollar fifty"),
    ("3.5 euros", "3.5 euro"),
    ("2 plus 2 equals 4", "2+2=4", "two plus two equals four"),
    ("20 degrees", "20°", "twenty degrees"),
    ("5000 dollars", "$5k", "$5 thousand", "five thousand dollars"),
    ("5000000 dollars", "$5m", "$5mn", "five million dollars"),
    ("5000000000 dollars", "$5bn", "five billion dollars"),
    ("number 5", "#5", "# 5", "number five"),
    ("3 and 7", "٣ and ٧"),
    ("한", "한"),
    ("mrs jones", "Mrs. Jones", "missus Jones"),
    ("us vs them", "us vs. them", "us versus them"),
    ("going to", "gonna"),
    ("want to", "wanna"),
    ("got to", "gotta"),
    ("let me", "lemme"),
    ("give me", "gimme"),
    ("that is alright then", "that's all right then", "that's alright then"),
    ("ai", "AI", "A.I.", "a i"),
    ("we shall not", "we shan't"),
    ("they are", "they're", "theyre"),
    ("you are", "you're", "youre"),
    ("we will", "we'll"),
    ("i have", "I've", "ive"),
    ("that is", "that's", "thats"),
    ("what is", "what's", "whats"),
    ("aint", "ain't"),
    ("i had been", "I'd been"),
    ("she has got it", "she's got it"),
    ("the 5th", "the fifth", "the 5th"),
    ("the 201st caller", "the two hundred first caller", "the two hundred and first caller"),
    ("the 21st cent", "the twenty-first cent", "the 21st cent"),
    ("3 pm sharp", "three p m sharp", "3 p.m. sharp"),
    ("at 3 sharp", "at three o'clock sharp", "at 3:00 sharp"),
    ("what oclock", "what o'clock"),
    ("dollars are fine", "dollars are fine"),
    ("5.50 dollars then", "five dollars and fifty cents then", "five dollars fifty then"),
    ("5.05 dollars please", "five dollars five cents please", "five dollars and five cents please"),
    ("5.01 dollars", "five dollars one cent", "five dollars and one cent"),
    ("5.50 pounds", "five pounds fifty"),
    ("5.50 euros", "five euros fifty"),
    ("5 yuan 50", "five yuan fifty"),
    # No cents: a number of something else, more than two digits, beside a fraction, or no number.
    ("5 dollars and 5 people", "five dollars and five people"),
    ("5 dollars and 50 people", "five dollars and fifty people"),
    ("5 dollars 5 people", "five dollars five people"),
    ("5 dollars 100 cents", "five dollars one hundred cents"),
    ("5.5 dollars 50 cents", "five point five dollars fifty cents"),
    ("5 dollars in cents", "five dollars in cents"),
    ("5 dollars and", "five dollars and"),
    # Letters: joined where they are spelled, words of their own where "a" or "i" is one of two.
    ("gate 5 b", "gate five B"),
    ("so i b", "so I b"),
    ("xy", "x y", "X.Y."),
]


@pytest.mark.parametrize("forms", SAME, ids=lambda forms: forms[0])
def test_same_sound_same_words(forms: tuple[str, ...]) -> None:
    expected, *written = forms
    assert {text: normalize_english(text) for text in written} == dict.fromkeys(written, expected)
