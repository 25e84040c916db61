"""The paper's official task files (``task-D-C-V-A.md``) as scenario folders.

D is the domain (1-6), C the sub-scenario in it (1-5), V a variant, A the user type (1-5, in the paper's
order). Each file is a call of its own: one agent card, one persona, one scenario folder. The text of every
section goes into the fields that it belongs to, headings that are not known into ``extra_sections``, and
all of it as it stood into ``source.sections``. Nothing is made up: what the format does not have (Table
17's must-asks, facts) stays empty.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from harness._files.outside_file import read_bytes
from harness.errors import UserError
from harness.scenarios.catalogue import CATALOGUE, Domain, SubScenario
from harness.scenarios.folders import SCENARIO_FILE, write_scenario
from harness.scenarios.importing.agent_part import derive_flow, read_card
from harness.scenarios.importing.markdown import Section, split_sections
from harness.scenarios.importing.persona_part import read_persona
from harness.scenarios.scenario import Callee, Scenario, Source, SourceSection
from spoken_language.outside_text import harmless, one_line
from voice_sim.person.archetypes import Archetype

MAX_BYTES = 1_000_000
MAX_FILES = 10_000
REFERENCE_DATE = datetime.date(2025, 1, 1)
"""The fixed date of the official files."""
KNOWN_SECTIONS_MIN = 2
"""A part with fewer sections that are known is not of this format."""

_FILE_NAME = re.compile(r"task[-_ ](\d+)[-_ ](\d+)[-_ ](\d+)[-_ ](\d+)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")


@dataclass(kw_only=True)
class ImportReport:
    """What became of each file."""

    imported: list[tuple[Path, Scenario, Path]] = field(default_factory=list)
    """File, scenario, folder that it was written to."""
    refused: list[tuple[Path, str]] = field(default_factory=list)
    """File, and the whole message."""


def import_paths(paths: Iterable[Path], out: Path, *, force: bool = False) -> ImportReport:
    """Imports files, and all ``.md`` files below folders; a file that is refused, whatever is the matter with
    it, does not stop the others.

    Args:
        out: Each task becomes a folder in here.
        force: Replace scenarios that are there already.

    Raises:
        UserError: There is no file to import.
    """
    report = ImportReport()
    seen: dict[str, Path] = {}
    for path in _files(paths, report):
        try:
            scenario = read_task(path)
            if scenario.id in seen:
                raise UserError(f"{path}: the same task as {seen[scenario.id]}")
            folder = out / scenario.id
            if (folder / SCENARIO_FILE).exists() and not force:
                raise UserError(f"{path}: {folder} is there already; --force replaces it")
            if force:
                _clear(folder)
            write_scenario(scenario, folder)
        except UserError as error:
            report.refused.append((path, str(error)))
            continue
        except OSError as error:
            report.refused.append((path, f"{path}: cannot be imported: {error.strerror or error}"))
            continue
        # A file that our own code does not expect is one file; the others are no worse for it.
        except Exception as error:
            why = one_line(f"{type(error).__name__}: {error}", most=200)
            report.refused.append((path, f"{path}: cannot be imported, by a fault of ours: {why}"))
            continue
        seen[scenario.id] = path
        report.imported.append((path, scenario, folder))
    return report


def read_task(path: Path) -> Scenario:
    """One task file as a scenario with one person.

    Raises:
        UserError: It is no such file; the message is ``FILE:LINE: reason``.
    """
    row, variant, archetype = _place(path)
    text, notes = _read(path)
    try:
        sections = split_sections(text)
    except UserError as error:
        raise UserError(f"{path}:{error}") from error
    agent, agent_extra = _by_field(sections, "agent", notes)
    person, person_extra = _by_field(sections, "persona", notes)
    _refuse_other_formats(path, sections, agent, person)
    for section in (s for s in sections if s.part == "none"):
        heading = section.heading.strip() or "text before the first heading"
        notes.append(f"line {section.line}: {heading}: in neither part; kept in extra_sections")
    name = f"task-{row.domain.number}-{row.number}-{variant}-{archetype.number}"
    agent_extra = [section for section in sections if section.part == "none"] + agent_extra
    language: Literal["en", "zh"] = "zh" if len(re.findall(r"[一-鿿]", text)) * 5 > len(text) else "en"
    try:
        card = read_card(agent, agent_extra)
        persona = read_persona(
            person, person_extra, archetype=archetype, language=language, scenario=row.title
        )
        return Scenario(
            id=name,
            domain=row.domain,
            sub_scenario=row.slug,
            language=language,
            title=f"{row.title} ({name})",
            core_objective=card.core_task,
            main_challenge=row.main_challenge,
            orientation=row.domain.orientation,
            reference_date=REFERENCE_DATE,
            agent=card,
            flow=derive_flow(card),
            source=Source(
                kind="imported",
                file=path.name,
                notes=tuple(notes),
                sections=tuple(
                    SourceSection(part=s.part, heading=s.heading.strip(), line=s.line, text=s.text)
                    for s in sections
                ),
            ),
            callees=(Callee(persona=persona),),
        )
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"]))
        line = _line_of(place, agent, person)
        why = one_line(f"{place}: {problem['msg']}", most=400)
        raise UserError(f"{path}:{line}: does not fit a scenario: {why}") from error


def _refuse_other_formats(
    path: Path, sections: Sequence[Section], agent: Mapping[str, Section], person: Mapping[str, Section]
) -> None:
    for part, found in (("agent", agent), ("persona", person)):
        if len(found) < KNOWN_SECTIONS_MIN:
            line = next((s.line for s in sections if s.part == part), 1)
            name = "电话拨打方" if part == "agent" else "电话接听方"
            raise UserError(
                f"{path}:{line}: the part '{name}' has {len(found)} sections that are known; "
                "this is no task file of the official format"
            )
    if "sop" not in agent and "core_task" not in agent:
        raise UserError(
            f"{path}:{_first_line(agent)}: neither steps nor a core task: nothing to judge a call by"
        )


def _files(paths: Iterable[Path], report: ImportReport) -> list[Path]:
    files: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            report.refused.append((path, f"{path}: there is no such file or folder"))
            continue
        files.update(dict.fromkeys(sorted(path.rglob("*.md")) if path.is_dir() else [path]))
        if len(files) > MAX_FILES:
            raise UserError(f"{path}: more than {MAX_FILES} files; name fewer")
    if not files:
        missing = "\n".join(reason for _, reason in report.refused)
        raise UserError(missing or "no .md file there to import")
    return list(files)


def _place(path: Path) -> tuple[SubScenario, int, Archetype]:
    found = _FILE_NAME.search(path.stem)
    if not found:
        raise UserError(
            f"{path}:1: the file's name must be task-D-C-V-A.md: domain, sub-scenario, variant, user type"
        )
    domain, sub, variant, kind = map(int, found.groups())
    try:
        rows = [row for row in CATALOGUE if row.domain is Domain.from_number(domain)]
        if not 1 <= sub <= len(rows):
            raise ValueError(f"there is no sub-scenario {sub}; they are numbered 1-{len(rows)}")
        return rows[sub - 1], variant, Archetype.from_number(kind)
    except ValueError as error:
        raise UserError(f"{path}:1: the file's name: {error}") from error


def _read(path: Path) -> tuple[str, list[str]]:
    """The text of a file, and what had to be done to it."""
    try:
        content = read_bytes(path, max_bytes=MAX_BYTES)
    except OSError as error:
        raise UserError(f"{path}:1: cannot be read: {error.strerror or error}") from error
    if not content.strip():
        raise UserError(f"{path}:1: is empty")
    text, notes = _decode(content, path)
    if found := _CONTROL.findall(text.replace("\r", "")):
        notes.append(f"{len(found)} control characters were replaced by spaces")
        text = re.sub(r"(?!\r)" + _CONTROL.pattern, " ", text)
    seen = harmless(text.replace("\r\n", "\n"))
    if unseen := len(text) - len(seen) - text.count("\r\n"):
        notes.append(f"{unseen} characters that are not seen were left out")
    return seen, notes


def _decode(content: bytes, path: Path) -> tuple[str, list[str]]:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return content.decode("utf-16"), ["the file was UTF-16"]
        except UnicodeDecodeError:
            pass
    elif b"\0" in content:
        line = content[: content.index(b"\0")].count(b"\n") + 1
        raise UserError(f"{path}:{line}: is a binary file, not text")
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        try:
            text = content.decode("gb18030")
        except UnicodeDecodeError:
            text = ""
        if "拨打方" in text:
            return text, ["the file was GB 18030"]
        raise UserError(f"{path}:{line}: is not UTF-8 text") from error


def _by_field(
    sections: list[Section], part: str, notes: list[str]
) -> tuple[dict[str, Section], list[Section]]:
    """A part's sections by field, and those without one. Ends that stand in two sections are joined."""
    found: dict[str, Section] = {}
    extra = []
    for section in sections:
        if section.part != part:
            continue
        first = found.get(section.field)
        if section.field and first is None:
            found[section.field] = section
        elif section.field == "termination" and first is not None:
            lines = [*first.lines, f"**{section.heading}**：", *section.lines]
            found["termination"] = Section(
                part=first.part, field="termination", heading=first.heading, line=first.line, lines=lines
            )
        else:
            why = f"'{section.field}' is there twice" if section.field else "is not known"
            heading = section.heading.strip() or "text before the first heading"
            notes.append(f"line {section.line}: {heading}: {why}; kept in extra_sections")
            extra.append(section)
    return found, extra


def _first_line(sections: Mapping[str, Section]) -> int:
    return min((section.line for section in sections.values()), default=1)


def _line_of(place: str, agent: dict[str, Section], person: dict[str, Section]) -> int:
    sections = {**agent, **{f"persona.{name}": section for name, section in person.items()}}
    return next((s.line for name, s in sections.items() if name.split(".")[-1] in place), 1)


def _clear(folder: Path) -> None:
    """Removes the files of a scenario that is being replaced, and nothing else."""
    for path in [folder / SCENARIO_FILE, *folder.glob("persona-*.yaml")]:
        path.unlink(missing_ok=True)
