"""Figures in files: read with or without their names, written without."""

from __future__ import annotations

import json
import math

import pytest
from pydantic import BaseModel, ValidationError

from harness.records.scores import Figures, Summary
from harness.records.scores.figures import FinalsByGroup, figures_json
from metrics.score import Evidence, Score, Status

AS_BEFORE = {
    "value": 870.0,
    "unit": "ms",
    "n": 10,
    "status": "measured",
    "reason": "2 of 12 turns left out: 2 × the agent never answered",
    "ci_low": 560.0,
    "ci_high": 1320.0,
    "p50": 870.0,
    "p90": 1334.0,
    "p95": 1397.0,
    "percentile_intervals": {"p50": [560.0, 1320.0], "p90": [None, None], "p95": [None, None]},
    "interval_method": "bootstrap by call",
    "resolution": 10.5,
    "version": "1",
}
"""An entry of ``summary.json`` as versions wrote it in which the figures of a run had a type of their own."""


def test_a_summary_of_the_version_before_is_read_and_written_as_it_was() -> None:
    document = {"run": "nightly", "metrics": {"response_latency_ms": AS_BEFORE}}
    summary = Summary.model_validate_json(json.dumps(document))
    score = summary.metrics["response_latency_ms"]
    assert (score.metric, score.value, score.p90) == ("response_latency_ms", 870.0, 1334.0)
    assert score.percentile_intervals["p90"] == (None, None)
    assert json.loads(summary.model_dump_json())["metrics"] == {"response_latency_ms": AS_BEFORE}
    assert figures_json(summary.metrics) == {"response_latency_ms": AS_BEFORE}


def test_evidence_is_written_where_there_is_some() -> None:
    evidence = (Evidence(call_id="a", start_s=1.0, end_s=2.0, text="hello"),)
    score = Score(metric="wer", unit="ratio", value=0.1, status=Status.MEASURED, evidence=evidence)
    written = figures_json({"wer": score})
    assert written["wer"]["evidence"][0]["text"] == "hello"
    assert Summary(run="r", metrics=written).metrics["wer"] == score  # type: ignore[arg-type]


def test_finals_stand_under_what_they_are_about() -> None:
    class Row(BaseModel):
        by_domain: FinalsByGroup

    row = Row.model_validate({"by_domain": {"sales": {**AS_BEFORE, "unit": "ratio"}}})
    assert row.by_domain["sales"].metric == "final"
    assert Row.model_validate_json(row.model_dump_json()) == row


@pytest.mark.parametrize("metrics", [["wer"], {"wer": 0.1}, {"wer": {"unit": "ratio", "valeu": 1.0}}])
def test_what_is_no_figure_is_refused(metrics: object) -> None:
    class File(BaseModel):
        metrics: Figures

    with pytest.raises(ValidationError, match=r"valid dictionary|valeu"):
        File.model_validate({"metrics": metrics})


@pytest.mark.parametrize("field", ["ci_low", "ci_high", "p50", "resolution"])
def test_no_field_holds_an_infinity(field: str) -> None:
    with pytest.raises(ValidationError, match="finite"):
        Score(metric="m", unit="ms", value=1.0, status=Status.MEASURED, **{field: math.inf})  # type: ignore[arg-type]
