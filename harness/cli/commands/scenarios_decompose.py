"""``outboundeval scenarios decompose``: what it does. Its options: :mod:`harness.cli.options.decompose`."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console

from harness._files.outside_file import read_text
from harness.cli.options.decompose import DecomposeOptions
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.judging.decomposing import Decomposed, decompose_text, matched_nodes, task_flow_text
from harness.models.language.prices import parse_price
from harness.paths import new_run_folder
from harness.scenarios.folders import find_scenario
from metrics.dialogue.task_flow import TaskFlow, flow_problems, overlaps
from spoken_language.outside_text import harmless

MAX_BYTES = 200_000


def decompose(options: DecomposeOptions) -> None:
    """Has the model make the nodes, or checks those that people wrote."""
    text, reference = _source(options.source, options.look_in or [])
    if options.model is None:
        if reference is None:
            raise UserError(
                f"{options.source}: making nodes from a text needs a language model: give --model"
            )
        _check_only(options.source, reference, as_json=options.as_json)
        return
    folder = (
        options.out if options.out is not None else new_run_folder(f"decompose-{Path(options.source).stem}")
    )
    console = progress_console(as_json=options.as_json)
    with console.status("decomposing") as status:
        done = decompose_text(
            text,
            options.model,
            folder,
            price=parse_price(options.price) if options.price else None,
            on_stage=lambda stage: status.update(f"decomposing: {stage} is there"),
        )
    if options.as_json:
        print_json(_document(done, reference))
    else:
        _print(stdout, done, reference)
    if done.result.problems:
        raise typer.Exit(EXIT_CHECK_FAILED)


def _source(source: str, folders: list[Path]) -> tuple[str, TaskFlow | None]:
    path = Path(source)
    if path.suffix or path.is_file():
        return harmless(read_text(path, max_bytes=MAX_BYTES)), None
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
