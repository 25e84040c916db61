"""Options of ``outboundeval run``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import (
    Agent,
    AsJson,
    Baseline,
    CaFile,
    Codecs,
    Header,
    IceServers,
    LanguageModelName,
    Live,
    Out,
    Policy,
    RelayOnly,
    RunStore,
    Scoring,
    Spawn,
    SpawnPort,
    SpawnReady,
    UnderstandingName,
)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Place the calls of a plan, one after the other or several at once, then score and report them.

    Ctrl-C hangs up, keeps every finished call, and ends; the same command with the same --out goes on.

    Example: outboundeval run nightly.yaml --agent http://127.0.0.1:7860 --out runs/tonight

    Example: outboundeval run nightly.yaml --parallel 40 --out runs/tonight

    Example: outboundeval run nightly.yaml --shard 2/5 --no-score --out runs/shard-2

    Example: outboundeval run nightly.yaml --spawn "python bot.py --port {port}" --out runs/tonight

    Example: outboundeval run --probes restraint --agent http://127.0.0.1:7860 --out runs/restraint

    Example: outboundeval run --scenario "cs-bank-complaint/*" --agent http://127.0.0.1:7860 --out runs/bank
    """

    plan_file: Annotated[
        Path | None, typer.Argument(help="The plan: a YAML file with the calls (docs/plan.md).")
    ] = None
    agent: Agent = None
    header: Header = None
    ca_file: CaFile = None
    ice_server: IceServers = None
    relay_only: RelayOnly = False
    codec: Codecs = None
    spawn: Spawn = None
    spawn_port: SpawnPort = None
    spawn_ready: SpawnReady = None
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            help="In place of a plan: an entry of the benchmark, or a pattern (cs-*/*); may be repeated.",
        ),
    ] = None
    probes: Annotated[
        str | None,
        typer.Option(
            metavar="SUITE[:full],…",
            help="Probe suites, in place of a plan ('outboundeval probes list'): the quick size of each, or "
            "with :full all of it.",
        ),
    ] = None
    policy: Policy = None
    llm: LanguageModelName = None
    understanding: UnderstandingName = None
    trials: Annotated[
        int | None,
        typer.Option(help="With --scenario: how often each call is placed. Default: once.", min=1),
    ] = None
    seed: Annotated[int | None, typer.Option(help="With --scenario: seed of the run. Default: 0.")] = None
    parallel: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="So many calls at once, at most: fewer where this machine could not keep time with them. "
            "Default: the plan's, else one after the other.",
            min=1,
            max=1000,
        ),
    ] = None
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="With several calls at once: so many processes. Default: as many as cores.",
            min=1,
            max=256,
        ),
    ] = None
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Place the calls on the machines of a Ray cluster (HOST:6379, ray://HOST:10001, auto), at "
            "most --parallel at once on all of them together; needs the extra 'ray'.",
        ),
    ] = None
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Place every Nth call only, from the Ith on, for one machine of a CI matrix; 'outboundeval "
            "merge' puts the shards together.",
        ),
    ] = None
    out: Out = None
    as_json: AsJson = False
    live: Live = False
    score: Scoring = True
    baseline: Baseline = None
    store: RunStore = None
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Place nothing: say how many calls, how long, how much, and what the run can see.",
        ),
    ] = False
    rerun_within: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Before an alarm, place the calls that failed once more, taking up none after so many "
            "seconds; both attempts decide. Default: the plan's rerun_within_s, else not.",
            min=0,
            max=86_400,
        ),
    ] = None
    rerun_guilty: Annotated[
        int,
        typer.Option(
            help="Place a call in which our own caller was at fault again, so often at most.", min=0, max=20
        ),
    ] = 0
