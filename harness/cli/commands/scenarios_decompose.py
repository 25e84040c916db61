"""``outboundeval scenarios decompose``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.judging.decomposing import Decomposed, decompose_text, matched_nodes, task_flow_text
from harness.models.language.prices import parse_price
from harness.paths import new_run_folder
from harness.scenarios.folders import find_scenario
from metrics.dialogue.task_flow import TaskFlow, flow_problems, overlaps

MAX_BYTES = 200_000


app = typer.Typer()


@app.command()
def decompose(
    source: Annotated[
        str, typer.Argument(help="A scenario's id, or a text file with a task flow in plain words.")
    ],
    model: Annotated[
        str | None,
        typer.Option("--model", help="Language model: PROVIDER:MODEL, http://HOST:PORT/v1 or local:NAME."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the stages; default: in runs/.")
    ] = None,
    price: Annotated[str | None, typer.Option(help="IN,OUT per million tokens, for the cost.")] = None,
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Look for scenarios in this folder.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document and nothing else.")
    ] = False,
) -> None:
    """Turn a task flow's text into the nodes that a call is judged by (section 5.1.2 of the paper).

    Structure, criteria, checks of coverage and overlap with repairs, prerequisites: each stage's outcome is
    kept, and the flow is a file to review. Without --model only the checks run, on a scenario's own flow.

    Example: outboundeval scenarios decompose cs-bank-complaint --model openai:gpt-4.1
    """
    text, reference = _source(source, look_in or [])
    if model is None:
        if reference is None:
            raise UserError(f"{source}: making nodes from a text needs a language model: give --model")
        _check_only(source, reference, as_json=as_json)
        return
    folder = out if out is not None else new_run_folder(f"decompose-{Path(source).stem}")
    console = progress_console(as_json=as_json)
    with console.status("decomposing") as status:
        done = decompose_text(
            text,
            model,
            folder,
            price=parse_price(price) if price else None,
            on_stage=lambda stage: status.update(f"decomposing: {stage} is there"),
        )
    if as_json:
        print_json(_document(done, reference))
    else:
        _print(stdout, done, reference)
    if done.result.problems:
        raise typer.Exit(EXIT_CHECK_FAILED)


def _source(source: str, folders: list[Path]) -> tuple[str, TaskFlow | None]:
    path = Path(source)
    if path.suffix or path.is_file():
        try:
            if path.stat().st_size > MAX_BYTES:
                raise UserError(f"{path}: larger than {MAX_BYTES} bytes, so not a task flow")
            return path.read_text(encoding="utf-8"), None
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{path}: cannot be read: {error}") from error
    scenario = find_scenario(source, folders)
    return task_flow_text(scenario.agent), scenario.flow


def _check_only(source: str, flow: TaskFlow, *, as_json: bool) -> None:
    problems = [problem.message for problem in flow_problems(flow)]
    pairs = [(flow.nodes[a].id, flow.nodes[b].id, value) for a, b, value in overlaps(flow)[:3]]
    if as_json:
        print_json({"source": source, "nodes": len(flow.nodes), "problems": problems, "closest": pairs})
    else:
        told = (
            f"{source}: {len(flow.nodes)} nodes of its own, {len(problems)} problems (no model: checks only)"
        )
        stdout.print(told, highlight=False, markup=False)
        for problem in problems:
            stdout.print(f"  {problem}", highlight=False, markup=False)
        for one, other, value in pairs:
            stdout.print(f"  closest: {one} and {other}, overlap {value:.2f}", style="dim", highlight=False)
    if problems:
        raise typer.Exit(EXIT_CHECK_FAILED)


def _document(done: Decomposed, reference: TaskFlow | None) -> dict[str, object]:
    result = done.result
    document: dict[str, object] = {
        "folder": str(done.folder),
        "flow": result.flow.model_dump(mode="json"),
        "coverage": {
            "share": result.coverage.share,
            "units": len(result.coverage.units),
            "uncovered": list(result.coverage.uncovered),
        },
        "rounds": result.rounds,
        "problems": list(result.problems),
        "usage": done.usage.model_dump(mode="json"),
    }
    if reference is not None:
        pairs = matched_nodes(result.flow, reference)
        document["reference"] = {"nodes": len(pairs), "matched": sum(one is not None for _, one in pairs)}
    return document


def _print(console: Console, done: Decomposed, reference: TaskFlow | None) -> None:
    result = done.result
    for node in result.flow.nodes:
        marks = "key" if node.key else "branch" if node.branch else ""
        after = f" after {', '.join(node.requires)}" if node.requires else ""
        console.print(f"{node.id} [{marks}]{after}" if marks else f"{node.id}{after}", markup=False)
        console.print(f"  {node.criterion}", style="dim", markup=False, highlight=False)
    covered = len(result.coverage.units) - len(result.coverage.uncovered)
    console.print(
        f"\n{covered} of {len(result.coverage.units)} parts of the text are covered "
        f"({100 * result.coverage.share:.0f} %), {result.rounds} repairs",
        highlight=False,
    )
    if reference is not None:
        pairs = matched_nodes(result.flow, reference)
        found = sum(one is not None for _, one in pairs)
        console.print(
            f"{found} of the {len(pairs)} nodes that people wrote have one like it", highlight=False
        )
    for problem in result.problems:
        console.print(f"left to review: {problem}", style="yellow", markup=False, highlight=False)
    console.print(f"{done.usage.requests} requests, cost {done.usage.cost_text()}", style="dim")
    for line in done.problems:
        console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)
    console.print(f"{done.folder}/flow.yaml", markup=False, highlight=False, soft_wrap=True)
