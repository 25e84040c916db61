"""``outboundeval chat``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from harness.calls.text.prepare import HUMAN, ChatBuilder
from harness.cli.entry_patterns import many_entries, one_entry
from harness.cli.options import (
    AsJson,
    Out,
    UnderstandingName,
    print_json,
    progress_console,
    stdout,
)
from harness.cli.steps_of_chats import ChatRun, exit_code
from harness.errors import UserError
from harness.models.language.metered import Limits
from harness.models.language.prices import read_prices
from harness.models.language.usage import Cap
from harness.paths import new_run_folder
from harness.plans.chat import ChatJob, ChatLimits, chat_jobs
from harness.plans.plan import Understanding
from harness.records.call import Side
from harness.runs.chat_store import ChatStore
from harness.runs.chats import ChatOutcome
from harness.scenarios.catalogue import Domain
from voice_sim.person.archetypes import Archetype

app = typer.Typer()

ATTEMPT_S = 180.0
"""A model on one's own machine may read a card of 5000 tokens for a minute or two."""


@app.command()
def chat(
    entry: Annotated[
        str | None, typer.Argument(metavar="[ENTRY]", help="For instance cs-bank-complaint/hesitant.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="The whole benchmark instead of one entry.")
    ] = False,
    agent: Annotated[
        str | None,
        typer.Option(
            help="Who plays the agent: sop (follows its card by rule, the default), llm, human, or one that "
            "does its job badly, like faulty-stalls."
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="Language model of an llm agent: PROVIDER:MODEL, http://HOST:PORT/v1 or local:NAME. "
            "Several are compared.",
        ),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(help="Who plays the caller: agenda (by rule, the default) or llm.")
    ] = None,
    caller: Annotated[
        Literal["human"] | None, typer.Option("--caller", help="human: you play the caller.")
    ] = None,
    understanding: UnderstandingName = None,
    caller_model: Annotated[str, typer.Option(help="Language model of an llm caller.")] = "",
    language: Annotated[Literal["en", "zh", "all"], typer.Option(help="With --all.")] = "en",
    only: Annotated[
        list[str] | None, typer.Option(help="With --all: entries like this, for instance 'cs-*/*'.")
    ] = None,
    archetype: Annotated[Archetype | None, typer.Option(help="With --all: this user type.")] = None,
    domain: Annotated[Domain | None, typer.Option(help="With --all: this domain.")] = None,
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Scenarios in this folder instead of our own.")
    ] = None,
    trials: Annotated[int, typer.Option(min=1, max=100, help="Each dialogue this often.")] = 1,
    parallel: Annotated[int, typer.Option(min=1, max=200, help="So many dialogues at once.")] = 4,
    seed: Annotated[int, typer.Option(help="The same seed gives the same caller.")] = 0,
    temperature: Annotated[float, typer.Option(min=0, max=2, help="Of the agent's language model.")] = 0.0,
    max_turns: Annotated[int, typer.Option(min=2, max=1000, help="Both sides together.")] = 100,
    prices: Annotated[
        Path | None, typer.Option(help="YAML file with prices of models, for the cost.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Stop when the language models have cost this much.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Hold failed dialogues again.")] = False,
    rerun_guilty: Annotated[
        int,
        typer.Option(
            help="Hold a dialogue in which our own caller was at fault again, so often at most.",
            min=0,
            max=20,
        ),
    ] = 0,
    out: Out = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also say why the caller says it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Hold a call in text: the simulated caller and a language model, an agent by rule, or you.

    With --all the whole benchmark, for each --model. Ctrl-C keeps what is finished,
    and the same command with the same --out goes on.

    Example: outboundeval chat cs-bank-complaint/hesitant -v

    Example: outboundeval chat --all --model openai:gpt-4.1 --parallel 8 --out runs/benchmark
    """
    if (entry is None) == (not everything):
        raise UserError("name one entry, for instance cs-bank-complaint/hesitant, or give --all")
    if entry is not None and (only or archetype or domain or language != "en"):
        raise UserError(
            "--only, --archetype, --domain and --language choose among entries: give --all with them"
        )
    folders = look_in or []
    entries = (
        [one_entry(entry, folders)]
        if entry is not None
        else many_entries(
            folders=folders, language=language, only=only or (), archetype=archetype, domain=domain
        )
    )
    agent, policy = _sides(agent, model or [], policy, caller, caller_model)
    jobs = chat_jobs(
        entries,
        policy=policy,
        agent=agent,
        caller_model=caller_model,
        understanding=_understanding(understanding, policy),
        models=list(dict.fromkeys(model or [])),
        temperature=temperature,
        trials=trials,
        seed=seed,
        limits=ChatLimits(turns=max_turns),
    )
    typed = _typed(jobs, as_json=as_json)
    limits = Limits(run=Cap(cost=max_cost), concurrency=parallel, attempt_s=ATTEMPT_S)
    builder = ChatBuilder(jobs, limits=limits, prices=read_prices(prices) if prices else None)
    name = entry.replace("/", "-") if entry is not None else "benchmark"
    folder = out if out is not None else new_run_folder(f"chat-{name}")
    store = ChatStore(folder)
    run = ChatRun(
        jobs,
        store,
        builder=builder,
        name=name,
        seed=seed,
        parallel=parallel,
        again=retry,
        rerun_guilty=rerun_guilty,
    )
    console = progress_console(as_json=as_json)
    if len(jobs) > 1:
        outcome = run.many(console)
        if as_json:
            print_json(_batch_document(store, jobs, outcome, builder))
        else:
            run.print_many(stdout, outcome)
    else:
        outcome = run.one(console, why=verbose, typed=typed)
        record = store.read(jobs[0].plan.dialogue_id)
        if record is None:
            raise UserError(f"{folder}: the dialogue cannot be read back")
        if as_json:
            print_json(record.model_dump(mode="json"))
        else:
            run.print_one(stdout, record)
    raise typer.Exit(exit_code(outcome))


def _batch_document(
    store: ChatStore, jobs: list[ChatJob], outcome: ChatOutcome, builder: ChatBuilder
) -> dict[str, Any]:
    return {
        "run": str(store.folder),
        "planned": len(jobs),
        "dialogues": {record.plan.dialogue_id: record.status.value for record in store.records()},
        "interrupted": outcome.interrupted,
        "stopped": outcome.stopped,
        "usage": builder.usage.model_dump(mode="json"),
    }


def _sides(
    agent: str | None, models: list[str], policy: str | None, caller: str | None, caller_model: str
) -> tuple[str, str]:
    """Who plays the agent and the caller, with what goes without saying."""
    agent = agent or ("llm" if models else "sop")
    policy = caller or policy or ("llm" if caller_model else "agenda")
    if (agent == "llm") != bool(models):
        raise UserError(
            "--agent llm needs a language model: give --model NAME, for instance --model openai:gpt-4.1"
            if agent == "llm"
            else f"--model is for a language model that plays the agent; --agent {agent} has none"
        )
    if (policy == "llm") != bool(caller_model):
        raise UserError(
            "--policy llm needs a language model: give --caller-model NAME"
            if policy == "llm"
            else f"--caller-model is for --policy llm; the caller is '{policy}'"
        )
    return agent, policy


def _understanding(chosen: Understanding | None, policy: str) -> Understanding:
    if chosen == "meaning" and policy != "agenda":
        raise UserError(f"--understanding meaning is for an agenda caller; the caller is '{policy}'")
    return chosen or "words"


def _typed(jobs: list[ChatJob], *, as_json: bool) -> Side | None:
    """The side that the person at the terminal plays."""
    plan = jobs[0].plan
    if HUMAN not in (plan.agent, plan.policy):
        return None
    if len(jobs) > 1:
        raise UserError(
            "a person plays one dialogue at a time: name one entry, and neither --trials nor --all"
        )
    if as_json:
        raise UserError("--json leaves nothing on the screen for a person to answer: leave it out")
    if plan.agent == plan.policy:
        raise UserError("you cannot play both sides: leave out --agent human or --caller human")
    return "agent" if plan.agent == HUMAN else "caller"
