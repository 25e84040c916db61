"""A turn of ours at fault: which reply leaves the figures, that it is counted, and that the rest stays."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import pytest
from rich.console import Console

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.calls.guard import GUARD_FILE, GuardFile
from harness.cli.screen.text_scores import print_text_summary
from harness.records.scores import CallScores, DialogueScores
from harness.scoring.gates.held_to import held_calls
from harness.scoring.guilty_aside import replies_to, summarize_guarded_texts, turns_at_fault, without_guilty
from metrics.dialogue.text_scores import text_scores
from metrics.dialogue.verdicts import Dimension
from tests.nights import night_call
from tests.report.make_run import write_run
from tests.unit.metrics.dialogue.sessions import achieved, dialogue, flow, node, scored
from voice_sim.guard.session import Finding

TALK = dialogue(
    "A: hello one", "C: Mm.", "A: how many payments", "C: Mm.", "A: then not", "C: well", "C: Mm.", "A: bye"
)
POINTS = {0: 2, 2: 2, 4: 0, 7: 1}
"""Reply -> its points; without reply 4 the mean is 5/6, with it 5/8."""


class _Rules:
    name = "rules"
    version = "1"
    dimensions = frozenset({Dimension.COHERENCE})


def _fault(turn: int | None, quote: str = "Mm.", aside: Literal["call", "turn"] = "turn") -> Finding:
    return Finding(kind="did_not_answer", turn=turn, quote=quote, detail="passes over it", aside=aside)


def _guard(*findings: Finding) -> GuardFile:
    return GuardFile(verdict="guilty_turns", findings=findings)


def _scores(id_: str = "one") -> DialogueScores:
    text = text_scores(
        TALK,
        flow(node("opens", key=True)),
        [achieved("opens", 0, "hello")],
        [scored(turn, Dimension.COHERENCE, points) for turn, points in POINTS.items()],
        judge=_Rules(),  # type: ignore[arg-type]
    )
    return DialogueScores(id=id_, entry=id_, turns=TALK.turns, text=text)


@pytest.mark.parametrize(
    ("findings", "replies"),
    [
        ([_fault(3)], {4}),  # not turn 1, which has the same words
        ([_fault(5, "well")], {7}),  # two turns of ours before the agent spoke
        ([_fault(9)], {2}),  # another count of turns: the first that has the words
        ([_fault(9), _fault(11)], {2, 4}),  # and then the next one
        ([_fault(None, "never said")], set()),
        ([], set()),
    ],
)
def test_the_reply_to_the_turn_that_is_named(findings: Iterable[Finding], replies: set[int]) -> None:
    assert replies_to(TALK.turns, findings) == replies


def test_a_last_turn_has_no_reply() -> None:
    assert replies_to(TALK.turns[:4], [_fault(3)]) == set()


def test_a_turn_at_fault_takes_one_reply_and_leaves_the_task() -> None:
    before, after = _scores(), without_guilty(_scores(), _guard(_fault(3)))
    assert before.text is not None
    assert after.text is not None
    assert before.text.score("gic").value == pytest.approx(5 / 8)
    assert after.text.score("gic").value == pytest.approx(5 / 6)
    assert after.text.score("tfc") == before.text.score("tfc")
    assert after.not_judged == ""


def test_only_certain_findings_of_a_turn_are_counted_and_only_in_calls_that_stay() -> None:
    unsure = _fault(3).model_copy(update={"certain": False})
    gone = GuardFile(verdict="guilty", findings=(_fault(1), _fault(3, aside="call")))
    assert turns_at_fault([_guard(_fault(1), unsure), gone]) == {"did_not_answer": 1}
    assert without_guilty(_scores(), GuardFile(verdict="suspected", findings=(unsure,))) == _scores()
    assert without_guilty(_scores(), gone).text is None


def test_both_figures_stand_in_the_summary_and_the_terminal_says_it(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("one", "two")}
    write_model(folders["one"] / GUARD_FILE, _guard(_fault(3)))
    summary = summarize_guarded_texts([_scores("one"), _scores("two")], folders)
    assert summary is not None
    assert summary.dialogues == 2
    assert summary.guilty_turns == {"did_not_answer": 1}
    assert summary.metrics["gic"].value == pytest.approx((5 / 6 + 5 / 8) / 2)
    assert summary.with_guilty["gic"].value == pytest.approx(5 / 8)
    out = io.StringIO()
    print_text_summary(Console(file=out, width=250), summary)
    assert "1 turn of the simulated caller at fault (did not answer 1)" in out.getvalue()


def test_gates_and_comparisons_are_without_that_reply_too(tmp_path: Path) -> None:
    call = write_run(tmp_path / "run", [night_call("one")]) / "calls" / "one"
    scores = read_model(call / "scores.json", CallScores)
    write_model(call / "scores.json", scores.model_copy(update={"text": _scores()}))
    write_model(call / GUARD_FILE, _guard(_fault(3)))
    [held] = held_calls(tmp_path / "run")
    assert held.files.scores is not None
    assert held.files.scores.text is not None
    assert held.files.scores.text.text is not None
    assert held.files.scores.text.text.score("gic").value == pytest.approx(5 / 6)
