"""What a persona is held to while it is made: the rules of ``scenarios check`` that need no agent card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.scenarios.content_check import PERSON_LINE_WORDS
from harness.scenarios.rules import diversity
from harness.scenarios.rules.person import completeness_problems, consistency_problems
from harness.scenarios.rules.text import text_problems
from harness.scenarios.scenario import Callee
from voice_sim.authoring.deidentify import leaks_in
from voice_sim.authoring.identifiers.book import Book
from voice_sim.authoring.identifiers.placeholders import REFERENCE_DATE
from voice_sim.person.persona import Persona


def form_problems(persona: Persona) -> list[str]:
    """Ids twice, conditions that name nothing, evidence phrases that cannot be read, lines that nobody can
    say.
    Real names and figures are no problem yet: they are taken out by ``deidentify``."""
    return [f"{place}: {message}" for place, message in _form(persona, benchmark=False)]


def whole_problems(persona: Persona) -> list[str]:
    """The same, every element of Table 17 in the number that the benchmark has, and nothing that could be
    real."""
    return [
        f"{place}: {message}"
        for place, message in (
            *_form(persona, benchmark=True),
            *completeness_problems(persona, benchmark=True),
        )
    ]


def left_problems(persona: Persona, book: Book) -> list[str]:
    """Where somebody or something of the original calls is named, without saying what.

    Amounts and dates are left out: who writes here never saw those of the calls, and meets one by chance.
    """
    leaks = leaks_in({"persona": persona.model_dump(mode="json")}, book)
    return [
        f"{leak.place.removeprefix('persona: ')}: holds a {leak.kind} of the original call"
        for leak in leaks
        if leak.kind not in ("amount", "date")
    ]


def likeness_problems(people: Sequence[tuple[str, Persona]]) -> list[str]:
    """Two people of a set that are too much alike, and lines that more than one of them says."""
    alike = [
        f"{pair.second}: too much like {pair.first} (copied {pair.copied:.2f}, alike {pair.alike:.2f})"
        for pair in diversity.compare(people)
        if pair.too_similar
    ]
    shared = [
        f"{', '.join(sorted({name for name, _ in line.places}))}: say the same: '{line.line}'"
        for line in diversity.shared_lines(people)
    ]
    return [*alike, *shared]


def _form(persona: Persona, *, benchmark: bool) -> Iterator[tuple[str, str]]:
    yield from consistency_problems(persona)
    yield from text_problems(
        Callee(persona=persona).model_dump(mode="json"),
        {f"persona.{place}": line for place, line in persona.spoken_lines()},
        longest=PERSON_LINE_WORDS,
        reference=REFERENCE_DATE if benchmark else None,
        benchmark=benchmark,
    )
