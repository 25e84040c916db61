"""Checks scenario folders: every rule, all findings at once, each with file, line and field.

Every scenario has to parse, its flow has to be one that can be scored, its references have to lead
somewhere, its evidence to fit its agent card. On top of that, one whose sub-scenario is in the catalogue is
held to the benchmark's rules: complete by Table 17, five different people, nobody and nothing real. In an
imported one, what the official format does not have is no error, and a derived flow outside the usual size
is a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from harness._files.yaml_file import YamlFile
from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.folders import Finding, ScenarioFolder, find_folders, read_folder
from harness.scenarios.rules import diversity
from harness.scenarios.rules.card import Problem, card_problems
from harness.scenarios.rules.examples import alike_problems, number_problems
from harness.scenarios.rules.filling import filling_problems
from harness.scenarios.rules.flow import coverage_problems, evidence_problems
from harness.scenarios.rules.head import head_problems
from harness.scenarios.rules.person import (
    bare_person_notes,
    completeness_problems,
    consistency_problems,
    fairness_problems,
    fit_problems,
)
from harness.scenarios.rules.stimuli import stimuli_problems
from harness.scenarios.rules.text import text_problems
from harness.scenarios.scenario import Callee, Entry, Scenario
from metrics.dialogue.task_flow import flow_problems
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona

AGENT_LINE_WORDS = 60
PERSON_LINE_WORDS = 40


class _Rigour(Enum):
    """Which rules a scenario is held to; see the module's docstring."""

    BENCHMARK = auto()
    OWN = auto()
    IMPORTED = auto()


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


def check(
    paths: Iterable[Path], *, catalogue: bool = False, strict: bool = False, examples: bool = False
) -> CheckResult:
    """Checks every scenario at or below the paths.

    Args:
        paths: Folders, or files of a scenario.
        catalogue: Also require all 30 sub-scenarios of the catalogue in English.
        strict: Hold scenarios of one's own to the benchmark's rules.
        examples: Also warn of example lines of a person that are alike.

    Raises:
        UserError: A path does not exist or holds no scenario.
    """
    folders = [read_folder(folder) for folder in find_folders(paths)]
    for folder in folders:
        _check_folder(folder, _rigour(folder, strict=strict))
        if examples:
            _check_alike_examples(folder)
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


def _rigour(folder: ScenarioFolder, *, strict: bool) -> _Rigour:
    content = folder.head.content if folder.head and isinstance(folder.head.content, dict) else {}
    source = content.get("source")
    if isinstance(source, dict) and source.get("kind") == "imported":
        return _Rigour.IMPORTED
    place = (content.get("domain"), content.get("sub_scenario"))
    known = any(place == (row.domain.value, row.slug) for row in CATALOGUE)
    return _Rigour.BENCHMARK if known or strict else _Rigour.OWN


def _check_folder(folder: ScenarioFolder, rigour: _Rigour) -> None:
    written, benchmark = rigour is not _Rigour.IMPORTED, rigour is _Rigour.BENCHMARK
    if head := folder.head:
        if folder.flow:
            for problem in flow_problems(folder.flow):
                warning = not written and not problem.structural
                folder.found(head, f"flow.{problem.field}", problem.message, warning=warning)
        if folder.agent and folder.flow:
            _note(folder, head, coverage_problems(folder.agent, folder.flow))
        if folder.agent and written:
            problems = card_problems(folder.agent, benchmark=benchmark)
            _note(folder, head, ((f"agent.{place}", message) for place, message in problems))
        if folder.scenario and written:
            _check_head(folder, head, folder.scenario, benchmark=benchmark)
    for source, callee in folder.callees:
        _check_callee(folder, source, callee, rigour)
    _check_people(folder, benchmark=benchmark)
    if written and folder.scenario:
        _check_entries(folder, folder.scenario, benchmark=benchmark)


def _check_head(folder: ScenarioFolder, head: YamlFile, scenario: Scenario, *, benchmark: bool) -> None:
    _note(folder, head, head_problems(scenario, benchmark=benchmark))
    problems = text_problems(
        scenario.model_dump(mode="json", exclude={"callees", "record_fields", "source"}),
        {f"agent.{place}": line for place, line in scenario.agent.spoken_lines()},
        longest=AGENT_LINE_WORDS,
        reference=scenario.reference_date,
        benchmark=benchmark,
    )
    _note(folder, head, problems)


