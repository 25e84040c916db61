"""Checks scenario folders: every rule, all findings at once, each with file, line and field.

Three layers. *Form*: the files parse (``harness.scenario_files``). *Structure*: the flow can be scored and
the placeholders filled; this holds for every scenario. *Content*: complete, nobody real, evidence that fits
the card, people that differ; this holds for written scenarios. In an imported one, what the official format
does not have is no error, and a derived flow outside the usual size is a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.catalogue import CATALOGUE, find
from harness.scenario import Entry, Scenario, placeholders
from harness.scenario_files import Finding, ScenarioFolder, find_folders, read_folder
from harness.scenario_rules import diversity
from harness.scenario_rules.card import Problem, card_problems
from harness.scenario_rules.flow import coverage_problems, evidence_problems
from harness.scenario_rules.person import completeness_problems, consistency_problems, fit_problems
from harness.scenario_rules.text import real_things, too_long, unfilled, wrong_dates
from harness.yaml_file import YamlFile
from metrics.dialogue.task_flow import flow_problems
from voice_sim.archetypes import Archetype
from voice_sim.persona import Persona

AGENT_LINE_WORDS = 60
PERSON_LINE_WORDS = 40
RECORD_ALWAYS = ("customer_name", "salutation")
PROPER_NOUNS_MIN = 3
KEY_VALUES_MIN = 3


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """What ``check`` found.

    ``folders`` are all that were looked at, ``personas`` those that parsed (entry id, persona), ``pairs`` the
    similarity of every two personas of the same language that are written content.
    """

    folders: list[ScenarioFolder]
    findings: list[Finding]
    personas: list[tuple[str, Persona]]
    pairs: list[diversity.Pair]

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def scenarios(self) -> list[Scenario]:
        return [folder.scenario for folder in self.folders if folder.scenario]


def check(paths: Iterable[Path], *, catalogue: bool = False) -> CheckResult:
    """Checks every scenario at or below the paths.

    Args:
        paths: Folders, or files of a scenario.
        catalogue: Also require all 30 sub-scenarios of the catalogue in English.

    Raises:
        UserError: A path does not exist or holds no scenario.
    """
    folders = [read_folder(folder) for folder in find_folders(paths)]
    for folder in folders:
        _check_folder(folder)
    _check_ids(folders)
    personas, sources = _written_people(folders)
    pairs = _compare_by_language(personas)
    _check_diversity(personas, sources, pairs)
    findings = [finding for folder in folders for finding in folder.findings]
    if catalogue:
        findings += _missing(folders)
    findings.sort(key=lambda finding: (str(finding.file), finding.line, finding.field))
    return CheckResult(
        folders=folders,
        findings=list(dict.fromkeys(findings)),
        personas=[person for found in personas.values() for person in found],
        pairs=pairs,
    )


def _check_folder(folder: ScenarioFolder) -> None:
    written = not (folder.scenario and folder.scenario.source.kind == "imported")
    if head := folder.head:
        if folder.flow:
            for problem in flow_problems(folder.flow):
                warning = not written and not problem.structural
                folder.found(head, f"flow.{problem.field}", problem.message, warning=warning)
        if folder.agent and folder.flow:
            _note(folder, head, coverage_problems(folder.agent, folder.flow))
        if folder.agent and written:
            _note(folder, head, _under("agent", card_problems(folder.agent)))
        if folder.scenario and written:
            _note(folder, head, _scenario_problems(folder, folder.scenario))
    for source, callee in folder.callees:
        _note(folder, source, consistency_problems(callee.persona))
        if source.path.stem != f"persona-{callee.persona.archetype.value}":
            _note(folder, source, [("persona.archetype", "is not the user type in the file's name")])
        if folder.scenario and callee.persona.language != folder.scenario.language:
            _note(folder, source, [("persona.language", f"the scenario's is {folder.scenario.language}")])
        if written:
            _note(folder, source, completeness_problems(callee.persona))
            lines = {f"persona.{place}": line for place, line in callee.persona.spoken_lines()}
            _note(
                folder,
                source,
                _text_problems(folder, callee.model_dump(mode="json"), lines, PERSON_LINE_WORDS),
            )
    _check_people(folder, written)
    if written and folder.scenario:
        _check_entries(folder, folder.scenario)


def _scenario_problems(folder: ScenarioFolder, scenario: Scenario) -> Iterator[Problem]:
    """Rules for ``scenario.yaml`` as a whole."""
    row = find(scenario.domain, scenario.sub_scenario)
    if row:
        expected = row.id if scenario.language == "en" else f"{row.id}-{scenario.language}"
        if scenario.id != expected:
            yield "id", f"is '{scenario.id}'; in the catalogue this sub-scenario is '{expected}'"
        if scenario.language == "en" and scenario.title != row.title:
            yield "title", f"in the catalogue: '{row.title}'"
    if scenario.orientation is not scenario.domain.orientation:
        yield "orientation", f"the orientation of {scenario.domain} is {scenario.domain.orientation}"
    for field in ("core_objective", "main_challenge"):
        if not getattr(scenario, field):
            yield field, "is empty"
    for name in RECORD_ALWAYS:
        if name not in scenario.record_fields:
            yield "record_fields", f"'{name}' is missing"
    used = placeholders([scenario.agent.model_dump(), scenario.flow.model_dump()])
    for name in sorted(used - set(scenario.record_fields)):
        yield "record_fields", f"'{{{name}}}' is used in the agent card or flow, but not declared"
    for name in sorted(set(scenario.record_fields) - used - set(RECORD_ALWAYS)):
        yield f"record_fields.{name}", "is used nowhere in the agent card or flow"
    text = " ".join(line for _, line in scenario.agent.spoken_lines()).casefold()
    for group, least in (("proper_nouns", PROPER_NOUNS_MIN), ("key_values", KEY_VALUES_MIN)):
        entries = getattr(scenario, group)
        if len(entries) < least:
            yield group, f"{len(entries)}; at least {least}"
    for number, noun in enumerate(scenario.proper_nouns):
        if noun.casefold() not in text:
            yield f"proper_nouns.{number}", f"'{noun}' occurs in no line that the agent speaks"
    for number, value in enumerate(scenario.key_values):
        if not any(way.casefold() in text for way in (value.value, *value.spoken)):
            yield f"key_values.{number}", f"'{value.value}' occurs in no line that the agent speaks"
    lines = {f"agent.{place}": line for place, line in scenario.agent.spoken_lines()}
    content = scenario.model_dump(mode="json", exclude={"callees", "record_fields", "source"})
    yield from _text_problems(folder, content, lines, AGENT_LINE_WORDS)


def _text_problems(
    folder: ScenarioFolder, content: object, spoken: dict[str, str], limit: int
) -> Iterator[Problem]:
    for place, text in _strings(content):
        for message in real_things(text):
            yield place, message
        if folder.scenario:
            for message in wrong_dates(text, folder.scenario.reference_date):
                yield place, message
    for place, line in spoken.items():
        for message in (*unfilled(line), *too_long(line, limit)):
            yield place, message


def _check_people(folder: ScenarioFolder, written: bool) -> None:
    head = folder.head
    if head is None:
        return
    counts = Counter(callee.persona.archetype for _, callee in folder.callees)
    for archetype, count in counts.items():
        if count > 1:
            folder.found(head, "", f"{count} personas of the user type '{archetype}'")
    if not counts:
        folder.found(head, "", "no persona-*.yaml beside it that can be read")
    if not written:
        return
    for archetype in Archetype:
        if archetype not in counts and not (folder.path / f"persona-{archetype}.yaml").exists():
            folder.found(head, "", f"no persona-{archetype}.yaml: each scenario has all five user types")
    names = Counter(callee.persona.demographics.name for _, callee in folder.callees)
    for source, callee in folder.callees:
        if names[callee.persona.demographics.name] > 1:
            message = "another person of this scenario has the same name; five user types are five people"
            folder.found(source, "persona.demographics.name", message)


def _check_entries(folder: ScenarioFolder, scenario: Scenario) -> None:
    """Rules that need a person's record filled into the card."""
    for source, callee in folder.callees:
        missing = [name for name in scenario.record_fields if name not in callee.record]
        unknown = [name for name in callee.record if name not in scenario.record_fields]
        for name in missing:
            folder.found(source, "record", f"'{name}' is missing; scenario.yaml declares it in record_fields")
        for name in unknown:
            folder.found(source, f"record.{name}", "scenario.yaml does not declare it in record_fields")
        if missing:
            continue
        entry = scenario.entry(callee.persona.archetype)
        if entry.callee is callee:
            _note(folder, source, fit_problems(entry))
        if folder.head and entry.card.sop:
            _note(folder, folder.head, _evidence(entry))


