"""Hallucination: does everything in the reply come from the prompt, or from the caller? (Table 22)

Measured, each against the agent's prompt and what the caller has said so far:

- **Figures**: numbers above twelve (amounts, telephone numbers, codes), smaller ones with a unit or with what
  they count ("three working days", "four degrees"), dates, weekdays, times of day, e-mail and web addresses;
- **figures that the prompt has otherwise** (:mod:`metrics.dialogue.rules.contradicted`);
- **names** of people and companies: English capitals inside a sentence, Chinese family names before a title;
- **promises and claims** of a kind that the prompt does not offer (:mod:`metrics.dialogue.rules.inventions`):
  unknown to it altogether, or known only as something that the agent refuses or the caller may ask for.

Any of these that is in neither is a 0. A stiff "I don't know about this" that leads nowhere is a 1.

Blind to: invented statements without such a word or figure, a right word or figure used for a wrong thing,
what lower case transcripts do to names. A day or an hour that is only proposed in a question is not held
against the reply.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import lru_cache

from metrics.dialogue.evidence import matches
from metrics.dialogue.rules.contradicted import contradicted_amounts
from metrics.dialogue.rules.figures.arithmetic import follows_from
from metrics.dialogue.rules.figures.facts import SMALL, Facts, all_of, facts_of
from metrics.dialogue.rules.inventions import KINDS, KNOWN_OTHERWISE
from metrics.dialogue.rules.not_knowing import CLAUSE, GRANTS, HEDGES, LEADS_ON, STIFF, denies
from metrics.dialogue.rules.phrases import find_phrase
from metrics.dialogue.rules.reply import Finding, Reply, sentences
from metrics.recognition.normalize import normalize

STIFF_LENGTH_MAX = 60.0
"""In Chinese characters; a longer reply has more to say than that it does not know."""

_DIGITS_COMPARED, _LONG_DIGITS = 3, 6
"""A number of so many digits or more may begin or end one of so many that is known (the last four digits)."""

_MEASURES = frozenset(
    ["day", "hour", "month", "minute", "percent", "yuan", "dollar", "euro", "pound", "折", "倍"]
)
"""Units that are never another word for one another."""

_OWN_WORDS = """
    thing question point word sentence option step time way moment second minute part side example reason
    detail possibilitie figure number choice answer line score digit
