"""What an echo of the caller's voice leaves of the outcome of a turn.

The caller speaks from 10 to 12 s, and is then waited for until 20 s.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction import turns
from metrics.interaction.outcome import TurnOutcome
from metrics.interaction.turns import Judged, Line, Turn, WaitEnd, outcome_of, reply_to
from metrics.spans import Span
from metrics.speech import Talk

ANSWERED, TALKED_OVER = TurnOutcome.ANSWERED, TurnOutcome.TALKED_OVER
NOT_ANSWERED, NOT_DUE = TurnOutcome.NOT_ANSWERED, TurnOutcome.NOT_DUE

TURN = Turn(span=Span(start_s=10.0, end_s=12.0), until_s=20.0, ended=WaitEnd.CALLER_SPOKE)
LINE = Line(talks=(), end_s=30.0, caller=(TURN.span, Span(start_s=20.0, end_s=21.0)))


@pytest.fixture
def quarters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that are binary fractions."""
    for name in ("STILL_TALKING_S", "HIDES_AN_ANSWER_S"):
        monkeypatch.setattr(turns, name, 0.25)


def span(start_s: float, end_s: float) -> Span:
    return Span(start_s=start_s, end_s=end_s)


def talk(*clusters: tuple[float, float]) -> Talk:
    spans = tuple(span(start, end) for start, end in clusters)
    return Talk(span=span(spans[0].start_s, spans[-1].end_s), clusters=spans, soft_end=True)


def judged(*talks: Talk, turn: Turn = TURN, line: Line = LINE) -> Judged:
    return outcome_of(turn, replace(line, talks=talks))


def outcome(*talks: Talk, turn: Turn = TURN, line: Line = LINE) -> TurnOutcome:
    return judged(*talks, turn=turn, line=line).outcome


PATH = EchoPath(delay_s=0.18, gain_db=-20.0, talks=5, seconds=11.0)
OTHER_PATH = replace(PATH, delay_s=0.4)
ALL_THE_TIME = (0.0, 60.0)
BACK = (10.18, 12.18)


def no(edge: str, delay: str = "180") -> str:
    return (
        f"the caller's own voice comes back on the agent's channel (line echo, {delay} ms later, -20 dB): "
        f"the agent's {edge} cannot be told from it"
    )


def nobody_can_tell(edge: str) -> Judged:
    return Judged(outcome=NOT_DUE, reason=f"nobody can tell what became of it: {no(edge)}")


def beside(
    start_s: float, end_s: float, *hidden: tuple[float, float], own: tuple[tuple[float, float], ...] = ()
) -> Talk:
    """The echo is heard all the time unless it is said where."""
    return replace(
        talk((start_s, end_s)),
        echo=PATH,
        hidden=tuple(span(*one) for one in hidden or (ALL_THE_TIME,)),
        own=tuple(span(*one) for one in own),
    )


NOTHING = Judged(outcome=NOT_ANSWERED, reason="no answer within 8.0 s, until the caller spoke again")


def test_speech_of_which_one_edge_is_clear_followed() -> None:
    assert judged(beside(12.5, 15.0, (12.4, 12.6))) == Judged(outcome=ANSWERED)
    assert judged(beside(12.5, 15.0, (14.9, 15.1))) == Judged(outcome=ANSWERED)
    assert judged(beside(12.5, 15.0)) == nobody_can_tell("speech")


@pytest.mark.usefixtures("quarters")
def test_what_may_be_the_echo_hides_an_answer_where_one_has_room_in_the_wait() -> None:
    for start_s, end_s, found in (
        (12.5, 12.75, nobody_can_tell("speech")),
        (12.5, 12.74, NOTHING),
        (19.75, 22.0, nobody_can_tell("speech")),
        (19.76, 22.0, NOTHING),
    ):
        assert judged(beside(start_s, end_s)) == found


def test_of_several_that_may_be_the_echo_one_long_enough_decides_and_the_first_is_told() -> None:
    short = beside(15.0, 15.1)
    assert judged(beside(12.5, 12.9), short) == nobody_can_tell("speech")
    assert judged(short, beside(16.0, 16.5)) == nobody_can_tell("speech")
    assert judged(beside(12.5, 12.9), replace(short, echo=OTHER_PATH)) == nobody_can_tell("speech")
    assert judged(replace(short, echo=OTHER_PATH), beside(16.0, 16.5)).reason.endswith(no("speech", "400"))


def test_what_of_the_echo_runs_together_with_a_sound_counts_with_it() -> None:
    """0.2 s of the echo, 0.1 s of quiet, and 0.15 s that may be it, too: each is too short for an answer."""
    rest = beside(12.3, 12.45)
    assert judged(rest) == NOTHING
    near = replace(LINE, echo=LineEcho(path=PATH, heard=(span(12.0, 12.2),)))
    assert judged(rest, line=near) == nobody_can_tell("speech")
    before = replace(LINE, echo=LineEcho(path=PATH, heard=(span(11.9, 12.1),)))
    assert judged(rest, line=before) == NOTHING
    # What lies elsewhere does not, but it may hide an answer by itself.
    elsewhere = replace(LINE, echo=LineEcho(path=PATH, heard=(span(15.0, 16.0),)))
    assert judged(rest, line=elsewhere) == Judged(
        outcome=NOT_DUE, reason=f"nothing else followed, and {no('onset')}"
    )


