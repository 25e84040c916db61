"""Whether an agent said a phrase: its voice is what a caller hears, its own text what it claims to have said.

What our recogniser heard decides. A phrase that stands in the agent's own text alone is believed as far as
it can be heard: a name written down as it sounds is a mishearing of ours, but another number may be what the
agent said. So it is *said* where it was heard; where its text has it and nobody wrote the sound down; and
where its text has it and something like it was heard, with the same numbers. Where its text has it and
nothing like it was heard, nobody can tell. What is in neither was not said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from harness.plans.checks.expectations import Phrase
from harness.records.transcript import TranscriptLine
from harness.records.verdict import Result
from metrics.recognition.normalize import Language, normalize
from metrics.recognition.proper_nouns import find_entity
from spoken_language.outside_text import one_line

Found = tuple[Result, str]
"""What came of an expectation, and what is told of it."""
MAX_QUOTE = 160
TOGETHER = 8
"""Words that are looked for as one in what was heard: fewer than find_entity compares."""
_DIGITS = re.compile(r"[0-9]+")


def said(phrase: Phrase, spoken: Sequence[TranscriptLine], language: str, *, listened: bool) -> Found:
    """What came of words or a pattern that the agent was to say.

    Args:
        spoken: The agent's lines, of all sources.
        listened: Whether a recogniser of ours wrote down what this call's agent said, here or elsewhere.
    """
    known: Language = "zh" if language == "zh" else "en"
    heard, written = text_of(spoken, "whisper"), text_of(spoken, "agent_text")
    if _in(phrase, heard, known):
        return "passed", f"heard: {quoted(heard)}"
    if wanted := _in(phrase, written, known):
        if not listened:
            return "passed", f"in the agent's own text: {quoted(written)}"
        if _nearly(wanted, heard, known):
            return "passed", f"in the agent's own text, and nearly so heard: {quoted(heard)}"
        return "inconclusive", f"in the agent's own text, but heard: {quoted(heard) or 'nothing'}"
    return "failed", f"heard: {quoted(heard or written) or 'nothing'}"


def not_said(phrase: Phrase, spoken: Sequence[TranscriptLine], language: str) -> Found:
    """The same of what must not be said, heard or in its own text: that may speak against an agent."""
    result, told = said(phrase, spoken, language, listened=False)
    return ("passed" if result == "failed" else "failed"), told


def text_of(lines: Sequence[TranscriptLine], source: Literal["whisper", "agent_text"]) -> str:
    """What one source wrote down of an agent's lines."""
    return " ".join(one.text for one in lines if one.source == source)


def quoted(text: str) -> str:
    """Words of a stranger, short and harmless, as they are told."""
    return one_line(text, most=MAX_QUOTE)


def _in(phrase: Phrase, text: str, language: Language) -> str:
    """The words of a text that are the phrase, in their normal form; empty where there are none."""
    there = normalize(text, language)
    if phrase.regex:
        match = re.search(phrase.regex, text, re.IGNORECASE)
        return "" if match is None else normalize(match.group(), language) or there or text
    wanted = normalize(phrase.words, language)
    inside = wanted in there if language == "zh" else f" {wanted} " in f" {there} "
    return wanted if inside else ""


def _nearly(wanted: str, heard: str, language: Language) -> bool:
    """Whether what was heard has the phrase's numbers, and for its words something that sounds like them."""
    there = normalize(heard, language)
    if not set(_DIGITS.findall(wanted)) <= set(_DIGITS.findall(there)):
        return False
    words = _DIGITS.sub(" ", wanted).split()
    pieces = [" ".join(words[begin : begin + TOGETHER]) for begin in range(0, len(words), TOGETHER)]
    found = (find_entity(one, there, kind="name", language=language) for one in pieces)
    return all(one.right or one.near_miss for one in found)
