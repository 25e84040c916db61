"""Options of ``outboundeval chat``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.cli.options.shared import AsJson, Out, UnderstandingName
from harness.scenarios.catalogue import Domain
from voice_sim.person.archetypes import Archetype


@dataclass(frozen=True, kw_only=True)
class ChatOptions:
    """Hold a call in text: the simulated caller and a language model, an agent by rule, or you.

    With --all the whole benchmark, for each --model. Ctrl-C keeps what is finished,
    and the same command with the same --out goes on.

    Example: outboundeval chat cs-bank-complaint/hesitant -v

    Example: outboundeval chat --all --model openai:gpt-4.1 --parallel 8 --out runs/benchmark
    """

    entry: Annotated[
        str | None, typer.Argument(metavar="[ENTRY]", help="For instance cs-bank-complaint/hesitant.")
    ] = None
    everything: Annotated[bool, typer.Option("--all", help="The whole benchmark instead of one entry.")] = (
        False
    )
    agent: Annotated[
        str | None,
        typer.Option(
            help="Who plays the agent: sop (follows its card by rule, the default), llm, human, or one that "
            "does its job badly, like faulty-stalls."
        ),
    ] = None
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="Language model of an llm agent: PROVIDER:MODEL, http://HOST:PORT/v1 or local:NAME. "
            "Several are compared.",
        ),
    ] = None
    policy: Annotated[
        str | None, typer.Option(help="Who plays the caller: agenda (by rule, the default) or llm.")
    ] = None
    caller: Annotated[
        Literal["human"] | None, typer.Option("--caller", help="human: you play the caller.")
    ] = None
    understanding: UnderstandingName = None
    caller_model: Annotated[str, typer.Option(help="Language model of an llm caller.")] = ""
    language: Annotated[Literal["en", "zh", "all"], typer.Option(help="With --all.")] = "en"
    only: Annotated[
        list[str] | None, typer.Option(help="With --all: entries like this, for instance 'cs-*/*'.")
    ] = None
    archetype: Annotated[Archetype | None, typer.Option(help="With --all: this user type.")] = None
    domain: Annotated[Domain | None, typer.Option(help="With --all: this domain.")] = None
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Scenarios in this folder instead of our own.")
    ] = None
    trials: Annotated[int, typer.Option(min=1, max=100, help="Each dialogue this often.")] = 1
    parallel: Annotated[int, typer.Option(min=1, max=200, help="So many dialogues at once.")] = 4
    seed: Annotated[int, typer.Option(help="The same seed gives the same caller.")] = 0
    temperature: Annotated[float, typer.Option(min=0, max=2, help="Of the agent's language model.")] = 0.0
    max_turns: Annotated[int, typer.Option(min=2, max=1000, help="Both sides together.")] = 100
    prices: Annotated[Path | None, typer.Option(help="YAML file with prices of models, for the cost.")] = None
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Stop when the language models have cost this much.")
    ] = None
    retry: Annotated[bool, typer.Option("--retry", help="Hold failed dialogues again.")] = False
    rerun_guilty: Annotated[
        int,
        typer.Option(
            help="Hold a dialogue in which our own caller was at fault again, so often at most.",
            min=0,
            max=20,
        ),
    ] = 0
    out: Out = None
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Also say why the caller says it.")] = False
    as_json: AsJson = False
