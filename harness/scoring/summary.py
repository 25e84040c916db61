"""The figures of a run: what its calls measured, pooled, or the reason why there is nothing to pool.

Calls that ended as ``harness_fault`` enter no figure; ``setup_failed`` calls are counted, not measured.
``figures_over_calls`` has the arithmetic; this file says which values of which calls go into which metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from harness.records.call import CallRecord, CallStatus
from harness.records.metric_catalogue import BY_NAME, METRICS, NOT_BUILT
from harness.records.scores import (
    WORD_METRICS,
    CalibrationNote,
    CallScores,
    DialogueScores,
    InterruptionOutcome,
    InterruptionTiming,
    NotMeasured,
    Summary,
)
from harness.scoring.figures_over_calls import distribution, error_rate, mean, missing, proportion
from harness.scoring.figures_over_texts import pooled_texts, summarize_texts
from metrics.score import Score, Status

NOISY_BELOW_DB = 15.0
"""SNR under which a call counts as noisy (paper, Table 15)."""

UNMEASURED_STATUSES = (CallStatus.HARNESS_FAULT, CallStatus.SETUP_FAILED)

OUTCOME_WORDS: dict[InterruptionOutcome, str] = {
    "stopped": "stopped",
    "not_stopped": "not stopped",
    "ended_by_itself": "ended by itself",
    "indeterminate": "indeterminate",
}

_INTERRUPTION_METRICS = ("interruption_success_500ms", "interruption_stop_rate", "interruption_delay_ms")
_NISQA_FIELDS = ("naturalness", "mos", "noisiness", "discontinuity", "coloration", "loudness")
_MAX_REASONS = 3


def summarize(
    records: Sequence[CallRecord], call_scores: Iterable[CallScores], *, run: str = "run"
) -> Summary:
    """Pools what the calls of a run measured.

    Args:
        records: Every call that was placed, in any status.
        call_scores: Scores of those calls, in any order; a call without scores is counted in the reasons.
        run: Name of the run.

    Returns:
        A summary with an entry for every metric of :data:`harness.records.metric_catalogue.METRICS`.
    """
    statuses = Counter(record.status for record in records)
    by_id = {scores.call_id: scores for scores in call_scores}
    counted = [record for record in records if record.status not in UNMEASURED_STATUSES]
    scored = [record for record in counted if record.plan.call_id in by_id]
    calls = [by_id[record.plan.call_id] for record in scored]
    noisy = [by_id[record.plan.call_id] for record in scored if _is_noisy(record)]
    if calls:
        metrics = pooled(calls, noisy)
        unscored = len(counted) - len(calls)
        if unscored:
            note = f"{_count(unscored, 'call')} could not be scored"
            metrics = {name: _with_note(metric, note) for name, metric in metrics.items()}
    else:
        metrics = {entry.name: missing(entry.name, [_why_no_call(statuses)]) for entry in METRICS}
    return Summary(
        run=run,
        calls=dict(statuses),
        interruptions=_outcomes([timing for call in calls for timing in call.interruptions]),
        calibrations=_calibrations(calls),
        metrics=metrics,
        text=summarize_texts([call.text for call in calls if call.text is not None]),
        not_measured=[
            NotMeasured(metric=name, reason=metric.reason)
            for name, metric in metrics.items()
            if metric.status is not Status.MEASURED
        ],
    )


def pooled(calls: list[CallScores], noisy: list[CallScores] | None = None) -> dict[str, Score]:
    """Every metric over the calls given; ``noisy`` are those of them that count as noisy."""
    found = {
        "response_latency_ms": _response_latency(calls),
        "content_latency_ms": _content_latency(calls),
        "interruption_success_500ms": _success_500ms(calls),
        "interruption_stop_rate": _stop_rate(calls),
        "interruption_delay_ms": _interruption_delay(calls),
        **{name: _error_rate(name, name, calls) for name in WORD_METRICS},
        "wer_noisy": _error_rate("wer_noisy", "wer", noisy or []),
        **(pooled_texts(texts) if (texts := _judged(calls)) else {}),
        **{f"nisqa_{field}": _nisqa(field, calls) for field in _NISQA_FIELDS},
    }
    return {entry.name: found.get(entry.name) or missing(entry.name, []) for entry in METRICS}


def _judged(calls: Sequence[CallScores]) -> list[DialogueScores]:
    return [call.text for call in calls if call.text is not None and call.text.text is not None]


# ---- latency


def _response_latency(calls: list[CallScores]) -> Score:
    name = "response_latency_ms"
    turns = [turn for call in calls for turn in call.turns]
    by_call = {
        call.call_id: [turn.latency_ms for turn in call.turns if turn.latency_ms is not None]
        for call in calls
    }
    left_out = Counter(turn.reason for turn in turns if turn.latency_ms is None)
    notes = []
    if left_out:
        notes.append(f"{left_out.total()} of {_count(len(turns), 'turn')} left out: {_tally(left_out)}")
    if not any(by_call.values()):
        status = _worst([turn.status for turn in turns])
        return missing(name, [BY_NAME[name].when_absent, *notes], status=status)
    resolution = _widest([turn.resolution_ms for turn in turns if turn.latency_ms is not None])
    return distribution(name, by_call, notes=notes, resolution=resolution, version=_version(name, calls))


def _content_latency(calls: list[CallScores]) -> Score:
    name = "content_latency_ms"
    answered = {call.call_id: [turn for turn in call.turns if turn.latency_ms is not None] for call in calls}
    by_call = {
        call_id: [turn.content_latency_ms for turn in turns if turn.content_latency_ms is not None]
        for call_id, turns in answered.items()
    }
    untimed = sum(turn.content_latency_ms is None for turns in answered.values() for turn in turns)
    notes = [f"{_count(untimed, 'answer')} without a timed content word"] if untimed else []
    if not any(by_call.values()):
        return missing(name, notes)
    # No resolution: the onset is a recogniser's word time, which no calibration covers.
    return distribution(name, by_call, notes=notes, version=_version(name, calls))


# ---- interruptions


def _success_500ms(calls: list[CallScores]) -> Score:
    name = "interruption_success_500ms"
    timings = _timings(calls)
    if not timings:
        return missing(name, _reasons(name, calls))
    stops = [timing for timing in timings if timing.outcome == "stopped"]
    decided = [timing for timing in stops if timing.within_500ms is not None]
    straddling = len(stops) - len(decided)
    notes = [_outcome_note(timings)]
    if straddling:
        notes.append(f"{_count(straddling, 'stop')} left out: the error bar straddles 500 ms")
    if not decided:
        why = "no stop can be told from 500 ms" if straddling else "no interruption was successful"
        status = Status.INDETERMINATE if straddling else Status.NOT_APPLICABLE
        return missing(name, [why, *notes], status=status)
    fast = sum(timing.within_500ms is True for timing in decided)
    return proportion(name, fast, len(decided), notes=notes, version=_version(name, calls))


def _stop_rate(calls: list[CallScores]) -> Score:
    name = "interruption_stop_rate"
    timings = _timings(calls)
    if not timings:
        return missing(name, _reasons(name, calls))
    outcomes = _outcomes(timings)
    stopped, ran_on = outcomes.get("stopped", 0), outcomes.get("not_stopped", 0)
    notes = [_outcome_note(timings)]
    if not stopped + ran_on:
        status = Status.INDETERMINATE if "indeterminate" in outcomes else Status.NOT_APPLICABLE
        return missing(name, ["no interruption shows whether the agent stops", *notes], status=status)
    return proportion(name, stopped, stopped + ran_on, notes=notes, version=_version(name, calls))


def _interruption_delay(calls: list[CallScores]) -> Score:
    name = "interruption_delay_ms"
    timings = _timings(calls)
    if not timings:
        return missing(name, _reasons(name, calls))
    stops = [timing for timing in timings if timing.outcome == "stopped"]
    by_call = {
        call.call_id: [
            timing.delay_ms
            for timing in call.interruptions
            if timing.outcome == "stopped" and timing.delay_ms is not None
        ]
        for call in calls
    }
    censored = sum(timing.outcome == "not_stopped" for timing in timings)
    in_pause = sum(timing.stopped_in_pause for timing in stops)
    notes = []
    if censored:
        notes.append(f"{censored} censored: the agent did not stop, so the true percentiles are higher")
    if in_pause:
        notes.append(f"{_count(in_pause, 'stop')} may have fallen in a pause between words")
    if not any(by_call.values()):
        status = Status.INDETERMINATE if "indeterminate" in _outcomes(timings) else Status.NOT_APPLICABLE
        return missing(name, ["no interruption was successful", *notes], status=status)
    resolution = _widest([timing.resolution_ms for timing in stops])
    return distribution(name, by_call, notes=notes, resolution=resolution, version=_version(name, calls))


def _timings(calls: list[CallScores]) -> list[InterruptionTiming]:
    return [timing for call in calls for timing in call.interruptions]


def _outcomes(timings: Sequence[InterruptionTiming]) -> dict[InterruptionOutcome, int]:
    return dict(Counter(timing.outcome for timing in timings))


def _outcome_note(timings: list[InterruptionTiming]) -> str:
    outcomes = _outcomes(timings)
    parts = [f"{outcomes[key]} {words}" for key, words in OUTCOME_WORDS.items() if key in outcomes]
    return f"{_count(len(timings), 'interruption')}: {', '.join(parts)}"


# ---- words and sound


def _error_rate(name: str, counted_as: str, calls: list[CallScores]) -> Score:
    counts = {call.call_id: call.word_counts[counted_as] for call in calls if counted_as in call.word_counts}
    lacking = [call for call in calls if counted_as not in call.word_counts]
    reasons = _reasons(counted_as, lacking)
    if not sum(count.reference for count in counts.values()):
        status = _worst([score.status for score in _scores(counted_as, calls)])
        return missing(name, reasons if calls else [], status=status)
    notes = []
    if lacking:
        notes.append(
            f"{_count(len(lacking), 'call')} left out" + (f": {'; '.join(reasons)}" if reasons else "")
        )
    return error_rate(name, counts, notes=notes, version=_version(counted_as, calls))


def _nisqa(field: str, calls: list[CallScores]) -> Score:
    name = f"nisqa_{field}"
    by_call = {
        call.call_id: [value for clip in call.clips if (value := getattr(clip, field)) is not None]
        for call in calls
    }
    if not any(by_call.values()):
        status = _worst([score.status for score in _scores(name, calls)])
        return missing(name, _reasons(name, calls), status=status)
    warned = sum(
        bool(clip.warnings) and getattr(clip, field) is not None for call in calls for clip in call.clips
    )
    notes = [f"{_count(warned, 'clip')} with a warning"] if warned else []
    notes += _reasons(name, [call for call in calls if not by_call[call.call_id]])
    return mean(name, by_call, notes=notes, version=_version(name, calls))


# ---- reasons, versions, calibration


def _scores(name: str, calls: Iterable[CallScores]) -> list[Score]:
    return [score for call in calls for score in call.scores if score.metric == name]


def _reasons(name: str, calls: Iterable[CallScores]) -> list[str]:
    """Why the calls have no value for a metric, the commonest reason first, with how often each was given."""
    given = Counter(
        score.reason.removeprefix("not measured: ")
        for score in _scores(name, calls)
        if score.status is not Status.MEASURED
    )
    return [f"{reason} ({_count(times, 'call')})" for reason, times in given.most_common(_MAX_REASONS)]


def _worst(statuses: Sequence[Status]) -> Status:
    """One status for a metric without a value: a failure is never hidden behind "not applicable"."""
    for status in (Status.FAILED, Status.INDETERMINATE):
        if status in statuses:
            return status
    return Status.NOT_APPLICABLE


def _version(name: str, calls: Iterable[CallScores]) -> str:
    """The metric's version; several where calls of one run were scored by different ones."""
    versions = sorted({score.version for score in _scores(name, calls)})
    return " + ".join(versions) or "1"


def _widest(resolutions: Sequence[float | None]) -> float | None:
    """The error bar that holds for every observation; None when one of them has none."""
    known = [resolution for resolution in resolutions if resolution is not None]
    return max(known) if known and len(known) == len(resolutions) else None


def _calibrations(calls: Iterable[CallScores]) -> list[CalibrationNote]:
    found: list[CalibrationNote] = []
    for call in calls:
        if call.calibration is not None and call.calibration not in found:
            found.append(call.calibration)
    return found


def _why_no_call(statuses: Counter[CallStatus]) -> str:
    if not statuses:
        return "no call was placed"
    told = ", ".join(f"{count} {status}" for status, count in statuses.items())
    return f"no call could be measured ({told})"


def _with_note(metric: Score, note: str) -> Score:
    if NOT_BUILT in metric.reason:
        return metric
    return metric.model_copy(update={"reason": f"{metric.reason}; {note}" if metric.reason else note})


def _is_noisy(record: CallRecord) -> bool:
    noise = record.plan.conditions.noise
    return noise is not None and noise.snr_db < NOISY_BELOW_DB


def _tally(reasons: Counter[str]) -> str:
    return ", ".join(f"{times} × {reason}" for reason, times in reasons.most_common(_MAX_REASONS))


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
