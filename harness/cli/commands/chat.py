"""``outboundeval chat``: what it does. Its options: :mod:`harness.cli.options.chat`."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from harness.calls.text.medium import HUMAN, TextMedium
from harness.cli.ending import end, end_where_cut_off
from harness.cli.entry_patterns import many_entries, one_entry
from harness.cli.options.chat import ChatOptions
from harness.cli.own_folder import own_folder
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.steps_of_chats import ChatRun
from harness.errors import UserError
from harness.models.language.metered import Limits as ModelLimits
from harness.models.language.prices import read_prices
from harness.models.language.usage import Cap
from harness.paths import new_run_folder
from harness.plans.benchmark import text_units
from harness.plans.call import Limits
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from harness.records.call import Side
from harness.runs.batch import Outcome
from harness.runs.store import RunStore
from harness.scenarios.scenario import Entry

ATTEMPT_S = 180.0
"""A model on one's own machine may read a card of 5000 tokens for a minute or two."""


def chat(options: ChatOptions) -> None:
    """Holds the dialogues that are missing, and shows them or how they ended."""
    entries = _entries(options)
    agent, policy = _sides(options)
    units = text_units(
        entries,
        policy=policy,
        agent=agent,
        caller_model=options.caller_model,
        understanding=options.understanding,
        models=list(dict.fromkeys(options.model or [])),
        temperature=options.temperature,
        trials=options.trials,
        seed=options.seed,
        limits=Limits(turns=options.max_turns),
    )
    typed = _typed(units, as_json=options.as_json)
    limits = ModelLimits(run=Cap(cost=options.max_cost), concurrency=options.parallel, attempt_s=ATTEMPT_S)
    medium = TextMedium(units, limits=limits, prices=read_prices(options.prices) if options.prices else None)
    name = options.entry.replace("/", "-") if options.entry is not None else "benchmark"
    folder = options.out if options.out is not None else new_run_folder(f"chat-{name}")
    store = RunStore(folder)
    run = ChatRun(
        RunPlan(name=name, units=tuple(units), seed=options.seed),
        store,
        medium=medium,
        parallel=options.parallel,
        again=options.retry,
        rerun_guilty=options.rerun_guilty,
    )
    console = progress_console(as_json=options.as_json)
    go_on = f"Go on with: the same command and --out {folder}"
    with own_folder(folder, doing="chat", console=console, go_on=go_on):
        _chat(run, units, store, medium, options, console, typed)


def _chat(
    run: ChatRun,
    units: list[Unit],
    store: RunStore,
    medium: TextMedium,
    options: ChatOptions,
    console: Console,
    typed: Side | None,
) -> None:
    if len(units) > 1:
        outcome = run.many(console)
        if options.as_json:
            print_json(_batch_document(store, units, outcome, medium))
        else:
            run.print_many(stdout, outcome)
    else:
        outcome = run.one(console, why=options.verbose, typed=typed)
        record = store.read_record(units[0].id)
        if record is None:
            end_where_cut_off(outcome)
            raise UserError(f"{store.folder}: the dialogue cannot be read back")
        if options.as_json:
            print_json(record.model_dump(mode="json"))
        else:
            run.print_one(stdout, record)
    end(outcome)


def _entries(options: ChatOptions) -> list[Entry]:
    """What the dialogues are about."""
    entry, folders = options.entry, options.look_in or []
    if (entry is None) == (not options.everything):
        raise UserError("name one entry, for instance cs-bank-complaint/hesitant, or give --all")
    if entry is None:
        return many_entries(
            folders=folders,
            language=options.language,
            only=options.only or (),
            archetype=options.archetype,
            domain=options.domain,
        )
    if options.only or options.archetype or options.domain or options.language != "en":
        raise UserError(
            "--only, --archetype, --domain and --language choose among entries: give --all with them"
        )
    return [one_entry(entry, folders)]


def _batch_document(
    store: RunStore, units: list[Unit], outcome: Outcome, medium: TextMedium
) -> dict[str, Any]:
    return {
        "run": str(store.folder),
        "planned": len(units),
        "dialogues": {record.plan.call_id: record.status.value for record in store.records()},
        "interrupted": outcome.interrupted,
        "stopped": outcome.stopped,
        "usage": medium.usage.model_dump(mode="json"),
    }


def _sides(options: ChatOptions) -> tuple[str, str]:
    """Who plays the agent and the caller, with what goes without saying."""
    agent = options.agent or ("llm" if options.model else "sop")
    policy = options.caller or options.policy or ("llm" if options.caller_model else "agenda")
    if (agent == "llm") != bool(options.model):
        raise UserError(
            "--agent llm needs a language model: give --model NAME, for instance --model openai:gpt-4.1"
            if agent == "llm"
            else f"--model is for a language model that plays the agent; --agent {agent} has none"
        )
    if (policy == "llm") != bool(options.caller_model):
        raise UserError(
            "--policy llm needs a language model: give --caller-model NAME"
            if policy == "llm"
            else f"--caller-model is for --policy llm; the caller is '{policy}'"
        )
    return agent, policy


def _typed(units: list[Unit], *, as_json: bool) -> Side | None:
    """The side that the person at the terminal plays."""
    plan = units[0].plan
    if HUMAN not in (plan.agent, plan.policy):
        return None
    if len(units) > 1:
        raise UserError(
            "a person plays one dialogue at a time: name one entry, and neither --trials nor --all"
        )
    if as_json:
        raise UserError("--json leaves nothing on the screen for a person to answer: leave it out")
    if plan.agent == plan.policy:
        raise UserError("you cannot play both sides: leave out --agent human or --caller human")
    return "agent" if plan.agent == HUMAN else "caller"
