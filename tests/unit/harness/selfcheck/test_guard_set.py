"""The planted set: its size and spread, what the guard finds in it, and that the figures can fail."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.errors import UserError
from harness.scenarios.folders import find_folders, library_root, load_scenario
from harness.selfcheck.guard_check import measure_guard
from harness.selfcheck.guard_set import Planted, guard_set_root, load_guard_set
from voice_sim.guard.check import Guarded, check
from voice_sim.guard.session import KINDS, Session, Turn


@pytest.fixture(scope="module")
def planted() -> list[Planted]:
    return load_guard_set(guard_set_root())


@pytest.fixture(scope="module")
def answers(planted: list[Planted]) -> dict[str, Guarded]:
    return {one.id: check(one.session) for one in planted}


def test_the_set_is_large_and_spread(planted: list[Planted]) -> None:
    faulty = [one for one in planted if one.fault]
    clean = [one for one in planted if not one.fault]
    assert len(faulty) >= 60
    assert len(clean) >= 60
    assert sum(one.language == "zh" for one in planted) >= 20
    by_kind = Counter(one.fault.kind for one in faulty if one.fault)
    assert set(by_kind) == set(KINDS)
    assert min(by_kind.values()) >= 4
    assert len({one.session.persona.role for one in planted}) >= 25
    assert {one.session.persona.archetype for one in planted} == set(
        type(planted[0].session.persona.archetype)
    )
    held_out = [one for one in planted if one.part == "held_out"]
    assert len(held_out) * 3 >= len(planted)
    texts = [turn.text for one in faulty for turn in one.session.turns if turn.speaker == "caller"]
    assert len(set(texts)) >= 0.8 * len(texts)


def test_nine_in_ten_faults_are_found_and_nobody_is_accused(
    planted: list[Planted], answers: dict[str, Guarded]
) -> None:
    figures = measure_guard(planted, answers)
    for part in figures.values():
        assert part.recall.value is not None
        assert part.recall.value >= 0.9
        assert part.recall_exact.value is not None
        assert part.recall_exact.value >= 0.9
        assert part.alarms == ()


def test_figures_are_counted_and_not_assumed(planted: list[Planted]) -> None:
    nothing = measure_guard(planted, {one.id: Guarded(verdict="clean") for one in planted})["all"]
    assert nothing.recall.hits == 0
    assert nothing.precision.value is None
    accused = check(next(one for one in planted if one.fault).session)
    everyone = measure_guard(planted, {one.id: accused for one in planted})["all"]
    assert everyone.recall.value == 1.0
    assert everyone.false_alarms.hits == everyone.clean
    assert everyone.precision.value == pytest.approx(everyone.faulty / len(planted))
    assert everyone.recall_exact.hits < everyone.recall.hits


def test_every_spoken_line_of_the_benchmark_is_clean() -> None:
    """Nine thousand lines that people wrote for these persons: a rule that minds one of them is wrong."""
    minded = []
    for folder in find_folders([library_root()]):
        for entry in load_scenario(folder).entries():
            lines = [line for _, line in entry.persona.spoken_lines()]
            # Told apart from the by-heart lines by one more word at the front: the rules have to look.
            for line in lines[::17]:
                turns = (
                    Turn(speaker="agent", text="Hm."),
                    Turn(speaker="caller", text=f"Well then … {line}"),
                )
                for finding in check(Session(persona=entry.persona, turns=turns)).findings:
                    minded.append((entry.id, line, finding.kind))
    assert minded == []


def test_the_command_prints_figures_with_intervals() -> None:
    result = CliRunner().invoke(app, ["persona", "guard", "check", "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    whole = document["parts"]["all"]
    assert set(document["parts"]) == {"development", "held_out", "all"}
    assert whole["recall"]["ci_low"] < whole["recall"]["value"] <= whole["recall"]["ci_high"] <= 1.0
    assert set(whole["kinds"]) == set(KINDS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dialogues: []", "at least 1 item"),
        (
            "dialogues:\n  - {id: a, entry: no-such/hesitant, ended: other, text: 'C: Hi'}",
            "there is no entry 'no-such/hesitant'",
        ),
        (
            "dialogues:\n  - {id: a, entry: cs-bank-complaint/hesitant, ended: other, text: 'Hello'}",
            "a line begins with",
        ),
        (
            "dialogues:\n  - {id: a, entry: cs-bank-complaint/hesitant, ended: other, text: 'C*: Hi'}",
            "a clean dialogue has none",
        ),
    ],
)
def test_a_broken_set_says_where(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(UserError, match=r"mine\.yaml") as caught:
        load_guard_set(tmp_path)
    assert message in str(caught.value)


def test_a_folder_without_a_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=str(tmp_path)):
        load_guard_set(tmp_path)
