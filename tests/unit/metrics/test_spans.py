"""Spans of time, against a grid of single ticks."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.spans import Span, merge_spans


def _lists_of_spans(*, shortest: int) -> st.SearchStrategy[list[Span]]:
    return st.lists(
        st.tuples(st.integers(0, 60), st.integers(shortest, 10)).map(
            lambda pair: Span(start_s=float(pair[0]), end_s=float(pair[0] + pair[1]))
        ),
        max_size=12,
    )


_SPANS = _lists_of_spans(shortest=0)


def _ticks(spans: list[Span]) -> set[int]:
    return {tick for span in spans for tick in range(int(span.start_s), int(span.end_s))}


@given(spans=_SPANS)
def test_merged_spans_cover_the_same_time_in_order_and_apart(spans: list[Span]) -> None:
    merged = merge_spans(spans)
    assert _ticks(merged) == _ticks(spans)
    for one, other in itertools.pairwise(merged):
        assert one.end_s < other.start_s


# A span without length covers no tick, so two gaps around it would look like one.
@given(spans=_lists_of_spans(shortest=1), gap=st.integers(0, 5))
def test_gaps_up_to_the_bound_are_closed_and_no_others(spans: list[Span], gap: int) -> None:
    merged = merge_spans(spans, max_gap_s=float(gap))
    for one, other in itertools.pairwise(merged):
        assert other.start_s - one.end_s > gap
    assert merge_spans(merged, max_gap_s=float(gap)) == merged
    assert merge_spans(list(reversed(spans)), max_gap_s=float(gap)) == merged
    # What was filled in are gaps between spans, never time before the first or after the last.
    if spans:
        assert merged[0].start_s == min(span.start_s for span in spans)
        assert merged[-1].end_s == max(span.end_s for span in spans)
        filled = sorted(_ticks(merged) - _ticks(spans))
        run = 0
        for tick, before in zip(filled, [None, *filled], strict=False):
            run = run + 1 if before is not None and tick == before + 1 else 1
            assert run <= gap


@given(spans=st.tuples(*[st.tuples(st.integers(0, 30), st.integers(0, 10))] * 2))
def test_overlap_counts_the_ticks_of_both(spans: tuple[tuple[int, int], tuple[int, int]]) -> None:
    one, other = (Span(start_s=start, end_s=start + length) for start, length in spans)
    assert one.overlap_s(other) == other.overlap_s(one) == len(_ticks([one]) & _ticks([other]))


def test_a_span_cannot_end_before_it_starts_or_nowhere() -> None:
    assert Span(start_s=1.0, end_s=1.0).duration_s == 0.0
    with pytest.raises(ValueError, match="cannot end"):
        Span(start_s=1.0, end_s=0.999)
    with pytest.raises(ValueError, match="cannot end"):
        Span(start_s=0.0, end_s=math.nan)
