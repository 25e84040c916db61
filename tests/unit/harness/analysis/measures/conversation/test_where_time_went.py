"""Figures of what an agent tells of its answers: each part's own, and why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial, Need
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.conversation.where_time_went import (
    END_OF_TURN,
    MODEL,
    NOT_TOLD,
    VOICE,
    ToldPart,
)
from harness.analysis.measures.units import MS
from harness.records.scores import CallScores, TurnTold
from metrics.score import Score, Status

NO_MODEL = "the agent told no time of a language model"
NOTHING = "the agent tells nothing of where its time went"
CONTRADICTED = "claims that contradict what was measured"


def answer(
    *, contradiction: str = "", why_not: Mapping[str, str] | None = None, **parts_ms: float
) -> TurnTold:
    """Of one that came after a second."""
    made: dict[str, Any] = {"index": 0, "start_s": 10.0, "end_s": 11.0, "measured_ms": 1000.0}
    made |= {"not_told_ms": None if contradiction else 1000.0 - sum(parts_ms.values())}
    return TurnTold.model_validate(
        made | {"contradiction": contradiction, "why_not": dict(why_not or {})} | parts_ms
    )


WRONG = answer(contradiction="claims of 2000 ms exceed what was measured")
BARE = answer(why_not={"model": NO_MODEL})


def pooled(measure: ToldPart, *by_call: Sequence[TurnTold]) -> Score:
    return measure.pool(
        [
            ScoredCall(scores=CallScores(call_id=f"c-{number}", told=list(told)))
            for number, told in enumerate(by_call)
        ]
    )


def few(n: int) -> str:
    return f"p95 of {n} observations is close to the largest of them"


def test_each_figure_is_of_its_own_part() -> None:
    one = answer(end_of_turn_ms=400.0, model_ms=300.0, voice_ms=200.0)
    for measure, value in ((END_OF_TURN, 400.0), (MODEL, 300.0), (VOICE, 200.0), (NOT_TOLD, 100.0)):
        score = pooled(measure, [one, one])
        assert (score.value, score.n, score.status) == (value, 2, Status.MEASURED)
        assert (score.metric, score.unit, score.reason) == (measure.entry.name, "ms", few(2))


def test_the_headline_is_the_median_of_the_answers_in_which_it_is_told() -> None:
    """One of them contradicts what was measured, one has no time that could be one; a call has none."""
    unusable = answer(why_not={"model": "its claim is no time"})
    told = [answer(model_ms=one) for one in (200.0, 700.0, 300.0)]
    score = pooled(MODEL, [WRONG, told[0], unusable], told[1:], [])
    assert (score.value, score.n) == (300.0, 3)
    left_out = f"2 of 5 answers without: 1 × {CONTRADICTED}, 1 × its claim is no time"
    assert score.reason == f"{left_out}; {few(3)}"


def test_what_is_not_told_is_the_whole_of_an_answer_of_which_nothing_is() -> None:
    score = pooled(NOT_TOLD, [answer(model_ms=300.0), answer()], [answer(voice_ms=100.0)])
    assert (score.value, score.n, score.reason) == (900.0, 3, few(3))
    score = pooled(NOT_TOLD, [WRONG], [answer(model_ms=300.0)] * 2)
    assert (score.value, score.n) == (700.0, 2)
    assert score.reason == f"1 of 3 answers without: 1 × {CONTRADICTED}; {few(2)}"


@pytest.mark.parametrize(
    ("measure", "answers", "status", "reason"),
    [
        # What the figure's own reason says already is not said twice.
        (MODEL, [BARE, BARE], Status.NOT_APPLICABLE, NO_MODEL),
        (
            MODEL,
            [answer(voice_ms=100.0, why_not={"model": "its claim is no time"})],
            Status.NOT_APPLICABLE,
            f"{NO_MODEL}; 1 of 1 answer without: 1 × its claim is no time",
        ),
        (
            MODEL,
            [BARE, WRONG],
            Status.INDETERMINATE,
            f"{NO_MODEL}; 2 of 2 answers without: 1 × {NO_MODEL}, 1 × {CONTRADICTED}",
        ),
        (MODEL, [], Status.NOT_APPLICABLE, NO_MODEL),
        (NOT_TOLD, [BARE, answer()], Status.NOT_APPLICABLE, NOTHING),
        (
            NOT_TOLD,
            [BARE, WRONG],
            Status.INDETERMINATE,
            f"{NOTHING}; 1 of 2 answers without: 1 × {CONTRADICTED}",
        ),
        (NOT_TOLD, [], Status.NOT_APPLICABLE, NOTHING),
    ],
)
def test_without_a_figure_the_reason_says_what_became_of_the_answers(
    measure: ToldPart, answers: list[TurnTold], status: Status, reason: str
) -> None:
    score = pooled(measure, answers)
    assert (score.value, score.status, score.reason) == (None, status, f"not measured: {reason}")


def test_a_call_tells_its_own_answers_and_the_bare_reason() -> None:
    def of_call(*told: TurnTold) -> Score:
        material = CallMaterial(call_id="c", utterances=[])
        return MODEL.of_call(AnalysedCall(material=material, told=told)).score

    found = of_call(answer(model_ms=200.0), answer(model_ms=200.0))
    assert (found.value, found.n, found.reason) == (200.0, 2, few(2))
    assert (of_call(BARE).value, of_call(BARE).reason) == (None, NO_MODEL)


@pytest.mark.parametrize(
    ("measure", "when_absent"),
    [
        (END_OF_TURN, "the agent told the end of no turn that it answered"),
        (MODEL, NO_MODEL),
        (VOICE, "the agent told no time of a voice"),
        (NOT_TOLD, NOTHING),
    ],
)
def test_all_of_them_are_claims(measure: ToldPart, when_absent: str) -> None:
    entry = measure.entry
    assert (entry.claimed, entry.counted, entry.better, entry.unit) == (True, "answer", "lower", MS)
    assert (entry.needs, entry.when_absent) == ((Need.TURNS, Need.EVENTS), when_absent)