def _evidence(entry: Entry) -> Iterator[Problem]:
    try:
        yield from evidence_problems(entry.card, entry.flow)
    except ValueError:
        return  # a phrase does not parse: flow_problems has said so


def _check_ids(folders: Sequence[ScenarioFolder]) -> None:
    first: dict[str, Path] = {}
    for folder in folders:
        if folder.scenario and folder.head:
            if folder.scenario.id in first:
                folder.found(folder.head, "id", f"'{folder.scenario.id}' is also {first[folder.scenario.id]}")
            first.setdefault(folder.scenario.id, folder.path)


def _written_people(
    folders: Sequence[ScenarioFolder],
) -> tuple[dict[str, list[tuple[str, Persona]]], dict[str, tuple[ScenarioFolder, YamlFile]]]:
    """Personas of written content by language, and where each comes from."""
    people: dict[str, list[tuple[str, Persona]]] = {}
    sources: dict[str, tuple[ScenarioFolder, YamlFile]] = {}
    for folder in folders:
        if folder.scenario and folder.scenario.source.kind == "imported":
            continue
        for source, callee in folder.callees:
            name = f"{folder.scenario.id if folder.scenario else folder.path.name}/{callee.persona.archetype}"
            people.setdefault(callee.persona.language, []).append((name, callee.persona))
            sources[name] = (folder, source)
    return people, sources


