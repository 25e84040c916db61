"""Options of ``outboundeval call``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import (
    Agent,
    AsJson,
    CaFile,
    Codecs,
    Header,
    IceServers,
    LanguageModelName,
    Out,
    Policy,
    RelayOnly,
    Spawn,
    SpawnPort,
    SpawnReady,
    UnderstandingName,
)
from voice_sim.conditions import NOISES

_NOISE_KINDS = ", ".join(kind for kind in NOISES.parts if kind != "folder")


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """Place one call to an agent, with transcript and latency as it happens, then score it.

    Example: outboundeval call --agent http://127.0.0.1:7860 --say "Hi, who is this?" --say "Thanks, bye."

    Example: outboundeval call --agent http://127.0.0.1:7860 --scenario cs-bank-complaint/hesitant
    """

    agent: Agent = None
    header: Header = None
    ca_file: CaFile = None
    ice_server: IceServers = None
    relay_only: RelayOnly = False
    codec: Codecs = None
    spawn: Spawn = None
    spawn_port: SpawnPort = None
    spawn_ready: SpawnReady = None
    say: Annotated[
        list[str] | None, typer.Option("--say", help="A line of the caller; give it once for each line.")
    ] = None
    plan_file: Annotated[
        Path | None, typer.Option("--plan", help="Take the call from this plan file instead of --say.")
    ] = None
    call_id: Annotated[
        str | None, typer.Option("--id", help="Which call of the plan; default: its first.")
    ] = None
    scenario: Annotated[
        str | None,
        typer.Option(
            help="Have the person of this scenario called, for instance cs-bank-complaint/hesitant."
        ),
    ] = None
    policy: Policy = None
    llm: LanguageModelName = None
    understanding: UnderstandingName = None
    interrupt: Annotated[
        str | None,
        typer.Option(help="With --say: said into the answer to the last line, 1.5 s after it begins."),
    ] = None
    snr_db: Annotated[
        float | None,
        typer.Option("--noise", help="Background noise at the caller's side, at this SNR in dB."),
    ] = None
    noise_kind: Annotated[
        str | None, typer.Option(help=f"With --noise: {_NOISE_KINDS}. Default: speech_shaped.")
    ] = None
    voice: Annotated[
        str | None,
        typer.Option(
            metavar="ENGINE/NAME", help="Who speaks, for instance piper/joe. Default: a voice for the person."
        ),
    ] = None
    wait_for_greeting: Annotated[
        bool | None,
        typer.Option(
            "--wait-for-greeting/--speak-first", help="With --say: who speaks first. Default: the agent."
        ),
    ] = None
    out: Out = None
    as_json: AsJson = False
