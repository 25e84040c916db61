"""``outboundeval call``: what it does. Its options: :mod:`harness.cli.options.call`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from harness.analysis.instruments import Instruments
from harness.cli.ending import end, end_where_cut_off
from harness.cli.options.call import CallOptions
from harness.cli.own_folder import own_folder
from harness.cli.reaching.address import reach_of
from harness.cli.reaching.started_agent import spawn_of, with_agent
from harness.cli.refusing import check_plan
from harness.cli.scenario_call import scenario_call
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.screen.nightly.verdict import print_verdict
from harness.cli.screen.scores import print_metrics, print_turns
from harness.cli.steps_of_calls import place, score_and_report
from harness.errors import UserError
from harness.paths import new_run_folder
from harness.plans.plan import expand_plan, load_plan
from harness.plans.run import RunPlan
from harness.plans.secrets import headers_of
from harness.runs.others.witness import witnessing
from harness.runs.store import RunStore

DEFAULT_LINES = (
    "Hello, yes, speaking. What is this about?",
    "Okay. Could you tell me a little more about that?",
    "All right, thank you. That is all I wanted to know.",
)


def call(options: CallOptions) -> None:
    """Places the call, scores it and shows its figures."""
    plan = _plan(options)
    folder = options.out if options.out is not None else new_run_folder("call")
    console = progress_console(as_json=options.as_json)
    check_plan(plan, where="plan")
    go_on = f"Go on with: the same command and --out {folder}"
    with (
        own_folder(folder, doing="call", console=console, go_on=go_on),
        with_agent(plan.spawn, folder, console),
        witnessing(plan.witness, folder),
    ):
        _call(plan, folder, console, as_json=options.as_json)


def _call(plan: RunPlan, folder: Path, console: Console, *, as_json: bool) -> None:
    outcome = place(plan, folder, console=console, live=True, live_words=True)
    if as_json:
        print_json({"run": str(folder), "calls": dict(outcome.statuses)})
    end_where_cut_off(outcome)
    scored = score_and_report(folder, instruments=Instruments(), console=console)
    if as_json:
        print_json(
            scored.summary.model_dump(mode="json") | {"verdict": scored.verdict.model_dump(mode="json")}
        )
    else:
        scores = RunStore(folder).read_scores(plan.calls[0].call_id)
        if scores is not None:
            print_turns(stdout, scores)
        print_metrics(stdout, scored.summary.metrics, scored.summary.calibrations)
        stdout.print(f"\nReport: {scored.report}", soft_wrap=True, highlight=False, markup=False)
        print_verdict(stdout, scored.verdict)
    end(outcome, scored.verdict)


def _plan(options: CallOptions) -> RunPlan:
    """The one call that was asked for."""
    if sum(way is not None for way in (options.plan_file, options.scenario, options.say)) > 1:
        raise UserError("give --plan, --scenario or --say: each says what the caller does")
    if options.scenario is None and (options.policy or options.llm or options.understanding):
        raise UserError(
            "--policy, --llm and --understanding are for the person of a scenario: give --scenario with them"
        )
    if options.plan_file is None and options.call_id is not None:
        raise UserError("--id names a call of a plan file: give --plan with it")
    of_lines = options.interrupt is not None or options.wait_for_greeting is not None
    if of_lines and (options.plan_file is not None or options.scenario is not None):
        raise UserError(
            "--interrupt, --wait-for-greeting and --speak-first are for lines of one's own: give --say"
        )
    if options.plan_file is not None:
        if (options.voice, options.snr_db, options.noise_kind) != (None, None, None):
            raise UserError(
                "a plan file says itself what is heard: leave out --voice, --noise and --noise-kind"
            )
        return _from_plan(options.plan_file, options)
    sound = _sound(options.snr_db, options.noise_kind, options.voice)
    if options.scenario is None:
        return _from_lines(options, sound)
    person = scenario_call(
        [options.scenario],
        policy=options.policy,
        language_model=options.llm,
        understanding=options.understanding,
        **sound,
    )
    return _from_scenario(options, options.scenario, person)


def _from_plan(plan_file: Path, options: CallOptions) -> RunPlan:
    plan = load_plan(
        plan_file,
        agent=options.agent,
        headers=headers_of(options.header),
        reach=reach_of(options),
        spawn=spawn_of(options),
    )
    call_id = options.call_id
    chosen = [one for one in plan.calls if call_id in (None, one.call_id)][:1]
    if not chosen:
        known = ", ".join(one.call_id for one in plan.calls)
        raise UserError(f"{plan_file}: no call '{call_id}'; there are: {known}")
    held_to = {one.call_id: plan.checks.expect.get(one.call_id, ()) for one in chosen}
    # One call alone is no run to be held against another: it would be red for being so few.
    checks = plan.checks.model_copy(
        update={"expect": {key: one for key, one in held_to.items() if one}, "baseline": ""}
    )
    kept = {"checks": checks, "spawn": plan.spawn, "witness": plan.witness}
    return RunPlan.of(plan.name, chosen).model_copy(update=kept)


def _sound(snr_db: float | None, noise_kind: str | None, voice: str | None) -> dict[str, Any]:
    """What is heard of the caller, as a plan file has it."""
    sound: dict[str, Any] = {}
    if noise_kind is not None and snr_db is None:
        raise UserError("--noise-kind says which noise: give --noise SNR with it, for instance --noise 15")
    if snr_db is not None:
        noise: dict[str, Any] = {"snr_db": snr_db} | ({"kind": noise_kind} if noise_kind else {})
        sound["conditions"] = {"noise": noise}
    if voice is not None:
        engine, _, name = voice.partition("/")
        if not (engine and name):
            raise UserError(f"--voice '{voice}': give ENGINE/NAME, for instance piper/joe")
        sound["voice"] = {"engine": engine, "name": name}
    return sound


def _from_scenario(options: CallOptions, scenario: str, call: dict[str, Any]) -> RunPlan:
    plan = _written(options, call)
    if len(plan.calls) > 1:
        raise UserError(
            f"'{scenario}' stands for {len(plan.calls)} calls; place them with 'outboundeval run'"
        )
    return plan


def _from_lines(options: CallOptions, sound: dict[str, Any]) -> RunPlan:
    if options.agent is None and options.spawn is None:
        raise UserError("no agent to call: give --agent URL, for instance --agent http://127.0.0.1:7860")
    lines: list[dict[str, object]] = [{"say": line} for line in (options.say or DEFAULT_LINES)]
    if options.interrupt is not None:
        lines.append({"say": options.interrupt, "barge_in_after_s": 1.5})
    script = {"lines": lines, "wait_for_greeting": options.wait_for_greeting is not False}
    call: dict[str, Any] = {"id": "call", "script": script, **sound}
    return _written(options, call)


def _written(options: CallOptions, call: dict[str, Any]) -> RunPlan:
    content = {"name": "call", "agent": options.agent, "calls": [call]}
    return expand_plan(
        content,
        headers=headers_of(options.header),
        reach=reach_of(options),
        spawn=spawn_of(options),
        where="command line",
    )
