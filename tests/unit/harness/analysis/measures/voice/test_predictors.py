"""DNSMOS and PLCMOS as figures: which stretches count, how they are weighed, what stands for none."""

from __future__ import annotations

import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import found
from harness.analysis.measures.voice.predictors import CONCEALMENT, OVERALL
from harness.analysis.sound.predicted_clips import PredictedClip
from harness.records.scores import CallScores
from metrics.score import Score, Status
from metrics.spans import Span
from metrics.synthesis.nisqa_domain import DomainWarning
from metrics.synthesis.prediction import Prediction


def _clip(start_s: float, end_s: float, value: float, *warnings: str) -> PredictedClip:
    return PredictedClip(
        span=Span(start_s=start_s, end_s=end_s),
        prediction=Prediction(
            dnsmos_sig=4.9, dnsmos_bak=4.8, dnsmos_ovrl=value, dnsmos_p808=4.7, plcmos=value / 2
        ),
        warnings=warnings,
    )


def _score(*clips: PredictedClip) -> Score:
    call = AnalysedCall(material=CallMaterial(call_id="c", utterances=()), predicted=clips)
    return found(OVERALL, call).score


def test_ten_seconds_weigh_ten_times_as_much_as_one() -> None:
    call = AnalysedCall(
        material=CallMaterial(call_id="c", utterances=()), predicted=[_clip(0, 10, 4.0), _clip(20, 21, 1.8)]
    )
    score = found(OVERALL, call).score
    assert (score.value, score.n) == (pytest.approx(3.8), 2)
    assert [(one.start_s, one.end_s, one.value) for one in score.evidence] == [(0, 10, 4.0), (20, 21, 1.8)]
    assert found(CONCEALMENT, call).score.value == pytest.approx(1.9)


def test_what_it_is_not_valid_for_is_left_out_and_told() -> None:
    score = _score(_clip(0, 10, 4.0), _clip(11, 11.5, 1.0, DomainWarning.SHORT))
    assert (score.value, score.n) == (4.0, 1)
    assert score.reason == "1 clip left out: 1 under 1 s of speech"


@pytest.mark.parametrize(
    ("warnings", "status"),
    [
        ([DomainWarning.NARROWBAND], Status.NOT_APPLICABLE),
        ([DomainWarning.SHORT], Status.INDETERMINATE),
    ],
)
def test_there_is_no_figure_of_a_telephone_line_or_of_single_words(
    warnings: list[str], status: Status
) -> None:
    score = _score(_clip(0, 10, 4.0, *warnings), _clip(11, 12, 4.0, *warnings))
    assert (score.value, score.status) == (None, status)
    assert warnings[0] in score.reason


def test_calls_are_pooled_by_the_seconds_of_their_stretches() -> None:
    calls = [
        ScoredCall(scores=CallScores(call_id="a", scores=[_score(_clip(0, 9, 4.0))])),
        ScoredCall(scores=CallScores(call_id="b", scores=[_score(_clip(0, 1, 2.0))])),
        ScoredCall(
            scores=CallScores(call_id="n", scores=[_score(_clip(0, 9, 1.0, DomainWarning.NARROWBAND))])
        ),
    ]
    pooled = OVERALL.pool(calls)
    assert (pooled.value, pooled.n) == (pytest.approx(3.8), 2)
    assert "narrowband" in pooled.reason
    assert "(1 call)" in pooled.reason
