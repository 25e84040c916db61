"""What became of a turn, on timelines worked out by hand. The caller speaks from 10 to 12 s, and is then
waited for until 20 s unless a case says otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from metrics.interaction.outcome import TurnOutcome
from metrics.interaction.turns import Judged, Line, Turn, WaitEnd, outcome_of, reply_to
from metrics.spans import Span
from metrics.speech import Talk

ANSWERED, IN_PART, TALKED_OVER = TurnOutcome.ANSWERED, TurnOutcome.IN_PART, TurnOutcome.TALKED_OVER
NOT_ANSWERED, NOT_DUE = TurnOutcome.NOT_ANSWERED, TurnOutcome.NOT_DUE

TURN = Turn(span=Span(start_s=10.0, end_s=12.0), until_s=20.0, ended=WaitEnd.CALLER_SPOKE)
LINE = Line(talks=(), end_s=30.0, caller=(TURN.span, Span(start_s=20.0, end_s=21.0)))


def span(start_s: float, end_s: float) -> Span:
    return Span(start_s=start_s, end_s=end_s)


def talk(*clusters: tuple[float, float], soft: bool = True, doubt: str = "") -> Talk:
    spans = tuple(span(start, end) for start, end in clusters)
    whole = span(spans[0].start_s, spans[-1].end_s)
    return Talk(span=whole, clusters=spans, soft_end=soft, end_doubt=doubt)


def judged(*talks: Talk, turn: Turn = TURN, line: Line = LINE) -> Judged:
    return outcome_of(turn, replace(line, talks=talks))


@dataclass(frozen=True)
class Case:
    name: str
    talks: tuple[Talk, ...]
    outcome: TurnOutcome
    reason: str = ""
    turn: Turn = TURN
    line: Line = LINE


LAST = replace(TURN, until_s=30.0)
HUNG_UP = replace(LAST, ended=WaitEnd.AGENT_HUNG_UP)
AT_THE_END = replace(LINE, caller=(TURN.span,))
AGENT_ENDED = replace(AT_THE_END, hung_up=True)
EMPTY = replace(LINE, says_something=lambda spans: False)
FULL = replace(LINE, says_something=lambda spans: True)

CASES = [
    Case("a plain answer", (talk((12.8, 15.0)),), ANSWERED),
    Case("an uh-huh that ends with the turn", (talk((11.3, 12.0)), talk((12.8, 15.0))), ANSWERED),
    Case("an uh-huh inside the turn, then an answer", (talk((10.5, 10.9)), talk((12.8, 15.0))), ANSWERED),
    Case("the end of earlier speech runs into the turn", (talk((8.0, 10.4)), talk((12.8, 15.0))), ANSWERED),
    Case(
        "earlier speech trails off within 0.2 s of the end",
        (talk((8.0, 12.15)), talk((13.0, 15.0))),
        ANSWERED,
    ),
    # ---- talked over
    Case("it begins inside and goes on", (talk((11.0, 15.0)),), TALKED_OVER, "began 1.00 s before"),
    Case(
        "a second of speech inside, then an answer",
        (talk((10.4, 11.4)), talk((12.8, 15.0))),
        TALKED_OVER,
        "spoke for 1.0 s",
    ),
    Case(
        "just under a second inside is a listener's noise",
        (talk((10.4, 11.39)), talk((12.8, 15.0))),
        ANSWERED,
    ),
    Case(
        "it speaks on without a break", (talk((8.0, 16.0)),), TALKED_OVER, "to 4.0 s after the caller's end"
    ),
    Case(
        "it speaks on over the turn, then answers",
        (talk((8.0, 13.0)), talk((14.0, 16.0))),
        TALKED_OVER,
        "without a break",
    ),
    Case(
        "it began closer to the end than the error bar",
        (talk((11.99, 15.0)),),
        ANSWERED,
        turn=replace(TURN, resolution_s=0.02),
    ),
    Case(
        "it began earlier than the error bar",
        (talk((11.97, 15.0)),),
        TALKED_OVER,
        turn=replace(TURN, resolution_s=0.02),
    ),
    Case(
        "an interruption stopped it 0.5 s beyond the caller's end",
        (talk((8.0, 12.5)), talk((13.5, 16.0))),
        ANSWERED,
        turn=replace(TURN, stopped_for=True),
    ),
    Case(
        "an interruption stopped it, and nothing followed",
        (talk((8.0, 12.5)),),
        NOT_ANSWERED,
        turn=replace(TURN, stopped_for=True),
    ),
    Case(
        "it fell silent for the interruption and answered, all within one talk",
        (talk((8.0, 11.8), (12.1, 15.0)),),
        ANSWERED,
        turn=replace(TURN, stopped_for=True),
    ),
    Case(
        "a comma around the end of the interruption that it ignores is no answer, nor surely none",
        (talk((8.0, 11.8), (12.1, 15.0)),),
        NOT_DUE,
        "nobody can tell what became of it: the agent spoke into it, was quiet for a moment around its end",
    ),
    Case(
        "a shorter quiet than 0.2 s is a pause between words",
        (talk((8.0, 11.95), (12.1, 15.0)),),
        TALKED_OVER,
    ),
    # ---- nothing followed
    Case(
        "nothing until the caller spoke again",
        (),
        NOT_ANSWERED,
        "no answer within 8.0 s, until the caller spoke again",
    ),
    Case("an answer to the next turn is none to this", (talk((20.5, 22.0)),), NOT_ANSWERED),
    Case("an uh-huh inside the turn is no answer", (talk((10.5, 10.9)),), NOT_ANSWERED),
    Case(
        "the caller gave up",
        (),
        NOT_ANSWERED,
        "gave the agent up",
        turn=replace(LAST, ended=WaitEnd.CALLER_GAVE_UP),
    ),
    Case("the agent hung up", (), NOT_ANSWERED, "the agent hung up instead", turn=HUNG_UP, line=AGENT_ENDED),
    Case(
        "our limit came",
        (),
        NOT_DUE,
        "ended from our side 18.0 s after",
        turn=replace(LAST, ended=WaitEnd.OURS),
    ),
    Case(
        "our limit came, but it had answered",
        (talk((13.0, 15.0)),),
        ANSWERED,
        turn=replace(LAST, ended=WaitEnd.OURS),
    ),
    Case(
        "0.3 s were lost while it was waited for",
        (),
        NOT_DUE,
        "0.30 s of audio lost",
        line=replace(LINE, lost=(span(14.0, 14.3),)),
    ),
    Case(
        "losses 50 ms apart are one",
        (),
        NOT_DUE,
        line=replace(LINE, lost=(span(14.0, 14.15), span(14.2, 14.35))),
    ),
    Case("0.28 s can hide no answer", (), NOT_ANSWERED, line=replace(LINE, lost=(span(14.0, 14.28),))),
    Case(
        "losses 80 ms apart can hide none",
        (),
        NOT_ANSWERED,
        line=replace(LINE, lost=(span(14.0, 14.2), span(14.28, 14.4))),
    ),
    Case(
        "what was lost during the turn hides no answer",
        (),
        NOT_ANSWERED,
        line=replace(LINE, lost=(span(10.5, 12.2),)),
    ),
    Case(
        "lost audio beside an answer",
        (talk((13.0, 15.0)),),
        ANSWERED,
        line=replace(LINE, lost=(span(15.5, 18.0),)),
    ),
    # ---- not due, whatever followed
    Case(
        "a goodbye, answered",
        (talk((12.8, 15.0)),),
        NOT_DUE,
        "a goodbye",
        turn=replace(TURN, not_due="a goodbye"),
    ),
    Case(
        "a goodbye, talked over",
        (talk((11.0, 15.0)),),
        NOT_DUE,
        "a goodbye",
        turn=replace(TURN, not_due="a goodbye"),
    ),
    # ---- in part
    Case(
        "it broke off at full level",
        (talk((12.8, 15.0), soft=False),),
        IN_PART,
        "broke off at full level at 15.0 s",
    ),
    Case("it broke off and began anew", (talk((12.8, 14.0), soft=False), talk((15.0, 17.0))), ANSWERED),
    Case(
        "it broke off, began anew, broke off",
        (talk((12.8, 14.0)), talk((15.0, 17.0), soft=False)),
        IN_PART,
        "17.0 s",
    ),
    Case(
        "the caller spoke into it",
        (talk((12.8, 20.3), soft=False),),
        ANSWERED,
    ),
    Case(
        "the caller's mm-hm came with its end",
        (talk((12.8, 15.0), soft=False),),
        ANSWERED,
        line=replace(LINE, caller=(TURN.span, span(15.1, 15.4))),
    ),
    Case(
        "lost audio hides how it ended",
        (talk((12.8, 15.0), soft=False),),
        ANSWERED,
        line=replace(LINE, lost=(span(15.01, 15.1),)),
    ),
    Case(
        "what was lost later hides nothing",
        (talk((12.8, 15.0), soft=False),),
        IN_PART,
        line=replace(LINE, lost=(span(15.03, 15.1),)),
    ),
    Case("the detectors disagree about its end", (talk((12.8, 15.0), soft=False, doubt="apart"),), ANSWERED),
    Case(
        "a marker tone ends at full level always",
        (talk((12.8, 15.0), soft=False),),
        ANSWERED,
        line=replace(LINE, tones=True),
    ),
    Case(
        "its words stop short",
        (talk((12.8, 15.0)),),
        IN_PART,
        "middle of its words",
        line=replace(LINE, breaks_off=lambda one: one == span(12.8, 15.0)),
    ),
    Case(
        "it reports an interruption, and nobody spoke",
        (talk((12.8, 15.0)),),
        IN_PART,
        "reported",
        line=replace(LINE, interrupted_s=(15.1,)),
    ),
    Case("it reports one later", (talk((12.8, 15.0)),), ANSWERED, line=replace(LINE, interrupted_s=(15.2,))),
    Case(
        "it reports one earlier", (talk((12.8, 15.0)),), ANSWERED, line=replace(LINE, interrupted_s=(12.1,))
    ),
    Case(
        "it fell silent 0.6 s before it hung up",
        (talk((28.0, 29.4), soft=False),),
        IN_PART,
        "broke off at full level",
        turn=HUNG_UP,
        line=AGENT_ENDED,
    ),
    Case(
        "it hung up in the middle of a word",
        (talk((28.0, 29.9), soft=False),),
        IN_PART,
        "hung up in the middle",
        turn=HUNG_UP,
        line=AGENT_ENDED,
    ),
    Case("it hung up after its last word", (talk((28.0, 29.9)),), ANSWERED, turn=HUNG_UP, line=AGENT_ENDED),
    Case(
        "our side ended the call in its reply",
        (talk((28.0, 29.9), soft=False),),
        ANSWERED,
        turn=replace(LAST, ended=WaitEnd.OURS),
        line=AT_THE_END,
    ),
    Case(
        "too close to the end of the call to tell",
        (talk((28.0, 29.5), soft=False),),
        ANSWERED,
        turn=replace(LAST, ended=WaitEnd.OURS),
        line=AT_THE_END,
    ),
    Case(
        "mm",
        (talk((12.8, 13.2)),),
        IN_PART,
        "the whole reply is 0.4 s of speech that says nothing",
        line=EMPTY,
    ),
    Case("a yes", (talk((12.8, 13.2)),), ANSWERED, line=FULL),
    Case("a second of mm is long enough to be something", (talk((12.8, 13.8)),), ANSWERED, line=EMPTY),
    Case("pauses are no speech", (talk((12.8, 13.2), (13.6, 14.0)),), IN_PART, "0.8 s", line=EMPTY),
    Case("one moment, and then the answer", (talk((12.8, 13.4)), talk((16.0, 18.0))), ANSWERED, line=EMPTY),
    Case(
        "0.4 s of nobody knows what",
        (talk((12.8, 13.2)),),
        ANSWERED,
        "nobody can tell whether it says anything",
    ),
    Case("mm, into which the caller spoke", (talk((19.6, 20.1)),), ANSWERED, line=EMPTY),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_outcome(case: Case) -> None:
    found = judged(*case.talks, turn=case.turn, line=case.line)
    assert found.outcome is case.outcome, found.reason
    assert case.reason in found.reason
    assert found.reason or found.outcome is ANSWERED


def test_a_plain_answer_needs_no_reason() -> None:
    assert judged(talk((12.8, 15.0))) == Judged(outcome=ANSWERED)
    # Nor does one of a second whose words nobody knows.
    assert judged(talk((13.0, 14.0))) == Judged(outcome=ANSWERED)


def test_the_reply_is_all_that_is_said_until_the_caller_speaks() -> None:
    talks = (talk((8.0, 11.0)), talk((12.5, 13.0)), talk((15.0, 16.0)), talk((20.0, 22.0)))
    assert reply_to(TURN, replace(LINE, talks=talks)) == [talks[1], talks[2]]


def test_the_words_asked_after_are_those_of_the_reply() -> None:
    asked: list[list[Span]] = []

    def says(spans: object) -> bool:
        asked.append(list(spans))  # type: ignore[call-overload]
        return False

    judged(talk((8.0, 9.5)), talk((12.8, 13.2)), talk((14.0, 14.2)), line=replace(LINE, says_something=says))
    assert asked == [[span(12.8, 13.2), span(14.0, 14.2)]]


def test_the_measured_latency_decides_which_came_first() -> None:
    early, late = replace(TURN, latency_s=-0.2, resolution_s=0.02), replace(TURN, latency_s=0.1)
    assert judged(talk((12.1, 15.0)), turn=early).outcome is TALKED_OVER
    assert judged(talk((11.8, 15.0)), turn=late).outcome is ANSWERED


@pytest.mark.parametrize("outcome", list(TurnOutcome))
def test_what_is_due_and_what_is_a_reply(outcome: TurnOutcome) -> None:
    assert outcome.due == (outcome != "not_due")
    assert outcome.replied == (outcome in ("answered", "answered_in_part"))
