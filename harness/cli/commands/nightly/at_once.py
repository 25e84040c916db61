"""The calls of a run, several at once, with a table of those that stand."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from harness.calls.voice.medium import VoiceMedium
from harness.cli.screen.nightly.many_calls import ManyCalls
from harness.cli.stopping import run_stoppable
from harness.plans.run import RunPlan
from harness.runs.batch import Outcome
from harness.runs.store import RunStore
from harness.runs.workers.local import hold_at_once
from harness.runs.workers.many import ManyWatcher
from harness.runs.workers.ray import hold_on_cluster


def place_at_once(
    plan: RunPlan,
    folder: Path,
    *,
    console: Console,
    processes: int | None = None,
    within_s: float | None = None,
    cluster: str | None = None,
) -> Outcome:
    """Places the calls that are missing, as many at once as the plan says and this machine carries.

    Args:
        processes: How many hold calls; default: as many as cores.
        cluster: Address of a Ray cluster on whose machines they are placed; default: on this one.
        within_s: After so many seconds nobody is dialled any more.
    """
    with ManyCalls(console) as shown:
        watcher = ManyWatcher(
            on_begin=shown.begin,
            on_dialled=shown.dialled,
            on_doing=shown.doing,
            on_ended=shown.ended,
            on_lost=shown.lost,
            on_paced=shown.paced,
            on_limit=shown.limit,
        )
        run = RunStore(folder)
        medium = VoiceMedium()
        if cluster is None:
            held = hold_at_once(
                plan, run, medium=medium, processes=processes, within_s=within_s, watcher=watcher
            )
        else:
            held = hold_on_cluster(
                plan,
                run,
                medium=medium,
                address=cluster,
                processes=processes,
                within_s=within_s,
                watcher=watcher,
            )
        return run_stoppable(held)
