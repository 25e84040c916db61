"""``outboundeval run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.commands.options import Agent, AsJson, Out, print_json, progress_console, stdout
from harness.instruments import Instruments
from harness.paths import new_run_folder
from harness.pipeline import EXIT_INTERRUPTED, exit_code, place, score_and_report
from harness.plan import load_plan
from harness.terminal import print_summary

app = typer.Typer()


@app.command()
def run(
    plan_file: Annotated[Path, typer.Argument(help="The plan: a YAML file, see 'fixtures/plans'.")],
    agent: Agent = None,
    out: Out = None,
    as_json: AsJson = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show transcripts and latencies as they happen.")
    ] = False,
    score: Annotated[
        bool, typer.Option("--score/--no-score", help="Score and report after the calls.")
    ] = True,
) -> None:
    """Place the calls of a plan, one after the other, then score and report them.

    Ctrl-C hangs up, keeps every finished call, and ends; the same command with the same --out goes on.

    Example: outboundeval run nightly.yaml --agent http://127.0.0.1:7860 --out runs/tonight
    """
    plan = load_plan(plan_file, agent=agent)
    folder = out if out is not None else new_run_folder(plan.name)
    console = progress_console(as_json=as_json)
    outcome = place(plan, folder, console=console, live=live)
    if outcome.interrupted:
        console.print(f"Interrupted. Go on with: outboundeval run {plan_file} --out {folder}", soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    if score:
        scored = score_and_report(folder, instruments=Instruments(), console=console)
        if as_json:
            print_json(scored.summary.model_dump(mode="json"))
        else:
            print_summary(stdout, scored.summary, scored.records, scored.report)
    elif as_json:
        print_json({"run": str(folder), "calls": dict(outcome.statuses)})
    raise typer.Exit(exit_code(outcome))
