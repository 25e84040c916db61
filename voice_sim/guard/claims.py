"""What the caller states as a value, and whether anything supports it.

A claim is a value in a sentence that states something. Not claims: values in questions ("Is it two
hundred?"), in suppositions ("if it's more than five hundred"), figures of speech ("a hundred times"), the
person's own lines word by word, values that the speaker takes back at once ("two hundred, no, three
hundred") or in one of the next turns, and results of a sum that the speaker does aloud ("two hundred and
eighty by nine, that's thirty-one").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from voice_sim.guard.known import Knowledge, knowledge_of, own_sentences
from voice_sim.guard.session import Session
from voice_sim.guard.values.reading import Value, values
from voice_sim.guard.words import content, listed, sentences, words
from voice_sim.person.persona import Fact
from voice_sim.understanding.cues import says_any

_SUPPOSED = re.compile(
    r"\b(if|unless|suppose|supposing|imagine|what if|as if|even for|not even|wouldn't|would be"
    r"|could be|might be"
    r"|let's say|say it's|for example|whether|wish|hope|rather than|better than|instead of)\b"
    r"|如果|要是|假如|万一|比如|哪怕|就算|比方|会不会|是不是|能不能|不如",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(,? (isn't it|wasn't it|right|don't i|didn't i|doesn't it|you know(?: that)?"
    r"|haven't i|correct|okay|all right))\?$"
    r"|(知道不|知道吗|知道么|你说说|对吧|对不对|是吧|行吧|行吗|好吧)[？?]$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(no|wait|sorry|i mean|i meant|rather|actually|make that|correction|or was it|my mistake|i"
    r" said|scratch that"
    r"|not)\b|不对|不是|等等|等下|我是说|应该是|说错|记错|更正|哦不|口误|不好意思",
    re.IGNORECASE,
)
_DENIED = re.compile(r"(\b(not|never|isn't|wasn't|n't)\b[\w ']{0,14}|不是|没有|不到|不止)$", re.IGNORECASE)
_SHORT_TIMES = frozenset(listed("minute second hour moment day 分钟 秒 小时 钟头 个小时 个钟头"))
_FIGURES = frozenset({"time", "thing", "reason", "question", "遍", "次", "个"})
_MAX_LATER = 3
_NO_PRONOUN = 3
"""Smaller numbers without a unit are words like "the bigger one"."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A value that the caller states.

    Attributes:
        turn: Position of the caller's turn.
        sentence: As said.
        supported: Whether the persona, the agent or a sum aloud has it.
        asked: Facts whose cues occur in what the agent said last.
    """

    turn: int
    sentence: str
    value: Value
    supported: bool
    agent_said: bool
    asked: tuple[Fact, ...]


@dataclass(frozen=True, kw_only=True)
class FactValues:
    """The values of one fact, as written and as said."""

    fact: Fact
    values: tuple[Value, ...]

    def same_kind(self, value: Value) -> list[Value]:
        """Those that could be the same thing: same kind, and the same thing counted."""
        return [other for other in self.values if _comparable(other, value)]

    def has(self, value: Value) -> bool:
        known = Knowledge()
        for text in (self.fact.value, *self.fact.say):
            known.add(text)
        return known.has(value)


def _comparable(first: Value, second: Value) -> bool:
    """Whether two values could be about the same thing."""
    if "digits" in (family(first), family(second)) and not (first.units | second.units):
        return all(reading.isdigit() and len(reading) >= 3 for v in (first, second) for reading in v.readings)
    if family(first) != family(second):
        return False
    if first.kind != "number" or family(first) != "number":
        return True
    if first.units and second.units:
        return bool(first.units & second.units)
    return all((value.number or 0) >= _NO_PRONOUN or value.units for value in (first, second))


def family(value: Value) -> str:
    """What sort of thing a value is: a date, a row of digits, a year, a number, a time and so on."""
    if value.kind in ("date", "day"):
        return "date"
    if value.kind == "number" and (value.digits or _code_like(value)):
        return "digits"
    if value.kind == "number" and value.unit in ("", "年") and 1900 <= (value.number or 0) <= 2100:
        return "year"
    return value.kind


def _code_like(value: Value) -> bool:
    return not value.unit and any(re.fullmatch(r"0\d+|\d{6,}", reading) for reading in value.readings)


def _money(value: Value) -> bool:
    return value.unit in ("yuan", "dollar", "euro", "pound")


@lru_cache(maxsize=2048)
def fact_values(fact: Fact) -> FactValues:
    """The values in a fact."""
    found = [value for text in (fact.value, *fact.say) for value in values(text)]
    return FactValues(fact=fact, values=tuple(found))


def asked_facts(session: Session, position: int) -> tuple[Fact, ...]:
    """The facts that the agent's last words asked for."""
    before = session.agent_before(position)
    return tuple(fact for fact in session.persona.facts if says_any(fact.cues, before))


def near_facts(facts: Iterable[Fact], sentence: str, *, in_common: int = 1) -> list[Fact]:
    """The facts that a sentence is about, by words in common."""
    about = content(sentence)
    about -= _number_words(about)
    return [
        fact
        for fact in facts
        if len(about & content(" ".join([fact.key.replace("_", " "), fact.value, *fact.say]))) >= in_common
    ]


