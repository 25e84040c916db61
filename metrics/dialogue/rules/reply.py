"""One agent reply as the rules see it: its words, what was said before it, and how long it is to hear."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from metrics.dialogue.evidence import words
from spoken_language.dialogue import Dialogue

_SENTENCE = re.compile(r"[^.!?。！？…\n]+(?:[.](?=\S)[^.!?。！？…\n]*)*[.!?。！？…\n]*")
_TITLE = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St|No|a\.m|p\.m)\.(?=\s+\S)")
_HIDDEN_POINT = "\x00"
_HAN = re.compile(r"[㐀-䶿一-鿿]")

ENGLISH_WORD_LENGTH = 5 / 3
"""How many Chinese characters an English word is worth: the rubric's 50 characters are about 30 words."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a rule says of a reply. ``score`` is None where the rubric's occasion is absent."""

    score: Literal[0, 1, 2] | None
    reason: str
    quote: str = ""


@dataclass(frozen=True)
class Reply:
    """The reply at one position of a dialogue, with everything before it.

    Attributes:
        text: The reply, with one kind of apostrophe; places in it are places in the turn.
        caller: What the caller said since the agent's last reply.
        caller_before: All that the caller said before the reply.
        own_before: The agent's earlier replies, oldest first.
        prompt: What the agent was given.
    """

    text: str
    caller: str
    caller_before: tuple[str, ...]
    own_before: tuple[str, ...]
    prompt: str
    language: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return sentences(self.text)

    @cached_property
    def length(self) -> float:
        return spoken_length(self.text)

    def find(self, pattern: re.Pattern[str]) -> str:
        """The first match in the reply, as it stands there; empty where there is none."""
        found = pattern.search(self.text)
        return found.group().strip() if found else ""


def reply_at(dialogue: Dialogue, turn: int, *, prompt: str, language: str) -> Reply:
    """The reply at a position of a dialogue. What comes after it plays no part."""
    before = [(one.speaker, plain(one.text)) for one in dialogue.turns[:turn]]
    last_own = max((place for place, (speaker, _) in enumerate(before) if speaker == "agent"), default=-1)
    return Reply(
        text=plain(dialogue.turns[turn].text),
        caller=" ".join(text for _, text in before[last_own + 1 :]),
        caller_before=tuple(text for speaker, text in before if speaker == "caller"),
        own_before=tuple(text for speaker, text in before if speaker == "agent"),
        prompt=prompt,
        language=language,
    )


def plain(text: str) -> str:
    """The text with straight apostrophes; as long as it was."""
    return text.replace("’", "'").replace("‘", "'")


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Sentences with their end marks; a point inside a number, or after "Mr", ends none."""
    masked = _TITLE.sub(lambda title: f"{title[1]}{_HIDDEN_POINT}", text)
    found = (one.strip().replace(_HIDDEN_POINT, ".") for one in _SENTENCE.findall(masked))
    return tuple(one for one in found if words(one))


@lru_cache(maxsize=4096)
def spoken_length(text: str) -> float:
    """Length in Chinese characters; an English word or a number counts :data:`ENGLISH_WORD_LENGTH`."""
    said = words(text)
    characters = sum(1 for word in said if _HAN.fullmatch(word))
    return characters + (len(said) - characters) * ENGLISH_WORD_LENGTH


def pattern(*alternatives: str) -> re.Pattern[str]:
    """One pattern of several. English ones match whole words; ``~`` stands for any ending of a word."""
    return re.compile("|".join(map(_whole_words, alternatives)), re.IGNORECASE)


def _whole_words(alternative: str) -> str:
    if _HAN.search(alternative):
        return alternative
    # "i can" is not in "I can't", nor "we" in "we're".
    return rf"(?<![\w'])(?:{alternative.replace('~', r'[a-z]*')})(?![\w]|'[a-z])"
