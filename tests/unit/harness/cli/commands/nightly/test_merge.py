"""What comes of a merge: the whole is a night, kept, told and a baseline; its shards are none."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from harness._files.atomic_file import write_model
from harness.cli.commands.nightly import merge as command
from harness.cli.commands.nightly import telling
from harness.cli.options.nightly.merge import MergeOptions
from harness.errors import UserError
from harness.plans.checks.checks import Checks
from harness.plans.run import Notify, RunPlan
from harness.records.verdict import VERDICT_FILE, Verdict
from harness.runs.database.index import put_run, rebuild
from harness.runs.database.nights import nights
from harness.runs.elsewhere.shard import shard_of
from harness.runs.store import RunStore
from harness.scoring.comparison.runs import last_green_before
from tests.unit.harness.analysis.test_listener import StandIns
from tests.unit.harness.runs.elsewhere.test_merge import placed, plan_of, three_held

GATES = Checks.model_validate(
    {"gates": ["calls.own_faults <= 3", "response_rate: not worse by 0.5"], "baseline": "last green"}
)


@pytest.fixture(scope="module")
def plan() -> RunPlan:
    notify = Notify(url="{env:HOOK}", on="always")
    return plan_of(three_held()).model_copy(update={"checks": GATES, "notify": notify})


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that were posted to."""
    found: list[str] = []
    monkeypatch.setattr(telling, "post", lambda address, content: found.append(address) or "")
    monkeypatch.setattr(command, "Instruments", StandIns)
    monkeypatch.delenv("OUTBOUNDEVAL_STORE", raising=False)
    return found


def _merged(folder: Path, plan: RunPlan, *, shards: int = 2, **options: bool) -> int:
    """The exit code of a night's merge, into folder/whole."""
    held = three_held()
    parts = [placed(folder / f"shard-{n}", shard_of(plan, f"{n}/2"), held) for n in range(1, shards + 1)]
    with pytest.raises(typer.Exit) as ended:
        command.merge(MergeOptions(runs=parts, out=folder / "whole", **options))
    return ended.value.exit_code


def test_a_merged_run_is_kept_and_told_and_the_next_ones_baseline(
    tmp_path: Path, plan: RunPlan, posted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    step = tmp_path / "step.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    monkeypatch.setenv("HOOK", "https://hooks.example/T0")
    store = str(tmp_path / "nights.sqlite")
    monkeypatch.setenv("OUTBOUNDEVAL_STORE", store)
    assert _merged(tmp_path / "first", plan) == 0
    first = tmp_path / "first" / "whole"
    assert [(night.folder, night.word) for night in nights(store)] == [(first, "passed")]
    assert posted == ["https://hooks.example/T0"]
    assert (first / "metrics.prom").is_file()
    assert "**PASSED**" in step.read_text(encoding="utf-8")
    assert _merged(tmp_path / "second", plan) == 1  # three calls are too few to compare
    second = tmp_path / "second" / "whole"
    assert len(nights(store)) == 2
    assert last_green_before("last green", store, second) == first


def test_a_webhook_that_is_not_named_here_fails_nothing(
    tmp_path: Path, plan: RunPlan, posted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOOK", raising=False)
    assert _merged(tmp_path, plan) == 0
    assert posted == []
    assert len(nights(str(tmp_path / "nights.sqlite"))) == 1


def test_without_a_shard_it_does_not_pass(tmp_path: Path, plan: RunPlan, posted: list[str]) -> None:
    assert _merged(tmp_path, plan, shards=1, incomplete=True) == 1
    (night,) = nights(str(tmp_path / "nights.sqlite"))
    assert night.word == "inconclusive"
    info = RunStore(tmp_path / "whole").read_info()
    assert info is not None
    assert info.finished_at is None


def test_a_shard_is_no_night(tmp_path: Path, plan: RunPlan) -> None:
    part = placed(tmp_path / "shard-1", shard_of(plan, "1/2"), three_held())
    write_model(part / VERDICT_FILE, Verdict(word="passed"))
    store = str(tmp_path / "nights.sqlite")
    with pytest.raises(UserError, match=r"shard-1: is shard 1/2 of a run; the store is of whole ones"):
        put_run(store, part)
    with pytest.raises(UserError, match="none of these folders can be put into it"):
        list(rebuild(store, [part]))
    assert nights(store) == []


def test_whom_a_plan_tells_goes_with_its_shards(plan: RunPlan) -> None:
    part = shard_of(plan.model_copy(update={"otel": True}), "1/2")
    assert part.shard is not None
    assert (part.shard.notify, part.shard.otel) == (plan.notify, True)
    assert (part.notify, part.otel) == (None, False)
