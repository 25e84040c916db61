"""Every number in the choice of an answer, from both sides. The user speaks from 10 to 12 s."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.latency import ResponseLatency, UserUtterance, response_latencies
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import Talk


def _talk(start_s: float, end_s: float, *, doubt: str = "") -> Talk:
    span = Span(start_s=start_s, end_s=end_s)
    return Talk(span=span, clusters=(span,), onset_doubt=doubt)


def _latency(
    *talks: Talk,
    gaps: tuple[tuple[float, float], ...] = (),
    sounds: tuple[tuple[float, float], ...] = (),
    heard: tuple[tuple[float, float], ...] | None = None,
    call_end_s: float = 60.0,
    said: tuple[tuple[float, float], ...] = ((10.0, 12.0),),
) -> ResponseLatency:
    """Of the first thing said; ``heard`` is what was taken for an echo, where the call has one."""
    path = EchoPath(delay_s=0.18, gain_db=-20.0, talks=5, seconds=11.0)
    back = tuple(Span(start_s=start, end_s=end) for start, end in heard or ())
    return response_latencies(
        [UserUtterance(index=n + 4, start_s=start, end_s=end) for n, (start, end) in enumerate(said)],
        talks,
        gaps=[Span(start_s=start, end_s=end) for start, end in gaps],
        sounds=[Span(start_s=start, end_s=end) for start, end in sounds],
        echo=None if heard is None else LineEcho(path=path, heard=back),
        call_end_s=call_end_s,
    )[0]


@pytest.mark.parametrize(("end_s", "spoke_on"), [(12.199, False), (12.201, True)])
def test_an_agent_that_trails_off_within_0_2_s_does_not_speak_on(end_s: float, spoke_on: bool) -> None:
    found = _latency(_talk(8.0, end_s), _talk(13.0, 14.0))
    assert (found.status is Status.INDETERMINATE) == spoke_on
    assert found.latency_s == (None if spoke_on else pytest.approx(1.0))
    assert found.index == 4


def test_exactly_0_2_s_is_trailing_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.latency.STILL_TALKING_S", 0.25)
    assert _latency(_talk(8.0, 12.25), _talk(13.0, 14.0)).latency_s == 1.0


def test_speech_that_begins_with_the_question_has_no_onset_of_its_own() -> None:
    assert _latency(_talk(10.0, 14.0)).reason == (
        "the agent spoke on without a break, so its answer has no onset of its own"
    )
    assert _latency(_talk(10.001, 14.0)).latency_s == pytest.approx(-1.999)


def test_an_answer_begins_before_the_call_ends_and_before_the_next_question() -> None:
    assert _latency(_talk(12.5, 13.0), call_end_s=12.5).status is Status.NOT_APPLICABLE
    assert _latency(_talk(12.5, 13.0), call_end_s=12.51).latency_s == 0.5
    both = ((10.0, 12.0), (12.5, 13.0))
    assert _latency(_talk(12.5, 14.0), said=both).reason.startswith("no answer within 0.5 s")
    assert _latency(_talk(12.49, 14.0), said=both).latency_s == pytest.approx(0.49)


def test_no_answer_says_how_long_was_waited_and_what_was_heard() -> None:
    assert _latency().reason == "no answer within 48.0 s, until the caller spoke again or the call ended"
    heard = _latency(sounds=((11.0, 13.0), (12.0, 12.5), (14.0, 15.0), (16.0, 17.0)))
    assert heard.reason == (
        "no answer within 48.0 s, until the caller spoke again or the call ended; there is sound from 14.0 s "
        "on, but it is no speech"
    )
    # Sound that begins when the next question does was not waited for.
    assert "sound" not in _latency(sounds=((14.0, 15.0),), call_end_s=14.0).reason
    assert "sound" in _latency(sounds=((13.9, 15.0),), call_end_s=14.0).reason


def test_a_doubtful_onset_comes_with_its_answer() -> None:
    found = _latency(_talk(12.8, 14.0, doubt="they disagree"), gaps=((12.7, 12.8),))
    assert (found.status, found.reason, found.index) == (Status.INDETERMINATE, "they disagree", 4)
    assert found.answer is not None
    assert found.answer.span.start_s == 12.8


@pytest.mark.parametrize(
    ("gap", "hidden"),
    [
        ((12.77, 12.7751), True),
        ((12.77, 12.7749), False),
        # The onset itself is heard: what is lost after it hides nothing.
        ((12.7999, 12.82), True),
        ((12.8001, 12.82), False),
    ],
)
def test_a_short_loss_reaches_25_ms_on(gap: tuple[float, float], hidden: bool) -> None:
    found = _latency(_talk(12.8, 14.0), gaps=(gap,))
    assert found.hidden_s == (pytest.approx(12.8 - gap[0]) if hidden else 0.0)


def test_a_hidden_onset_comes_with_its_answer_and_what_is_hidden() -> None:
    found = _latency(_talk(12.8, 14.0), gaps=((12.7, 12.8),))
    assert (found.status, found.hidden_s) == (Status.INDETERMINATE, pytest.approx(0.1))
    assert found.answer is not None
    assert "may hide up to 100 ms" in found.reason
    plain = _latency(_talk(12.8, 14.0))
    assert plain.hidden_s == 0.0
    assert _latency().hidden_s == 0.0


def test_a_loss_that_ends_with_the_question_hides_no_first_word() -> None:
    """Half a second of it, and the answer 0.5 s later."""
    assert _latency(_talk(12.5, 14.0), gaps=((11.5, 12.0),)).hidden_s == 0.0
    assert _latency(_talk(12.5, 14.0), gaps=((11.5, 12.001),)).hidden_s == 1.0


@pytest.mark.parametrize(
    ("end_s", "hidden_s"), [(12.349, 0.0), (12.351, pytest.approx(0.55)), (12.353, pytest.approx(0.55))]
)
def test_a_loss_of_0_1_s_may_hide_a_first_word(end_s: float, hidden_s: float) -> None:
    """It begins 0.25 s after the question, and the answer is heard 0.8 s after it."""
    assert _latency(_talk(12.8, 14.0), gaps=((12.25, end_s),)).hidden_s == hidden_s


def test_a_loss_of_exactly_a_word_may_hide_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.latency.WORD_S", 0.125)
    assert _latency(_talk(12.75, 14.0), gaps=((12.25, 12.375),)).hidden_s == 0.5


def test_an_echo_that_goes_on_long_enough_after_the_question_may_hide_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What counts is how long it goes on between the question's end and the next one's beginning."""
    monkeypatch.setattr("metrics.interaction.latency.HIDES_AN_ANSWER_S", 0.25)
    both = ((10.0, 12.0), (20.0, 21.0))
    for heard, status in (
        ((10.25, 12.25), Status.INDETERMINATE),
        ((10.25, 12.24), Status.NOT_APPLICABLE),
        ((15.0, 18.0), Status.INDETERMINATE),
        ((19.75, 22.0), Status.INDETERMINATE),
        ((19.76, 22.0), Status.NOT_APPLICABLE),
    ):
        found = _latency(heard=(heard,), said=both)
        assert (found.status, found.latency_s) == (status, None), heard
    assert _latency(heard=()).status is Status.NOT_APPLICABLE
    # 0.3 s, where nothing else is set.
    monkeypatch.undo()
    assert _latency(heard=((12.0, 12.299),)).status is Status.NOT_APPLICABLE
    found = _latency(heard=((12.0, 12.301),))
    assert found == ResponseLatency(
        index=4,
        status=Status.INDETERMINATE,
        reason=(
            "nothing else followed, and the caller's own voice comes back on the agent's channel (line echo, "
            "180 ms later, -20 dB): the agent's onset cannot be told from it"
        ),
    )


