"""The one result type of every metric: a value with its status, its uncertainty and its evidence.

A missing value is never a number. ``Score`` refuses to be built with a value and a status other than
``measured``, or measured without a finite value, so no later stage has to remember that rule.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

PercentileName = Literal["p50", "p90", "p95"]


class Status(StrEnum):
    """Whether a metric has a value, and if not, why."""

    MEASURED = "measured"
    NOT_APPLICABLE = "not_applicable"
    """There was nothing to measure: no interruption was planned, a model is not installed."""
    INDETERMINATE = "indeterminate"
    """There was something to measure, but the error bar or the detectors do not allow a verdict."""
    FAILED = "failed"
    """The measurement itself broke: a model crashed, a judge's reply did not parse."""


class Evidence(BaseModel):
    """Where in which call a value comes from, so that a person can listen to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    call_id: str | None = None
    start_s: float | None = None
    end_s: float | None = None
    value: float | None = None
    text: str = ""


class Score(BaseModel):
    """One metric's result over one call or over a run.

    Attributes:
        metric: Name as in ``summary.json``, for instance ``response_latency_ms``.
        unit: ``ms``, ``ratio`` (0-1), ``mos`` (1-5) or the like.
        value: The headline figure; None unless ``status`` is measured.
        status: See :class:`Status`.
        reason: For a person: why there is no value, or what qualifies it.
        n: Number of observations behind the value (turns, interruptions, words).
        ci_low, ci_high: 95 % interval of the value, in the value's unit.
        p50, p90, p95: Percentiles of the observations where the metric is a distribution.
        not_reached: Percentiles that too many of the observations are beyond to be known, each with the value
            that it is known to lie beyond. They have no value of their own, here or above.
        percentile_intervals: 95 % intervals of those; an end that the observations cannot give is None.
        interval_method: How the interval was found, or why there is none.
        resolution: Half width of the widest error bar of an observation (the instrument's own part, from
            calibration, and what packets leave open), in the value's unit.
        evidence: Calls, times and words behind the value; bounded by the metric.
        version: Changes whenever the definition, a prompt or a model changes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    unit: str
    value: float | None = None
    status: Status
    reason: str = ""
    n: int = 0
    ci_low: FiniteFloat | None = None
    ci_high: FiniteFloat | None = None
    p50: FiniteFloat | None = None
    p90: FiniteFloat | None = None
    p95: FiniteFloat | None = None
    not_reached: dict[PercentileName, FiniteFloat] = Field(default_factory=dict)
    percentile_intervals: dict[PercentileName, tuple[FiniteFloat | None, FiniteFloat | None]] = Field(
        default_factory=dict
    )
    interval_method: str = ""
    resolution: FiniteFloat | None = None
    evidence: tuple[Evidence, ...] = ()
    version: str = "1"

    @model_validator(mode="after")
    def _value_matches_status(self) -> Self:
        if self.status is Status.MEASURED:
            if self.value is None or not math.isfinite(self.value):
                raise ValueError(f"{self.metric}: measured, but its value is {self.value}")
        elif self.value is not None:
            raise ValueError(f"{self.metric}: status {self.status} must not carry the value {self.value}")
        elif not self.reason:
            raise ValueError(f"{self.metric}: status {self.status} needs a reason")
        both = [name for name in self.not_reached if getattr(self, name) is not None]
        if both:
            raise ValueError(f"{self.metric}: {', '.join(both)} is not reached and has a value")
        return self


def not_measured(
    metric: str, unit: str, reason: str, *, status: Status = Status.NOT_APPLICABLE, version: str = "1"
) -> Score:
    """A score without a value, with the reason that the report prints."""
    return Score(metric=metric, unit=unit, status=status, reason=reason, version=version)
