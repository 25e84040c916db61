"""The parts of an utterance that may each mean something."""

from __future__ import annotations

from voice_sim.understanding.examples.pieces import MOST_PIECES, pieces_of


def test_the_whole_comes_first_then_its_sentences() -> None:
    text = "Well, thank you. If you had to say, what would you give it out of ten?"
    assert pieces_of(text, "en") == [
        text,
        "Well, thank you.",
        "If you had to say, what would you give it out of ten?",
    ]


def test_one_sentence_is_one_piece_and_one_said_twice_is_one() -> None:
    assert pieces_of("What for?", "en") == ["What for?"]
    assert pieces_of("What for? What for?", "en") == ["What for? What for?", "What for?"]


def test_chinese_sentences_are_told_by_their_marks() -> None:
    assert pieces_of("好的。那您打几分呢？", "zh") == ["好的。那您打几分呢？", "好的。", "那您打几分呢？"]


def test_of_a_long_speech_the_last_parts_count() -> None:
    text = " ".join(f"This is the sentence with number {number}." for number in range(40))
    pieces = pieces_of(text, "en")
    assert len(pieces) == MOST_PIECES
    assert pieces[0] == text
    assert pieces[-1] == "This is the sentence with number 39."
