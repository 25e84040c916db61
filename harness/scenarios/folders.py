"""Scenario folders on disk: find, read, write.

``read_folder`` collects every problem of a folder instead of stopping at the first, and hands on whatever
parts it could read, so that ``scenarios check`` can say everything at once. ``load_scenario`` is for those
who want to use the scenario, and refuses a broken one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from harness._files.outside_file import read_bytes
from harness._files.shipped import shipped_folder
from harness._files.yaml_file import MAX_BYTES, FieldPath, YamlFile, read_field, read_yaml
from harness.errors import NotWritten, UserError
from harness.scenarios.agent_card import AgentCard
from harness.scenarios.rules.filling import filling_problems
from harness.scenarios.rules.person import unreadable_cues
from harness.scenarios.scenario import Callee, Entry, Scenario, placeholders
from metrics.dialogue.task_flow import TaskFlow, flow_problems
from voice_sim.person.archetypes import Archetype

SCENARIO_FILE = "scenario.yaml"
PERSONA_PATTERN = "persona-*.yaml"
MAX_FOLDERS = 5000
MOST_KEPT = 64
"""Scenarios that are kept when they have been read: all that come with the product, and some more."""

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong: file, line, field, and what to do."""

    file: Path
    line: int
    field: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        mark = "" if self.severity == "error" else "warning: "
        return f"{self.file}:{self.line}: {self.field or '(file)'}: {mark}{self.message}"


