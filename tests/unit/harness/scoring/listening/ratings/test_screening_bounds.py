"""Who is set aside on pages of few items, counted by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from harness.scoring.listening.key import KeyItem, ListeningKey
from harness.scoring.listening.order import order_of
from harness.scoring.listening.ratings.screening import Screened, screened
from tests.unit.harness.scoring.listening.keys_by_hand import clip, file_of, key_of

NAME = "Anna"


def clips(count: int) -> ListeningKey:
    return key_of({f"q{number:03}": clip(0) for number in range(count)}, "run")


def of(key: ListeningKey, values: Mapping[str, int]) -> Screened:
    return screened(file_of(key, NAME, values), key)


@pytest.mark.parametrize(
    ("count", "values", "reasons"),
    [
        (5, (3, 4), ("2 of 5 clips rated, less than half",)),
        (5, (3, 4, 3), ()),
        (4, (3, 4), ()),
        # One answer is no sameness, two are.
        (1, (3,), ()),
        (2, (3, 3), ("the same answer to everything",)),
        (2, (3, 4), ()),
        (3, (3, 4, 3), ()),
        (3, (), ("0 of 3 clips rated, less than half",)),
    ],
)
def test_half_of_the_clips_and_two_different_answers(
    count: int, values: tuple[int, ...], reasons: tuple[str, ...]
) -> None:
    found = of(clips(count), {f"q{number:03}": value for number, value in enumerate(values)})
    assert (found.reasons, found.counts, found.tones_right) == (reasons, not reasons, None)


@pytest.mark.parametrize(
    ("kind", "wrong", "left_out", "reason"),
    [
        ("trap", 1, 0, "1 of 4 traps wrong"),
        ("trap", 0, 1, "1 of 4 traps left out"),
        ("trap", 2, 1, "2 of 4 traps wrong, 1 left out"),
        ("gold", 1, 0, ""),
        ("gold", 0, 1, ""),
        ("gold", 1, 1, "1 of 4 gold clips wrong, 1 left out"),
        ("gold", 2, 0, "2 of 4 gold clips wrong"),
        ("gold", 0, 2, "2 of 4 gold clips left out"),
    ],
)
def test_one_trap_or_two_gold_clips_set_aside(kind: str, wrong: int, left_out: int, reason: str) -> None:
    asked = [f"t{number:03}" for number in range(4)]
    items = {"q000": clip(0)} | {
        name: KeyItem.model_validate({"kind": kind, "right": (1, 2)}) for name in asked
    }
    values = {"q000": 4} | {name: 3 if at < wrong else 1 + at % 2 for at, name in enumerate(asked)}
    for name in asked[4 - left_out :]:
        del values[name]
    found = of(key_of(items, "run"), values)
    assert found.reasons == ((reason,) if reason else ())


@pytest.mark.parametrize("method", ["acr", "ccr"])
def test_only_a_pair_is_turned_as_it_was_heard(method: str) -> None:
    names = [f"q{number:03}" for number in range(8)]
    pairs = method == "ccr"
    items = {name: clip(0, 1) if pairs else clip(0) for name in names}
    key = key_of(items, "old", "new", method="ccr" if pairs else "acr")
    given = {name: 1 + at % 3 for at, name in enumerate(names)}
    swapped = order_of(names, sheet=key.sheet.id, rater=NAME).swapped
    assert len(swapped) == 4
    turned = {name: -value if pairs and name in swapped else value for name, value in given.items()}
    assert (of(key, given).values, of(key, given).reasons) == (turned, ())
