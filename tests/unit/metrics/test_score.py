"""A score has a value exactly where it was measured."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from metrics.score import Evidence, Score, Status, not_measured


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_any_finite_value_can_be_measured_and_comes_back_from_json(value: float) -> None:
    score = Score(metric="m", unit="ms", value=value, status=Status.MEASURED)
    assert Score.model_validate_json(score.model_dump_json()) == score


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_measured_without_a_number_is_refused(value: float | None) -> None:
    with pytest.raises(ValidationError, match="measured, but its value"):
        Score(metric="m", unit="ms", value=value, status=Status.MEASURED)


@pytest.mark.parametrize("status", [Status.NOT_APPLICABLE, Status.INDETERMINATE, Status.FAILED])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan])
def test_no_other_status_carries_a_number(status: Status, value: float) -> None:
    with pytest.raises(ValidationError, match="must not carry"):
        Score(metric="m", unit="ms", value=value, status=status, reason="because")


@pytest.mark.parametrize("status", [Status.NOT_APPLICABLE, Status.INDETERMINATE, Status.FAILED])
def test_no_value_needs_a_reason(status: Status) -> None:
    with pytest.raises(ValidationError, match="needs a reason"):
        Score(metric="m", unit="ms", status=status)
    score = not_measured("m", "ms", "no model", status=status, version="2")
    assert (score.value, score.status, score.reason, score.version) == (None, status, "no model", "2")


def test_a_score_cannot_be_changed_and_knows_no_other_fields() -> None:
    score = not_measured("m", "ms", "why")
    with pytest.raises(ValidationError, match="frozen"):
        score.value = 1.0  # type: ignore[misc]
    with pytest.raises(ValidationError, match="valeu"):
        Score(metric="m", unit="ms", status=Status.FAILED, reason="x", valeu=1.0)  # type: ignore[call-arg]
    with pytest.raises(ValidationError, match="call\n"):
        Evidence(call="x")  # type: ignore[call-arg]


def test_a_percentile_that_was_not_reached_has_no_value() -> None:
    def score(p95: float | None) -> Score:
        lacking = {"p90": 8.0, "p95": 9.0}
        return Score.model_validate(
            {"metric": "m", "unit": "ms", "value": 1.0, "status": "measured", "p50": 1.0, "p95": p95}
            | {"not_reached": lacking}
        )

    assert score(None).not_reached == {"p90": 8.0, "p95": 9.0}
    with pytest.raises(ValidationError, match="m: p95 is not reached and has a value"):
        score(2.0)


def test_a_score_of_nothing_counts_nothing() -> None:
    assert not_measured("m", "ms", "why").n == 0
