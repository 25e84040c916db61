"""What a comparison of two runs found: ``compare --json`` prints it, ``RUN/comparison.json`` keeps it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.records.base import FileModel
from harness.records.verdict import CheckResult

COMPARISON_FILE = "comparison.json"
Change = Literal["worse", "better", "no difference seen", "inconclusive"]


class FigureChange(FileModel):
    """A figure on both sides.

    Attributes:
        part: ``p50``, ``p90`` or ``p95`` where it is one; empty: the value itself.
        baseline, candidate: None where it is not reached.
        estimate: Candidate minus baseline; None where one side is not reached.
        low, high: 90 % interval of that: each end a bound that holds in 95 of 100.
        p: One-sided towards worse, and ``p_better`` towards better, both as they are for this figure alone.
        detectable: The smallest change for the worse that would have been found in 80 of 100 nights.
        pairs: Calls of each side; ``groups`` of them were resampled, and ``grouped_by`` says what a group is.
        calls_needed: Where nobody can tell: about how many calls a side would.
    """

    figure: str
    part: str = ""
    label: str
    unit: str
    lower_is_better: bool
    baseline: float | None = None
    candidate: float | None = None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_better: float | None = None
    detectable: float | None = None
    pairs: int = 0
    groups: int = 0
    grouped_by: str = ""
    method: str = ""
    word: Change
    reason: str = ""
    calls_needed: int | None = None


class Comparison(FileModel):
    """Two runs.

    Attributes:
        pairs: Calls that both have, with the same caller, and in which something was measured.
        left_out: Why calls of either side are in no pair -> how many.
        instruments: In what the instruments differ; where they do, nothing can be told.
        changed: What else is another: the agent's name, its address, the machine.
        gates: Of the plan, where it has relative ones; they decide then.
    """

    version: Literal[1] = 1
    baseline: str
    candidate: str
    pairs: int
    left_out: dict[str, int] = Field(default_factory=dict)
    instruments: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    figures: tuple[FigureChange, ...] = ()
    gates: tuple[CheckResult, ...] = ()
    word: Literal["passed", "failed", "inconclusive"]
