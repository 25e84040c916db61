"""Artefacts as figures: per minute and as shares, without what the network or the caller did."""

from __future__ import annotations

import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import found
from harness.analysis.measures.voice.artefacts import (
    CLIPPED,
    CUT_ENDS,
    DROP_OUTS,
    LEVEL_JUMPS,
    NO_END_HEARD,
    NOT_QUIET,
)
from harness.records.call import Gap, SpokenUtterance
from harness.records.scores import CallScores
from metrics.score import Score, Status
from metrics.spans import Span
from metrics.synthesis.artefacts import Jump, StretchArtefacts


def _call(
    *stretches: StretchArtefacts, gaps: tuple[Gap, ...] = (), said: float | None = None
) -> AnalysedCall:
    spoken = SpokenUtterance(
        index=0, text="wait", kind="barge_in", start_s=said or 0, end_s=(said or 0) + 1, audio_sha256=""
    )
    return AnalysedCall(
        material=CallMaterial(
            call_id="c", utterances=() if said is None else (spoken,), gaps=gaps, end_s=60.0
        ),
        artefacts=stretches,
    )


def _stretch(start_s: float, end_s: float, *holes_s: float, **told: object) -> StretchArtefacts:
    holes = tuple(Span(start_s=at, end_s=at + 0.06) for at in holes_s)
    return StretchArtefacts(span=Span(start_s=start_s, end_s=end_s), drop_outs=holes, **told)  # type: ignore[arg-type]


def test_holes_are_counted_in_a_minute_of_speech_and_can_be_heard() -> None:
    score = found(DROP_OUTS, _call(_stretch(1, 11, 3.0, 5.0), _stretch(20, 40, 25.0))).score
    # Three in 30 s.
    assert score.value == pytest.approx(6.0)
    assert score.n == 2
    assert [(one.start_s, one.text) for one in score.evidence if one.text] == [
        (3.0, "a hole of 60 ms"),
        (5.0, "a hole of 60 ms"),
        (25.0, "a hole of 60 ms"),
    ]


def test_where_packets_were_lost_the_hole_is_the_networks() -> None:
    lost = Gap(side="agent", start_s=3.0, end_s=3.04, packets=2)
    ours = Gap(side="caller", start_s=5.0, end_s=5.04, packets=2)
    score = found(DROP_OUTS, _call(_stretch(1, 11, 3.02, 5.0), gaps=(lost, ours))).score
    assert score.value == pytest.approx(6.0)
    assert score.reason == "1 place left out where packets were lost"


def test_clipped_speech_is_weighed_by_its_duration() -> None:
    stretches = (
        _stretch(0, 9, peak_spread=0.3),
        _stretch(10, 11, peak_spread=0.05),
        _stretch(12, 12.4, peak_spread=None),
    )
    score = found(CLIPPED, _call(*stretches)).score
    assert (score.value, score.n) == (pytest.approx(0.1), 2)
    none = found(CLIPPED, _call(_stretch(12, 12.4))).score
    assert (none.value, none.status) == (None, Status.NOT_APPLICABLE)


def test_a_stretch_that_the_caller_stopped_is_no_cut_end() -> None:
    stretches = (
        _stretch(0, 9, cut_end=True),
        _stretch(10, 20, cut_end=True),
        _stretch(30, 31, cut_end=False),
    )
    assert found(CUT_ENDS, _call(*stretches)).score.value == pytest.approx(2 / 3)
    # Whoever spoke from 19.5 on stopped the second; of the others one was cut.
    assert found(CUT_ENDS, _call(*stretches, said=19.5)).score.value == pytest.approx(1 / 2)
    at_the_end = (*stretches, _stretch(50, 59.9, cut_end=True))
    assert found(CUT_ENDS, _call(*at_the_end)).score.value == pytest.approx(2 / 3)


def _scored(call_id: str, score: Score) -> ScoredCall:
    return ScoredCall(
        scores=CallScores(call_id=call_id, turns=[], interruptions=[], detectors={}, scores=[score])
    )


