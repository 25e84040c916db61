"""Sets of labelled lines: read, refused with file and line, counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UserError
from harness.selfcheck.understanding.figures import as_meant, false, false_on_nothing, try_lines
from harness.selfcheck.understanding.labelled import Labelled, load_labelled, sets_root
from voice_sim.person.examples import Item

AGE = Item("fact", "name")


def _write(folder: Path, text: str) -> Path:
    (folder / "en.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_set_has_its_people_and_items(tmp_path: Path) -> None:
    folder = _write(
        tmp_path,
        "lines:\n- {entry: hr-background-check/hesitant, says: Who is this?, means: [fact.name]}\n"
        "- {entry: hr-background-check/hesitant, says: Nice weather.}\n",
    )
    first, second = load_labelled(folder)
    assert first.means == frozenset({Item("fact", "name")})
    assert second.means == frozenset()
    assert first.persona is second.persona
    assert first.persona.nothing, "with the examples of the scenario"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lines: []\n", r"en\.yaml.*lines"),
        ("lines:\n- {entry: a/b, says: Hello., means: [feeling.1]}\n", r"lines.*means"),
        (
            "lines:\n- {entry: hr-background-check/hesitant, says: Hi., means: [fact.wings]}\n",
            r"no 'fact\.wings'",
        ),
        ("lines:\n- {entry: no-such/hesitant, says: Hi.}\n", "no-such"),
    ],
)
def test_a_broken_set_says_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_labelled(_write(tmp_path, text))


def test_a_folder_without_lines_is_no_set(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no labelled lines"):
        load_labelled(tmp_path)


def test_the_sets_that_come_along_are_big_enough_and_a_third_means_nothing() -> None:
    lines = load_labelled(sets_root() / "development")
    assert len(lines) >= 400
    assert len({line.entry for line in lines}) >= 40
    assert sum(not line.means for line in lines) / len(lines) == pytest.approx(1 / 3, abs=0.05)


def test_shares_are_counted_by_hand() -> None:
    example = load_labelled(sets_root() / "development")[0]
    other = Item("obstacle", "x")

    def line(*means: Item) -> Labelled:
        return Labelled(entry="e", persona=example.persona, says=f"{len(means)}", means=frozenset(means))

    lines = [line(AGE), line(AGE, other), line(), line()]
    taken = iter([{AGE}, {AGE, Item("hang_up", "0")}, set(), {other}])
    tried = try_lines(lines, lambda _: frozenset(next(taken)))
    assert (as_meant(tried).hits, as_meant(tried).n) == (2, 2)
    assert (false(tried).hits, false(tried).n) == (2, 4)
    assert (false_on_nothing(tried).hits, false_on_nothing(tried).n) == (1, 2)
    assert (as_meant(tried, "obstacle").hits, as_meant(tried, "obstacle").n) == (0, 1)
    assert as_meant(tried, "negative").value is None
