"""Where a phrase is said, by hand: words of known times."""

from __future__ import annotations

from metrics.spans import Span
from metrics.synthesis.prosody.places import place_phrase
from metrics.transcript import Word

AFTER = "and you can use it."


def phrase_span(words: list[Word], *, before: str, phrase: str, after: str) -> Span | None:
    found = place_phrase(words, before=before, phrase=phrase, after=after)
    return None if found is None else found.span


def heard(text: str, *, each_s: float = 0.5) -> list[Word]:
    return [
        Word(word=word, start_s=number * each_s, end_s=(number + 1) * each_s - 0.1, probability=1.0)
        for number, word in enumerate(text.split())
    ]


def test_digits_that_were_written_as_a_number_lie_between_the_carriers_words() -> None:
    words = heard("This is by the way. Your number is 4729 and you can use it.")
    found = phrase_span(
        words, before="Your number is", phrase="four seven two nine", after="and you can use it."
    )
    assert found == Span(start_s=4.0, end_s=4.4)
    placed = place_phrase(words, before="Your number is", phrase="four seven two nine", after=AFTER)
    assert placed is not None
    assert placed.heard == "4729"


def test_a_word_of_the_carrier_that_was_misheard_is_stepped_over() -> None:
    words = heard("your number his 4729 end you can use it")
    found = phrase_span(
        words, before="Your number is", phrase="four seven two nine", after="and you can use it."
    )
    assert found == Span(start_s=1.5, end_s=1.9)


def test_characters_of_one_word_share_its_time() -> None:
    words = [
        Word(word="号码是", start_s=0.0, end_s=0.6, probability=1.0),
        Word(word="4729今", start_s=0.6, end_s=1.6, probability=1.0),
        Word(word="天可以用", start_s=1.6, end_s=2.4, probability=1.0),
    ]
    assert phrase_span(words, before="号码是", phrase="四七二九", after="今天可以用") == Span(
        start_s=0.6, end_s=1.1
    )


def test_at_the_beginning_and_at_the_end() -> None:
    words = heard("Paris is where we meet")
    assert phrase_span(words, before="", phrase="Paris", after="is where we meet") == Span(
        start_s=0, end_s=0.4
    )
    words = heard("we meet in Paris")
    assert phrase_span(words, before="we meet in", phrase="Paris", after="") == Span(start_s=1.5, end_s=1.9)


def test_nothing_is_placed_where_the_carrier_was_not_recognised() -> None:
    args = {"before": "Your number is", "phrase": "four seven", "after": "and you can use it."}
    assert phrase_span([], **args) is None
    assert phrase_span(heard("something else was said here"), **args) is None
    assert phrase_span(heard("your number is and you can use it"), **args) is None