def _number_words(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in stems if values(word) or word in ("yuan", "kuai", "year", "january"))


def claims(session: Session) -> list[Claim]:
    """Every claim of the caller, in order."""
    known = knowledge_of(session)
    agent = Knowledge()
    by_heart = own_sentences(session.persona)
    found: list[Claim] = []
    taken_back: list[Value] = []
    for position, turn in enumerate(session.turns):
        if turn.speaker == "agent":
            known.add(turn.text)
            agent.add(turn.text)
            continue
        asked = asked_facts(session, position)
        in_turn = [value for sentence in sentences(turn.text) for value in values(sentence)]
        just_before = [other.text for other in session.turns[max(0, position - 3) : position]]
        for sentence in sentences(turn.text):
            if words(sentence) in by_heart or not states(sentence):
                continue
            for value in values(sentence):
                if _figure(value) or _denied(sentence, value):
                    continue
                supported = known.has(value) or _a_sum(value, in_turn, just_before, known)
                if not supported and (
                    any(same_value(value, old) for old in taken_back)
                    or _corrected(session, position, sentence, value, known)
                ):
                    taken_back.append(value)
                    continue
                found.append(
                    Claim(
                        turn=position,
                        sentence=sentence,
                        value=value,
                        supported=supported,
                        agent_said=agent.has(value),
                        asked=asked,
                    )
                )
    return found


def states(sentence: str) -> bool:
    """Whether a sentence states something: no question (but "…, isn't it?"), no supposition."""
    text = sentence.strip()
    if re.search(r"[?？]\W*$", text) and not _TAG.search(text):
        return False
    return not _SUPPOSED.search(text)


def _figure(value: Value) -> bool:
    """A hundred times, a thousand things; an hour, twenty minutes: no facts about a person."""
    if value.kind != "number":
        return False
    if value.round_figure and not _money(value):
        return True
    number = value.number or 0
    return value.unit in _FIGURES and number in (100, 1000, 10000)


def is_short_time(value: Value) -> bool:
    """Minutes, hours, days: how long somebody can talk, not who they are."""
    return value.unit in _SHORT_TIMES


def _denied(sentence: str, value: Value) -> bool:
    """ "It's not five hundred": who knows where that figure comes from."""
    at = sentence.casefold().find(value.text.split(" ")[0])
    return at > 0 and bool(_DENIED.search(sentence[:at].rstrip()))


def _corrected(session: Session, position: int, sentence: str, value: Value, known: Knowledge) -> bool:
    """Whether the speaker takes the value back: in this turn behind it, or in one of the next turns."""
    text = session.turns[position].text
    behind = _behind(text, sentence, value)
    if _TAKEN_BACK.search(behind) and _right_one(behind, value, known):
        return True
    later = [n for n in session.caller_turns() if n > position][:_MAX_LATER]
    return any(
        _TAKEN_BACK.search(said := session.turns[n].text)
        and _names_again(said, value)
        and _right_one(said, value, known)
        for n in later
    )


def _behind(text: str, sentence: str, value: Value) -> str:
    start = text.find(sentence)
    rest = text[start:] if start >= 0 else text
    first = value.text.split(" ")[0].casefold()
    at = rest.casefold().find(first)
    return rest[at + len(first) :] if at >= 0 else ""


def _names_again(said: str, value: Value) -> bool:
    return any(same_value(value, other) for other in values(said)) or bool(
        re.search(r"\b(i said|i told you|earlier|before|just now)\b|刚才|前面|我说", said, re.IGNORECASE)
    )


def same_value(first: Value, second: Value) -> bool:
    """Whether two values agree in a reading; "December 18" agrees with "the eighteenth"."""
    days = [{reading.split("-")[-1].removeprefix("day") for reading in v.readings} for v in (first, second)]
    bare = "day" in (first.kind, second.kind) and family(first) == family(second)
    return bool(first.readings & second.readings) or (bare and bool(days[0] & days[1]))


def _right_one(text: str, value: Value, known: Knowledge) -> bool:
    return any(
        family(other) == family(value) and not same_value(other, value) and known.has(other)
        for other in values(text)
    )


def _a_sum(value: Value, in_turn: Sequence[Value], before: Sequence[str], known: Knowledge) -> bool:
    """Whether a number is the sum, difference, product or quotient of two known ones that were just said.

    ``before`` is what was said last by both sides.
    """
    if value.number is None or value.kind != "number" or value.digits:
        return False
    earlier = [v for text in before for v in values(text)]
    just_said = [v for v in (*in_turn, *earlier) if v.number and known.has(v)]
    numbers = [v.number for v in just_said if v.number]
    results = [result for a in numbers for result in (a * 12, a / 12)]
    results += [
        result
        for a in numbers
        for b in numbers
        if a != b
        for result in (a + b, a - b, a * b, a / b, a * b / 100)
    ]
    return any(abs(result - value.number) < max(0.6, 0.01 * value.number) for result in results)
