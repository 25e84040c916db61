"""Who is set aside: each rule by somebody who breaks exactly that one, at its bound and just inside."""

from __future__ import annotations

import pytest

from harness.scoring.listening.key import KeyItem, ListeningKey
from harness.scoring.listening.making import make_page
from harness.scoring.listening.ratings.answers import RaterFile
from harness.scoring.listening.ratings.screening import screened
from tests.unit.harness.scoring.listening.rated_runs import rated_run
from tests.unit.harness.scoring.listening.simulated_raters import Says, attentive, saved


@pytest.fixture(scope="module")
def acr(tmp_path_factory: pytest.TempPathFactory) -> ListeningKey:
    folder = tmp_path_factory.mktemp("acr")
    rated_run(folder, "one", "two")
    return make_page([folder], method="acr", clips=4, seed=1).keys[0]


@pytest.fixture(scope="module")
def ccr(tmp_path_factory: pytest.TempPathFactory) -> ListeningKey:
    folder = tmp_path_factory.mktemp("ccr")
    runs = [folder / "a", folder / "b"]
    for run in runs:
        rated_run(run, "one", "two", words="your money will be back")
    return make_page(runs, method="ccr", clips=4, seed=1).keys[0]


def reasons(key: ListeningKey, says: Says, *, tones_right: int = 6) -> tuple[str, ...]:
    file = RaterFile.model_validate(saved(key, "Anna", says, tones_right=tones_right))
    return screened(file, key).reasons


GOOD = attentive(lambda item: 3 if item > "q008" else 4)
GOOD_OF_PAIRS = attentive(lambda item: 1)


def but(key: ListeningKey, kind: str, count: int, value: int | None, good: Says = GOOD) -> Says:
    """As they should, but of so many items of a kind they say something else."""
    chosen = [item for item, is_ in key.items.items() if is_.kind == kind][:count]

    def says(item: str, is_: KeyItem) -> int | None:
        return value if item in chosen else good(item, is_)

    return says


def test_who_listens_counts(acr: ListeningKey) -> None:
    assert reasons(acr, GOOD) == ()
    assert reasons(acr, GOOD, tones_right=5) == ()
    # Who disagrees with everybody about the clips counts.
    assert reasons(acr, attentive(lambda item: 1)) == ()


def test_headphones(acr: ListeningKey) -> None:
    assert reasons(acr, GOOD, tones_right=4) == ("4 of 6 tones right, fewer than 5",)
    file = RaterFile.model_validate(saved(acr, "Anna", GOOD, tones=[]))
    assert screened(file, acr).reasons == ("0 of 6 tones right, fewer than 5",)
    without = acr.model_copy(update={"sheet": acr.sheet.model_copy(update={"tones": ()}), "softer": ()})
    found = screened(RaterFile.model_validate(saved(without, "Anna", GOOD)), without)
    assert (found.reasons, found.tones_right) == ((), None)


def test_a_trap(acr: ListeningKey) -> None:
    trap = next(is_ for is_ in acr.items.values() if is_.kind == "trap")
    wrong = next(value for value in range(1, 6) if value not in trap.right)
    assert reasons(acr, but(acr, "trap", 1, wrong)) == ("1 of 2 traps wrong",)
    assert reasons(acr, but(acr, "trap", 1, None)) == ("1 of 2 traps left out",)


def test_gold(acr: ListeningKey) -> None:
    clean = [item for item, is_ in acr.items.items() if is_.kind == "gold" and 5 in is_.right]

    def says(item: str, is_: KeyItem) -> int | None:
        return 1 if item in clean[:many] else GOOD(item, is_)

    many = 1
    assert reasons(acr, says) == ()
    many = 2
    assert reasons(acr, says) == ("2 of 4 gold clips wrong",)
    assert reasons(acr, but(acr, "gold", 1, None)) == ()
    assert reasons(acr, but(acr, "gold", 2, None)) == ("2 of 4 gold clips left out",)


def test_less_than_half(acr: ListeningKey) -> None:
    assert reasons(acr, but(acr, "clip", 2, None)) == ()
    assert reasons(acr, but(acr, "clip", 3, None)) == ("1 of 4 clips rated, less than half",)


def test_the_same_to_everything(acr: ListeningKey) -> None:
    assert "the same answer to everything" in reasons(acr, lambda item, is_: 3)


def test_null_pairs(ccr: ListeningKey) -> None:
    assert reasons(ccr, GOOD_OF_PAIRS) == ()
    assert reasons(ccr, but(ccr, "null", 2, 1, GOOD_OF_PAIRS)) == ()
    assert reasons(ccr, but(ccr, "null", 1, 3, GOOD_OF_PAIRS)) == ()
    assert reasons(ccr, but(ccr, "null", 2, -2, GOOD_OF_PAIRS)) == ("2 of 2 null pairs beyond 1",)


def test_gold_pairs_are_right_whichever_way_they_were_heard(ccr: ListeningKey) -> None:
    for name in (f"rater {n}" for n in range(10)):
        file = RaterFile.model_validate(saved(ccr, name, GOOD_OF_PAIRS))
        assert screened(file, ccr).reasons == ()
        mirrored = {item: {"value": -one.value, "heard": 1} for item, one in file.answers.items()}
        wrong = RaterFile.model_validate(saved(ccr, name, GOOD_OF_PAIRS, answers=mirrored))
        assert "3 of 3 gold clips wrong" in screened(wrong, ccr).reasons


def test_who_saves_before_the_first_clip(acr: ListeningKey) -> None:
    file = RaterFile.model_validate(saved(acr, "Anna", lambda item, is_: None))
    assert screened(file, acr).reasons == (
        "2 of 2 traps left out",
        "4 of 4 gold clips left out",
        "0 of 4 clips rated, less than half",
    )


def test_wrong_and_left_out_are_told_apart(acr: ListeningKey) -> None:
    gold = [item for item, is_ in acr.items.items() if is_.kind == "gold"]

    def says(item: str, is_: KeyItem) -> int | None:
        if item == gold[0]:
            return None
        return next(v for v in range(1, 6) if v not in is_.right) if item == gold[1] else GOOD(item, is_)

    assert reasons(acr, says) == ("1 of 4 gold clips wrong, 1 left out",)
