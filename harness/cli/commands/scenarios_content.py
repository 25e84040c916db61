"""``outboundeval scenarios``: list, show, check, schema, import, prompt, decompose."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from rich.markup import escape

from harness.cli.failures import Ended
from harness.cli.lazily import Command, Group, LazyGroup
from harness.cli.screen.answer import print_json
from harness.cli.screen.console import Screen
from harness.cli.screen.scenarios import (
    Recalled,
    list_document,
    list_table,
    recall_document,
    recall_table,
    show_scenario,
    stats_document,
    stats_table,
)
from harness.errors import EXIT_CHECK_FAILED, NotWritten, UserError
from harness.scenarios.catalogue import Domain
from harness.scenarios.content_check import CheckResult, check
from harness.scenarios.folders import Finding, find_scenario, library_root, load_entry, load_library
from harness.scenarios.importing.official_format import ImportReport, import_paths
from harness.scenarios.person_called import person_called
from harness.scenarios.scenario import Callee, Scenario
from harness.selfcheck.understanding.left_out import left_out_by_language
from spoken_language.plurals import plural
from voice_sim.person.archetypes import Archetype
from voice_sim.understanding.encoders.base import MissingEncoderError


class _Group(LazyGroup):
    """Says a user's mistake without a traceback, also where this group runs on its own."""

    table: ClassVar[Mapping[str, Command | Group]] = {
        # What needs a language model loads slowly.
        "decompose": Command(
            summary="Turn a task flow's text into the nodes that a call is judged by.",
            takes="harness.cli.options.decompose:DecomposeOptions",
            does="harness.cli.commands.scenarios_decompose:decompose",
        )
    }

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            Screen(stderr=True, soft_wrap=True).print(f"[red]error:[/] {escape(str(error))}", highlight=False)
            raise Ended.by(error) from None


scenarios_app = typer.Typer(
    name="scenarios",
    cls=_Group,
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="The calls that can be placed: 6 domains, 30 sub-scenarios, five user types each, and your own.",
)

