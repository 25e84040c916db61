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