@dataclass(kw_only=True)
class ScenarioFolder:
    """What could be read of a folder. ``scenario`` is None when its head does not parse."""

    path: Path
    head: YamlFile | None = None
    scenario: Scenario | None = None
    agent: AgentCard | None = None
    flow: TaskFlow | None = None
    callees: list[tuple[YamlFile, Callee]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def found(self, source: YamlFile, place: str, message: str, *, warning: bool = False) -> None:
        """Notes a finding at a dotted field path of one of the folder's files."""
        self.findings.append(
            Finding(
                file=source.path,
                line=source.line_of(split_field(place)),
                field=place,
                message=message,
                severity="warning" if warning else "error",
            )
        )


def library_root() -> Path:
    """The folder of the scenarios that come with the product."""
    return shipped_folder("scenarios")


def find_folders(paths: Iterable[Path]) -> list[Path]:
    """Every scenario folder at or below the paths (folders, or files inside one), sorted.

    Raises:
        UserError: A path does not exist or holds no scenario.
    """
    folders: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise UserError(f"{path}: there is no such file or folder")
        if path.is_file():
            found = [path.parent] if (path.parent / SCENARIO_FILE).exists() else []
        else:
            found = sorted(head.parent for head in path.rglob(SCENARIO_FILE))
        if not found:
            raise UserError(f"{path}: no {SCENARIO_FILE} here or below")
        folders.update(dict.fromkeys(found))
        if len(folders) > MAX_FOLDERS:
            raise UserError(f"{path}: more than {MAX_FOLDERS} scenarios; name a smaller folder")
    return list(folders)


def read_folder(folder: Path) -> ScenarioFolder:
    """Everything that can be read of a scenario folder, with every problem of form."""
    result = ScenarioFolder(path=folder)
    result.head = _read(folder / SCENARIO_FILE, result)
    persona_files = [_read(path, result) for path in sorted(folder.glob(PERSONA_PATTERN))]
    for source in filter(None, persona_files):
        if callee := _parse(Callee, source.content, source, (), result):
            result.callees.append((source, callee))
    if head := result.head:
        content = head.content
        if isinstance(content, dict) and "callees" in content:
            message = f"people stand in files of their own ({PERSONA_PATTERN})"
            result.found(head, "callees", message)
            content = {key: value for key, value in content.items() if key != "callees"}
        scenario = _parse(Scenario, content, head, (), result)
        if scenario:
            callees = tuple(callee for _, callee in result.callees)
            result.scenario = scenario.model_copy(update={"callees": callees})
            result.agent, result.flow = scenario.agent, scenario.flow
        elif isinstance(content, dict):
            result.agent = _parse(AgentCard, content.get("agent"), head, ("agent",), None)
            result.flow = _parse(TaskFlow, content.get("flow"), head, ("flow",), None)
    return result


def load_scenario(folder: Path) -> Scenario:
    """A scenario that can be used: it parses, its flow can be scored, its placeholders can be filled, its
    people's cues can be listened for.

    The same files are parsed once: a plan names many people of few scenarios.

    Raises:
        UserError: It cannot; the message has every reason with file, line and field.
    """
    try:
        held = _held_by(folder)
    except (OSError, ValueError):
        return _load(folder)  # says what cannot be read
    return _load_once(folder, held)


def _held_by(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """What the files of a scenario hold, each as its name and a digest."""
    files = [folder / SCENARIO_FILE, *sorted(folder.glob(PERSONA_PATTERN))]
    return tuple(
        (path.name, hashlib.sha256(read_bytes(path, max_bytes=MAX_BYTES)).digest()) for path in files
    )


@lru_cache(maxsize=MOST_KEPT)
def _load_once(folder: Path, _held: tuple[tuple[str, bytes], ...]) -> Scenario:
    return _load(folder)


def _load(folder: Path) -> Scenario:
    read = read_folder(folder)
    if read.head and read.scenario:
        for problem in flow_problems(read.scenario.flow):
            if problem.structural:
                read.found(read.head, f"flow.{problem.field}", problem.message)
        if not read.callees:
            read.found(read.head, "", f"no {PERSONA_PATTERN} beside it: nobody could answer the phone")
        used = placeholders(read.scenario.agent.model_dump()) | placeholders(read.scenario.flow.model_dump())
        for source, callee in read.callees if read.scenario.record_fields else []:
            for name in sorted(used - set(callee.record)):
                read.found(source, "record", f"has no '{name}', which the agent card or flow uses")
        for source, callee in read.callees:
            for place, message in unreadable_cues(callee.persona):
                read.found(source, place, message)
            for place, message in filling_problems(read.scenario, callee):
                read.found(read.head, place, message)
    errors = [finding for finding in read.findings if finding.severity == "error"]
    if errors or read.scenario is None:
        raise UserError("\n".join(map(str, errors)) or f"{folder}: no {SCENARIO_FILE}")
    return read.scenario


def load_library(paths: Sequence[Path] = ()) -> list[Scenario]:
    """All scenarios at or below the paths, or those that come with the product.

    Raises:
        UserError: One of them is broken.
    """
    return [load_scenario(folder) for folder in find_folders(paths or [library_root()])]


def load_entry(entry_id: str, paths: Sequence[Path] = ()) -> Entry:
    """The entry with an id such as ``cs-bank-complaint/hesitant``.

    Raises:
        UserError: There is none; the message lists what there is.
    """
    scenario_id, _, archetype = entry_id.partition("/")
    scenario = find_scenario(scenario_id, paths)
    have = [persona.archetype.value for persona in scenario.personas]
    if archetype not in have:
        raise UserError(f"{entry_id}: '{scenario_id}' has the user types {', '.join(have)}")
    return scenario.entry(Archetype(archetype))


def load_entries(entry_ids: Sequence[str], paths: Sequence[Path] = ()) -> dict[str, Entry]:
    """Many entries by their ids, each file read once.

    Raises:
        UserError: One of them does not exist, or a scenario is broken.
    """
    wanted = set(entry_ids)
    found = {
        entry.id: entry
        for scenario in load_library(paths)
        for entry in scenario.entries()
        if entry.id in wanted
    }
    for missing in sorted(wanted - set(found)):
        load_entry(missing, paths)  # says what there is instead
    return found


def find_scenario(scenario_id: str, paths: Sequence[Path] = ()) -> Scenario:
    """The scenario with this id.

    Raises:
        UserError: There is none; the message lists the ids that there are.
    """
    known = []
    for folder in find_folders(paths or [library_root()]):
        found = read_field(folder / SCENARIO_FILE, "id")
        if found == scenario_id:
            return load_scenario(folder)
        known.append(str(found))
    raise UserError(f"no scenario '{scenario_id}'; there are: {', '.join(sorted(known))}")


def write_scenario(scenario: Scenario, folder: Path) -> list[Path]:
    """Writes a scenario as a folder of its files; returns them.

    Fields at their default are left out. Reading the folder gives an equal scenario.

    Raises:
        NotWritten: The folder cannot be.
    """
    written = {SCENARIO_FILE: as_yaml(scenario, exclude={"callees"})}
    for callee in scenario.callees:
        written[f"persona-{callee.persona.archetype.value}.yaml"] = as_yaml(callee)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in written.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise NotWritten.of(folder, error) from error
    return [folder / name for name in written]


def split_field(place: str) -> FieldPath:
    """``flow.nodes.3.id`` as the path that :class:`YamlFile` counts lines by."""
    return tuple(int(part) if part.isdecimal() else part for part in place.split(".") if part)


class _Dumper(yaml.SafeDumper):
    """Block style, long lines unfolded, paragraphs as literal blocks."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def as_yaml(part: BaseModel, exclude: set[str] | None = None) -> str:
    """A part of a scenario as its file has it: what has its default is left out, long texts are blocks."""
    content = part.model_dump(mode="json", exclude_defaults=True, exclude=exclude)
    return yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=2**31)


def _read(path: Path, result: ScenarioFolder) -> YamlFile | None:
    try:
        return read_yaml(path)
    except UserError as error:
        result.findings.append(Finding(file=path, line=1, field="", message=_without(path, str(error))))
        return None


def _without(path: Path, message: str) -> str:
    return message.removeprefix(f"{path}:").strip()


def _parse(
    model: type[_Model], content: Any, source: YamlFile, prefix: FieldPath, result: ScenarioFolder | None
) -> _Model | None:
    if not isinstance(content, dict):
        if result is not None:
            result.found(source, ".".join(map(str, prefix)), "must be a mapping of fields")
        return None
    try:
        return model.model_validate(content)
    except ValidationError as error:
        for problem in error.errors() if result is not None else []:
            place = ".".join(map(str, (*prefix, *problem["loc"])))
            message = problem["msg"].removeprefix("Value error, ")
            if problem["type"] == "extra_forbidden":
                message = f"unknown field; known here: {_known(model, problem['loc'])}"
            if result is not None:
                result.found(source, place, message)
        return None


def _known(model: type[BaseModel], loc: tuple[int | str, ...]) -> str:
    """The fields that stand where an unknown one was found."""
    schema = model.model_json_schema()
    definitions, here = schema.get("$defs", {}), schema
    for part in loc[:-1]:
        here = definitions.get(str(here.get("$ref", "")).rpartition("/")[2], here)
        here = here.get("items", {}) if isinstance(part, int) else here.get("properties", {}).get(part, {})
        if options := [option for option in here.get("anyOf", here.get("allOf", [])) if "$ref" in option]:
            here = options[0]
    here = definitions.get(str(here.get("$ref", "")).rpartition("/")[2], here)
    return ", ".join(here.get("properties", {})) or "none"