def _compare_by_language(people: dict[str, list[tuple[str, Persona]]]) -> list[diversity.Pair]:
    return [pair for personas in people.values() for pair in diversity.compare(personas)]


def _check_diversity(
    people: dict[str, list[tuple[str, Persona]]],
    sources: dict[str, tuple[ScenarioFolder, YamlFile]],
    pairs: Sequence[diversity.Pair],
) -> None:
    for pair in pairs:
        if not pair.too_similar:
            continue
        folder, source = sources[pair.second]
        message = (
            f"too much like {pair.first}: copied {pair.copied:.2f} (below {diversity.COPIED_MAX}), "
            f"alike {pair.alike:.2f} (below {diversity.ALIKE_MAX[pair.language]}); write another person"
        )
        folder.found(source, "persona", message)
    for personas in people.values():
        for shared in diversity.shared_lines(personas):
            for name, place in shared.places[1:]:
                folder, source = sources[name]
                others = ", ".join(sorted({other for other, _ in shared.places} - {name}))
                folder.found(source, f"persona.{place}", f"{others} says the same: '{shared.line}'")


def _missing(folders: Sequence[ScenarioFolder]) -> Iterator[Finding]:
    have = {
        (folder.scenario.domain, folder.scenario.sub_scenario)
        for folder in folders
        if folder.scenario and folder.scenario.language == "en" and folder.scenario.source.kind == "written"
    }
    for row in CATALOGUE:
        if (row.domain, row.slug) not in have:
            place = Path("en", row.domain.value, row.slug)
            yield Finding(file=place, line=1, field="", message=f"{row.id}: this sub-scenario is missing")


def _note(folder: ScenarioFolder, source: YamlFile, problems: Iterable[Problem]) -> None:
    for place, message in problems:
        folder.found(source, place, message)


def _under(prefix: str, problems: Iterable[Problem]) -> Iterator[Problem]:
    return ((f"{prefix}.{place}", message) for place, message in problems)


def _strings(content: object, place: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(content, str):
        yield place, content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from _strings(value, f"{place}.{key}".lstrip("."))
    elif isinstance(content, list):
        for number, value in enumerate(content):
            yield from _strings(value, f"{place}.{number}".lstrip("."))
