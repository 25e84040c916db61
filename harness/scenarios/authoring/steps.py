"""What each step reads and writes. A step hands out its tasks; ``items`` does those that are not done yet."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic_ai.models import Model

from harness._files.atomic_file import write_text
from harness._files.json_file import read_model
from harness.errors import UserError
from harness.scenarios.authoring.checks import form_problems, left_problems, likeness_problems, whole_problems
from harness.scenarios.authoring.folder import PRIVATE, StepFolder, digest_of, read_persona
from harness.scenarios.authoring.items import Made, Task
from harness.scenarios.authoring.step_names import Step
from harness.scenarios.catalogue import CATALOGUE, SubScenario
from harness.scenarios.rules.text import CUSTOMER_NAMES
from voice_sim.authoring import curate, deidentify, enrich, exemplify, extract, generalise, humanise, scale
from voice_sim.authoring.identifiers.book import Book, Term, make_book
from voice_sim.authoring.identifiers.dates import TooManyDates
from voice_sim.authoring.rating import rate
from voice_sim.authoring.writing import NotWritten, Written
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona
from voice_sim.talk import Talk

FEWER = "let fewer transcripts become seeds (--top)"
NEEDS_MODEL: frozenset[Step] = frozenset({"extract", "generalise", "enrich", "humanise", "scale", "examples"})


@dataclass(kw_only=True)
class Build:
    """One build of personas.

    Attributes:
        root: Its folder.
        talks: The transcripts; empty where steps after the first are done again.
        model: Writes; None: only steps that need none are done.
        targets: Where personas are carried to; empty: each to one of the catalogue, drawn with the seed.
        terms: Known identifiers.
    """

    root: Path
    talks: Sequence[Talk] = ()
    model: Model | None = None
    top: int = curate.DEFAULT_TOP
    seed: int = 0
    targets: Sequence[SubScenario] = ()
    terms: Sequence[Term] = ()
    rate_with_model: bool = False
    _books: dict[str, Book] = field(default_factory=dict)

    def folder(self, step: Step) -> StepFolder:
        return StepFolder(self.root, step)

    @property
    def writer(self) -> Model:
        if self.model is None:
            raise UserError("this step needs a language model: give --model NAME")
        return self.model

    @cached_property
    def seeds(self) -> dict[str, Path]:
        """The chosen transcripts by name (``seed-1``)."""
        files = self.folder("curate").path.glob("seed-*.json")
        return {file.stem: file for file in sorted(files, key=lambda one: int(one.stem.partition("-")[2]))}

    def seed_talks(self) -> dict[str, Talk]:
        return {name: read_model(file, Talk) for name, file in self.seeds.items()}

    def with_originals(self) -> tuple[Step, dict[str, Path]]:
        """The last personas before de-identification: generalised ones, else extracted ones."""
        for step in ("generalise", "extract"):
            if files := self.folder(step).personas():
                return step, files
        return "extract", {}

    def book(self) -> Book:
        """What identifies in the original calls.

        Raises:
            UserError: They name more days than can be moved.
        """
        key = "".join(digest_of(file) for file in self.seeds.values())
        if key not in self._books:
            texts = [turn.text for talk in self.seed_talks().values() for turn in talk.turns]
            try:
                self._books[key] = make_book(texts, terms=self.terms, seed=self.seed)
            except TooManyDates as error:
                raise UserError(f"{self.folder('curate').path}: {error}; {FEWER}") from error
        return self._books[key]


def tasks_of(step: Step, build: Build) -> tuple[str, list[Task]]:
    """(version, tasks) of a step.

    Raises:
        UserError: What it works on is not there.
    """
    return _TASKS[step](build)


def _curate(build: Build) -> tuple[str, list[Task]]:
    if not build.talks:
        raise UserError("the first step needs transcripts: give --from")
    folder = build.folder("curate")
    digest = hashlib.sha256("\n".join(talk.model_dump_json() for talk in build.talks).encode()).hexdigest()

    async def make() -> Made:
        ratings = None
        if build.rate_with_model:
            ratings = {talk.id: await rate(build.writer, talk) for talk in build.talks}
        scores = curate.curate(build.talks, top=build.top, ratings=ratings)
        by_id = {talk.id: talk for talk in build.talks}
        chosen = [by_id[one.id] for one in scores if one.chosen]
        for old in folder.path.glob("seed-*.json"):
            old.unlink()
        outputs = ["scores.json"]
        for number, talk in enumerate(chosen, 1):
            # The name of a file may be the name of a customer: from here on a talk is known by its number.
            outputs.append(f"seed-{number}.json")
            named = talk.model_copy(update={"id": f"seed-{number}"})
            write_text(folder.path / outputs[-1], named.model_dump_json(indent=1) + "\n")
        folder.write_json("scores.json", [one.model_dump(mode="json") for one in scores])
        build.__dict__.pop("seeds", None)
        failures = tuple(f"{one.id}: not rated: {one.failure}" for one in scores if one.failure)
        return Made(outputs=tuple(outputs), problems=failures)

    return curate.VERSION, [
        Task(name="transcripts", inputs=(), make=make, settings=(digest, build.top, build.rate_with_model))
    ]


def _extract(build: Build) -> tuple[str, list[Task]]:
    if not build.seeds:
        raise UserError(f"{build.folder('curate').path}: holds no seed-N.json: run the step 'curate' first")

    def task(name: str, file: Path) -> Task:
        async def make() -> Made:
            written = await extract.extract(build.writer, read_model(file, Talk), check=form_problems)
            return _wrote(build, "extract", name, written)

        output = f"persona-{name}.yaml"
        return Task(name=name, inputs=(file,), make=make, by_hand=(output,))

    return extract.VERSION, [task(name, file) for name, file in build.seeds.items()]


def _generalise(build: Build) -> tuple[str, list[Task]]:
    sources = _sources(build, "extract")

    def task(name: str, file: Path, row: SubScenario) -> Task:
        target = generalise.Target(
            domain=row.domain.label, sub_scenario=row.title, objective=row.core_objective
        )

        async def make() -> Made:
            written = await generalise.generalise(
                build.writer, read_persona(file), target, check=form_problems
            )
            return _wrote(build, "generalise", made, written)

        made = f"{name}-{row.id}"
        return Task(name=made, inputs=(file,), make=make, settings=(row.id,))

    names = list(sources)
    if build.targets:
        pairs = [(names[number % len(names)], row) for number, row in enumerate(build.targets)]
    else:
        rows = random.Random(build.seed).sample(CATALOGUE, k=len(CATALOGUE))
        pairs = [(name, rows[number % len(rows)]) for number, name in enumerate(names)]
    return generalise.VERSION, [task(name, sources[name], row) for name, row in pairs]


def _deidentify(build: Build) -> tuple[str, list[Task]]:
    folder = build.folder("deidentify")
    _, personas = build.with_originals()
    if not build.seeds and not personas:
        raise UserError(f"{build.folder('curate').path}: holds no seed-N.json: run the step 'curate' first")
    private = build.root / PRIVATE / "replacements.json"

    async def make() -> Made:
        documents: dict[str, object] = {
            name: read_persona(file).model_dump(mode="json") for name, file in personas.items()
        }
        talks = build.seed_talks()
        documents |= {f"{name}.json": talk.model_dump(mode="json") for name, talk in talks.items()}
        try:
            result = deidentify.deidentify(documents, terms=build.terms, seed=build.seed)
        except deidentify.NotDeidentified as error:
            left = [{"place": one.place, "kind": one.kind, "original": one.original} for one in error.leaks]
            where = build.root / PRIVATE / "leaks.json"
            write_text(where, json.dumps(left, ensure_ascii=False, indent=1) + "\n")
            raise NotWritten(f"{error}; nothing was written, {where} says what is left") from error
        except TooManyDates as error:
            raise NotWritten(f"{error}; {FEWER}") from error
        outputs = []
        for name in personas:
            outputs.append(f"persona-{name}.yaml")
            folder.write_persona(outputs[-1], Persona.model_validate(result.documents[name]))
        for name in talks:
            outputs.append(f"{name}.json")
            talk = Talk.model_validate(result.documents[f"{name}.json"])
            write_text(folder.path / outputs[-1], talk.model_dump_json(indent=1) + "\n")
        entries = [{"kind": kind, "original": old, "replacement": new} for kind, old, new in result.entries]
        write_text(private, json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
        return Made(outputs=tuple(outputs))

    inputs = (*build.seeds.values(), *personas.values())
    terms = sorted((term.kind, term.text) for term in build.terms)
    digest = hashlib.sha256(json.dumps(terms).encode()).hexdigest() if terms else ""
    return deidentify.VERSION, [Task(name="all", inputs=inputs, make=make, settings=(digest,))]


def _enrich(build: Build) -> tuple[str, list[Task]]:
    return enrich.VERSION, _one_each(build, "enrich", "deidentify")


def _humanise(build: Build) -> tuple[str, list[Task]]:
    return humanise.VERSION, _one_each(build, "humanise", "enrich")


def _one_each(build: Build, step: Step, before: Step) -> list[Task]:
    work = enrich.enrich if step == "enrich" else humanise.humanise

    def task(name: str, file: Path) -> Task:
        async def make() -> Made:
            written = await work(build.writer, read_persona(file), check=lambda one: _shared(one, build))
            return _wrote(build, step, name, _without_originals(written, build))

        return Task(name=name, inputs=(file,), make=make)

    return [task(name, file) for name, file in _sources(build, before).items()]


def _scale(build: Build) -> tuple[str, list[Task]]:
    folder = build.folder("scale")
    tasks = []
    for number, (name, file) in enumerate(_sources(build, "humanise").items()):
        for archetype in Archetype:
            tasks.append(_scaled(build, folder, name, file, archetype, number))
    return scale.VERSION, tasks


def _scaled(
    build: Build, folder: StepFolder, name: str, file: Path, archetype: Archetype, number: int
) -> Task:
    output = f"{name}/persona-{archetype.value}.yaml"

    async def make() -> Made:
        persona = read_persona(file)
        names = [one for one in CUSTOMER_NAMES[persona.language] if one != persona.demographics.name]
        chosen = names[(number * len(Archetype) + archetype.number - 1) % len(names)]
        written = await scale.scale(
            build.writer, persona, archetype, chosen, check=lambda one: _shared(one, build)
        )
        written = _without_originals(written, build)
        folder.write_persona(output, written.persona)
        return Made(outputs=(output,), problems=written.problems)

    return Task(name=f"{name}/{archetype.value}", inputs=(file,), make=make, by_hand=(output,))


def _examples(build: Build) -> tuple[str, list[Task]]:
    folder, before = build.folder("examples"), build.folder("scale").path
    files = sorted(before.glob("*/persona-*.yaml"))
    if not files:
        raise UserError(f"{before}: holds no persona: run the step 'scale' first")

    def task(file: Path) -> Task:
        output = f"{file.parent.name}/{file.name}"

        async def make() -> Made:
            written = await exemplify.exemplify(
                build.writer, read_persona(file), check=lambda one: _shared(one, build)
            )
            written = _without_originals(written, build)
            folder.write_persona(output, written.persona)
            return Made(outputs=(output,), problems=written.problems)

        name = f"{file.parent.name}/{file.stem.removeprefix('persona-')}"
        return Task(name=name, inputs=(file,), make=make, by_hand=(output,))

    return exemplify.VERSION, [task(file) for file in files]


def scaled_sets(build: Build) -> dict[str, list[str]]:
    """Each set of five people in ``7-scale``, and what is wrong with it as a set. No model needed."""
    found = {}
    for folder in sorted(path for path in build.folder("scale").path.glob("*") if path.is_dir()):
        files = sorted(folder.glob("persona-*.yaml"))
        people = {}
        for file in files:
            persona = read_persona(file)
            people[persona.archetype] = persona
        found[folder.name] = scale.scale_problems(people, compare=likeness_problems)
    return found


def _sources(build: Build, step: Step) -> dict[str, Path]:
    files = build.folder(step).personas()
    if not files:
        raise UserError(f"{build.folder(step).path}: holds no persona: run the step '{step}' first")
    return files


def _shared(persona: Persona, build: Build) -> list[str]:
    return [*left_problems(persona, build.book()), *whole_problems(persona)]


def _without_originals(written: Written, build: Build) -> Written:
    if left := left_problems(written.persona, build.book()):
        raise NotWritten(f"what was written brings back what had been taken out: {'; '.join(left[:5])}")
    return written


def _wrote(build: Build, step: Step, name: str, written: Written) -> Made:
    output = f"persona-{name}.yaml"
    build.folder(step).write_persona(output, written.persona)
    return Made(outputs=(output,), problems=written.problems)


_TASKS = {
    "curate": _curate,
    "extract": _extract,
    "generalise": _generalise,
    "deidentify": _deidentify,
    "enrich": _enrich,
    "humanise": _humanise,
    "scale": _scale,
    "examples": _examples,
}
