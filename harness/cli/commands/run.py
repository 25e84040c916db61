"""``outboundeval run``: what it does. Its options: :mod:`harness.cli.options.run`."""

from __future__ import annotations

import typer

from harness.analysis.instruments import Instruments
from harness.cli.options.run import RunOptions
from harness.cli.scenario_call import scenario_call
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.screen.scores import print_summary
from harness.cli.steps_of_calls import place, score_and_report
from harness.errors import UserError
from harness.paths import new_run_folder
from harness.plans.plan import expand_plan, load_plan
from harness.plans.run import RunPlan
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import set_guilty_aside


def run(options: RunOptions) -> None:
    """Places the calls, scores them, and places those again in which our own caller was at fault."""
    plan = _plan(options)
    folder = options.out if options.out is not None else new_run_folder(plan.name)
    console = progress_console(as_json=options.as_json)
    outcome = place(plan, folder, console=console, live=options.live)
    if outcome.interrupted:
        chosen = " ".join(f"--scenario '{one}'" for one in options.scenario or [])
        what = options.plan_file if options.plan_file is not None else chosen
        console.print(f"Interrupted. Go on with: outboundeval run {what} … --out {folder}", soft_wrap=True)
        raise typer.Exit(outcome.exit_code)
    if options.score:
        instruments = Instruments()
        scored = score_and_report(folder, instruments=instruments, console=console)
        ids = [call.call_id for call in plan.calls]
        while not outcome.interrupted and (
            again := set_guilty_aside(RunStore(folder), ids, attempts=options.rerun_guilty)
        ):
            console.print(f"our own caller was at fault in {len(again)} calls: placing them again")
            outcome = place(plan, folder, console=console, live=options.live)
            scored = score_and_report(folder, instruments=instruments, console=console)
        if options.as_json:
            print_json(scored.summary.model_dump(mode="json"))
        else:
            print_summary(stdout, scored.summary, scored.records, scored.report)
    elif options.as_json:
        print_json({"run": str(folder), "calls": dict(outcome.statuses)})
    raise typer.Exit(outcome.exit_code)


def _plan(options: RunOptions) -> RunPlan:
    """The calls that were asked for."""
    policy, model, understanding = options.policy, options.llm, options.understanding
    if options.plan_file is not None:
        if options.scenario or policy or model or understanding:
            raise UserError(
                "a plan file says itself who is called: leave out --scenario, --policy, --llm "
                "and --understanding"
            )
        return load_plan(options.plan_file, agent=options.agent)
    if not options.scenario:
        raise UserError("nobody to call: give a plan file, or --scenario")
    call = scenario_call(options.scenario, policy=policy, language_model=model, understanding=understanding)
    written = {"agent": options.agent, "trials": options.trials, "seed": options.seed, "calls": [call]}
    return expand_plan(written, where="command line")
