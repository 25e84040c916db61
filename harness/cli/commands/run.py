"""``outboundeval run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.analysis.instruments import Instruments
from harness.cli.options import (
    Agent,
    AsJson,
    LanguageModelName,
    Out,
    Policy,
    UnderstandingName,
    print_json,
    progress_console,
    scenario_call,
    stdout,
)
from harness.cli.screen.scores import print_summary
from harness.cli.steps_of_calls import EXIT_INTERRUPTED, exit_code, place, score_and_report
from harness.errors import UserError
from harness.paths import new_run_folder
from harness.plans.plan import expand_plan, load_plan
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import set_guilty_aside

app = typer.Typer()


@app.command()
def run(
    plan_file: Annotated[
        Path | None, typer.Argument(help="The plan: a YAML file, see 'fixtures/plans'.")
    ] = None,
    agent: Agent = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            help="In place of a plan: an entry of the benchmark, or a pattern (cs-*/*); may be repeated.",
        ),
    ] = None,
    policy: Policy = None,
    llm: LanguageModelName = None,
    understanding: UnderstandingName = None,
    trials: Annotated[int, typer.Option(help="With --scenario: how often each call is placed.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="With --scenario: seed of the run.")] = 0,
    out: Out = None,
    as_json: AsJson = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show transcripts and latencies as they happen.")
    ] = False,
    score: Annotated[
        bool, typer.Option("--score/--no-score", help="Score and report after the calls.")
    ] = True,
    rerun_guilty: Annotated[
        int,
        typer.Option(
            help="Place a call in which our own caller was at fault again, so often at most.", min=0, max=20
        ),
    ] = 0,
) -> None:
    """Place the calls of a plan, one after the other, then score and report them.

    Ctrl-C hangs up, keeps every finished call, and ends; the same command with the same --out goes on.

    Example: outboundeval run nightly.yaml --agent http://127.0.0.1:7860 --out runs/tonight

    Example: outboundeval run --scenario "cs-*/*" --agent http://127.0.0.1:7860 --out runs/service
    """
    if plan_file is not None:
        if scenario or policy or llm or understanding:
            raise UserError(
                "a plan file says itself who is called: leave out --scenario, --policy, --llm "
                "and --understanding"
            )
        plan = load_plan(plan_file, agent=agent)
    elif scenario:
        call = scenario_call(scenario, policy=policy, language_model=llm, understanding=understanding)
        written = {"agent": agent, "trials": trials, "seed": seed, "calls": [call]}
        plan = expand_plan(written, where="command line")
    else:
        raise UserError("nobody to call: give a plan file, or --scenario")
    folder = out if out is not None else new_run_folder(plan.name)
    console = progress_console(as_json=as_json)
    outcome = place(plan, folder, console=console, live=live)
    if outcome.interrupted:
        what = (
            plan_file if plan_file is not None else " ".join(f"--scenario '{one}'" for one in scenario or [])
        )
        console.print(f"Interrupted. Go on with: outboundeval run {what} … --out {folder}", soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    if score:
        instruments = Instruments()
        scored = score_and_report(folder, instruments=instruments, console=console)
        ids = [call.call_id for call in plan.calls]
        while not outcome.interrupted and (
            again := set_guilty_aside(RunStore(folder), ids, attempts=rerun_guilty)
        ):
            console.print(f"our own caller was at fault in {len(again)} calls: placing them again")
            outcome = place(plan, folder, console=console, live=live)
            scored = score_and_report(folder, instruments=instruments, console=console)
        if as_json:
            print_json(scored.summary.model_dump(mode="json"))
        else:
            print_summary(stdout, scored.summary, scored.records, scored.report)
    elif as_json:
        print_json({"run": str(folder), "calls": dict(outcome.statuses)})
    raise typer.Exit(exit_code(outcome))
