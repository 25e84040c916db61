"""Response latency on timelines worked out by hand: who speaks when, and which figure must come out."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from metrics.interaction.latency import ResponseLatency, UserUtterance, response_latencies
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import Talk


def _talk(start_s: float, end_s: float, *, doubt: str = "") -> Talk:
    span = Span(start_s=start_s, end_s=end_s)
    return Talk(span=span, clusters=(span,), onset_doubt=doubt)


def _latencies(
    said: list[tuple[float, float]],
    talks: list[Talk],
    *,
    gaps: tuple[tuple[float, float], ...] = (),
    end_s: float = 60.0,
) -> list[ResponseLatency]:
    return response_latencies(
        [UserUtterance(index=n, start_s=start, end_s=end) for n, (start, end) in enumerate(said)],
        talks,
        gaps=[Span(start_s=start, end_s=end) for start, end in gaps],
        call_end_s=end_s,
    )


@dataclass(frozen=True)
class Case:
    """The user speaks from 10 to 12 s; ``expected_ms`` is None where there is no figure."""

    name: str
    talks: tuple[tuple[float, float], ...]
    expected_ms: float | None
    status: Status = Status.MEASURED
    reason: str = ""


CASES = [
    Case("a plain answer", ((12.8, 15.0),), 800.0),
    Case("the greeting before is no answer", ((1.0, 5.0), (12.8, 15.0)), 800.0),
    Case("an answer that overlaps the end of the question", ((11.7, 15.0),), -300.0),
    Case("an answer over nearly all of the question", ((10.01, 15.0),), -1990.0),
    Case("an uh-huh inside the question is no answer", ((10.6, 11.0), (12.5, 15.0)), 500.0),
    Case("two uh-huhs are none either", ((10.2, 10.5), (11.2, 11.9), (13.0, 15.0)), 1000.0),
    Case("an uh-huh that ends with the question is none", ((11.5, 12.0), (13.0, 15.0)), 1000.0),
    Case("only the first answer counts", ((12.4, 13.0), (14.0, 15.0)), 400.0),
    Case("speech that ends at the beginning of the question is none", ((8.0, 10.0), (12.9, 14.0)), 900.0),
    Case("an agent that is interrupted, stops, and answers", ((8.0, 10.7), (12.9, 14.0)), 900.0),
    Case("an agent that trails off within 0.2 s, and answers", ((8.0, 12.15), (13.0, 14.0)), 1000.0),
    Case("no answer before the call ends", (), None, Status.NOT_APPLICABLE, "no answer within 48.0 s"),
    Case("an uh-huh and no answer", ((10.6, 11.0),), None, Status.NOT_APPLICABLE, "no answer"),
    Case(
        "an agent that speaks on over the question and beyond it",
        ((8.0, 16.0),),
        None,
        Status.INDETERMINATE,
        "spoke on without a break",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_question_from_10_to_12_s(case: Case) -> None:
    [found] = _latencies([(10.0, 12.0)], [_talk(start, end) for start, end in case.talks])
    assert found.status is case.status
    assert case.reason in found.reason
    if case.expected_ms is None:
        assert found.latency_s is None
        assert found.reason
    else:
        assert found.latency_s is not None
        assert found.latency_s * 1000 == pytest.approx(case.expected_ms, abs=1e-6)
        assert found.answer is not None
        assert found.answer.span.start_s == pytest.approx(12.0 + case.expected_ms / 1000)


def test_each_question_has_its_own_answer() -> None:
    found = _latencies(
        [(1.0, 2.0), (5.0, 6.0), (9.0, 10.0)], [_talk(2.5, 4.0), _talk(6.9, 8.0), _talk(9.9, 12.0)]
    )
    assert [one.latency_s for one in found] == pytest.approx([0.5, 0.9, -0.1])
    assert [one.index for one in found] == [0, 1, 2]


def test_what_comes_after_the_next_question_answers_that_one() -> None:
    first, second = _latencies([(1.0, 2.0), (5.0, 6.0)], [_talk(6.5, 8.0)])
    assert first.status is Status.NOT_APPLICABLE
    assert "no answer within 3.0 s" in first.reason
    assert second.latency_s == pytest.approx(0.5)


def test_an_answer_under_way_when_the_next_line_interrupts_it_counts_for_the_first() -> None:
    """Question 1-2 s, answer from 2.6 s; interruption 4-5 s, stop at 4.5 s, answer at 5.8 s."""
    first, second = _latencies([(1.0, 2.0), (4.0, 5.0)], [_talk(2.6, 4.5), _talk(5.8, 7.0)])
    assert first.latency_s == pytest.approx(0.6)
    assert second.latency_s == pytest.approx(0.8)


def test_an_answer_that_sets_in_just_as_the_next_line_begins() -> None:
    first, second = _latencies([(1.0, 2.0), (4.0, 5.0)], [_talk(3.99, 7.0)])
    assert first.latency_s == pytest.approx(1.99)
    assert second.status is Status.INDETERMINATE


@pytest.mark.parametrize(
    ("gap", "hidden_ms", "status"),
    [
        # A packet of 10 ms, as some agents send them: the bar is wider by it. A frame of 20 ms is too much.
        ((12.790, 12.80), 10.0, Status.MEASURED),
        ((12.7881, 12.80), 11.9, Status.MEASURED),
        ((12.7879, 12.80), 12.1, Status.INDETERMINATE),
        ((12.78, 12.80), 20.0, Status.INDETERMINATE),
        ((12.0, 12.79), 800.0, Status.INDETERMINATE),
        # A decoder needs up to 24 ms after a loss to come up to an onset's level.
        ((12.756, 12.776), 44.0, Status.INDETERMINATE),
        ((12.754, 12.774), 0.0, Status.MEASURED),
        # So long a loss may hide a first word, where the next one follows within 0.6 s ...
        ((12.0, 12.76), 800.0, Status.INDETERMINATE),
        ((12.08, 12.201), 720.0, Status.INDETERMINATE),
        ((12.12, 12.219), 0.0, Status.MEASURED),
        ((12.0, 12.199), 0.0, Status.MEASURED),
        # ... but not if it lies in the question.
        ((11.8, 12.0), 0.0, Status.MEASURED),
        ((13.0, 14.0), 0.0, Status.MEASURED),
        ((12.8012, 12.8212), 0.0, Status.MEASURED),
    ],
)
def test_a_loss_before_the_onset_may_hide_the_true_one(
    gap: tuple[float, float], hidden_ms: float, status: Status
) -> None:
    [found] = _latencies([(10.0, 12.0)], [_talk(12.8, 15.0)], gaps=(gap,))
    assert found.status is status
    assert found.hidden_s * 1000 == pytest.approx(hidden_ms, abs=1e-6)
    if status is Status.MEASURED:
        assert found.latency_s == pytest.approx(0.8)
    else:
        assert found.latency_s is None
        assert f"{hidden_ms:.0f} ms" in found.reason


def test_the_earliest_of_several_losses_decides() -> None:
    [found] = _latencies([(10.0, 12.0)], [_talk(12.8, 15.0)], gaps=((12.73, 12.78), (12.78, 12.80)))
    assert found.hidden_s == pytest.approx(0.07)
    assert found.status is Status.INDETERMINATE


def test_a_doubtful_onset_is_no_figure() -> None:
    [found] = _latencies([(10.0, 12.0)], [_talk(12.8, 15.0, doubt="the detectors disagree")])
    assert found.status is Status.INDETERMINATE
    assert found.latency_s is None
    assert found.reason == "the detectors disagree"


def test_sound_that_is_no_speech_is_named_where_no_answer_came() -> None:
    utterance = UserUtterance(index=0, start_s=10.0, end_s=12.0)
    sounds = [Span(start_s=1.0, end_s=2.0), Span(start_s=12.7, end_s=14.0)]
    [found] = response_latencies([utterance], [], sounds=sounds, call_end_s=60.0)
    assert found.status is Status.NOT_APPLICABLE
    assert "sound from 12.7 s on, but it is no speech" in found.reason


def test_no_question_no_latency() -> None:
    assert _latencies([], [_talk(1.0, 2.0)]) == []


@pytest.mark.parametrize(
    ("tones", "named_s"),
    [
        ([12.3], 12.3),
        ([12.0, 12.3], 12.0),  # the first one, from the turn's end on
        ([11.9, 12.3], 12.3),  # one within the turn is none of the wait
        ([12.79], 12.79),
        ([12.8], None),  # not before the answer
        ([], None),
    ],
)
def test_a_chime_between_turn_and_answer_is_named_and_moves_nothing(
    tones: list[float], named_s: float | None
) -> None:
    [found] = response_latencies(
        [UserUtterance(index=0, start_s=10.0, end_s=12.0)],
        [_talk(12.8, 15.0)],
        tones=[Span(start_s=one, end_s=one + 0.1) for one in tones],
        call_end_s=60.0,
    )
    assert found.latency_s == pytest.approx(0.8)
    assert (None if found.tone is None else found.tone.start_s) == named_s


def test_a_chime_that_nothing_follows_is_no_answer_and_is_named_with_its_own_turn() -> None:
    said = [
        UserUtterance(index=0, start_s=10.0, end_s=12.0),
        UserUtterance(index=1, start_s=20.0, end_s=21.0),
    ]
    chime = Span(start_s=13.0, end_s=13.1)
    first, second = response_latencies(said, [_talk(21.5, 23.0)], tones=[chime], call_end_s=60.0)
    assert (first.status, first.tone) == (Status.NOT_APPLICABLE, chime)
    assert (second.latency_s, second.tone) == (pytest.approx(0.5), None)