def test_exactly_as_much_as_may_be_hidden_widens_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.latency.MAX_HIDDEN_S", 0.125)
    found = _latency(_talk(12.75, 14.0), gaps=((12.625, 12.75),))
    assert (found.status, found.latency_s, found.hidden_s) == (Status.MEASURED, 0.75, 0.125)


def test_a_latency_that_cannot_be_told_lies_between_two_others() -> None:
    """The turn ends at 12 s; audio may hide 100 ms of the answer at 12.8 s."""
    assert _latency(_talk(12.8, 14.0), gaps=((12.7, 12.8),)).between_s == pytest.approx((0.7, 0.8))
    doubtful = _talk(12.8, 14.0, doubt="two onsets")
    assert _latency(doubtful).between_s is None
    known = replace(doubtful, onset_in=Span(start_s=12.75, end_s=12.9))
    assert _latency(known).between_s == pytest.approx((0.75, 0.9))
    assert _latency(known, gaps=((12.7, 12.8),)).between_s == pytest.approx((0.7, 0.9))
    # The onset as it was found is one that it may be.
    assert _latency(replace(known, onset_in=Span(start_s=12.7, end_s=12.75))).between_s == pytest.approx(
        (0.7, 0.8)
    )
    assert _latency(replace(known, onset_in=Span(start_s=12.9, end_s=13.0))).between_s == pytest.approx(
        (0.8, 1.0)
    )


def test_a_latency_that_can_be_told_or_is_none_lies_between_nothing() -> None:
    assert _latency(_talk(12.8, 14.0)).between_s is None
    assert _latency().between_s is None
