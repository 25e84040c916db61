"""Pooled figures against values worked by hand; see tests.report.sample_calls for the observations."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from harness.analysis.measures.table import measures
from harness.records.call import CallStatus
from harness.records.scores import (
    CallScores,
    InterruptionTiming,
    Summary,
    TurnTiming,
    WordCounts,
)
from harness.scoring.summary import summarize
from metrics.score import Score, Status, not_measured
from tests.report.make_run import MadeCall, record_of, scores_of
from tests.report.sample_calls import (
    faulty_call,
    interruption_call,
    noisy_call,
    plain_call,
    sample_calls,
    setup_failed_call,
    silent_call,
)


def summary_of(calls: list[MadeCall]) -> Summary:
    records = [record_of(call) for call in calls]
    return summarize(records, [scores_of(call) for call in calls if call.scored], run="nightly")


@pytest.fixture(scope="module")
def sample() -> Summary:
    return summary_of(sample_calls())


def test_latency_percentiles_by_hand(sample: Summary) -> None:
    """-120 560 620 740 830 910 1040 1180 1320 1460, interpolated at 4.5, 8.1 and 8.55."""
    latency = sample.metrics["response_latency_ms"]
    assert latency.n == 10
    assert latency.value == pytest.approx((830 + 910) / 2)
    assert latency.p50 == latency.value
    assert latency.p90 == pytest.approx(1320 + 0.1 * 140)
    assert latency.p95 == pytest.approx(1320 + 0.55 * 140)
    assert latency.ci_low is not None
    assert latency.ci_high is not None
    assert -120 <= latency.ci_low < 870 < latency.ci_high <= 1460
    assert latency.resolution == 10.5
    assert "2 of 12 turns left out" in latency.reason
    assert "the agent never answered" in latency.reason


def test_the_order_of_the_calls_changes_no_figure(sample: Summary) -> None:
    latency = sample.metrics["response_latency_ms"]
    other = summary_of(list(reversed(sample_calls()))).metrics["response_latency_ms"]
    assert (other.value, other.ci_low, other.ci_high) == (latency.value, latency.ci_low, latency.ci_high)


def test_interruption_rates_by_hand(sample: Summary) -> None:
    """Stops 320, 440 (in time), 690 (late), 505 (straddling: left out); one run-on."""
    success = sample.metrics["interruption_success_500ms"]
    assert success.value == pytest.approx(2 / 3)
    assert success.n == 3
    # Wilson's interval for 2 of 3: (2 + z²/2 ± z sqrt(2/3 + z²/4)) / (3 + z²) with z = 1.959964.
    assert success.ci_low == pytest.approx(0.20766, abs=1e-5)
    assert success.ci_high == pytest.approx(0.93851, abs=1e-5)
    assert "1 stop left out: the error bar straddles 500 ms" in success.reason
    stop_rate = sample.metrics["interruption_stop_rate"]
    assert stop_rate.value == pytest.approx(4 / 5)
    assert stop_rate.n == 5
    assert sample.interruptions == {"stopped": 4, "not_stopped": 1, "ended_by_itself": 1, "indeterminate": 1}


def test_interruption_delay_counts_what_is_censored(sample: Summary) -> None:
    """320 440 505 690: the straddling stop is a delay like any other; the run-on has none."""
    delay = sample.metrics["interruption_delay_ms"]
    assert delay.n == 4
    assert delay.value == pytest.approx((440 + 505) / 2)
    assert delay.p90 == pytest.approx(505 + 0.7 * 185)
    assert "1 censored" in delay.reason
    assert "1 stop may have fallen in a pause" in delay.reason
    assert delay.resolution == 17.0


def test_error_rates_are_pooled_over_words_not_over_calls(sample: Summary) -> None:
    """Errors 3, 0, 4 of 32, 30, 13 words: 7/75, not the mean of the three rates."""
    assert sample.metrics["wer"].value == pytest.approx(7 / 75)
    assert sample.metrics["wer"].n == 75
    assert sample.metrics["wer_noisy"].value == pytest.approx(4 / 13)
    assert sample.metrics["cer"].value == pytest.approx(9 / 150)
    assert sample.metrics["cer"].interval_method == "no interval: one call only"


def test_nisqa_is_the_mean_over_clips(sample: Summary) -> None:
    naturalness = sample.metrics["nisqa_naturalness"]
    assert naturalness.value == pytest.approx((4.31 + 4.05 + 4.22 + 3.94 + 4.40 + 4.1 + 3.9 + 3.2) / 8)
    assert naturalness.n == 8
    assert "1 clip with a warning" in naturalness.reason
    assert sample.metrics["nisqa_mos"].n == 7
    assert "the NISQA weights are not installed" in sample.metrics["nisqa_mos"].reason


def test_a_harness_fault_moves_no_figure() -> None:
    without = summary_of([plain_call(), noisy_call()])
    with_fault = summary_of([plain_call(), noisy_call(), faulty_call()])
    assert with_fault.metrics == without.metrics
    assert with_fault.calls == {
        CallStatus.COMPLETED: 1,
        CallStatus.AGENT_HANGUP: 1,
        CallStatus.HARNESS_FAULT: 1,
    }


def test_a_failed_setup_is_counted_and_not_measured() -> None:
    summary = summary_of([setup_failed_call()])
    assert summary.calls == {CallStatus.SETUP_FAILED: 1}
    for metric in summary.metrics.values():
        assert metric.value is None
        assert metric.status is Status.NOT_APPLICABLE
        assert metric.reason == "not measured: no call could be measured (1 setup_failed)"


def test_no_call_at_all() -> None:
    summary = summarize([], [])
    assert summary.metrics["wer"].reason == "not measured: no call was placed"
    assert summary.calls == {}


def test_every_metric_has_an_entry_and_a_value_or_a_reason(sample: Summary) -> None:
    assert list(sample.metrics) == [measure.entry.name for measure in measures()]
    missing = {name for name, metric in sample.metrics.items() if metric.value is None}
    assert {entry.metric for entry in sample.not_measured} == missing
    assert {"mos", "emotion_match", "final"} <= missing
    for name in missing:
        assert sample.metrics[name].reason.startswith("not measured: ")
        assert sample.metrics[name].status is not Status.MEASURED
        assert sample.metrics[name].ci_low is sample.metrics[name].p50 is None


def test_no_interruption_planned_is_no_rate_of_zero() -> None:
    summary = summary_of([plain_call()])
    for name in ("interruption_success_500ms", "interruption_stop_rate", "interruption_delay_ms"):
        assert summary.metrics[name].value is None
        assert "no interruption was planned" in summary.metrics[name].reason


def test_an_agent_that_never_stops_has_a_stop_rate_but_no_success_rate() -> None:
    call = interruption_call()
    call.interruptions = [timing for timing in call.interruptions if timing.outcome == "not_stopped"]
    summary = summary_of([call])
    assert summary.metrics["interruption_stop_rate"].value == 0.0
    success = summary.metrics["interruption_success_500ms"]
    assert success.value is None
    assert "no interruption was successful" in success.reason
    assert summary.metrics["interruption_delay_ms"].value is None
    assert "1 censored" in summary.metrics["interruption_delay_ms"].reason


def test_stops_that_all_straddle_are_indeterminate() -> None:
    call = interruption_call()
    call.interruptions = [timing for timing in call.interruptions if timing.delay_ms == 505.0]
    success = summary_of([call]).metrics["interruption_success_500ms"]
    assert success.status is Status.INDETERMINATE
    assert success.value is None


def test_a_call_without_scores_is_told() -> None:
    calls = [plain_call(), noisy_call()]
    summary = summarize([record_of(call) for call in calls], [scores_of(calls[0])])
    assert "1 call could not be scored" in summary.metrics["response_latency_ms"].reason
    assert "scored" not in summary.metrics["emotion_match"].reason


def test_unanswered_turns_are_no_latency() -> None:
    latency = summary_of([silent_call()]).metrics["response_latency_ms"]
    assert latency.value is None
    assert "no turn was answered" in latency.reason
    assert "1 × the agent never answered" in latency.reason


def test_a_failed_measurement_is_not_called_inapplicable() -> None:
    call = plain_call()
    call.clips = []
    broken = not_measured("nisqa_mos", "mos", "the model crashed", status=Status.FAILED)
    scores = scores_of(call).model_copy(update={"scores": [broken]})
    metric = summarize([record_of(call)], [scores]).metrics["nisqa_mos"]
    assert metric.status is Status.FAILED
    assert metric.reason == "not measured: the model crashed (1 call)"


def test_reasons_of_calls_without_words_are_counted() -> None:
    calls = [plain_call(), noisy_call(), silent_call()]
    calls[1].word_counts = {}
    hidden = not_measured("wer", "ratio", "the agent does not expose its transcript")
    scores = [
        scores.model_copy(update={"scores": [*scores.scores, hidden]})
        if "wer" not in scores.word_counts
        else scores
        for scores in map(scores_of, calls)
    ]
    wer = summarize([record_of(call) for call in calls], scores).metrics["wer"]
    assert wer.value == pytest.approx(3 / 32)
    assert wer.reason == "2 calls left out: the agent does not expose its transcript (2 calls)"


def test_words_heard_where_nothing_was_said_still_count_as_errors() -> None:
    calls = [plain_call(), noisy_call()]
    calls[1].word_counts = {"wer": WordCounts(substitutions=0, deletions=0, insertions=5, reference=0)}
    wer = summary_of(calls).metrics["wer"]
    assert wer.value == pytest.approx((3 + 5) / 32)


def test_one_turn_without_an_error_bar_leaves_the_run_without_one() -> None:
    call = plain_call()
    call.turns[0] = call.turns[0].model_copy(update={"resolution_ms": None})
    assert summary_of([call]).metrics["response_latency_ms"].resolution is None


def test_versions_of_mixed_scoring_are_all_named() -> None:
    def versioned(call: MadeCall, version: str) -> CallScores:
        score = Score(metric="wer", unit="ratio", value=0.1, status=Status.MEASURED, version=version)
        return scores_of(call).model_copy(update={"scores": [score]})

    calls = [plain_call(), noisy_call()]
    summary = summarize(
        [record_of(call) for call in calls], [versioned(calls[0], "2"), versioned(calls[1], "1")]
    )
    assert summary.metrics["wer"].version == "1 + 2"


def test_summary_survives_its_file(sample: Summary) -> None:
    assert Summary.model_validate_json(sample.model_dump_json()) == sample


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (Score, {"metric": "m", "unit": "ms", "status": "measured"}),
        (Score, {"metric": "m", "unit": "ms", "status": "failed", "reason": "x", "value": 0.0}),
        (Score, {"metric": "m", "unit": "ms", "status": "failed"}),
        (Score, {"metric": "m", "unit": "ms", "status": "measured", "value": float("nan")}),
        (TurnTiming, {"index": 0, "user_start_s": 0, "user_end_s": 1, "status": "measured"}),
        (
            TurnTiming,
            {
                "index": 0,
                "user_start_s": 0,
                "user_end_s": 1,
                "status": "failed",
                "latency_ms": 5,
                "reason": "x",
            },
        ),
        (
            InterruptionTiming,
            {"index": 0, "user_start_s": 2, "agent_onset_s": 1, "planned_offset_s": 1, "outcome": "stopped"},
        ),
        (
            InterruptionTiming,
            {
                "index": 0,
                "user_start_s": 2,
                "agent_onset_s": 1,
                "planned_offset_s": 1,
                "outcome": "not_stopped",
                "within_500ms": False,
            },
        ),
        (CallScores, {"call_id": "a", "turnz": []}),
    ],
)
def test_models_refuse_a_number_without_a_measurement(model: type, fields: dict[str, object]) -> None:
    wrong = r"but its value is|must not carry|needs a reason|with latency_ms|without delay_ms|cannot be|Extra"
    with pytest.raises(ValidationError, match=wrong):
        model(**fields)
