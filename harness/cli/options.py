"""Options and consoles that several commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from harness.plans.plan import Understanding

Agent = Annotated[
    str | None, typer.Option("--agent", help="Address of the agent, for instance http://127.0.0.1:7860.")
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
        help="How an agenda caller understands questions: by words (default), or also by their meaning.",
    ),
]

stdout = Console()
stderr = Console(stderr=True)


def progress_console(*, as_json: bool) -> Console:
    """Where progress goes: beside the result, so that stdout holds nothing but JSON when it is asked for."""
    return stderr if as_json else stdout


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on stdout."""
    print(json.dumps(document, ensure_ascii=False, indent=1))


def scenario_call(
    scenarios: list[str],
    *,
    policy: str | None,
    language_model: str | None,
    understanding: Understanding | None,
    **fields: Any,
) -> dict[str, Any]:
    """A call about scenarios as a plan file has it."""
    call: dict[str, Any] = {"scenarios": scenarios, **fields}
    if understanding is not None:
        call["understanding"] = understanding
    if language_model is not None:
        call["language_model"] = language_model
    if policy is not None or language_model is not None:
        call["policy"] = policy or "llm"
    return call
