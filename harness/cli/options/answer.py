"""Options of ``outboundeval answer``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import (
    AsJson,
    Baseline,
    Codecs,
    Live,
    Out,
    RunStore,
    Scoring,
    Spawn,
    SpawnPort,
    SpawnReady,
)


@dataclass(frozen=True, kw_only=True)
class AnswerOptions:
    """Be called over SIP: the agent rings, we pick up, and play the person of each entry of a plan.

    A plan is the one of 'run'; 'answer:' of a call says how long it rings, and which calls are for it,
    'trigger:' how the agent is told to call (docs/answer.md). Ends when every entry was called, or its time
    is over. Ctrl-C hangs up and keeps every finished call; the same command with the same --out goes on.

    Example: outboundeval answer outbound.yaml --listen sip:0.0.0.0:5060 --agent sip:203.0.113.5 --out runs/in

    Example: outboundeval answer outbound.yaml --register 'sip:alice@pbx.example?password={env:SIP_PASSWORD}'
    """

    plan_file: Annotated[Path, typer.Argument(help="The plan: a YAML file with the calls (docs/plan.md).")]
    listen: Annotated[
        str | None,
        typer.Option(
            "--listen",
            metavar="sip:HOST:PORT",
            help="Where calls are taken, over UDP and TCP (sips:HOST:PORT: over TLS alone); port 0 for any "
            "that is free. Behind it '?user=NAME&password={env:NAME}': what whoever rings has to know. "
            "Default: sip:127.0.0.1:5060; with --register any free port of this machine.",
        ),
    ] = None
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate", metavar="FILE", help="What whoever calls at sips: is shown: PEM, ours first."
        ),
    ] = None
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The key of --certificate: PEM, without a password. Default: it is in the same file.",
        ),
    ] = None
    register: Annotated[
        list[str] | None,
        typer.Option(
            "--register",
            metavar="sip:USER@REGISTRAR",
            help="Be known at a registrar, and called through it; may be repeated. Behind it "
            "'?password={env:NAME}', and 'user', 'proxy' as in an agent's address.",
        ),
    ] = None
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", metavar="sip:HOST", help="From where the agent calls; calls of others are refused."
        ),
    ] = None
    from_anywhere: Annotated[bool, typer.Option("--from-anywhere", help="Take calls from any address.")] = (
        False
    )
    within: Annotated[
        float | None,
        typer.Option(
            "--within",
            metavar="SECONDS",
            help="Wait for no further entry after so many seconds. Default: until each has had its time.",
            min=0,
            max=864_000,
        ),
    ] = None
    codec: Codecs = None
    spawn: Spawn = None
    spawn_port: SpawnPort = None
    spawn_ready: SpawnReady = None
    out: Out = None
    as_json: AsJson = False
    live: Live = False
    score: Scoring = True
    baseline: Baseline = None
    store: RunStore = None
