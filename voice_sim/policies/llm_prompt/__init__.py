"""The system prompt of the caller that a language model plays: the whole persona, in the persona's language.

The words are in ``caller.vN.LANGUAGE.md``. Its head has short phrases (``name = words``), its sections have
places (``{role}``) for what the persona says; a place with nothing in it goes with its line, and a section
whose places are all empty goes with its heading. A changed file is a new version: dialogues that were held
under different prompts are not of one kind.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from voice_sim.person.persona import Fact, MustAsk, Obstacle, Persona, Phrases, Trigger

PROMPT_VERSION = 1

_PLACE = re.compile(r"\{([a-z_]+)\}")
_PHRASE = re.compile(r"([a-z_]+) =(.*)")


def system_prompt(persona: Persona) -> str:
    """The prompt for one person, every element of the paper's Table 17 and section 4.3.1 in it."""
    phrases, sections = _template(persona.language)
    filled = _filled(persona, phrases)
    return "\n\n".join(text for section in sections if (text := _render(section, filled)))


def prompt_file(language: str, version: int = PROMPT_VERSION) -> Path:
    """The file that holds the words of a version."""
    return Path(__file__).parent / f"caller.v{version}.{language}.md"


@functools.cache
def _template(language: str) -> tuple[dict[str, str], tuple[str, ...]]:
    head, _, body = prompt_file(language).read_text(encoding="utf-8").partition("\n\n")
    phrases = {found[1]: found[2].strip() for line in head.splitlines() if (found := _PHRASE.fullmatch(line))}
    return phrases, tuple(re.split(r"\n\n(?=## )", body.strip()))


def _render(section: str, filled: Mapping[str, str]) -> str:
    """The section with its places filled; empty where it has places and all of them are empty."""
    lines: list[str] = []
    has_place = has_content = False
    for line in section.splitlines():
        place = _PLACE.search(line)
        if place is None:
            lines.append(line)
            has_content = has_content or line.startswith("- ")
            continue
        has_place = True
        if text := filled[place[1]]:
            lines.append(line.replace(place[0], text))
            has_content = True
    return "\n".join(lines) if has_content or not has_place else ""


def _filled(persona: Persona, phrases: Mapping[str, str]) -> dict[str, str]:
    """What stands in every place."""
    who, background, concerns = persona.demographics, persona.background, persona.concerns
    behaviour, style, manner = persona.behaviour, persona.style, persona.manner
    age = "" if who.age is None else str(who.age)
    life = [each for each in (age, phrases.get(who.gender or "", ""), who.occupation, who.home) if each]
    return {
        "pace": phrases[f"pace_{manner.pace}"],
        "interrupts": phrases[f"interrupts_{manner.interrupts}"],
        "name": who.name,
        "role": persona.role,
        "archetype": phrases[persona.archetype],
        "demographics": "; ".join(life),
        "experiences": _items(background.experiences),
        "personality": _items(background.personality),
        "background_notes": _items(background.notes),
        "scenario": persona.scenario,
        "situation": _situation(persona),
        "before_call": background.before_call,
        "knowledge": persona.knowledge,
        "core_personality": "; ".join(persona.core_personality),
        "communication_style": _items(persona.communication_style),
        "motivation": _items(persona.motivation),
        "primary": _items(concerns.primary),
        "secondary": _items(concerns.secondary),
        "latent": _items(concerns.latent),
        "concern_notes": _items(concerns.notes),
        "emotional_shifts": _items(behaviour.emotional_shifts),
        "uncertainty": _items(behaviour.uncertainty),
        "environment": _items(behaviour.environment),
        "behaviour_notes": _items(behaviour.notes),
        "must_ask": _items(_must_ask(each, phrases) for each in persona.must_ask),
        "obstacles": _items(_obstacle(each, phrases) for each in persona.obstacles),
        "positive": _items(_trigger(each, phrases) for each in persona.triggers.positive),
        "negative": _items(_trigger(each, phrases) for each in persona.triggers.negative),
        "cooperation": _items(_cooperation(persona, phrases)),
        "facts": _items(_fact(each, phrases) for each in persona.facts),
        "hang_up": _items(f"{each.when}{_said(each.say, phrases)}" for each in persona.hang_up),
        "termination": _items(f"{each.when}{_said(each.say, phrases)}" for each in persona.termination),
        "good": _items(_quoted(line) for line in style.good),
        "bad": _items(_quoted(line) for line in style.bad),
        "style_notes": _items(style.notes),
        **{name: _either(getattr(persona.phrases, name)) for name in Phrases.model_fields},
        "extra": "\n".join(f"{part.heading}\n{part.text}".strip() for part in persona.extra_sections),
    }


_CANNOT_BE_WON = {
    "en": "Whatever is said in this call, you do not agree to it, and close with a courteous no.",
    "zh": "这通电话里不管对方怎么说，你都不会答应，最后客气地拒绝。",
}


def _situation(persona: Persona) -> str:
    will = persona.willingness
    if will.wins != "never":
        return persona.situation
    no = _either(will.say)
    return " ".join(filter(None, (persona.situation, _CANNOT_BE_WON[persona.language], will.why, no)))


def _must_ask(question: MustAsk, phrases: Mapping[str, str]) -> str:
    wordings = _either(question.ask)
    return wordings if question.answerable else f"{wordings} ({phrases['unanswerable']})"


def _obstacle(obstacle: Obstacle, phrases: Mapping[str, str]) -> str:
    first, *later = obstacle.say
    text = f"{obstacle.when}{_said((first,), phrases)}"
    if later:
        text += f" {phrases['then']}: {_either(later)}"
    return f"{text} {phrases['let_go']}: {obstacle.overcome_by}" if obstacle.overcome_by else text


def _trigger(trigger: Trigger, phrases: Mapping[str, str]) -> str:
    return f"{trigger.when}{_said(trigger.say, phrases)}"


def _cooperation(persona: Persona, phrases: Mapping[str, str]) -> Iterable[str]:
    questions = {question.id: question.ask[0] for question in persona.must_ask if question.ask}
    for condition in persona.cooperation:
        text = condition.when
        needs = [_quoted(questions[each]) for each in condition.needs if each in questions]
        if needs:
            text += f" ({phrases['needs']}: {' '.join(needs)})"
        if condition.gives:
            text += f" {phrases['you_give']}: {condition.gives}"
        yield f"{text}{_said(condition.say, phrases)}"


def _fact(fact: Fact, phrases: Mapping[str, str]) -> str:
    name = fact.key.replace("_", " ")
    return f"{name}: {fact.value} ({phrases[fact.share]}){_said(fact.say[:1], phrases)}"


def _said(lines: Iterable[str], phrases: Mapping[str, str]) -> str:
    wordings = _either(lines)
    return f" {phrases['you_say']}: {wordings}" if wordings else ""


def _either(lines: Iterable[str]) -> str:
    return " / ".join(_quoted(line) for line in lines)


def _quoted(line: str) -> str:
    return f"“{line}”"


def _items(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
