"""A run's figures and checks as evaluation results for a collector: :mod:`harness.runs.others.telemetry`."""

from __future__ import annotations

from pathlib import Path

from harness.analysis.measures.table import catalogue
from harness.runs.others.telemetry import EvaluationResult
from harness.runs.reader import read_run
from harness.scoring.gates.decide import read_verdict
from metrics.score import Score, Status

MOST_CALLS = 10_000


def evaluation_results(run_dir: Path) -> list[EvaluationResult]:
    """Figures of the run and of each call, then the list that decides. What was not measured has no score.

    Raises:
        UserError: ``run_dir`` is no run.
    """
    run = read_run(run_dir)
    about: dict[str, str | float | int] = {"outboundeval.run": run.info.name if run.info else run_dir.name}
    metrics = run.summary.metrics if run.summary is not None else {}
    results = [_figure(score, about) for score in metrics.values()]
    for call in run.calls[:MOST_CALLS]:
        for score in call.scores.scores if call.scores is not None else ():
            if score.status is Status.MEASURED:
                results.append(_figure(score, about | {"outboundeval.call": call.call_id}))
    verdict = read_verdict(run_dir)
    for check in verdict.checks if verdict is not None else ():
        of_call: dict[str, str | float | int] = {"outboundeval.call": check.call_id} if check.call_id else {}
        results.append(
            EvaluationResult(
                name=check.name,
                value=None,
                label=check.result,
                explanation=check.told,
                attributes=about | of_call | {"outboundeval.check": check.of},
            )
        )
    return results


def _figure(score: Score, about: dict[str, str | float | int]) -> EvaluationResult:
    ends = {
        f"outboundeval.{name}": value
        for name, value in (("low", score.ci_low), ("high", score.ci_high), ("p95", score.p95))
        if value is not None
    }
    entry = catalogue().get(score.metric)
    better = {"outboundeval.better": entry.better} if entry is not None and entry.better else {}
    return EvaluationResult(
        name=score.metric,
        value=score.value,
        label=score.status.value,
        explanation=score.reason,
        attributes={**about, "outboundeval.unit": score.unit, "outboundeval.n": score.n, **better, **ends},
    )