def _check_callee(folder: ScenarioFolder, source: YamlFile, callee: Callee, rigour: _Rigour) -> None:
    persona = callee.persona
    _note(folder, source, consistency_problems(persona))
    if source.path.stem != f"persona-{persona.archetype.value}":
        _note(folder, source, [("persona.archetype", "is not the user type in the file's name")])
    if folder.scenario and persona.language != folder.scenario.language:
        _note(folder, source, [("persona.language", f"the scenario's is {folder.scenario.language}")])
    if rigour is _Rigour.IMPORTED:
        return
    benchmark = rigour is _Rigour.BENCHMARK
    _note(folder, source, completeness_problems(persona, benchmark=benchmark))
    if benchmark:
        _note(folder, source, stimuli_problems(persona))
    problems = text_problems(
        callee.model_dump(mode="json"),
        {f"persona.{place}": line for place, line in persona.spoken_lines()},
        longest=PERSON_LINE_WORDS,
        reference=folder.scenario.reference_date if folder.scenario else None,
        benchmark=benchmark,
    )
    _note(folder, source, problems)


def _check_people(folder: ScenarioFolder, *, benchmark: bool) -> None:
    head = folder.head
    if head is None:
        return
    counts = Counter(callee.persona.archetype for _, callee in folder.callees)
    for archetype, count in counts.items():
        if count > 1:
            folder.found(head, "", f"{count} personas of the user type '{archetype}'")
    if not counts:
        folder.found(head, "", "no persona-*.yaml beside it that can be read")
    if not benchmark:
        return
    for archetype in Archetype:
        if archetype not in counts and not (folder.path / f"persona-{archetype}.yaml").exists():
            folder.found(head, "", f"no persona-{archetype}.yaml: each scenario has all five user types")
    names = Counter(callee.persona.demographics.name for _, callee in folder.callees)
    for source, callee in folder.callees:
        if names[callee.persona.demographics.name] > 1:
            message = "another person of this scenario has the same name; five user types are five people"
            folder.found(source, "persona.demographics.name", message)


def _check_entries(folder: ScenarioFolder, scenario: Scenario, *, benchmark: bool) -> None:
    """Rules that need a person's record filled into the card."""
    unfit: set[Archetype] = set()
    for source, callee in folder.callees:
        missing = [name for name in scenario.record_fields if name not in callee.record]
        unknown = [name for name in callee.record if name not in scenario.record_fields]
        for name in missing:
            folder.found(source, "record", f"'{name}' is missing; scenario.yaml declares it in record_fields")
        for name in unknown:
            folder.found(source, f"record.{name}", "scenario.yaml does not declare it in record_fields")
        if misfits := list(filling_problems(scenario, callee)):
            unfit.add(callee.persona.archetype)
            if folder.head:
                _note(folder, folder.head, misfits)
        if missing or callee.persona.archetype in unfit:
            continue
        entry = scenario.entry(callee.persona.archetype)
        if entry.callee is callee:
            _note(folder, source, fit_problems(entry, benchmark=benchmark))
            if benchmark:
                _note(folder, source, fairness_problems(entry))
                _note(folder, source, number_problems(entry))
            else:
                for place, message in bare_person_notes(entry):
                    folder.found(source, place, message, warning=True)
        if folder.head and entry.card.sop:
            _note(folder, folder.head, _evidence(entry, benchmark=benchmark))


def _check_alike_examples(folder: ScenarioFolder) -> None:
    for source, callee in folder.callees:
        if folder.scenario is None or any(
            name not in callee.record for name in folder.scenario.record_fields
        ):
            continue  # said already
        entry = folder.scenario.entry(callee.persona.archetype)
        for place, message in alike_problems(entry) if entry.callee is callee else ():
            folder.found(source, place, message, warning=True)


def _evidence(entry: Entry, *, benchmark: bool) -> Iterator[Problem]:
    try:
        yield from evidence_problems(entry.card, entry.flow, benchmark=benchmark)
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
