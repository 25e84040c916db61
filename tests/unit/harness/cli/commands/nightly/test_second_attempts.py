"""Second attempts that were cut off: they go on, and what was not scored counts for nothing meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness._files.atomic_file import write_model
from harness.analysis.instruments import Instruments
from harness.cli.commands.nightly import second_attempts
from harness.cli.commands.nightly.second_attempts import place_failed_again
from harness.cli.screen.console import progress_console
from harness.cli.steps_of_calls import ScoredRun
from harness.plans.checks.checks import CHECKS_FILE, Checks
from harness.plans.run import RunPlan
from harness.records.scores import Summary
from harness.runs.batch import Outcome
from harness.runs.reader import AGAIN
from harness.runs.store import RunStore
from harness.scoring.gates.decide import decide
from harness.scoring.reused_work import AudioReuse
from tests.nights import night_call
from tests.report.make_run import record_of, write_run

CALLS = [night_call(name, [500.0], says=["No."]) for name in ("a", "b", "c")]
YES = {"what": {"said": "yes"}}


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """What would have been placed and scored."""
    done: list[tuple[str, Any]] = []

    def place(plan: RunPlan, folder: Path, **_: Any) -> Outcome:
        done.append(("place", [call.call_id for call in plan.calls]))
        return Outcome()

    monkeypatch.setattr(second_attempts, "place", place)
    monkeypatch.setattr(second_attempts, "score_and_report", lambda again, **_: done.append(("score", again)))
    monkeypatch.setattr(second_attempts, "build_report", lambda folder: folder)
    monkeypatch.setattr(second_attempts, "write_junit", lambda folder: folder)
    return done


def _again(folder: Path) -> ScoredRun:
    scored = ScoredRun(
        summary=Summary(run="run"),
        records=[],
        report=folder,
        audio=AudioReuse(),
        cut={},
        verdict=decide(folder),
    )
    return place_failed_again(
        RunPlan.of("night", [record_of(call).plan for call in CALLS]),
        folder,
        scored,
        within_s=600,
        instruments=Instruments(),
        console=progress_console(as_json=True),
    )


def test_second_attempts_that_were_cut_off_count_for_nothing_and_go_on(
    tmp_path: Path, steps: list[tuple[str, Any]]
) -> None:
    folder = write_run(tmp_path / "run", CALLS)
    write_model(folder / CHECKS_FILE, Checks.model_validate({"expect": {"a": [YES], "b": [YES]}}))
    first = decide(folder)
    again = write_run(folder / AGAIN, CALLS[:2])
    (again / "summary.json").unlink()
    for name in ("a", "b"):
        (RunStore(again).call_folder(name) / "scores.json").unlink()
    assert decide(folder) == first
    assert first.rerun is None
    _again(folder)
    assert steps == [("place", ["a", "b"]), ("score", again)]


def test_second_attempts_that_were_scored_are_not_placed_again(
    tmp_path: Path, steps: list[tuple[str, Any]]
) -> None:
    folder = write_run(tmp_path / "run", CALLS)
    write_model(folder / CHECKS_FILE, Checks.model_validate({"expect": {"a": [YES], "b": [YES]}}))
    write_run(folder / AGAIN, CALLS[:2])
    assert _again(folder).verdict.rerun == (2, 2)
    assert steps == []