def test_an_echo_as_loud_as_the_agent_hides_an_answer_in_every_sound() -> None:
    quiet, loud = (replace(LINE, echo=LineEcho(path=PATH, masks=masks)) for masks in (False, True))
    assert judged(beside(12.3, 12.45), line=quiet) == NOTHING
    assert judged(beside(12.3, 12.45), line=loud) == nobody_can_tell("speech")
    assert judged(line=loud) == NOTHING
    assert judged(talk((12.75, 15.0)), line=loud) == Judged(outcome=ANSWERED)


def test_a_word_that_is_surely_the_agents_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "WORD_S", 0.125)
    for own, found in (
        (((12.25, 12.375),), nobody_can_tell("speech")),
        (((12.25, 12.37),), NOTHING),
        (((12.2, 12.21), (12.25, 12.375)), nobody_can_tell("speech")),
        (((12.2, 12.3), (12.31, 12.4)), NOTHING),
    ):
        assert judged(beside(12.2, 12.4, own=own)) == found


def test_what_was_measured_followed_whatever_an_echo_hides_of_it() -> None:
    measured = replace(TURN, latency_s=0.2)
    for one in (beside(12.2, 12.4), beside(12.2, 15.0), beside(10.5, 11.8)):
        assert outcome(one, talk((12.9, 15.0)), turn=measured) is ANSWERED
    assert outcome(beside(12.2, 12.4), turn=measured) is ANSWERED


@pytest.mark.usefixtures("quarters")
def test_an_echo_alone_hides_an_answer_where_one_has_room_in_the_wait() -> None:
    hidden = Judged(outcome=NOT_DUE, reason=f"nothing else followed, and {no('onset')}")
    for heard, found in (
        ((11.0, 12.25), hidden),
        ((11.0, 12.24), NOTHING),
        ((19.75, 21.0), hidden),
        ((19.76, 21.0), NOTHING),
    ):
        line = replace(LINE, echo=LineEcho(path=PATH, heard=(span(*heard),)))
        assert judged(line=line) == found


def test_who_surely_spoke_for_a_second_and_beyond_the_end_talked_over_the_turn() -> None:
    over = Judged(
        outcome=TALKED_OVER,
        reason=(
            "the agent spoke for 1.0 s while the caller did, and on to 2.0 s after its end; when it began "
            "cannot be told from an echo"
        ),
    )
    for own, found in (
        (((11.0, 14.0),), over),
        (((10.5, 11.0), (11.5, 14.0)), over),
        (((11.01, 14.0),), nobody_can_tell("onset")),
        ((), nobody_can_tell("onset")),
    ):
        assert judged(beside(10.5, 14.0, BACK, own=own)) == found
    # Its end is hidden, too.
    both = beside(10.5, 14.0, BACK, (13.9, 14.1), own=((10.5, 14.0),))
    assert judged(both) == nobody_can_tell("onset")


@pytest.mark.usefixtures("quarters")
def test_who_trails_off_soon_after_the_end_is_not_surely_talking_over_it() -> None:
    for end_s, found in ((12.25, NOT_DUE), (12.26, TALKED_OVER)):
        assert outcome(beside(10.5, end_s, (10.4, 10.6), own=((10.5, end_s),))) is found


def test_what_an_echo_hides_within_the_turn_and_from_before_it_leaves_it_unclear() -> None:
    assert judged(beside(10.5, 11.8, BACK)) == nobody_can_tell("onset")
    assert judged(beside(8.0, 12.5, (11.0, 12.4))) == nobody_can_tell("end")
    # What is clear decides, whatever else is hidden.
    assert outcome(beside(10.5, 11.8, BACK), talk((11.9, 14.0))) is TALKED_OVER
    assert outcome(beside(8.0, 13.0, (11.0, 12.4))) is TALKED_OVER
    assert outcome(beside(10.5, 11.4, BACK), talk((12.75, 15.0))) is ANSWERED


def test_what_follows_on_a_quiet_end_keeps_what_is_known_of_it_beside_an_echo() -> None:
    """What is surely the agent's only from where it begins again."""
    whole = replace(
        talk((8.0, 11.5), (12.25, 13.0)),
        echo=PATH,
        hidden=(span(12.0, 13.1),),
        own=(span(8.0, 11.5), span(11.75, 12.25), span(12.0, 12.375), span(12.5, 12.75)),
    )
    rest = replace(
        talk((12.25, 13.0)),
        echo=PATH,
        hidden=(span(12.0, 13.1),),
        own=(span(12.25, 12.375), span(12.5, 12.75)),
    )
    assert reply_to(TURN, replace(LINE, talks=(whole,))) == [rest]


def test_a_word_after_a_quiet_end_that_is_surely_the_agents_is_no_silence() -> None:
    """0.2 s in which the echo sounds: no answer has room there, but a word of the agent's is certain."""
    word = replace(
        talk((8.0, 11.5), (12.0, 12.2)), echo=PATH, hidden=(span(11.9, 12.3),), own=(span(12.05, 12.16),)
    )
    assert judged(word) == nobody_can_tell("speech")
