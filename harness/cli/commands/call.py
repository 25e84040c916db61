"""``outboundeval call``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
from harness.cli.screen.scores import print_metrics, print_turns
from harness.cli.steps_of_calls import EXIT_INTERRUPTED, exit_code, place, score_and_report
from harness.errors import UserError
from harness.paths import new_run_folder
from harness.plans.plan import RunPlan, expand_plan, load_plan
from harness.runs.store import RunStore
from voice_sim.conditions import NOISES

app = typer.Typer()

DEFAULT_LINES = (
    "Hello, yes, speaking. What is this about?",
    "Okay. Could you tell me a little more about that?",
    "All right, thank you. That is all I wanted to know.",
)

_NOISE_KINDS = ", ".join(kind for kind in NOISES.parts if kind != "folder")


@app.command()
def call(
    agent: Agent = None,
    say: Annotated[
        list[str] | None, typer.Option("--say", help="A line of the caller; give it once for each line.")
    ] = None,
    plan_file: Annotated[
        Path | None, typer.Option("--plan", help="Take the call from this plan file instead of --say.")
    ] = None,
    call_id: Annotated[
        str | None, typer.Option("--id", help="Which call of the plan; default: its first.")
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option(
            help="Have the person of this scenario called, for instance cs-bank-complaint/hesitant."
        ),
    ] = None,
    policy: Policy = None,
    llm: LanguageModelName = None,
    understanding: UnderstandingName = None,
    interrupt: Annotated[
        str | None, typer.Option(help="Say this into the answer to the last line, 1.5 s after its onset.")
    ] = None,
    snr_db: Annotated[
        float | None,
        typer.Option("--noise", help="Background noise at the caller's side, at this SNR in dB."),
    ] = None,
    noise_kind: Annotated[
        str | None, typer.Option(help=f"With --noise: {_NOISE_KINDS}. Default: speech_shaped.")
    ] = None,
    voice: Annotated[
        str | None,
        typer.Option(
            metavar="ENGINE/NAME", help="Who speaks, for instance piper/joe. Default: a voice for the person."
        ),
    ] = None,
    wait_for_greeting: Annotated[
        bool, typer.Option("--wait-for-greeting/--speak-first", help="Who speaks first.")
    ] = True,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Place one call to an agent, with transcript and latency as it happens, then score it.

    Example: outboundeval call --agent http://127.0.0.1:7860 --say "Hi, who is this?" --say "Thanks, bye."

    Example: outboundeval call --agent http://127.0.0.1:7860 --scenario cs-bank-complaint/hesitant
    """
    if sum(way is not None for way in (plan_file, scenario, say)) > 1:
        raise UserError("give --plan, --scenario or --say: each says what the caller does")
    if scenario is None and (policy or llm or understanding):
        raise UserError(
            "--policy, --llm and --understanding are for the person of a scenario: give --scenario with them"
        )
    if plan_file is not None:
        if voice is not None or snr_db is not None:
            raise UserError("a plan file says itself what is heard: leave out --voice and --noise")
        plan = _from_plan(plan_file, call_id, agent)
    else:
        sound = _sound(snr_db, noise_kind, voice)
        if scenario is not None:
            person = scenario_call(
                [scenario], policy=policy, language_model=llm, understanding=understanding, **sound
            )
            plan = _from_scenario(agent, scenario, person)
        else:
            plan = _from_lines(agent, say, interrupt, wait_for_greeting, sound)
    folder = out if out is not None else new_run_folder("call")
    console = progress_console(as_json=as_json)
    outcome = place(plan, folder, console=console, live=True, live_words=True)
    if outcome.interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    scored = score_and_report(folder, instruments=Instruments(), console=console)
    if as_json:
        print_json(scored.summary.model_dump(mode="json"))
    else:
        scores = RunStore(folder).read_scores(plan.calls[0].call_id)
        if scores is not None:
            print_turns(stdout, scores)
        print_metrics(stdout, scored.summary.metrics)
        stdout.print(f"\nReport: {scored.report}", soft_wrap=True, highlight=False)
    raise typer.Exit(exit_code(outcome))


def _from_plan(plan_file: Path, call_id: str | None, agent: str | None) -> RunPlan:
    plan = load_plan(plan_file, agent=agent)
    chosen = [one for one in plan.calls if call_id in (None, one.call_id)][:1]
    if not chosen:
        known = ", ".join(one.call_id for one in plan.calls)
        raise UserError(f"{plan_file}: no call '{call_id}'; there are: {known}")
    return RunPlan(name=plan.name, calls=tuple(chosen))


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


def _from_scenario(agent: str | None, scenario: str, call: dict[str, Any]) -> RunPlan:
    plan = expand_plan({"name": "call", "agent": agent, "calls": [call]}, where="command line")
    if len(plan.calls) > 1:
        raise UserError(
            f"'{scenario}' stands for {len(plan.calls)} calls; place them with 'outboundeval run'"
        )
    return plan


def _from_lines(
    agent: str | None, say: list[str] | None, interrupt: str | None, wait: bool, sound: dict[str, Any]
) -> RunPlan:
    if agent is None:
        raise UserError("no agent to call: give --agent URL, for instance --agent http://127.0.0.1:7860")
    lines: list[dict[str, object]] = [{"say": line} for line in (say or DEFAULT_LINES)]
    if interrupt is not None:
        lines.append({"say": interrupt, "barge_in_after_s": 1.5})
    call: dict[str, Any] = {"id": "call", "script": {"lines": lines, "wait_for_greeting": wait}, **sound}
    return expand_plan({"name": "call", "agent": agent, "calls": [call]}, where="command line")