"""
_COUNTS_NOTHING = frozenset(_OWN_WORDS.split())
"""What an agent may count without having been told: its own words."""

_NEGATIVE_BY_NATURE = frozenset(["something for free", "no risk"])
"""Kinds that are said with a "no" or a "nothing"."""

_ONE_SPAN = re.compile(r"\b(?:one|1|a)(?: \w+)? (year|week)\b|[一1](年|周|个?星期)", re.IGNORECASE)
_SPANS = {"year": ("12", "month"), "年": ("12", "month")}
_WEEK = ("7", "day")
"""A year or a week, said of a course of things, is hardly a figure; other amounts beside it are."""

_CALLERS_LINE = re.compile(r"^\s*(?:[-*]\s*)?(?:If|Q|如果|若|问)\s*[:：]")
"""Lines of a prompt that say what the caller may want."""


def judge(reply: Reply) -> Finding:
    """0, 1 or 2; None where it is not known what the agent was told."""
    if not reply.prompt.strip():
        return Finding(score=None, reason="what the agent was told is not known")
    prompt = facts_of(reply.prompt, reply.language)
    caller = all_of(facts_of(text, reply.language) for text in reply.caller_before)
    invented = next(_invented(reply, all_of((prompt, caller)), caller), None)
    if invented is not None:
        what, quote = invented
        return Finding(score=0, reason=f"{what} is neither in the prompt nor said by the caller", quote=quote)
    otherwise = next(contradicted_amounts(reply), None)
    if otherwise is not None:
        what, quote = otherwise
        return Finding(score=0, reason=f"{what}: the prompt says another figure there", quote=quote)
    kind = _not_offered(reply)
    if kind is not None:
        what, quote = kind
        return Finding(score=0, reason=f"{what}: the prompt offers nothing of the kind", quote=quote)
    stiff = _stiff(reply)
    if stiff:
        return Finding(score=1, reason="says stiffly that it does not know, and leaves it there", quote=stiff)
    return Finding(score=2, reason="no figure, name or promise that is not in the prompt")


def _stiff(reply: Reply) -> str:
    """A stiff "I don't know" that makes up most of the reply and leads nowhere; empty where there is none."""
    if reply.length > STIFF_LENGTH_MAX or reply.find(LEADS_ON):
        return ""
    found = (STIFF.search(one) for one in reply.sentences if not one.rstrip().endswith(("?", "？")))
    return next((one.group() for one in found if one), "")


def _invented(reply: Reply, known: Facts, caller: Facts) -> Iterator[tuple[str, str]]:
    """Facts of the reply that are not known, with the sentence they stand in."""
    for sentence in reply.sentences:
        mine = facts_of(sentence, reply.language)
        asks = sentence.rstrip().endswith(("?", "？"))
        for address in sorted(mine.addresses - known.addresses):
            yield f"the address {address}", address
        if not asks:
            for month, day in sorted(mine.dates - known.dates):
                if f"20{day}" not in known.numbers:  # "May twenty-two" is the month of a year.
                    yield f"the date {month}/{day}", sentence
            if mine.weekdays - known.weekdays:
                yield "the weekday", sentence
            for hour, minute in sorted(mine.clocks):
                if not _clock_known(hour, minute, known, caller):
                    yield f"the time {hour}:{minute:02}", sentence
        for what in _amounts(mine, known, caller, sentence):
            yield what, sentence
        for what in _numbers(mine, known, sentence, reply.language, asks=asks):
            yield what, sentence
        if _mostly_capitals(sentence):
            continue
        for name in sorted(mine.names):
            if not _name_known(name, known):
                yield f"the name “{name}”", sentence


def _amounts(mine: Facts, known: Facts, caller: Facts, sentence: str) -> Iterator[str]:
    spans = {_SPANS.get(english.lower() or han, _WEEK) for english, han in _ONE_SPAN.findall(sentence)}
    for number, unit in sorted(mine.amounts - known.near - spans):
        if number in ("0", "1") and unit != "percent":
            continue
        # "Six", says the caller, and means what was asked for: hours.
        if number in caller.numbers or (float(number) > SMALL and _amount_known(number, unit, known)):
            continue
        if not follows_from(number, unit, known, sentence):
            yield f"“{number} {unit}”"
    for number, noun in sorted(mine.counted):
        if int(number) < 2 or int(number) > SMALL or noun in _COUNTS_NOTHING:
            continue
        if any(amount == number for amount, _ in mine.amounts) or number in caller.numbers:
            continue
        if number not in known.numbers:
            yield f"“{number} {noun}”"


def _numbers(mine: Facts, known: Facts, sentence: str, language: str, *, asks: bool) -> Iterator[str]:
    in_dates = {str(part) for date in mine.dates for part in date}
    in_clocks = {f"{hour + late}{minute:02}" for hour, minute in mine.clocks for late in (0, 12)}
    digits = "".join(re.findall(r"\d", normalize(sentence, "zh" if language == "zh" else "en")))
    days = {str(day) for _, day in known.dates} | _days_by_weekday(mine, known)
    for number in sorted(mine.numbers - in_dates - in_clocks - days):
        if float(number) <= SMALL or _is_known(number, known, digits) or (asks and number in known.numbers):
            continue
        if any(amount == number for amount, _ in mine.amounts):
            continue  # judged with its unit
        if not follows_from(number, "", known, sentence):
            yield f"the number {number}"


def _days_by_weekday(mine: Facts, known: Facts) -> set[str]:
    """ "Monday the thirteenth": days of the coming month that fall on a weekday of the sentence."""
    if known.today is None:
        return set()
    coming = (known.today + datetime.timedelta(days=days) for days in range(31))
    return {str(one.day) for one in coming if one.weekday() in mine.weekdays & known.weekdays}


def _is_known(number: str, known: Facts, digits: str) -> bool:
    """Whether a number without a unit is known: as it is, as the beginning or the end of a long one ("ending
    in 4471"), or as a group of a long one that the sentence (``digits``) says in whole."""
    if number in known.numbers:
        return True
    if len(number) < _DIGITS_COMPARED or not number.isdigit():
        return False
    long = (one for one in known.numbers if one.isdigit() and len(one) >= _LONG_DIGITS)
    return any(
        one.startswith(number) or one.endswith(number) or (number in one and one in digits) for one in long
    )


def _amount_known(number: str, unit: str, known: Facts) -> bool:
    """Whether an amount is known though its unit does not stand beside the number: it has none there, or both
    are things that are counted (30 lessons, 30 classes), which go by many names."""
    units = {other for amount, other in known.amounts if amount == number}
    return number in known.numbers and not ({unit, *units} & _MEASURES if units else False)


def _clock_known(hour: int, minute: int, known: Facts, caller: Facts) -> bool:
    if (hour, minute) in known.clocks or {str(hour), str(hour + 12)} & caller.numbers:
        return True
    if minute:
        return bool({f"{hour}{minute:02}", f"{hour + 12}{minute:02}"} & known.numbers)
    return hour in {one for one, _ in known.clocks} or bool({str(hour), str(hour + 12)} & known.numbers)


def _name_known(name: str, known: Facts) -> bool:
    if name in known.names or name in known.words:
        return True
    parts = re.split(r"[-']", name)
    return all(part in known.words for part in parts)


def _mostly_capitals(sentence: str) -> bool:
    said = re.findall(r"[A-Za-z]+", sentence)
    return len(said) > 3 and sum(word[0].isupper() for word in said) > 0.6 * len(said)


def _not_offered(reply: Reply) -> tuple[str, str] | None:
    """The first kind of promise or claim that the prompt does not offer, and its words.

    Where the caller brought it up, or the prompt has it as something to be refused, talking about it is no
    invention; granting it is.
    """
    asked_for = "\n".join(reply.caller_before)
    for what, phrase in KINDS.items():
        if not matches(phrase, reply.text) or _offers(reply.prompt, what):
            continue
        only_granting = matches(phrase, asked_for) or matches(phrase, reply.prompt)
        for sentence in reply.sentences:
            if sentence.rstrip().endswith(("?", "？")) or HEDGES.search(sentence):
                continue
            for clause in CLAUSE.split(sentence):
                found = find_phrase((phrase,), clause)
                if not found or denies(clause):
                    continue
                # "I don't know when, but you'll get it" grants it in a clause of its own.
                granted = GRANTS.search(clause) or (GRANTS.search(sentence) and not denies(sentence))
                if not only_granting or granted:
                    return what, found.quote
    return None


@lru_cache(maxsize=8192)
def _offers(prompt: str, kind: str) -> bool:
    """Whether a prompt has a kind of promise as something that the agent may say, and not only as something
    that the caller may want or the agent must refuse."""
    phrases = (KINDS[kind], KNOWN_OTHERWISE[kind]) if kind in KNOWN_OTHERWISE else (KINDS[kind],)
    for line in prompt.splitlines():
        if _CALLERS_LINE.match(line) or not any(matches(phrase, line) for phrase in phrases):
            continue
        for sentence in sentences(line):
            if not any(matches(phrase, sentence) for phrase in phrases):
                continue
            if kind in _NEGATIVE_BY_NATURE or not denies(sentence):
                return True
    return False
