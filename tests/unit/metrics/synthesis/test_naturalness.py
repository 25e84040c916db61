from __future__ import annotations

import pytest

from metrics.score import Evidence, Status
from metrics.synthesis.naturalness import (
    MAX_EVIDENCE,
    QUALITY_METRICS,
    left_out_note,
    naturalness_scores,
    quality_scores,
    weighted_mean,
)
from metrics.synthesis.nisqa import NaturalnessResult, QualityResult


def spans(*values: float) -> list[tuple[Evidence, NaturalnessResult]]:
    return [
        (
            Evidence(call_id="c1", start_s=float(i), end_s=i + 1 + 10.0 * i, text=f"words {i}"),
            NaturalnessResult(naturalness=value),
        )
        for i, value in enumerate(values)
    ]


def test_a_span_counts_for_as_long_as_it_lasts() -> None:
    """1, 11, 21, 31 and 41 s, as the clips' times say: 105 s together."""
    [score] = naturalness_scores(spans(4.0, 2.0, 3.5, 1.5, 4.5))

    assert (score.metric, score.unit, score.status) == ("nisqa_naturalness", "mos", Status.MEASURED)
    assert score.value == pytest.approx((4 * 1 + 2 * 11 + 3.5 * 21 + 1.5 * 31 + 4.5 * 41) / 105)
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
    scores = quality_scores([(Evidence(start_s=1.0, end_s=2.0), result) for result in results])

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


def test_spans_out_of_the_domain_are_named_and_in_no_figure() -> None:
    warnings = [("narrowband",), ("under 1 s of speech", "narrowband"), (), ()]
    [score] = naturalness_scores(spans(1.0, 1.0, 3.0, 4.0), warnings=warnings)
    assert score.value == pytest.approx((3 * 21 + 4 * 31) / 52)
    assert (score.n, score.p50) == (2, 3.5)
    assert [one.value for one in score.evidence] == [3.0, 4.0]
    assert score.reason == (
        "2 of 4 spans left out, being out of the model's domain: 2 narrowband, 1 under 1 s of speech"
    )
    assert naturalness_scores(spans(3.0), warnings=[()])[0].reason == ""
    [none] = naturalness_scores(spans(3.0), warnings=[("silent",)])
    assert (none.value, none.status) == (None, Status.INDETERMINATE)
    assert none.reason == "1 of 1 spans left out, being out of the model's domain: 1 silent"
    with pytest.raises(ValueError, match="its start and its end are wanted"):
        naturalness_scores([(Evidence(), NaturalnessResult(naturalness=3.0))])
    with pytest.raises(ValueError, match="last for some time"):
        naturalness_scores([(Evidence(start_s=1.0, end_s=1.0), NaturalnessResult(naturalness=3.0))])
    with pytest.raises(ValueError, match="2 lists of warnings for 1 spans"):
        naturalness_scores(spans(3.0), warnings=[(), ()])


def test_results_of_the_other_model_are_refused() -> None:
    quality = QualityResult(mos=1, noisiness=1, discontinuity=1, coloration=1, loudness=1)
    with pytest.raises(TypeError, match="not of the naturalness model"):
        naturalness_scores([(Evidence(), quality)])
    with pytest.raises(TypeError, match="not of the quality model"):
        quality_scores(spans(3.0))


# --- what a score keeps, and the sums by hand


def _span(start_s: float | None, end_s: float | None, value: float) -> tuple[Evidence, NaturalnessResult]:
    return Evidence(call_id="c", start_s=start_s, end_s=end_s), NaturalnessResult(naturalness=value)


def test_a_mean_over_time_by_hand() -> None:
    """(4 x 1 + 1 x 3) / 4."""
    assert weighted_mean([4.0, 1.0], [1.0, 3.0]) == 1.75
    assert weighted_mean([2.0], [0.5]) == 2.0
    for values, durations in (([], []), ([1.0], [0.0])):
        with pytest.raises(ValueError, match="values that last for some time"):
            weighted_mean(values, durations)


def test_what_is_left_out_is_counted_by_its_reasons() -> None:
    assert left_out_note([]) == left_out_note([(), ()]) == ""
    assert left_out_note([("silent", "silent"), (), ("narrow", "silent"), ()]) == (
        "2 of 4 spans left out, being out of the model's domain: 1 narrow, 2 silent"
    )


def test_spans_out_of_the_domain_weigh_nothing() -> None:
    predictions = [_span(0.0, 2.0, 4.0), _span(2.0, 6.0, 1.0), _span(6.0, 7.0, 1.0)]
    [score] = naturalness_scores(predictions, warnings=[(), ("silent",), ()])
    assert score.value == pytest.approx((4 * 2 + 1 * 1) / 3)
    assert (score.n, score.p50, score.version, score.unit) == (2, 2.5, "2", "mos")
    assert [one.value for one in score.evidence] == [1.0, 4.0]
    assert score.reason == "1 of 3 spans left out, being out of the model's domain: 1 silent"


def test_where_no_span_is_valid_there_is_no_figure() -> None:
    [score] = naturalness_scores([_span(0.0, 2.0, 4.0)], warnings=[("silent",)])
    assert (score.status, score.value, score.version) == (Status.INDETERMINATE, None, "2")
    assert score.reason.startswith("1 of 1 spans left out")
    [nothing] = naturalness_scores([], reason="nobody spoke")
    assert (nothing.status, nothing.reason, nothing.version) == (Status.NOT_APPLICABLE, "nobody spoke", "2")


@pytest.mark.parametrize(("start_s", "end_s"), [(None, 1.0), (1.0, None)])
def test_a_span_without_its_times_cannot_be_weighed(start_s: float | None, end_s: float | None) -> None:
    with pytest.raises(ValueError, match="its start and its end are wanted"):
        naturalness_scores([_span(start_s, end_s, 4.0)])


def test_twenty_spans_are_shown() -> None:
    [score] = naturalness_scores([_span(float(n), n + 1.0, 5.0 - n / 10) for n in range(21)])
    assert len(score.evidence) == 20
    assert (score.evidence[0].value, score.evidence[-1].value) == (3.0, 4.9)


def test_warnings_belong_to_spans() -> None:
    for warnings in ([()], [(), (), ()]):
        with pytest.raises(ValueError, match=f"{len(warnings)} lists of warnings for 2 spans"):
            naturalness_scores([_span(0.0, 1.0, 4.0), _span(1.0, 2.0, 3.0)], warnings=warnings)
