"""The figures of a run: what its calls measured, pooled, or the reason why there is nothing to pool.

Calls that ended as ``harness_fault`` enter no figure; those that were not set up or not answered are counted,
not measured.
:mod:`harness.analysis.measures` says which values of which calls go into which metric, and how.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.conversation.interruptions import outcomes_of, timings_of
from harness.analysis.measures.not_built import NotBuilt
from harness.analysis.measures.notes import count
from harness.analysis.measures.pooling import missing
from harness.analysis.measures.table import measures
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import CalibrationNote, CallScores, NotMeasured, Summary
from harness.scoring.figures_over_texts import summarize_texts
from metrics.score import Score, Status

UNMEASURED_STATUSES = tuple(status for status in CallStatus if not status.took_place)


def summarize(
    records: Sequence[CallRecord], call_scores: Iterable[CallScores], *, run: str = "run"
) -> Summary:
    """Pools what the calls of a run measured.

    Args:
        records: Every call that was placed, in any status.
        call_scores: Scores of those calls, in any order; a call without scores is counted in the reasons.
        run: Name of the run.

    Returns:
        A summary with an entry for every measure.
    """
    statuses = Counter(record.status for record in records)
    by_id = {scores.call_id: scores for scores in call_scores}
    counted = [record for record in records if record.status not in UNMEASURED_STATUSES]
    calls = [
        ScoredCall(scores=by_id[record.plan.call_id], plan=record.plan)
        for record in counted
        if record.plan.call_id in by_id
    ]
    if calls:
        metrics = pooled(calls)
        unscored = len(counted) - len(calls)
        if unscored:
            note = f"{count(unscored, 'call')} could not be scored"
            of_calls = {one.entry.name for one in measures() if not isinstance(one, NotBuilt)}
            metrics = {
                name: _with_note(metric, note) if name in of_calls else metric
                for name, metric in metrics.items()
            }
    else:
        why = [_why_no_call(statuses)]
        metrics = {measure.entry.name: missing(measure.entry, why) for measure in measures()}
    for measure in measures():
        if (of_run := measure.of_run(records)) is not None:
            metrics[measure.entry.name] = of_run
    return Summary(
        run=run,
        calls=dict(statuses),
        interruptions=outcomes_of(timings_of(calls)),
        calibrations=_calibrations(calls),
        metrics=metrics,
        text=summarize_texts([call.scores.text for call in calls if call.scores.text is not None]),
        not_measured=[
            NotMeasured(metric=name, reason=metric.reason)
            for name, metric in metrics.items()
            if metric.status is not Status.MEASURED
        ],
    )


def pooled(calls: Sequence[ScoredCall]) -> dict[str, Score]:
    """Every metric over the calls given."""
    return {measure.entry.name: measure.pool(calls) for measure in measures()}


def _calibrations(calls: Iterable[ScoredCall]) -> list[CalibrationNote]:
    found: list[CalibrationNote] = []
    for call in calls:
        note = call.scores.calibration
        if note is not None and note not in found:
            found.append(note)
    return found


def _why_no_call(statuses: Counter[CallStatus]) -> str:
    if not statuses:
        return "no call was placed"
    told = ", ".join(f"{count} {status}" for status, count in statuses.items())
    return f"no call could be measured ({told})"


def _with_note(metric: Score, note: str) -> Score:
    return metric.model_copy(update={"reason": f"{metric.reason}; {note}" if metric.reason else note})
