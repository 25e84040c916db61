"""``outboundeval run``: what it does. Its options: :mod:`harness.cli.options.run`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict

from rich.console import Console

from harness.analysis.instruments import Instruments
from harness.cli.commands.nightly.dry_run import dry_run
from harness.cli.commands.nightly.second_attempts import place_failed_again
from harness.cli.commands.nightly.telling import index_run, tell_others
from harness.cli.ending import end, end_where_cut_off
from harness.cli.options.run import RunOptions
from harness.cli.own_folder import own_folder
from harness.cli.reaching.address import reach_of
from harness.cli.reaching.started_agent import spawn_of, with_agent
from harness.cli.refusing import check_plan
from harness.cli.scenario_call import scenario_call
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.screen.nightly.verdict import print_verdict
from harness.cli.screen.scores import print_summary
from harness.cli.steps_of_calls import place, score_and_report
from harness.errors import UserError
from harness.paths import new_run_folder
from harness.plans.plan import expand_plan, load_plan
from harness.plans.probes.expanding import minutes_of, probes_named
from harness.plans.run import RunPlan
from harness.plans.secrets import headers_of
from harness.runs.database.opening import store_beside
from harness.runs.elsewhere.calibration_file import keep_calibrations
from harness.runs.elsewhere.shard import shard_of
from harness.runs.others.witness import witnessing
from harness.runs.store import RunStore
from harness.scoring.comparison.runs import relative_to
from harness.scoring.guilty_aside import set_guilty_aside


class _How(TypedDict):
    """How the calls are placed, the first time and each time after it."""

    live: bool
    processes: int | None
    cluster: str | None


def run(options: RunOptions) -> None:
    """Places the calls, scores them, and places those again in which our own caller was at fault."""
    plan = _at_once(_plan(options), options).against(options.baseline)
    if options.shard is not None:
        plan = shard_of(plan, options.shard)
    folder = options.out if options.out is not None else new_run_folder(plan.name)
    console = progress_console(as_json=options.as_json)
    check_plan(plan, where=str(options.plan_file or "plan"))
    if options.dry_run:
        dry_run(plan, store=options.store or store_beside(folder), as_json=options.as_json)
        return
    go_on = f"Go on with: the same command and --out {folder}"
    with (
        own_folder(folder, doing="run", console=console, go_on=go_on),
        with_agent(plan.spawn, folder, console),
        witnessing(plan.witness, folder),
    ):
        _run(plan, folder, options, console)


def _run(plan: RunPlan, folder: Path, options: RunOptions, console: Console) -> None:
    store = options.store or store_beside(folder)
    relative = relative_to(plan.checks.baseline, folder, store=store)
    how: _How = {"live": options.live, "processes": options.processes, "cluster": options.ray}
    if told := minutes_of(plan.calls):
        console.print(told, highlight=False, markup=False)
    outcome = place(plan, folder, console=console, **how)
    if plan.shard is not None:
        keep_calibrations(RunStore(folder))
    if options.as_json:
        print_json({"run": str(folder), "calls": dict(outcome.statuses)})
    end_where_cut_off(outcome)
    if options.score:
        instruments = Instruments()
        scored = score_and_report(folder, instruments=instruments, console=console, relative=relative)
        ids = [call.call_id for call in plan.calls]
        while again := set_guilty_aside(RunStore(folder), ids, attempts=options.rerun_guilty):
            console.print(f"our own caller was at fault in {len(again)} calls: placing them again")
            outcome = place(plan, folder, console=console, **how)
            end_where_cut_off(outcome)
            scored = score_and_report(folder, instruments=instruments, console=console, relative=relative)
        within_s = plan.rerun_within_s if options.rerun_within is None else options.rerun_within
        if within_s and scored.verdict.word in ("failed", "inconclusive"):
            scored = place_failed_again(
                plan,
                folder,
                scored,
                within_s=within_s,
                instruments=instruments,
                console=console,
                relative=relative,
                cluster=options.ray,
            )
        if options.as_json:
            print_json(
                scored.summary.model_dump(mode="json") | {"verdict": scored.verdict.model_dump(mode="json")}
            )
        else:
            print_summary(stdout, scored.summary, scored.records, scored.report)
            print_verdict(stdout, scored.verdict)
        if plan.shard is None:
            index_run(store, folder, console)
        info = RunStore(folder).read_info()
        tell_others(folder, info=info, store=store, notify=plan.notify, otel=plan.otel, console=console)
        end(outcome, scored.verdict)
    end(outcome)


def _at_once(plan: RunPlan, options: RunOptions) -> RunPlan:
    """With as many calls at once as the command line says, in place of the plan's own number or ramp."""
    if options.parallel is not None:
        plan = plan.model_copy(update={"parallel": options.parallel, "load": None})
    if options.live and (plan.most_at_once > 1 or options.ray is not None):
        raise UserError("--live shows one call: leave it out, or give --parallel 1")
    if options.ray is not None and plan.spawn is not None:
        raise UserError("--ray and an agent that the run starts: other machines do not reach it")
    if options.ray is not None and plan.witness is not None:
        raise UserError(
            "--ray and witness: other machines have clocks of their own, so nobody could say in which of "
            "their calls something was told; divide the run with --shard, and merge it"
        )
    return plan


def _plan(options: RunOptions) -> RunPlan:
    """The calls that were asked for."""
    policy, model, understanding = options.policy, options.llm, options.understanding
    sent, reach, spawn = headers_of(options.header), reach_of(options), spawn_of(options)
    if options.plan_file is not None:
        if options.scenario or policy or model or understanding:
            raise UserError(
                "a plan file says itself who is called: leave out --scenario, --policy, --llm "
                "and --understanding"
            )
        if options.trials is not None or options.seed is not None:
            raise UserError(
                "a plan file has trials and a seed of its own: write them there ('trials: 3', 'seed: 7')"
            )
        if options.probes:
            raise UserError("a plan file has probes of its own: write them there ('probes: [...]')")
        return load_plan(
            options.plan_file,
            agent=options.agent,
            headers=sent,
            reach=reach,
            spawn=spawn,
        )
    if not options.scenario and not options.probes:
        raise UserError("nobody to call: give a plan file, --scenario or --probes")
    written: dict[str, Any] = {
        "agent": options.agent,
        "trials": 1 if options.trials is None else options.trials,
        "seed": 0 if options.seed is None else options.seed,
    }
    if options.scenario:
        call = scenario_call(
            options.scenario, policy=policy, language_model=model, understanding=understanding
        )
        written["calls"] = [call]
    if options.probes:
        written |= {"probes": probes_named(options.probes), "name": "probes"}
    return expand_plan(written, headers=sent, reach=reach, spawn=spawn, where="command line")
