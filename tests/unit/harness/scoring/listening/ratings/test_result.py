"""Figures of a page by hand: which ratings go into which, and which way round pairs are counted."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from harness.scoring.listening.key import KeyItem, ListeningKey
from harness.scoring.listening.order import rater_code
from harness.scoring.listening.ratings.result import (
    ListeningResult,
    OpinionFigure,
    RaterOutcome,
    better_of,
    result_of,
)
from harness.scoring.listening.ratings.screening import Screened
from metrics.listening.opinion import Rating, mean_opinion
from tests.unit.harness.scoring.listening.keys_by_hand import anchor, clip, file_of, key_of, place

IMPORTED_AT = "2026-01-01T10:00:00.000000+00:00"


def rater(
    key: ListeningKey, name: str, values: Mapping[str, int], *reasons: str, tones_right: int | None = None
) -> Screened:
    return Screened(
        file=file_of(key, name, values), values=dict(values), tones_right=tones_right, reasons=reasons
    )


def told(figures: tuple[OpinionFigure, ...]) -> list[tuple[str, str, float, int, int, int]]:
    return [(one.of, one.kind, one.mean, one.n, one.raters, one.clips) for one in figures]


TWO_RUNS = key_of(
    {
        "q001": clip(0),
        "q002": clip(1),
        "q003": anchor(15.0),
        "q004": anchor(35.0),
        "q005": KeyItem(kind="trap", right=(1,)),
        "q006": clip(0),
        "q007": anchor(None),
        "q008": anchor(5.0),
    },
    "old",
    "new",
)
ANNA = rater(
    TWO_RUNS, "Anna", {"q001": 4, "q002": 2, "q003": 3, "q004": 5, "q005": 1, "q006": 5}, tones_right=6
)
BEN = rater(TWO_RUNS, "Ben", {"q001": 5, "q002": 1, "q003": 1, "q005": 1})
EVE = rater(TWO_RUNS, "Eve", {"q001": 1, "q008": 1}, "1 of 1 traps left out")


def test_each_run_and_each_anchor_that_was_rated_has_a_figure_of_those_who_count() -> None:
    assert told(result_of(TWO_RUNS, [ANNA, EVE, BEN]).figures) == [
        ("old", "run", pytest.approx(14 / 3), 3, 2, 2),
        ("new", "run", 1.5, 2, 2, 1),
        ("Q = 35 dB", "anchor", 5.0, 1, 1, 1),
        ("Q = 15 dB", "anchor", 2.0, 2, 2, 1),
    ]
    assert told(result_of(TWO_RUNS, [EVE]).figures) == []


def test_every_field_of_a_result() -> None:
    result = result_of(TWO_RUNS, [ANNA, EVE], imported_at=IMPORTED_AT)
    assert (result.sheet, result.method, result.imported_at) == (TWO_RUNS.sheet.id, "acr", IMPORTED_AT)
    assert result.raters == (
        RaterOutcome(
            name="Anna", code=rater_code("Anna"), tones_right=6, rated=6, set_aside=(), values=ANNA.values
        ),
        RaterOutcome(
            name="Eve",
            code=rater_code("Eve"),
            tones_right=None,
            rated=2,
            set_aside=("1 of 1 traps left out",),
            values={"q001": 1, "q008": 1},
        ),
    )
    assert (result.counted, result_of(TWO_RUNS, [EVE]).counted) == (1, 0)
    assert result_of(TWO_RUNS, []).imported_at == ""


def test_every_field_of_a_figure() -> None:
    key = key_of({f"q00{number}": clip(0) for number in range(3)}, "run")
    table = {"Anna": (4, 3, 5), "Ben": (2, 3, 4)}
    people = [
        rater(key, name, {f"q00{number}": value for number, value in enumerate(values)})
        for name, values in table.items()
    ]
    ratings = [
        Rating(rater=name, clip=f"{number}", value=float(value))
        for name, values in table.items()
        for number, value in enumerate(values)
    ]
    expected = mean_opinion(ratings)
    assert expected.interval.high == 5.0
    (figure,) = result_of(key, people).figures
    assert figure == OpinionFigure(
        of="run",
        kind="run",
        mean=3.5,
        n=6,
        raters=2,
        clips=3,
        ci_low=expected.interval.low,
        ci_high=5.0,
        method=expected.interval.method,
        raters_sd=expected.raters_sd,
        clips_sd=expected.clips_sd,
        rest_sd=expected.rest_sd,
    )
    assert figure.rest_sd is not None


PAIRS = key_of(
    {
        "q001": clip(0, 1),
        "q002": clip(1, 0),
        "q003": KeyItem(kind="null", places=(place(0),), right=(0,)),
    },
    "old",
    "new",
    method="ccr",
)


@pytest.mark.parametrize(("item", "value", "better"), [("q001", 2, 2), ("q002", 2, -2), ("q002", -3, 3)])
def test_a_pair_is_told_as_the_second_run_against_the_first(item: str, value: int, better: int) -> None:
    assert better_of(PAIRS.items[item], value) == better


def test_a_comparison_has_one_figure_of_all_pairs() -> None:
    """Anna finds the new one better by 2 and by 1, Ben by 1 and by 3."""
    people = [
        rater(PAIRS, "Anna", {"q001": 2, "q002": -1, "q003": 3}),
        rater(PAIRS, "Ben", {"q001": 1, "q002": -3}),
    ]
    figures = result_of(PAIRS, people).figures
    assert told(figures) == [("new against old", "comparison", 1.75, 4, 2, 2)]
    ratings = [
        Rating(rater=name, clip=item, value=value)
        for name, item, value in (("a", "x", 2.0), ("a", "y", 1.0), ("b", "x", 1.0), ("b", "y", 3.0))
    ]
    expected = mean_opinion(ratings, scale=(-3.0, 3.0)).interval
    assert (figures[0].ci_low, figures[0].ci_high) == (expected.low, expected.high)


@pytest.mark.parametrize(
    ("key", "on", "off"),
    [(TWO_RUNS, (1, 5), (0, 6)), (PAIRS, (-3, 0, 3), (-4, 4))],
)
def test_a_value_is_on_the_scale_of_its_method(
    key: ListeningKey, on: tuple[int, ...], off: tuple[int, ...]
) -> None:
    kept = result_of(key, [rater(key, "Anna", {"q001": 1})]).model_dump()
    people = kept["raters"]
    for value in on:
        changed = people[0] | {"values": {"q001": value}}
        found = ListeningResult.model_validate(kept | {"raters": [*people, changed]})
        assert found.raters[1].values == {"q001": value}
    for value in off:
        changed = people[0] | {"values": {"q001": value}}
        refused = rf"raters\.1\.values\.q001: {value} is not on the scale of {min(on)} to {max(on)}"
        with pytest.raises(ValueError, match=refused):
            ListeningResult.model_validate(kept | {"raters": [*people, changed]})