Folders = Annotated[
    list[Path] | None,
    typer.Argument(help="Scenario folders, or folders of them. Default: those that come along."),
]
From = Annotated[
    list[Path] | None, typer.Option("--from", help="Look in this folder instead of what comes along.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


@scenarios_app.command("list")
def list_command(
    paths: Folders = None,
    domain: Annotated[Domain | None, typer.Option(help="Only this domain.")] = None,
    language: Annotated[str | None, typer.Option(help="Only this language: en or zh.")] = None,
    archetype: Annotated[Archetype | None, typer.Option(help="Only scenarios with this user type.")] = None,
    as_json: AsJson = False,
) -> None:
    """Lists the scenarios.

    Example: outboundeval scenarios list --domain finance --language en
    """
    if language not in (None, "en", "zh"):
        raise UserError(f"--language {language}: there are en and zh")
    scenarios = [
        scenario
        for scenario in load_library(paths or [])
        if (domain is None or scenario.domain is domain)
        and (language is None or scenario.language == language)
        and (archetype is None or any(p.archetype is archetype for p in scenario.personas))
    ]
    order = list(Domain)
    scenarios.sort(key=lambda scenario: (order.index(scenario.domain), scenario.id))
    document = list_document(scenarios)
    if as_json:
        print_json(document)
        return
    console = Screen()
    console.print(list_table(scenarios))
    listed = f"{_count(document['scenarios'], 'scenario')}, {_count(document['entries'], 'entry')}"
    console.print(f"\n{listed}", style="dim")


@scenarios_app.command("show")
def show_command(
    scenario_id: Annotated[
        str, typer.Argument(metavar="ID", help="Of a scenario, or of an entry: ID/hesitant.")
    ],
    look_in: From = None,
) -> None:
    """Shows a scenario: agent card, task flow as a tree, people.

    Example: outboundeval scenarios show cs-bank-complaint/hesitant
    """
    if "/" in scenario_id:
        entry = load_entry(scenario_id, look_in or [])
        Screen().print(show_scenario(entry.scenario, entry.persona.archetype))
    else:
        Screen().print(show_scenario(find_scenario(scenario_id, look_in or [])))


@scenarios_app.command("prompt")
def prompt_command(
    entry_id: Annotated[
        str, typer.Argument(metavar="ID", help="Of an entry, for instance cs-bank-complaint/hesitant.")
    ],
    look_in: From = None,
) -> None:
    """Prints what the agent gets: the agent card as a system prompt.

    Example: outboundeval scenarios prompt cs-bank-complaint/hesitant
    """
    if "/" not in entry_id:
        have = [entry.id for entry in find_scenario(entry_id, look_in or []).entries()]
        raise UserError(f"{entry_id}: say with whom the agent talks, one of: {', '.join(have)}")
    typer.echo(load_entry(entry_id, look_in or []).prompt(), nl=False)


@scenarios_app.command("check")
def check_command(
    paths: Folders = None,
    stats: Annotated[bool, typer.Option("--stats", help="Also print how similar the people are.")] = False,
    catalogue: Annotated[
        bool, typer.Option("--catalogue", help="Also require all 30 sub-scenarios of the paper in English.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Hold scenarios of your own to the benchmark's rules.")
    ] = False,
    examples: Annotated[
        bool, typer.Option("--examples", help="Also warn of a person's example lines that are alike.")
    ] = False,
    recall: Annotated[
        bool,
        typer.Option("--recall", help="Also print how much of each author's example lines the others' tell."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Checks scenarios against every rule, and says everything that is wrong at once.

    Exit code 1 when there is an error; warnings do not count.

    --recall tries each author's example lines on a caller that has only the other authors'. It takes seconds
    for a person, some ten minutes for all of them the first time, and says on stderr how far it is. What was
    encoded is kept: broken off, it goes on from there.

    Example: outboundeval scenarios check my_scenarios/ --stats
    """
    if recall:
        _tell_recall("checks the scenarios first")
    result = check(paths or [library_root()], catalogue=catalogue, strict=strict, examples=examples)
    recalled = _recalled(result) if recall else None
    if as_json:
        print_json(_check_document(result) | ({"recall": recall_document(recalled)} if recalled else {}))
    else:
        _print_check(result, stats=stats)
        if recalled is not None:
            Screen(soft_wrap=True).print(recall_table(recalled))
    if result.errors:
        raise typer.Exit(EXIT_CHECK_FAILED)


@scenarios_app.command("import")
def import_command(
    paths: Annotated[list[Path], typer.Argument(help="Task files (task-D-C-V-A.md), or folders of them.")],
    out: Annotated[Path, typer.Option("--out", help="Each task becomes a scenario folder in here.")],
    force: Annotated[bool, typer.Option("--force", help="Replace what was imported before.")] = False,
    as_json: AsJson = False,
) -> None:
    """Imports the paper's official task files.

    A file that is refused is named with line and reason; the others still import, and the exit code is 1.

    Example: outboundeval scenarios import xbench/tasks --out my_scenarios
    """
    report = import_paths(paths, out, force=force)
    if as_json:
        print_json(_import_document(report))
    else:
        _print_import(report)
    if report.refused:
        raise typer.Exit(EXIT_CHECK_FAILED)


@scenarios_app.command("schema")
def schema_command(
    part: Annotated[
        str, typer.Argument(help="scenario (scenario.yaml) or persona (persona-*.yaml).")
    ] = "scenario",
    out: Annotated[Path | None, typer.Option(help="Write both schemas into this folder.")] = None,
) -> None:
    """Prints the JSON Schema of a file, for an editor to check and complete it.

    Example: outboundeval scenarios schema --out .schemas
    """
    models = {"scenario": Scenario, "persona": Callee}
    if part not in models:
        raise UserError(f"no schema '{part}'; there are: {', '.join(models)}")
    if out is None:
        print_json(_schema(part))
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in models:
            path = out / f"{name}.schema.json"
            path.write_text(json.dumps(_schema(name), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            typer.echo(str(path))
    except OSError as error:
        raise NotWritten.of(out, error) from error


def _schema(part: str) -> dict[str, Any]:
    """The JSON Schema of one kind of file."""
    if part == "persona":
        schema = Callee.model_json_schema()
        schema["title"] = "persona-*.yaml"
        return schema
    schema = Scenario.model_json_schema()
    schema["title"] = "scenario.yaml"
    del schema["properties"]["callees"]  # people stand in files of their own
    for name in ("Callee", "Persona"):
        schema["$defs"].pop(name, None)
    return schema


def _recalled(result: CheckResult) -> Recalled:
    """Every example line of everybody whose scenario is sound, by language; says on stderr how far it is.

    Raises:
        UserError: The encoder is not installed.
    """
    people = {entry.id: person_called(entry) for scenario in result.scenarios for entry in scenario.entries()}
    try:
        return left_out_by_language(people, on_person=_tell_recall)
    except MissingEncoderError as error:
        raise UserError(f"--recall: {error}") from error


def _tell_recall(far: str) -> None:
    typer.echo(f"recall: {far}", err=True)


def _check_document(result: CheckResult) -> dict[str, Any]:
    return {
        "scenarios": len(result.folders),
        "personas": len(result.personas),
        "errors": len(result.errors),
        "findings": [
            {
                "severity": finding.severity,
                "file": str(finding.file),
                "line": finding.line,
                "field": finding.field,
                "message": finding.message,
            }
            for finding in result.findings
        ],
        "diversity": stats_document(result.pairs),
    }


def _print_check(result: CheckResult, *, stats: bool) -> None:
    console = Screen(soft_wrap=True)
    for finding in result.findings:
        console.print(_finding_line(finding), highlight=False)
    if stats:
        console.print(stats_table(result.pairs))
    warnings = len(result.findings) - len(result.errors)
    errors = len(result.errors)
    verdict = f"[red]{_count(errors, 'error')}[/]" if errors else "[green]no errors[/]"
    people = sum(len(folder.callees) for folder in result.folders)
    checked = f"{_count(len(result.folders), 'scenario')}, {_count(people, 'persona')}"
    noted = f", {_count(warnings, 'warning')}" if warnings else ""
    console.print(f"{checked}: {verdict}{noted}", highlight=False)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun if n == 1 else plural(noun)}"


def _import_document(report: ImportReport) -> dict[str, Any]:
    return {
        "imported": [
            {
                "file": str(path),
                "folder": str(folder),
                "id": scenario.id,
                "user_types": [persona.archetype.value for persona in scenario.personas],
                "nodes": len(scenario.flow.nodes),
                "notes": list(scenario.source.notes),
            }
            for path, scenario, folder in report.imported
        ],
        "refused": [{"file": str(path), "reason": reason} for path, reason in report.refused],
    }


def _print_import(report: ImportReport) -> None:
    console = Screen(soft_wrap=True)
    for path, scenario, folder in report.imported:
        people = ", ".join(persona.archetype.value for persona in scenario.personas)
        console.print(
            escape(f"{path} -> {folder} ({people}, {len(scenario.flow.nodes)} derived nodes)"),
            highlight=False,
        )
        for note in scenario.source.notes:
            console.print(f"  [yellow]note:[/] {escape(note)}", highlight=False)
    for _, reason in report.refused:
        console.print(f"[red]refused:[/] {escape(reason)}", highlight=False)
    console.print(f"{len(report.imported)} imported, {len(report.refused)} refused", highlight=False)


def _finding_line(finding: Finding) -> str:
    colour = "red" if finding.severity == "error" else "yellow"
    place = f"{finding.file}:{finding.line}"
    return f"{escape(place)}: [{colour}]{escape(finding.field or '(file)')}[/]: {escape(finding.message)}"
