"""Rules for a written persona: every element of Table 17 is there, and fits the agent card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.scenarios.rules.card import Problem
from harness.scenarios.rules.text import CUSTOMER_NAMES
from harness.scenarios.scenario import Entry
from metrics.dialogue.evidence import first_match, parse
from voice_sim.person.examples import has_examples
from voice_sim.person.persona import Cooperation, Ending, Persona, Trigger

MINIMUM: dict[str, int] = {
    "scenario": 1,
    "role": 1,
    "situation": 1,
    "knowledge": 1,
    "demographics.name": 1,
    "demographics.age": 1,
    "demographics.gender": 1,
    "demographics.occupation": 1,
    "demographics.home": 1,
    "background.experiences": 2,
    "background.personality": 2,
    "background.before_call": 1,
    "core_personality": 2,
    "communication_style": 2,
    "motivation": 2,
    "concerns.primary": 1,
    "concerns.secondary": 1,
    "concerns.latent": 1,
    "behaviour.emotional_shifts": 1,
    "behaviour.uncertainty": 1,
    "behaviour.environment": 1,
    "style.good": 6,
    "style.bad": 3,
    "must_ask": 2,
    "obstacles": 2,
    "triggers.positive": 1,
    "triggers.negative": 1,
    "cooperation": 1,
    "hang_up": 2,
    "termination": 2,
    "facts": 5,
    "phrases.pick_up": 1,
    "phrases.confirm_identity": 1,
    "phrases.acknowledge": 2,
    "phrases.agree": 1,
    "phrases.decline": 1,
    "phrases.unsure": 1,
    "phrases.repeat_please": 1,
    "phrases.goodbye": 1,
}
"""How many items (or whether any text) each field of a persona of the benchmark has at least."""

MINIMUM_OWN: dict[str, int] = {"role": 1, "style.good": 1, "must_ask": 1, "facts": 1, "phrases.pick_up": 1}
"""The same for a persona of one's own: what a simulated call cannot do without."""


def completeness_problems(persona: Persona, *, benchmark: bool) -> Iterator[Problem]:
    """Fields that are empty or too short."""
    for field, least in (MINIMUM if benchmark else MINIMUM_OWN).items():
        value: object = persona
        for name in field.split("."):
            value = getattr(value, name)
        have = len(value) if isinstance(value, tuple) else int(value not in (None, ""))
        if have < least:
            yield f"persona.{field}", f"has {have}; at least {least}" if least > 1 else "is empty"
    least = 2 if benchmark else 1
    for group in ("must_ask", "obstacles"):
        for number, part in enumerate(getattr(persona, group)):
            said = part.ask if group == "must_ask" else part.say
            if len(said) < least:
                field = "ask" if group == "must_ask" else "say"
                message = f"{len(said)} line; at least {least}: one more for when the agent insists or evades"
                yield f"persona.{group}.{number}.{field}", message
    for group, parts in _moments(persona).items():
        for number, part in enumerate(parts):
            if not part.say:
                yield f"persona.{group}.{number}.say", "empty: what does the person say?"
    for number, fact in enumerate(persona.facts):
        if fact.share != "never" and not fact.say:
            yield f"persona.facts.{number}.say", "empty: how does the person say it?"
        if fact.share in ("asked", "trusted") and not fact.cues:
            yield f"persona.facts.{number}.cues", "empty: what does the agent say to ask for it?"


def consistency_problems(persona: Persona) -> Iterator[Problem]:
    """References that lead nowhere, ids that repeat, cues that do not parse."""
    groups = {
        "must_ask": [question.id for question in persona.must_ask],
        "obstacles": [obstacle.id for obstacle in persona.obstacles],
        "facts": [fact.key for fact in persona.facts],
    }
    for group, ids in groups.items():
        for number, name in enumerate(ids):
            if name in ids[:number]:
                yield f"persona.{group}.{number}", f"'{name}' twice"
    for number, condition in enumerate(persona.cooperation):
        for needed in condition.needs:
            if needed not in groups["must_ask"]:
                yield f"persona.cooperation.{number}.needs", f"'{needed}' is no must_ask"
    yield from unreadable_cues(persona)


def unreadable_cues(persona: Persona) -> Iterator[Problem]:
    """Cues that do not parse: nobody could listen for them."""
    for place, phrase in _cues(persona):
        try:
            parse(phrase)
        except ValueError as error:
            yield f"persona.{place}", str(error)


