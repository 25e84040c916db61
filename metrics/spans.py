"""Spans of time: the common currency between detectors, turns and metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, order=True)
class Span:
    """A half-open interval [start_s, end_s) in seconds since the call began."""

    start_s: float
    end_s: float

    def __post_init__(self) -> None:
        if not self.end_s >= self.start_s:
            raise ValueError(f"a span cannot end ({self.end_s} s) before it starts ({self.start_s} s)")

    @property
    def duration_s(self) -> float:
        return self.end_s - self.start_s

    def overlap_s(self, other: Span) -> float:
        """Seconds that both spans share; 0 when they do not touch."""
        return max(0.0, min(self.end_s, other.end_s) - max(self.start_s, other.start_s))


def merge_spans(spans: Sequence[Span], *, max_gap_s: float = 0.0) -> list[Span]:
    """Spans in order, joined wherever the gap between two is at most ``max_gap_s``."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start_s - merged[-1].end_s <= max_gap_s:
            merged[-1] = Span(start_s=merged[-1].start_s, end_s=max(merged[-1].end_s, span.end_s))
        else:
            merged.append(span)
    return merged
