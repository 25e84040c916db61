"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.plans.understanding import Understanding

Agent = Annotated[
    str | None, typer.Option("--agent", help="Address of the agent, for instance http://127.0.0.1:7860.")
]
Header = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="'NAME: VALUE'",
        help="Sent when the agent is dialled; may be repeated. {env:NAME} in it, in the address or in the "
        "request data stands for an environment variable, of which nothing but the name is kept.",
    ),
]
Spawn = Annotated[
    str | None,
    typer.Option(
        "--spawn",
        metavar="COMMAND",
        help="Start the agent with this, and stop it afterwards with all that it started; {port} in it and "
        "in --agent stands for --spawn-port. Ready once the port takes connections.",
    ),
]
SpawnPort = Annotated[
    int | None, typer.Option("--spawn-port", min=1, max=65_535, help="Its port. Default: 7860.")
]
SpawnReady = Annotated[
    str | None,
    typer.Option(
        "--spawn-ready",
        metavar="TEXT",
        help="What it prints once it can be called, where its port does not tell (SIP over UDP, a LiveKit "
        "worker).",
    ),
]
CaFile = Annotated[
    Path | None,
    typer.Option("--ca-file", help="Certificates (PEM) that TLS trusts besides this machine's own."),
]
IceServers = Annotated[
    list[str] | None,
    typer.Option(
        "--ice-server",
        metavar="'URL [USER PASSWORD]'",
        help="A STUN or TURN server; may be repeated, and is tried in that order, as in "
        "'turn:HOST:3478?transport=udp {env:TURN_USER} {env:TURN_PASSWORD}'.",
    ),
]
RelayOnly = Annotated[
    bool, typer.Option("--relay-only", help="Media through a TURN server and no other way.")
]
Codecs = Annotated[
    list[str] | None,
    typer.Option(
        "--codec",
        help="A codec to offer, for instance opus, pcmu, pcma or g722; may be repeated, the one that is "
        "wanted most first. Default: what the transport takes by itself.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else.")]
Out = Annotated[Path | None, typer.Option("--out", help="Folder of the run. Default: a new one in runs/.")]
RunFolder = Annotated[Path, typer.Argument(help="Folder that 'run' or 'call' wrote.")]

Policy = Annotated[
    str | None,
    typer.Option("--policy", help="Who plays the person of a scenario: agenda (default; no network) or llm."),
]
LanguageModelName = Annotated[
    str | None, typer.Option("--llm", help="The caller's language model; stands for --policy llm.")
]

UnderstandingName = Annotated[
    Understanding | None,
    typer.Option(
        "--understanding",
        help="How an agenda caller understands: by examples (default where it is possible), or by words.",
    ),
]

Live = Annotated[bool, typer.Option("--live", help="Show transcripts and latencies as they happen.")]
Scoring = Annotated[bool, typer.Option("--score/--no-score", help="Score and report after the calls.")]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="RUN",
        help="What relative gates compare with: the folder of a run, 'last green' or 'last green on "
        "BRANCH'. Default: the plan's baseline.",
    ),
]
RunStore = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar="OUTBOUNDEVAL_STORE",
        help="Where the run is indexed: a file, or postgresql://… Default: nights.sqlite beside it.",
    ),
]
