"""How an agent conducts a turn, on timelines worked out by hand: the caller speaks from 10 to 12 and from 13
to 15 s, one turn with a pause of a second."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.interaction.conduct import CameIn, came_in, longest_silence, pauses_in, says_the_same
from metrics.interaction.turns import Line, Turn, WaitEnd
from metrics.spans import Span
from metrics.speech import Talk


def span(start_s: float, end_s: float) -> Span:
    return Span(start_s=start_s, end_s=end_s)


def talk(start_s: float, end_s: float, *, soft: bool = True, doubt: str = "") -> Talk:
    whole = span(start_s, end_s)
    return Talk(span=whole, clusters=(whole,), soft_end=soft, end_doubt=doubt)


TURN = Turn(span=span(10, 15), until_s=25.0, ended=WaitEnd.CALLER_SPOKE, resolution_s=0.02)
SPEECH = (span(10, 12), span(13, 15))
LINE = Line(talks=(), end_s=30.0, caller=(TURN.span,))


def entered(*talks: Talk, asks: bool = False, line: Line = LINE) -> CameIn:
    return came_in(TURN, replace(line, talks=talks), SPEECH, asks_before_its_end=asks)


@pytest.mark.parametrize(
    ("talks", "entry", "double_s"),
    [
        ([talk(15.3, 18)], "none", 0.0),  # a plain answer, however fast
        ([talk(14.99, 18)], "none", 0.0),  # closer to the end than the error bar
        ([talk(11, 11.6)], "none", 0.0),  # "mm-hm"
        ([talk(12.4, 12.8)], "none", 0.0),  # "mm-hm" in the pause
        ([talk(12.4, 14)], "split", 1.0),  # 13 to 14 both speak
        ([talk(12.4, 13.2, soft=False)], "split", 0.2),  # it hears the caller go on, and stops
        ([talk(13.29, 16)], "split", 1.71),  # it was on its way when the caller went on
        ([talk(13.31, 16)], "overlap", 1.69),
        ([talk(12.19, 16)], "overlap", 2.0),  # so short a quiet was no pause yet
        ([talk(11, 11.6, soft=False)], "false_start", 0.6),
        ([talk(11, 11.6, soft=False, doubt="lost")], "none", 0.0),  # lost audio hides how it ended
        ([talk(10.5, 11.5)], "overlap", 1.0),
        ([talk(10.5, 10.9), talk(14, 17)], "overlap", 1.0),  # the listener's noise before it is none
        ([talk(10.29, 16)], "not_counted", 0.0),  # both began at once
        ([talk(8, 16)], "not_counted", 0.0),  # it was speaking
        ([talk(8, 9.7), talk(14, 17)], "overlap", 1.0),  # it had finished before
    ],
)
def test_how_it_comes_in(talks: list[Talk], entry: str, double_s: float) -> None:
    found = entered(*talks)
    assert (str(found.entry), found.double_s) == (entry, pytest.approx(double_s))
    assert (found.at_s is None) == (entry in ("none", "not_counted"))


def test_double_talk_is_that_of_the_turn_and_not_of_those_after_it() -> None:
    """The agent comes in at 14 s and speaks on through the caller's next turns, from 17 to 27 and from 28 to
    34 s: of this turn it spoke over one second."""
    later = (span(17, 27), span(28, 34))
    found = came_in(TURN, replace(LINE, talks=(talk(14, 36),)), (*SPEECH, *later))
    assert (str(found.entry), found.double_s) == ("overlap", pytest.approx(1.0))


def test_a_question_inside_a_turn_may_be_answered_in_its_pause_and_not_over_its_words() -> None:
    assert str(entered(talk(12.4, 14), asks=True).entry) == "not_counted"
    assert str(entered(talk(11, 14), asks=True).entry) == "overlap"


def test_tones_have_no_soft_ends() -> None:
    assert str(entered(talk(11, 11.6, soft=False), line=replace(LINE, tones=True)).entry) == "none"


def test_pauses() -> None:
    speech = [span(8, 9), span(10, 11), span(11.19, 12), span(12.25, 15), span(16, 17)]
    assert pauses_in(span(10, 15), speech) == [span(12, 12.25)]


def test_the_longest_silence_is_before_or_within_the_reply() -> None:
    reply = [talk(16, 17), talk(22, 23)]
    assert longest_silence(TURN, LINE, reply) == span(17, 22)
    assert longest_silence(TURN, LINE, reply[1:]) == span(15, 22)
    assert longest_silence(TURN, replace(LINE, lost=(span(18, 18.3),)), reply) is None
    assert longest_silence(TURN, replace(LINE, lost=(span(18, 18.2),)), reply) == span(17, 22)


@pytest.mark.parametrize(
    ("other", "longest"),
    [
        (span(18.5, 19), span(17, 18.5)),
        (span(16.5, 19), span(15, 16)),  # it speaks over the agent, which fell silent for it
        (span(17, 17.5), span(15, 16)),
        (span(15.5, 17), span(17, 22)),  # it is over when the quiet begins
        (span(22, 23), span(17, 22)),
        (span(15.25, 21), span(15, 15.25)),
    ],
)
def test_a_silence_ends_where_the_other_side_makes_a_sound(other: Span, longest: Span) -> None:
    reply = [talk(16, 17), talk(22, 23)]
    assert longest_silence(TURN, LINE, reply, others=[other]) == longest


def test_the_same_words() -> None:
    ten = ["please", "tell", "me", "the", "number", "of", "your", "order", "right", "now"]
    assert says_the_same(ten, ten)
    assert says_the_same(ten, [*ten[:9], "soon"])  # 9 of 10
    assert not says_the_same(ten, [*ten[:8], "very", "soon"])
    assert not says_the_same(ten, list(reversed(ten)))
    assert not says_the_same(["okay", "thank", "you"], ["okay", "thank", "you"])
