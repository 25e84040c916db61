"""Figures under weights, against the same observations written out as lists."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from metrics.comparison import weighted
from metrics.comparison.weighted import NEVER, Percentile, Sums, Weights
from metrics.survival import Waited

BASELINE = [[1.0, 5.0, 9.0], [2.0], [4.0, 8.0]]
CANDIDATE = [[3.0, 7.0], [6.0, 20.0, 30.0], [10.0]]


def _waited(groups: list[list[float]]) -> list[list[Waited]]:
    return [[Waited(time=time) for time in group] for group in groups]


def _mixed(swapped: list[int], mine: list[list[float]], other: list[list[float]]) -> list[float]:
    return [one for k, a, b in zip(swapped, mine, other, strict=True) for one in (b if k else a)]


SWAPS = [[0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize("q", [0.0, 30.0, 50.0, 95.0, 100.0])
def test_swapped_groups_change_places(q: float) -> None:
    baseline, candidate = Percentile(q, _waited(BASELINE), _waited(CANDIDATE)).figures(
        Weights.swapped(np.array(SWAPS, dtype=float))
    )
    for row, swapped in enumerate(SWAPS):
        assert baseline[row] == pytest.approx(np.percentile(_mixed(swapped, BASELINE, CANDIDATE), q))
        assert candidate[row] == pytest.approx(np.percentile(_mixed(swapped, CANDIDATE, BASELINE), q))


def test_sums_are_those_of_what_each_side_holds() -> None:
    """Errors of words, by group: a baseline of 1 of 10, 2 of 4; a candidate of 3 of 5 and 0 of 1, nothing."""
    sums = Sums.of([[(1.0, 10.0)], [(1.0, 2.0), (1.0, 2.0)]], [[(3.0, 5.0), (0.0, 1.0)], []])
    assert sums.groups == 2
    baseline, candidate = sums.figures(Weights.of(np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 1.0]])))
    assert baseline.tolist() == pytest.approx([3 / 14, 1 / 10, 2 / 4])
    assert candidate[:2].tolist() == pytest.approx([3 / 6, 3 / 6])
    assert math.isnan(candidate[2])
    baseline, candidate = sums.figures(Weights.swapped(np.array([[1.0, 0.0], [0.0, 1.0]])))
    assert baseline.tolist() == pytest.approx([5 / 10, 1 / 10])
    assert candidate.tolist() == pytest.approx([1 / 10, 5 / 10])
    # Errors without a word: of nothing there is no share.
    baseline, candidate = Sums.of([[(1.0, 0.0)]], [[(1.0, 1.0)]]).figures(Weights.of(np.ones((1, 1))))
    assert math.isnan(baseline[0])
    assert candidate.tolist() == [1.0]
    assert Sums.of([], []).baseline.shape == (0, 2)


@pytest.mark.parametrize("at_once", [1, 12, 25])
@pytest.mark.parametrize(
    "weights",
    [
        Weights.of(np.array([[1.0, 1, 1], [3, 0, 0], [0, 2, 1], [1, 0, 2], [0, 0, 3]])),
        Weights.swapped(np.array([*SWAPS, [0, 0, 1]], dtype=float)),
    ],
    ids=["resampled", "swapped"],
)
def test_many_weightings_are_gone_through_in_parts(
    weights: Weights, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve observations: a weighting at a time, or two, and the last part smaller than the rest."""
    percentile = Percentile(50, _waited(BASELINE), _waited(CANDIDATE))
    whole = percentile.figures(weights)
    parts: list[int] = []
    rows = Weights.rows

    def noted(self: Weights, count: int) -> Iterator[Weights]:
        parts.append(count)
        return rows(self, count)

    monkeypatch.setattr(weighted, "_AT_ONCE", at_once)
    monkeypatch.setattr(Weights, "rows", noted)
    found = percentile.figures(weights)
    assert parts == [max(1, at_once // 12)]
    for one, other in zip(found, whole, strict=True):
        assert one.tolist() == other.tolist()


def test_what_never_came_is_beyond_every_time() -> None:
    """Of three one never came and never could have: the median is the second, the last is not reached."""
    groups = [[Waited(time=2.0), Waited(time=5.0)], [Waited(time=math.inf, came=False)]]
    one = Weights.of(np.ones((1, 2)))
    for q, expected in ((50.0, 5.0), (60.0, 5.0), (90.0, NEVER)):
        assert Percentile(q, groups, groups).figures(one) == (pytest.approx([expected]),) * 2


def test_what_is_censored_is_waited_for_up_to_then_and_with_its_weight() -> None:
    """1 came, 2 was given up, 3 and 4 came: beyond 1 are 3/4, beyond 3 half of that, beyond 4 none. The
    second and the third twice: beyond 1 are 5/6, beyond 3 a third of that."""
    groups = [[Waited(time=1.0)], [Waited(time=2.0, came=False)], [Waited(time=3.0)], [Waited(time=4.0)]]
    weights = Weights.of(np.array([[1.0, 1, 1, 1], [1, 2, 2, 1], [0, 1, 0, 0]]))
    for q, plain, doubled in ((16.0, 1.0, 1.0), (20.0, 1.0, 3.0), (62.0, 3.0, 3.0), (63.0, 4.0, 3.0)):
        found, _ = Percentile(q, groups, groups).figures(weights)
        assert found.tolist() == [plain, doubled, NEVER]


def test_what_came_and_what_was_given_up_at_one_time() -> None:
    """At 2 both were still waited for: half are beyond, and nothing comes later."""
    groups = [[Waited(time=2.0, came=False), Waited(time=2.0)]]
    for q, expected in ((50.0, 2.0), (51.0, NEVER)):
        found, _ = Percentile(q, groups, groups).figures(Weights.of(np.ones((1, 1))))
        assert found.tolist() == [expected]


def test_both_sides_have_one_definition_of_a_percentile() -> None:
    """100 ms to 1000 ms, and once more 100 on one side, an unanswered turn on the other. As steps of the
    curve the medians of eleven are 500 and 600. In the second weighting the eleventh plays no part: between
    two observations the median of ten is 550, as a step, which is kept, 500."""
    answered = [[Waited(time=100.0 * n)] for n in range(1, 11)] + [[Waited(time=100.0)]]
    silent = [[Waited(time=100.0 * n)] for n in range(1, 11)] + [[Waited(time=15_000.0, came=False)]]
    weights = Weights.of(np.array([[1.0] * 11, [1.0] * 10 + [0.0]]))
    baseline, candidate = Percentile(50, answered, silent).figures(weights)
    assert baseline.tolist() == [500.0, 500.0]
    assert candidate.tolist() == [600.0, 500.0]
    plain, _ = Percentile(50, answered, answered).figures(weights)
    assert plain.tolist() == [500.0, 550.0]


def test_no_observation_is_no_figure() -> None:
    nothing: list[list[Waited]] = [[], []]
    baseline, candidate = Percentile(50, nothing, [[Waited(time=1.0)], []]).figures(
        Weights.of(np.array([[1.0, 1.0], [0.0, 1.0]]))
    )
    assert np.isnan(baseline).tolist() == [True, True]
    assert candidate[0] == 1.0
    assert math.isnan(candidate[1])
    with pytest.raises(ValueError, match="same groups"):
        Percentile(50, nothing, [[]])
    neither = Percentile(50, nothing, nothing)
    assert neither.groups == 2
    assert np.isnan(neither.figures(Weights.of(np.ones((1, 2))))).all()
    # Nor of the least of nothing.
    least, _ = Percentile(0, _waited(BASELINE), _waited(CANDIDATE)).figures(Weights.of(np.zeros((1, 3))))
    assert np.isnan(least).tolist() == [True]


def test_a_percentile_that_falls_on_an_observation_is_that_observation_to_the_last_digit() -> None:
    groups = _waited([[-1.0], [1e-17], [5.0]])
    found, _ = Percentile(50, groups, groups).figures(Weights.of(np.ones((1, 3))))
    assert found.tolist() == [1e-17]


@pytest.mark.parametrize(("over", "expected"), [(0.99e-9, 1.0), (1.02e-9, NEVER)])
def test_a_billionth_is_rounding(over: float, expected: float) -> None:
    """Half are beyond 1, where a share that is smaller by so much was asked for."""
    groups = [[Waited(time=1.0), Waited(time=2.0, came=False)]]
    found, _ = Percentile(100 * (0.5 + over), groups, groups).figures(Weights.of(np.ones((1, 1))))
    assert found.tolist() == [expected]
