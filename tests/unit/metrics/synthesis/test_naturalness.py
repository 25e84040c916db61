from __future__ import annotations

import pytest

from metrics.score import Evidence, Status
from metrics.synthesis.naturalness import MAX_EVIDENCE, QUALITY_METRICS, naturalness_scores, quality_scores
from metrics.synthesis.nisqa import NaturalnessResult, QualityResult


def spans(*values: float) -> list[tuple[Evidence, NaturalnessResult]]:
    return [
        (
            Evidence(call_id="c1", start_s=float(i), end_s=i + 1 + 10.0 * i, text=f"words {i}"),
            NaturalnessResult(naturalness=value),
        )
        for i, value in enumerate(values)
    ]


def test_every_span_counts_the_same_however_long() -> None:
    [score] = naturalness_scores(spans(4.0, 2.0, 3.5, 1.5, 4.5))

    assert (score.metric, score.unit, score.status) == ("nisqa_naturalness", "mos", Status.MEASURED)
    assert score.value == pytest.approx(3.1)
    assert (score.n, score.p50) == (5, 3.5)
    assert (score.ci_low, score.ci_high, score.reason) == (None, None, "")


def test_evidence_is_the_lowest_spans_with_their_values() -> None:
    [score] = naturalness_scores(spans(4.0, 2.0, 3.0))
    assert [(one.value, one.text) for one in score.evidence] == [
        (2.0, "words 1"),
        (3.0, "words 2"),
        (4.0, "words 0"),
    ]
    assert score.evidence[0].call_id == "c1"

    [many] = naturalness_scores(spans(*(5.0 - i / 100 for i in range(200))))
    assert len(many.evidence) == MAX_EVIDENCE
    assert many.evidence[0].value == pytest.approx(3.01)


def test_five_quality_scores_in_order_and_never_clamped() -> None:
    results = [
        QualityResult(mos=5.2, noisiness=4.0, discontinuity=3.0, coloration=2.0, loudness=1.0),
        QualityResult(mos=5.0, noisiness=4.2, discontinuity=3.4, coloration=2.6, loudness=0.8),
    ]
    scores = quality_scores([(Evidence(), result) for result in results])

    assert tuple(score.metric for score in scores) == QUALITY_METRICS
    assert QUALITY_METRICS[0] == "nisqa_mos"
    assert [score.value for score in scores] == pytest.approx([5.1, 4.1, 3.2, 2.3, 0.9])
    assert [score.n for score in scores] == [2] * 5


def test_no_spans_is_not_a_number() -> None:
    for score in (*naturalness_scores([]), *quality_scores([])):
        assert (score.value, score.status, score.n) == (None, Status.NOT_APPLICABLE, 0)
        assert "no speech" in score.reason
    [score] = naturalness_scores([], reason="nisqa_tts.tar is not installed")
    assert score.reason == "nisqa_tts.tar is not installed"


def test_spans_out_of_the_domain_are_named() -> None:
    warnings = [("narrowband",), ("under 1 s of speech", "narrowband"), ()]
    [score] = naturalness_scores(spans(3.0, 3.0, 3.0), warnings=warnings)
    assert score.reason == (
        "out of the model's domain: 2 of 3 spans narrowband; 1 of 3 spans under 1 s of speech"
    )
    assert naturalness_scores(spans(3.0), warnings=[()])[0].reason == ""
    with pytest.raises(ValueError, match="2 lists of warnings for 1 spans"):
        naturalness_scores(spans(3.0), warnings=[(), ()])


def test_results_of_the_other_model_are_refused() -> None:
    quality = QualityResult(mos=1, noisiness=1, discontinuity=1, coloration=1, loudness=1)
    with pytest.raises(TypeError, match="not of the naturalness model"):
        naturalness_scores([(Evidence(), quality)])
    with pytest.raises(TypeError, match="not of the quality model"):
        quality_scores(spans(3.0))
