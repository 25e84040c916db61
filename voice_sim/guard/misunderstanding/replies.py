"""What the caller's words are, told by the person's facts, values and lines."""

from __future__ import annotations

import re
from functools import lru_cache

from voice_sim.guard.claims import fact_values
from voice_sim.guard.values.reading import values
from voice_sim.guard.words import alike, content, sentences, words
from voice_sim.person.persona import Ending, Fact, Obstacle, Persona, Trigger

OWN_LINE = 0.75
_SHARE = 0.3
_LONG = 3
_FEW = 3
_SHORT_ZH = 12
_NOISES = frozenset({"mm", "hm", "hmm", "mhm", "ah", "aha"})

_DOES_NOT_KNOW = re.compile(
    r"\b(i (?:really |honestly )?(?:don't|do not|couldn't) (?:know|remember|recall|say|tell you)"
    r"|no idea|no clue|not sure|hard to say|dunno|beats me|how should i know"
    r"|(?:can't|couldn't) (?:say|tell|remember)|(?:haven't|never|not) (?:really )?thought about"
    r"|(?:i'd|i would) have to (?:check|look|ask|dig|see)|don't know)\b"
    r"|不知道|不清楚|说不好|不好说|说不上|不记得|记不清|没印象|不太清楚|不晓得|没想过|哪知道|谁知道|答不了|说不准",
    re.IGNORECASE,
)
_KEEPS_BACK = re.compile(
    r"\b(rather not|not going to|won't|will not|none of your|why do you|what do you (?:need|want)"
    r"|not (?:over|on) the (?:phone|telephone)|private|my business|no time|busy|call (?:me )?back|who told you|don't give"  # noqa: E501
    r"|first tell|tell me first|how do i know|stop)\b"
    r"|不想说|不方便|凭什么|干什么用|为什么要|不告诉|隐私|没空|没时间|在忙|怎么证明|你先说|您先说|别打",
    re.IGNORECASE,
)
_NOT_HEARD = re.compile(
    r"\b(sorry|pardon|what)\?|didn't (?:quite )?(?:catch|hear|get|follow|understand)"
    r"|don't (?:quite )?(?:follow|understand)|say (?:that|it) again|what (?:do|did) you mean|come again|breaking up|what was that"  # noqa: E501
    r"|没听清|没听懂|没听明白|什么意思|再说一|您说什么|你说什么|听不清",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"^\W*(yes|yeah|yep|no|nope|not|never|none|nothing|of course|sure|right|correct"
    r"|it is|it does|i do|that's (?:right|so|true|it))\b"
    r"|^\W*(是|对|有|没|不|行|好|可以|嗯)",
    re.IGNORECASE,
)
_ASKS_FOR_YES = re.compile(
    r"^\W*(?:(?:and|so|but|or|well|now|then),? )*(?:do|does|did|is|are|was|were|can|could|have|has|had|would"
    r"|will|any)\b|, (?:is|was|does|did) (?:that|it|this)\b|[吗么]\W*$|是不是|有没有",
    re.IGNORECASE,
)


def tells(text: str, fact: Fact) -> bool:
    """Whether a turn says something of a fact: a value of it, a line of it, or a third of a line's words."""
    if any(fact_values(fact).has(value) for value in values(text)):
        return True
    said = content(text)
    for line in (fact.value, *fact.say):
        for part in (line, *sentences(line)):
            about = content(part)
            if about and len(said & about) / len(about) >= _SHARE:
                return True
    return any(alike(part, line) >= OWN_LINE for part in sentences(text) for line in fact.say)


def is_line(text: str, lines: tuple[str, ...]) -> bool:
    """Whether a sentence or more of a turn is one of the lines."""
    return any(
        alike(part, own) >= OWN_LINE
        for part in (text, *sentences(text))
        if len(words(part)) >= _LONG
        for line in lines
        for own in (line, *sentences(line))
        if len(words(own)) >= _LONG
    )


def says_unsure(text: str, persona: Persona) -> bool:
    """Says that it does not know, and nothing else that could be an answer."""
    own = _parts(persona.phrases.unsure)
    unsure = [
        words(part) in own or (bool(_DOES_NOT_KNOW.search(part)) and _is_short(part, persona))
        for part in sentences(text)
    ]
    rest = [part for part, is_unsure in zip(sentences(text), unsure, strict=True) if not is_unsure]
    return any(unsure) and all(_is_question(part) or _murmurs(part, persona) for part in rest)


def _is_short(part: str, persona: Persona) -> bool:
    """Of a few words that mean anything; of Chinese a dozen characters."""
    return len(content(part)) <= _FEW or (persona.language == "zh" and len(words(part)) <= _SHORT_ZH)


def keeps_back(text: str, persona: Persona) -> bool:
    """Refuses, objects, did not hear, or is leaving: an answer that a person may give to any question."""
    return bool(_KEEPS_BACK.search(text) or _NOT_HEARD.search(text)) or is_line(text, _withholding(persona))


def answers_yes_or_no(question: str, text: str) -> bool:
    return bool(_ASKS_FOR_YES.search(question) and _YES_OR_NO.search(text))


def only_murmurs(text: str, persona: Persona) -> bool:
    """Nothing but "I see", "go on": of the person's own, or without a word that means anything."""
    return all(_murmurs(part, persona) for part in sentences(text))


def only_asks(text: str, persona: Persona) -> bool:
    """Nothing but questions: any, or a must-ask of the person with what belongs to it."""
    own = _parts(tuple(line for must in persona.must_ask for line in must.ask))
    parts = sentences(text)
    return any(map(_is_question, parts)) and all(
        _is_question(part) or words(part) in own or _murmurs(part, persona) for part in parts
    )


def _murmurs(part: str, persona: Persona) -> bool:
    empty = len(words(part)) <= _FEW and content(part) <= _NOISES
    return empty or words(part) in _parts(persona.phrases.acknowledge)


def _is_question(part: str) -> bool:
    return part.rstrip().endswith(("?", "？"))


@lru_cache(maxsize=1024)
def _parts(lines: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(words(part) for line in lines for part in (line, *sentences(line)))


def facts_said(text: str, persona: Persona) -> list[Fact]:
    """Facts of which a whole sentence is said as the person says it."""
    return [fact for fact in persona.facts if is_line(text, fact.say)]


@lru_cache(maxsize=256)
def _withholding(persona: Persona) -> tuple[str, ...]:
    parts: list[Obstacle | Trigger | Ending] = [*persona.obstacles, *persona.triggers.negative]
    parts += [*persona.hang_up, *persona.termination]
    phrases = (*persona.phrases.decline, *persona.phrases.repeat_please, *persona.phrases.goodbye)
    return (*(line for part in parts for line in part.say), *persona.willingness.say, *phrases)
