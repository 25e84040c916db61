"""Places the calls that made a run red once more, before anybody is alarmed."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from harness.analysis.instruments import Instruments
from harness.cli.ending import end_where_cut_off
from harness.cli.steps_of_calls import ScoredRun, place, score_and_report
from harness.plans.checks.checks import Checks
from harness.plans.run import RunPlan
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.runs.reader import AGAIN
from harness.runs.store import RunStore
from harness.scoring.gates.decide import Relative, decide, failed_cells, nothing_to_compare_with


def place_failed_again(
    plan: RunPlan,
    folder: Path,
    scored: ScoredRun,
    *,
    within_s: float,
    instruments: Instruments,
    console: Console,
    relative: Relative = nothing_to_compare_with,
    cluster: str | None = None,
) -> ScoredRun:
    """The run with its verdict on first and second attempts; as it was where no call can be named, or where
    they have been placed and scored again already.

    The second attempts are a run of their own in ``RUN/again``; the first ones stay as they are. Where that
    run was cut off, it goes on.
    """
    again = folder / AGAIN
    cells = failed_cells(scored.verdict, [call.call_id for call in plan.calls])
    if not cells or (again / "summary.json").is_file():
        return scored
    if (begun := RunStore(again).read_info()) is not None:
        cells = begun.call_ids
    console.print(f"[yellow]{len(cells)} calls failed: placing them once more[/]", highlight=False)
    chosen = set(cells)
    second = RunPlan(
        name=f"{plan.name}, again",
        units=tuple(unit for unit in plan.units if unit.id in chosen),
        seed=plan.seed,
        parallel=plan.most_at_once,
        checks=Checks(expect={key: one for key, one in plan.checks.expect.items() if key in chosen}),
    )
    outcome = place(second, again, console=console, live=False, within_s=within_s, cluster=cluster)
    end_where_cut_off(outcome)
    if not any((again / "calls").glob("*/call.json")):
        return scored
    score_and_report(again, instruments=instruments, console=console)
    verdict = decide(folder, relative=relative)
    report = build_report(folder)
    write_junit(folder)
    return ScoredRun(
        summary=scored.summary,
        records=scored.records,
        report=report,
        audio=scored.audio,
        cut=scored.cut,
        verdict=verdict,
    )