def bare_person_notes(entry: Entry) -> Iterator[Problem]:
    """What a person of one's own may lack, and a call then goes otherwise than its writer would think.

    The benchmark's rules have both as errors, item by item.
    """
    persona = entry.persona
    if not has_examples(persona) and not entry.scenario.examples.facts:
        yield "persona", "no examples: what an agent says is understood by words alone"
    if not persona.phrases.confirm_identity:
        message = "is empty: being asked for by name is answered like anything else"
        yield "persona.phrases.confirm_identity", message


def fit_problems(entry: Entry, *, benchmark: bool) -> Iterator[Problem]:
    """Whether the person fits the card that they are called with (placeholders filled in)."""
    persona, record = entry.persona, entry.callee.record
    said_by_agent = [line for _, line in entry.card.spoken_lines()]
    name = persona.demographics.name
    if benchmark and name and name not in CUSTOMER_NAMES[persona.language]:
        known = ", ".join(CUSTOMER_NAMES[persona.language])
        yield "persona.demographics.name", f"'{name}' is no placeholder name; use one of {known}"
    if name and "customer_name" in record and record["customer_name"].value != name:
        yield "record.customer_name", f"is not the person's name ('{name}')"
    if benchmark and len(entry.callee.known_to_agent) < 2:
        yield "known_to_agent", "at least 2 lines: what the calling side knows of this person"
    for number, question in enumerate(persona.must_ask):
        place = f"persona.must_ask.{number}.answered_by"
        if not question.answered_by:
            yield place, f"'{question.id}': nothing tells when it has been answered"
        elif question.answerable and not _any(question.answered_by, said_by_agent):
            message = (
                f"'{question.id}': no line of the agent card answers it; if meant so: 'answerable: false'"
            )
            yield place, message
    for number, obstacle in enumerate(persona.obstacles):
        place = f"persona.obstacles.{number}.cues"
        if not obstacle.cues:
            yield place, f"'{obstacle.id}': nothing tells when it comes up"
        elif not _any(obstacle.cues, said_by_agent):
            yield place, f"'{obstacle.id}': no line of the agent card would bring it up"


def fairness_problems(entry: Entry) -> Iterator[Problem]:
    """Cues that an agent sets off by nothing but saying what its card tells it to say."""
    persona = entry.persona
    spoken = list(entry.card.spoken_lines())
    main_line = [(place, line) for place, line in spoken if _MAIN_LINE.fullmatch(place)]
    duty = main_line + [(place, line) for place, line in spoken if place.startswith("faq.")]
    for number, ending in enumerate(persona.hang_up):
        for phrase, place in _met(ending.cues, duty):
            yield (
                f"persona.hang_up.{number}.cues",
                f"'{phrase}' is met by the card's own {place}: the person would hang up on a faithful agent",
            )
    for number, question in enumerate(persona.must_ask):
        if question.answerable:
            continue
        for phrase, place in _met(question.answered_by, main_line):
            yield (
                f"persona.must_ask.{number}.answered_by",
                f"'{question.id}' has no answer, but '{phrase}' is met by the card's own {place}",
            )


_MAIN_LINE = re.compile(r"opening|sop\.\d+\.say\.\d+")


def _met(phrases: Sequence[str], lines: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Each phrase that a line meets, with that line's place; phrases that do not parse are left out."""
    for phrase in phrases:
        try:
            place = next((place for place, line in lines if first_match((phrase,), line)), None)
        except ValueError:
            continue
        if place is not None:
            yield phrase, place


def _any(phrases: tuple[str, ...], lines: list[str]) -> bool:
    try:
        return any(first_match(phrases, line) for line in lines)
    except ValueError:
        return True  # does not parse: reported by consistency_problems


def _moments(persona: Persona) -> dict[str, Sequence[Trigger | Cooperation | Ending]]:
    return {
        "triggers.positive": persona.triggers.positive,
        "triggers.negative": persona.triggers.negative,
        "cooperation": persona.cooperation,
        "hang_up": persona.hang_up,
        "termination": persona.termination,
    }


def _cues(persona: Persona) -> Iterator[tuple[str, str]]:
    for number, question in enumerate(persona.must_ask):
        yield from _numbered(f"must_ask.{number}.answered_by", question.answered_by)
    for number, obstacle in enumerate(persona.obstacles):
        yield from _numbered(f"obstacles.{number}.cues", obstacle.cues)
        yield from _numbered(f"obstacles.{number}.overcome_cues", obstacle.overcome_cues)
    for number, fact in enumerate(persona.facts):
        yield from _numbered(f"facts.{number}.cues", fact.cues)
    for group, parts in _moments(persona).items():
        for number, part in enumerate(parts):
            if not isinstance(part, Cooperation):
                yield from _numbered(f"{group}.{number}.cues", part.cues)


def _numbered(path: str, phrases: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return ((f"{path}.{index}", phrase) for index, phrase in enumerate(phrases))