def test_ends_that_nobody_hears_are_left_out_and_counted() -> None:
    some = found(CUT_ENDS, _call(_stretch(0, 9, cut_end=True), _stretch(10, 20), _stretch(30, 31))).score
    assert (some.value, some.n) == (1.0, 1)
    assert some.reason == f"2 stretches left out: {NOT_QUIET}"
    none = found(CUT_ENDS, _call(_stretch(0, 9))).score
    assert (none.value, none.status, none.reason) == (None, Status.INDETERMINATE, NO_END_HEARD)
    assert [(one.start_s, one.value, one.text) for one in none.evidence] == [
        (0.0, None, "how it ends is not heard")
    ]
    pooled = CUT_ENDS.pool([_scored("a", some), _scored("b", none)])
    assert (pooled.value, pooled.n, pooled.version) == (1.0, 1, "2")
    assert pooled.reason == f"3 stretches left out: {NOT_QUIET}"
    nothing = CUT_ENDS.pool([_scored("b", none)])
    assert (nothing.status, nothing.reason) == (
        Status.INDETERMINATE,
        f"not measured: {NO_END_HEARD} (1 call)",
    )


def test_without_an_end_of_its_own_a_call_says_which_ends_it_had() -> None:
    stopped = found(CUT_ENDS, _call(_stretch(10, 20, cut_end=True), said=19.5)).score
    why = "the caller or the end of the call stopped every stretch of the agent's speech"
    assert (stopped.status, stopped.reason) == (Status.NOT_APPLICABLE, why)
    silent = found(CUT_ENDS, _call()).score
    assert (silent.status, silent.reason) == (Status.NOT_APPLICABLE, "the agent did not speak")
    known = found(CUT_ENDS, _call(_stretch(0, 9, cut_end=False))).score
    pooled = CUT_ENDS.pool([_scored("a", stopped), _scored("b", known)])
    assert (pooled.value, pooled.reason) == (0.0, f"{why} (1 call)")


def test_calls_are_pooled_by_their_speech() -> None:
    one = found(LEVEL_JUMPS, _call(_stretch(0, 10, jumps=(Jump(at_s=4.0, db=-9.0),)))).score
    other = found(LEVEL_JUMPS, _call(_stretch(0, 50))).score
    calls = [
        ScoredCall(scores=CallScores(call_id=name, turns=[], interruptions=[], detectors={}, scores=[score]))
        for name, score in (("a", one), ("b", other))
    ]
    pooled = LEVEL_JUMPS.pool(calls)
    assert (pooled.value, pooled.n) == (pytest.approx(1.0), 2)
    assert [place.text for place in one.evidence if place.text] == ["a step of -9 dB"]


def test_that_nothing_was_found_is_as_certain_as_the_speech_was_long() -> None:
    """Half a minute in three stretches: up to -ln 0.025 / 0.5 a minute, and no share of three is sure."""
    stretches = [_stretch(at, at + 10, peak_spread=0.3) for at in (0, 20, 40)]
    for measure, high in ((DROP_OUTS, 7.378), (LEVEL_JUMPS, 7.378), (CLIPPED, 0.5615)):
        score = found(measure, _call(*stretches)).score
        calls = [
            ScoredCall(
                scores=CallScores(call_id="a", turns=[], interruptions=[], detectors={}, scores=[score])
            )
        ]
        pooled = measure.pool(calls)
        assert (pooled.value, pooled.ci_low, pooled.n) == (0.0, 0.0, 3)
        assert pooled.ci_high == pytest.approx(high, abs=0.001)
    all_of_it = found(CLIPPED, _call(*[_stretch(at, at + 10, peak_spread=0.05) for at in (0, 20, 40)])).score
    calls = [
        ScoredCall(
            scores=CallScores(call_id="a", turns=[], interruptions=[], detectors={}, scores=[all_of_it])
        )
    ]
    assert (CLIPPED.pool(calls).value, CLIPPED.pool(calls).ci_low) == (1.0, pytest.approx(0.4385, abs=0.001))
