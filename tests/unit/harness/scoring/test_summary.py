"""Pooled figures against values worked by hand; see tests.report.sample_calls for the observations."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import measures
from harness.records.call import CallStatus, NotTaken
from harness.records.scores import (
    CallScores,
    InterruptionTiming,
    Summary,
    TurnTiming,
    WordCounts,
)
from harness.scoring.summary import pooled, summarize
from metrics.interaction.interruption import MAY_HAVE_ENDED
from metrics.interaction.outcome import TurnOutcome
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
    """-120 560 620 740 830 910 1040 1180 1320 1460, and one that was never answered: of 11, half are reached
    with the sixth, 90 % with the tenth, and 95 % would take all of them."""
    latency = sample.metrics["response_latency_ms"]
    assert latency.n == 11
    assert latency.value == latency.p50 == pytest.approx(910)
    assert latency.p90 == pytest.approx(1460)
    assert latency.p95 is None
    assert latency.not_reached == {"p95": pytest.approx(1460)}
    assert latency.ci_low is not None
    assert -120 <= latency.ci_low < 910
    # Of five calls one is silent: resamples that hold little else never get to their median.
    assert latency.ci_high is None
    assert latency.resolution == 10.5
    assert latency.version == "4.4"
    assert latency.reason == (
        "1 of 12 turns not answered: censored at the time waited; 1 talked over, in with a latency that is "
        "below 0 where the agent began early; 1 of 12 turns left out: 1 × the detectors differ by 140 ms; "
        "p95 not reached"
    )


def test_answered_turns_alone_stand_beside_by_hand(sample: Summary) -> None:
    """560 620 740 830 910 1040 1180 1320 1460, interpolated at 4, 7.2, 7.6; the one of -120 talked over."""
    answered = sample.metrics["response_latency_answered_ms"]
    assert answered.n == 9
    assert answered.value == pytest.approx(910)
    assert answered.p90 == pytest.approx(1320 + 0.2 * 140)
    assert answered.p95 == pytest.approx(1320 + 0.6 * 140)
    assert answered.not_reached == {}
    assert answered.reason.startswith("1 of 10 turns left out: 1 × the detectors differ by 140 ms")


def test_response_rate_by_hand(sample: Summary) -> None:
    """12 turns were due: one was talked over, one never answered."""
    rate = sample.metrics["response_rate"]
    assert (rate.value, rate.n) == (10 / 12, 12)
    assert rate.reason == "12 turns: 10 answered, 1 talked over, 1 not answered"
    assert rate.interval_method == "Wilson score"


def turn(
    index: int, outcome: TurnOutcome, ms: float | None = None, *, waited_ms: float | None = None
) -> TurnTiming:
    """A turn; ``ms`` is its latency."""
    return TurnTiming(
        index=index,
        user_start_s=10.0 * index,
        user_end_s=10.0 * index + 1,
        latency_ms=ms,
        status=Status.NOT_APPLICABLE if ms is None else Status.MEASURED,
        reason="" if ms is not None else "nothing",
        outcome=outcome,
        waited_ms=waited_ms,
    )


def scored(call_id: str, turns: list[TurnTiming]) -> ScoredCall:
    return ScoredCall(scores=CallScores(call_id=call_id, turns=turns))


def test_an_agent_that_leaves_thirty_percent_unanswered_by_hand() -> None:
    """Ten calls; each has seven answers after 300, 400 .. 900 ms (and a call's number), and three turns of
    8 s of silence. 70 of 100 are ever answered: the rate is 0.70, and 90 % are never reached. Half of all
    are reached with the 50th of the answers: 40 come within 609 ms, the 50th is the tenth call's 709."""
    calls = [
        scored(
            f"c{call}",
            [turn(k, TurnOutcome.ANSWERED, 300.0 + 100 * k + call) for k in range(7)]
            + [turn(k, TurnOutcome.NOT_ANSWERED, waited_ms=8000) for k in range(7, 10)],
        )
        for call in range(10)
    ]
    figures = pooled(calls)
    rate, latency = figures["response_rate"], figures["response_latency_ms"]
    assert (rate.value, rate.n) == (0.7, 100)
    assert (latency.value, latency.p50, latency.n) == (709, 709, 100)
    assert (latency.p90, latency.p95) == (None, None)
    assert latency.not_reached == {"p90": 8000, "p95": 8000}
    assert latency.percentile_intervals["p90"] == (8000, None)
    assert "30 of 100 turns not answered" in latency.reason
    assert "p90 and p95 not reached" in latency.reason
    # Of the answered ones alone the agent looks fast: their median lies 100 ms lower.
    assert figures["response_latency_answered_ms"].p50 == pytest.approx(604.5)
    assert figures["response_latency_answered_ms"].p90 == pytest.approx(902.1)


def test_an_agent_that_answers_only_the_easy_turns_is_slow() -> None:
    """Six of ten left unanswered: not even the median is reached, and what is no figure passes nothing."""
    turns = [turn(k, TurnOutcome.ANSWERED, 100.0) for k in range(4)]
    turns += [turn(k, TurnOutcome.NOT_ANSWERED, waited_ms=6000) for k in range(4, 10)]
    latency = pooled([scored("c", turns)])["response_latency_ms"]
    assert (latency.value, latency.p50, latency.p95) == (None, None, None)
    assert latency.status is Status.INDETERMINATE
    assert latency.not_reached == {"p50": 6000, "p90": 6000, "p95": 6000}
    assert latency.reason.startswith(
        "not measured: the median is not reached: 6 of 10 are not known to have come"
    )


def test_an_agent_that_hangs_up_never_would_have_answered() -> None:
    """Censored at the moment of the hang-up the other turn would decide everything."""
    turns = [turn(0, TurnOutcome.ANSWERED, 500.0), turn(1, TurnOutcome.NOT_ANSWERED)]
    latency = pooled([scored("c", turns)])["response_latency_ms"]
    assert latency.p50 == 500
    assert latency.not_reached == {"p90": 500, "p95": 500}


def test_what_is_not_due_counts_on_no_side() -> None:
    turns = [turn(0, TurnOutcome.ANSWERED, 500.0), turn(1, TurnOutcome.IN_PART, 200.0)]
    not_due = [turn(2, TurnOutcome.NOT_DUE), turn(3, TurnOutcome.NOT_DUE, 9000.0)]
    with_them, without = pooled([scored("c", turns + not_due)]), pooled([scored("c", turns)])
    assert with_them["response_rate"].value == 1.0
    assert with_them["response_rate"].n == 2
    for name in ("response_latency_ms", "response_latency_answered_ms"):
        assert with_them[name] == without[name]
        assert with_them[name].n == 2
    alone = pooled([scored("c", not_due)])
    assert alone["response_rate"].value is None
    assert "no turn of the caller was due an answer" in alone["response_rate"].reason
    assert "no turn of the caller was due an answer" in alone["response_latency_ms"].reason


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
    """320 440 505 690, the straddling stop like any other, and one longer than 6000: of five, half are
    reached with the third, and 90 % would take all of them."""
    delay = sample.metrics["interruption_delay_ms"]
    assert delay.n == 5
    assert delay.value == 505
    assert (delay.p90, delay.p95) == (None, None)
    assert delay.not_reached == {"p90": 6000, "p95": 6000}
    stops = sample.metrics["interruption_delay_stopped_ms"]
    assert stops.n == 4
    assert stops.value == pytest.approx((440 + 505) / 2)
    assert stops.p90 == pytest.approx(505 + 0.7 * 185)
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


def test_nisqa_is_the_mean_over_valid_clips_by_duration(sample: Summary) -> None:
    """Values and seconds; the one of 4.40 has a warning, and is in no figure."""
    valid = [(4.31, 3.2), (4.05, 4.4), (4.22, 4.2), (3.94, 4.0), (4.1, 4.02), (3.9, 8.0), (3.2, 3.68)]
    naturalness = sample.metrics["nisqa_naturalness"]
    assert naturalness.value == pytest.approx(sum(v * s for v, s in valid) / 31.5)
    assert naturalness.n == 7
    assert "1 clip left out, for which NISQA is not valid: 1 shorter than 2 s" in naturalness.reason
    assert naturalness.ci_low is not None
    assert naturalness.ci_high is not None
    assert naturalness.ci_low < naturalness.value < naturalness.ci_high
    assert naturalness.version == "2"
    assert sample.metrics["nisqa_mos"].n == 7
    assert "the NISQA weights are not installed" in sample.metrics["nisqa_mos"].reason


def test_nisqa_of_clips_that_are_all_invalid_is_no_figure() -> None:
    call = plain_call()
    call.clips = [clip.model_copy(update={"warnings": ("narrowband",)}) for clip in call.clips]
    naturalness = summary_of([call]).metrics["nisqa_naturalness"]
    assert (naturalness.value, naturalness.status) == (None, Status.INDETERMINATE)
    assert naturalness.reason == "not measured: 5 clips left out, for which NISQA is not valid: 5 narrowband"


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


@pytest.mark.parametrize(
    "metric", ["interruption_success_500ms", "interruption_delay_ms", "interruption_delay_stopped_ms"]
)
def test_where_nobody_can_tell_of_one_it_is_not_said_that_none_was_successful(metric: str) -> None:
    call = interruption_call()
    call.interruptions = [_timing(0, "not_stopped"), _timing(1, "indeterminate")]
    found = summary_of([call]).metrics[metric]
    assert found.status is Status.INDETERMINATE
    assert "of 1 interruption nobody can tell whether it was successful" in found.reason


def _timing(index: int, outcome: str, **fields: float) -> InterruptionTiming:
    known = {
        "index": index,
        "user_start_s": 10.0 * index,
        "agent_onset_s": 10.0 * index,
        "planned_offset_s": 0.0,
        "outcome": outcome,
    }
    return InterruptionTiming.model_validate(known | fields)


def _delay(*timings: InterruptionTiming) -> Score:
    [found] = [one for one in measures() if one.entry.name == "interruption_delay_ms"]
    return found.pool([ScoredCall(scores=CallScores(call_id="c", interruptions=list(timings)))])


def test_the_worst_agents_have_a_bound_and_not_nothing() -> None:
    """Ten interruptions of ten that the agent never stopped for, each heard to go on for 8 s; ten turns of
    ten without an answer in 8 s: not reached, beyond 8000 ms."""
    never = _delay(*(_timing(k, "not_stopped", censored_after_ms=8000) for k in range(10)))
    silent = pooled([scored("c", [turn(k, TurnOutcome.NOT_ANSWERED, waited_ms=8000) for k in range(10)])])
    for found in (never, silent["response_latency_ms"]):
        assert (found.value, found.status, found.n) == (None, Status.INDETERMINATE, 10)
        assert found.not_reached == {"p50": 8000, "p90": 8000, "p95": 8000}
        assert "10 of 10 are not known to have come" in found.reason


def test_a_bound_of_some_is_none_where_nobody_knows_of_the_others() -> None:
    unknown = _delay(_timing(0, "not_stopped", censored_after_ms=8000), _timing(1, "indeterminate"))
    assert (unknown.status, unknown.not_reached) == (Status.INDETERMINATE, {})
    ended = _delay(_timing(0, "not_stopped", censored_after_ms=8000), _timing(1, "ended_by_itself"))
    assert (ended.n, ended.not_reached["p50"]) == (1, 8000)
    turns = [turn(0, TurnOutcome.NOT_ANSWERED, waited_ms=8000), turn(1, TurnOutcome.ANSWERED)]
    assert pooled([scored("c", turns)])["response_latency_ms"].not_reached == {}


def test_an_agent_that_spoke_when_the_call_ended_had_not_stopped_before() -> None:
    """Stops after 400 and 600 ms, and one that had not stopped after 1900 ms: the median is 600."""
    stops = [_timing(0, "stopped", delay_ms=400), _timing(1, "stopped", delay_ms=600)]
    found = _delay(*stops, _timing(2, "indeterminate", censored_after_ms=1900))
    assert (found.value, found.n, found.not_reached) == (600, 3, {"p90": 1900, "p95": 1900})
    assert "1 censored" in found.reason


def test_a_stop_that_an_echo_hides_is_one_that_came_later_than_the_agent_was_heard() -> None:
    """Stops after 400 and 600 ms, and one some time after 700 ms: three of three, the median is 600."""
    stops = [_timing(0, "stopped", delay_ms=400), _timing(1, "stopped", delay_ms=600)]
    hidden = _timing(2, "stopped", censored_after_ms=700)
    found = _delay(*stops, hidden)
    assert (found.value, found.n, found.not_reached) == (600, 3, {"p90": 700, "p95": 700})
    assert "1 censored: it stopped while an echo of the caller hid when" in found.reason
    call = ScoredCall(scores=CallScores(call_id="c", interruptions=[*stops, hidden]))
    alone = ScoredCall(scores=CallScores(call_id="c", interruptions=[hidden]))
    by_name = {one.entry.name: one for one in measures()}
    assert (
        by_name["interruption_stop_rate"].pool([call]).value,
        by_name["interruption_stop_rate"].pool([call]).n,
    ) == (1.0, 3)
    for name in ("interruption_delay_stopped_ms", "interruption_success_500ms"):
        one = by_name[name].pool([alone])
        assert (one.value, one.status) == (None, Status.INDETERMINATE)
        assert "an echo of the caller hides when" in one.reason


def test_stops_that_all_straddle_are_indeterminate() -> None:
    call = interruption_call()
    call.interruptions = [timing for timing in call.interruptions if timing.delay_ms == 505.0]
    success = summary_of([call]).metrics["interruption_success_500ms"]
    assert success.status is Status.INDETERMINATE
    assert success.value is None


def test_stops_at_a_sentence_s_end_are_left_out_and_told() -> None:
    """Of two stops one may be the end of a sentence."""
    [success] = [one for one in measures() if one.entry.name == "interruption_success_500ms"]
    cut = _timing(0, "stopped", delay_ms=300).model_copy(update={"within_500ms": True})
    soft = _timing(1, "stopped", delay_ms=300).model_copy(update={"reason": MAY_HAVE_ENDED})
    both = success.pool([ScoredCall(scores=CallScores(call_id="c", interruptions=[cut, soft]))])
    assert (both.value, both.n) == (1.0, 1)
    assert "1 stop left out: by sound alone a sentence may have ended there" in both.reason
    assert "straddles" not in both.reason
    alone = success.pool([ScoredCall(scores=CallScores(call_id="c", interruptions=[soft]))])
    assert (alone.value, alone.status) == (None, Status.INDETERMINATE)


def _success(certain: str, left_open: str) -> Score:
    """Of stops that are certain, and of ones at what may be the end of a sentence: (f)ast or (s)low."""
    [success] = [one for one in measures() if one.entry.name == "interruption_success_500ms"]
    stops = []
    for number, speed in enumerate(certain + left_open):
        stop = _timing(number, "stopped", delay_ms=300 if speed == "f" else 700)
        sure: dict[str, object] = (
            {"within_500ms": speed == "f"} if number < len(certain) else {"reason": MAY_HAVE_ENDED}
        )
        stops.append(stop.model_copy(update=sure))
    return success.pool([ScoredCall(scores=CallScores(call_id="c", interruptions=stops))])


@pytest.mark.parametrize(
    ("certain", "left_open", "value", "told"),
    [
        ("ffss", "ff", 0.5, "0.67 (4 of 6), with some from 0.50 to 0.67"),
        ("ffss", "fs", 0.5, "0.50 (3 of 6), with some from 0.40 to 0.60"),
        ("ff", "ffff", 1.0, "1.00 (6 of 6), with some from 1.00 to 1.00"),
        ("ffs", "s", 2 / 3, "0.50 (2 of 4), with some from 0.50 to 0.67"),
        ("fs", "f", 0.5, "0.67 (2 of 3), with some from 0.50 to 0.67"),
        # More than a third of the scale: no figure.
        ("fs", "ffss", None, "0.50 (3 of 6), with some from 0.25 to 0.75"),
        ("s", "f", None, "0.50 (1 of 2), with some from 0.00 to 0.50"),
        # Nothing is certain: any of them may have been no stop at all.
        ("", "ssssss", None, "0.00 (0 of 6), with some from 0.00 to 0.00"),
        ("", "ff", None, "1.00 (2 of 2), with some from 1.00 to 1.00"),
        ("", "fs", None, "0.50 (1 of 2), with some from 0.00 to 1.00"),
    ],
)
def test_the_figure_says_what_stops_that_may_be_a_sentence_s_end_leave_open(
    certain: str, left_open: str, value: float | None, told: str
) -> None:
    found = _success(certain, left_open)
    assert found.value == value
    assert found.status is (Status.INDETERMINATE if value is None else Status.MEASURED)
    assert f"with all of them, by their delays, it would be {told}" in found.reason


def test_a_third_of_the_scale_may_be_left_open() -> None:
    """From 1 of 3 to 4 of 6, and not to 5 of 7."""
    edge = _success("fss", "fff")
    assert (edge.value, edge.n) == (1 / 3, 3)
    over = _success("fss", "ffff")
    assert over.value is None
    assert "1 of 3 stops that are certain leave too much open" in over.reason


def test_a_call_without_scores_is_told() -> None:
    calls = [plain_call(), noisy_call()]
    summary = summarize([record_of(call) for call in calls], [scores_of(calls[0])])
    assert "1 call could not be scored" in summary.metrics["response_latency_ms"].reason
    assert "scored" not in summary.metrics["emotion_match"].reason


def test_unanswered_turns_are_no_latency() -> None:
    latency = summary_of([silent_call()]).metrics["response_latency_ms"]
    assert latency.value is None
    assert "no turn was answered" in latency.reason
    assert (latency.status, latency.n, list(latency.not_reached)) == (
        Status.INDETERMINATE,
        1,
        ["p50", "p90", "p95"],
    )
    assert "1 of 1 turn not answered" in latency.reason


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


def test_answered_calls_by_hand() -> None:
    """Three were taken, one was busy, one was declined; one could not be set up, one was our own fault."""
    busy = record_of(MadeCall(id="busy", status=CallStatus.NOT_ANSWERED, duration_s=0.1, scored=False))
    records = [
        *(record_of(MadeCall(id=f"c{n}", duration_s=9.0)) for n in range(2)),
        record_of(MadeCall(id="moved", status=CallStatus.TRANSFERRED, duration_s=9.0)),
        busy.model_copy(update={"not_answered": NotTaken(reason="busy", code=486)}),
        busy.model_copy(update={"not_answered": NotTaken(reason="declined", code=603)}),
        record_of(setup_failed_call()),
        record_of(faulty_call()),
    ]
    found = summarize(records, []).metrics["answered_calls"]
    assert (found.value, found.n) == (pytest.approx(3 / 5), 5)
    assert found.ci_low == pytest.approx(0.2307, abs=1e-3)
    assert found.reason == ("not answered: 1 busy, 1 declined; not counted: 1 call that could not be set up")


def test_without_a_call_that_could_be_taken_there_is_no_share_of_answered_ones() -> None:
    found = summarize([record_of(setup_failed_call())], []).metrics["answered_calls"]
    assert (found.value, found.status) == (None, Status.NOT_APPLICABLE)
