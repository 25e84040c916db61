"""Every field of how an agent comes into a turn, and the bounds from both sides. The caller speaks from 10 to
12 and from 13 to 15 s, one turn with a pause of a second."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.conduct import (
    CameIn,
    came_in,
    hides_entries,
    longest_silence,
    pauses_in,
    says_the_same,
)
from metrics.interaction.entry import Entry
from metrics.interaction.turns import Line, Turn, WaitEnd
from metrics.spans import Span
from metrics.speech import Talk

PATH = EchoPath(delay_s=0.2, gain_db=-30.0, talks=3, seconds=4.0)
ECHO_HIDES = (
    "the caller's own voice comes back on the agent's channel (line echo, 200 ms later, -30 dB): "
    "the agent's onset cannot be told from it"
)
AT_ONCE = "both began within 0.3 s of each other"
WAS_SPEAKING = "the agent was speaking when the turn began"
ASKED = "the caller asked something before its end, and may have been answered"


def span(start_s: float, end_s: float) -> Span:
    return Span(start_s=start_s, end_s=end_s)


def talk(
    start_s: float, end_s: float, *, soft: bool = True, doubt: str = "", echo_s: float | None = None
) -> Talk:
    """``echo_s``: an echo of 20 ms begins there."""
    whole = span(start_s, end_s)
    plain = Talk(span=whole, clusters=(whole,), soft_end=soft, end_doubt=doubt)
    return plain if echo_s is None else replace(plain, echo=PATH, hidden=(span(echo_s, echo_s + 0.02),))


TURN = Turn(span=span(10, 15), until_s=25.0, ended=WaitEnd.CALLER_SPOKE, resolution_s=0.02)
SPEECH = (span(10, 12), span(13, 15))
LINE = Line(talks=(), end_s=30.0, caller=(TURN.span,))
NOT = CameIn(entry=Entry.NONE)


def entered(*talks: Talk, asks: bool = False, line: Line = LINE) -> CameIn:
    return came_in(TURN, replace(line, talks=talks), SPEECH, asks_before_its_end=asks)


def not_counted(reason: str) -> CameIn:
    return CameIn(entry=Entry.NOT_COUNTED, reason=reason)


def assert_came(found: CameIn, entry: Entry, at_s: float, double_s: float, reason: str) -> None:
    assert (found.entry, found.at_s, found.reason) == (entry, at_s, reason)
    assert found.double_s == pytest.approx(double_s)


def test_every_field_of_how_it_came_in() -> None:
    assert_came(
        entered(talk(12.4, 14)), Entry.SPLIT, 12.4, 1.0, "the agent began 0.40 s into a pause of 1.00 s"
    )
    broke_off = "the agent broke off after 0.60 s, while the caller spoke on"
    assert_came(entered(talk(11, 11.6, soft=False)), Entry.FALSE_START, 11, 0.6, broke_off)
    assert_came(
        entered(talk(13.5, 17)), Entry.OVERLAP, 13.5, 1.5, "the agent began 1.50 s before the caller's end"
    )
    assert entered() == NOT
    assert entered(talk(15.3, 18)) == NOT


def test_the_reason_tells_of_the_pause_that_it_followed_on() -> None:
    speech = (span(10, 11), span(11.5, 13), span(13.25, 15))
    found = came_in(TURN, replace(LINE, talks=(talk(13.21, 14.5),)), speech)
    assert_came(found, Entry.SPLIT, 13.21, 1.25, "the agent began 0.21 s into a pause of 0.25 s")


def test_an_agent_that_spoke_until_200_ms_before_the_turn_or_since_its_first_sample_does_not_come_in() -> (
    None
):
    later = talk(13.5, 17)
    was_speaking = not_counted(WAS_SPEAKING)
    assert entered(talk(8, 9.8), later).entry is Entry.OVERLAP
    assert entered(talk(8, 9.81), later) == was_speaking
    assert entered(talk(10, 16)) == was_speaking
    # One of several is enough.
    assert entered(talk(2, 3), talk(8, 16), talk(18, 20)) == was_speaking


def test_an_onset_within_300_ms_of_the_turns_is_at_once() -> None:
    assert entered(talk(10.01, 16)) == not_counted(AT_ONCE)
    assert entered(talk(10.29, 16)) == not_counted(AT_ONCE)
    assert entered(talk(10.3, 16)).entry is Entry.OVERLAP
    # What comes after it counts.
    assert entered(talk(10.1, 10.4), talk(13.5, 17)).at_s == 13.5
    # What did not come in after it leaves it unclear.
    assert entered(talk(10.1, 10.4), talk(13.5, 14)) == not_counted(AT_ONCE)


def test_an_onset_closer_to_the_end_than_the_error_bar_is_an_answer() -> None:
    assert entered(talk(14.97, 18)).entry is Entry.OVERLAP
    assert entered(talk(14.98, 18)) == NOT
    assert entered(talk(15.01, 18)) == NOT


def test_an_onset_under_an_echo_is_not_counted_and_a_clear_one_after_it_is() -> None:
    hidden = talk(10.9, 11.5, soft=False, echo_s=10.85)
    assert entered(hidden) == not_counted(ECHO_HIDES)
    assert entered(hidden, talk(13.5, 17)).at_s == 13.5
    # An echo elsewhere hides nothing of it.
    assert entered(talk(10.9, 11.5, soft=False, echo_s=11.3)).entry is Entry.FALSE_START


def test_an_answer_to_a_question_in_the_turn_is_not_counted_and_what_comes_after_it_is() -> None:
    assert entered(talk(12.4, 14), asks=True) == not_counted(ASKED)
    assert entered(talk(12.4, 13.2), talk(13.5, 17), asks=True).at_s == 13.5
    assert came_in(TURN, replace(LINE, talks=(talk(12.4, 14),)), SPEECH).entry is Entry.SPLIT


@pytest.mark.parametrize(
    ("onset_s", "entry"),
    [
        (12.19, Entry.OVERLAP),
        (12.2, Entry.SPLIT),
        (12.8, Entry.SPLIT),
        (13.3, Entry.SPLIT),
        (13.31, Entry.OVERLAP),
    ],
)
def test_a_split_is_from_200_ms_into_a_pause_until_300_ms_after_it(onset_s: float, entry: Entry) -> None:
    assert entered(talk(onset_s, 17)).entry is entry


@pytest.mark.parametrize(
    ("one", "entry"),
    [
        # A second of speech inside the turn is no listener's noise, and less is, where it ends by itself.
        (talk(10.5, 11.5), Entry.OVERLAP),
        (talk(10.5, 11.49), Entry.NONE),
        (talk(10.5, 12.5), Entry.OVERLAP),
        # Less than a second, but beyond the turn, or to its last sample.
        (talk(14.5, 15.2), Entry.OVERLAP),
        (talk(14.5, 15), Entry.OVERLAP),
        (talk(14.5, 14.99), Entry.NONE),
        # To break off, it has to end before the caller does.
        (talk(14.5, 15, soft=False), Entry.OVERLAP),
        (talk(14.5, 14.99, soft=False), Entry.FALSE_START),
        (talk(14.5, 17, soft=False), Entry.OVERLAP),
        (talk(10.5, 12.5, soft=False), Entry.FALSE_START),
        # How it ended is hidden.
        (talk(10.5, 11, soft=False, doubt="lost"), Entry.NONE),
        (talk(10.5, 12.5, soft=False, doubt="lost"), Entry.OVERLAP),
    ],
)
def test_what_is_short_and_what_is_cut(one: Talk, entry: Entry) -> None:
    assert entered(one).entry is entry


@pytest.mark.parametrize(
    ("lost", "entry"),
    [
        (span(11.4, 11.6 + 0.02), Entry.NONE),
        (span(11.4, 11.619), Entry.FALSE_START),
        (span(11.6 + 0.02, 12), Entry.NONE),
        (span(11.621, 12), Entry.FALSE_START),
    ],
)
def test_audio_lost_20_ms_after_its_last_sample_hides_how_it_ended(lost: Span, entry: Entry) -> None:
    line = replace(LINE, lost=(span(1, 2), lost))
    assert entered(talk(11, 11.6, soft=False), line=line).entry is entry


def test_tones_break_off_nowhere() -> None:
    tones = replace(LINE, tones=True)
    assert entered(talk(11, 11.6), line=tones).entry is Entry.NONE
    assert entered(talk(10.5, 12.5, soft=False), line=tones).entry is Entry.OVERLAP


def test_double_talk_is_where_the_agents_voice_and_the_callers_fall_together() -> None:
    """The agent sounds from 11.5 to 12.6 and from 12.9 to 13.4 s: 0.5 s and 0.4 s of it over the caller."""
    whole = span(11.5, 13.4)
    one = Talk(span=whole, clusters=(span(11.5, 12.6), span(12.9, 13.4)), soft_end=True)
    found = entered(one)
    assert found.entry is Entry.OVERLAP
    assert found.double_s == pytest.approx(0.9)
    # The same voice told in two parts that overlap is counted once.
    twice = came_in(TURN, replace(LINE, talks=(one,)), (*SPEECH, span(11, 12)))
    assert twice.double_s == pytest.approx(0.9)


def test_a_pause_lasts_200_ms_or_more_between_what_lies_in_the_turn() -> None:
    assert pauses_in(span(-5, 5), [span(-1, 0.0), span(0.2, 1)]) == [span(0.0, 0.2)]
    assert pauses_in(span(-5, 5), [span(-1, 0.0), span(0.19, 1)]) == []
    # Speech that only touches the turn is not in it, and a tenth of a second of it is.
    assert pauses_in(span(0, 5), [span(-1, 0), span(2, 5)]) == []
    assert pauses_in(span(0, 5), [span(-1, 0.1), span(2, 5)]) == [span(0.1, 2)]
    assert pauses_in(span(0, 5), [span(0, 1), span(2, 3), span(4, 5)]) == [span(1, 2), span(3, 4)]


ECHO = LineEcho(path=PATH)


def test_without_an_echo_nothing_hides_an_entry() -> None:
    assert hides_entries([TURN], replace(LINE, talks=(talk(12, 14, echo_s=12),))) is False


def test_an_echo_as_loud_as_the_agent_hides_all_entries() -> None:
    assert hides_entries([], replace(LINE, echo=replace(ECHO, masks=True))) is True
    assert hides_entries([TURN], replace(LINE, echo=ECHO)) is False


@pytest.mark.parametrize(
    ("onset_s", "hides"), [(10, False), (10.01, True), (14.97, True), (14.98, False), (14.99, False)]
)
def test_an_echo_hides_an_entry_where_an_onset_in_a_turn_is_in_doubt(onset_s: float, hides: bool) -> None:
    clear, other = talk(12.5, 13), replace(TURN, span=span(20, 24))
    line = replace(LINE, echo=ECHO, talks=(clear, talk(onset_s, 18, echo_s=onset_s)))
    assert hides_entries([other, TURN], line) is hides


def test_an_echo_beside_a_clear_onset_hides_nothing() -> None:
    assert hides_entries([TURN], replace(LINE, echo=ECHO, talks=(talk(12.5, 16, echo_s=14),))) is False
    # In doubt, but in no turn: an answer.
    assert hides_entries([TURN], replace(LINE, echo=ECHO, talks=(talk(16, 18, echo_s=16),))) is False


def test_the_longest_silence_wherever_it_is() -> None:
    """A reply from 19 to 20, from 21 to 22 and from 24 to 25 s: quiet for 4, 1 and 2 s."""
    reply = [talk(19, 20), talk(21, 22), talk(24, 25)]
    assert longest_silence(TURN, LINE, reply) == span(15, 19)
    assert longest_silence(TURN, LINE, [talk(15.5, 16), *reply[1:]]) == span(16, 21)
    assert longest_silence(TURN, LINE, [talk(16, 20), *reply[1:]]) == span(22, 24)
    assert longest_silence(TURN, LINE, [talk(16, 40)]) == span(15, 16)
    # It was speaking when the caller ended: no quiet.
    assert longest_silence(TURN, LINE, [talk(14, 17)]) == span(15, 15)
    assert longest_silence(TURN, LINE, []) is None


def test_300_ms_of_lost_audio_may_hide_speech_in_a_silence() -> None:
    """The turn ends at 0 s, and the reply begins at 4 s."""
    turn, reply = replace(TURN, span=span(-5, 0)), [talk(4, 5)]

    def with_lost(*lost: Span) -> Span | None:
        return longest_silence(turn, replace(LINE, lost=lost), reply)

    assert with_lost(span(-1, 0.3)) is None
    assert with_lost(span(-1, 0.29)) == span(0, 4)
    assert with_lost(span(-3, -1), span(1, 1.4)) is None
    assert with_lost(span(5, 8)) == span(0, 4)
    # Losses within 60 ms are one.
    assert with_lost(span(1, 1.2), span(1.25, 1.4)) is None
    assert with_lost(span(1, 1.2), span(1.27, 1.4)) == span(0, 4)
    # Without a reply there is no silence that any could lie in.
    assert longest_silence(turn, replace(LINE, lost=(span(1, 1.4),)), []) is None


def test_an_echo_at_an_edge_of_the_reply_leaves_no_silence() -> None:
    clear = talk(16, 17)
    assert longest_silence(TURN, LINE, [clear, talk(22, 26, echo_s=22)]) is None
    assert longest_silence(TURN, LINE, [clear, talk(22, 26, echo_s=26)]) is None
    assert longest_silence(TURN, LINE, [clear, talk(22, 26, echo_s=24)]) == span(17, 22)


W = ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10"]


@pytest.mark.parametrize(
    ("words", "earlier", "share"),
    [
        (W, W, 1.0),
        # Nine of ten, whichever is missing and on whichever side.
        (W[:9], W, 0.9),
        (W, W[:9], 0.9),
        (W[1:], W, 0.9),
        (W, W[1:], 0.9),
        (["x", *W[1:]], W, 0.9),
        ([*W[:4], *W[5:]], W, 0.9),
        (W, [*W[:4], "x", *W[5:]], 0.9),
        # Eight of ten.
        ([*W[:8], "x", "y"], W, 0.8),
        ([*W[:8], "y", "z"], ["x", *W[:9]], 0.8),
        (["x", *W[:9]], [*W[:8], "y", "z"], 0.8),
        # Nine of eleven, though all of the shorter ones.
        (W[:9], [*W, "w11"], 9 / 11),
        ([*W, "w11"], W[:9], 9 / 11),
        # One word that stands once is one, however often it is said.
        (["w1"] * 10, W, 0.1),
        (W, ["w1"] * 10, 0.1),
        # From four words on.
        (W[:4], W[:4], 1.0),
        (W[:5], W[:4], 0.8),
    ],
)
def test_the_same_words_are_nine_of_ten_in_the_same_order(
    words: list[str], earlier: list[str], share: float
) -> None:
    assert says_the_same(words, earlier) is (share >= 0.9)


def test_three_words_are_never_said_again() -> None:
    assert says_the_same(W[:3], W[:3]) is False
    assert says_the_same([], []) is False
