"""Acts by words, set right by what the sentences are nearest to."""

from __future__ import annotations

from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.process_talk.acts import plausible, with_last_act
from voice_sim.understanding.process_talk.lines import PROCESS_ACTS


def test_words_are_not_believed_where_no_line_speaks_for_it() -> None:
    by_words = acts_of("Is there anything you'd like to do on your birthday?", "en")
    assert by_words.asks_for_more
    assert not with_last_act(by_words, None, possible=()).asks_for_more
    assert with_last_act(by_words, None, possible=("more",)).asks_for_more


def test_what_the_words_do_not_show_is_added() -> None:
    by_words = acts_of("What haven't we covered?", "en")
    assert not by_words.asks_for_more
    assert with_last_act(by_words, "more", possible=PROCESS_ACTS).asks_for_more


def test_an_offer_without_a_question_mark_wants_a_yes_or_no() -> None:
    by_words = acts_of("The price stays. I could put you down for ten.", "en")
    assert not by_words.asks
    offered = with_last_act(by_words, "offer", possible=("offer",))
    assert [(one.asks, one.proposes) for one in offered.sentences] == [(False, False), (True, True)]


def test_an_introduction_is_no_farewell_and_nearness_ends_no_call() -> None:
    opening = acts_of("Hello, this is Lyemink from Change On Bank.", "en")
    assert plausible(opening, "bye") is None
    assert plausible(opening, "identity") == "identity"
    assert not with_last_act(opening, "bye", possible=("bye",)).farewell


def test_sympathy_asks_nothing() -> None:
    by_words = acts_of("Oh, I'm sorry to hear that.", "en")
    assert with_last_act(by_words, "feeling", possible=("feeling",)) == by_words
