"""Every line that a persona can say in this policy, and what saying it means.

What was said comes back as text. :meth:`LineBook.roles_in` reads from it which lines it was made of, whatever
pauses were put between: so the state of a dialogue follows from the dialogue alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from voice_sim.person.persona import Persona, Phrases
from voice_sim.policies.agenda.stock import Stock, stock_of

RoleKind = Literal[
    "must_ask",
    "obstacle",
    "fact",
    "positive",
    "negative",
    "cooperation",
    "no",
    "hang_up",
    "termination",
    "phrase",
    "stock",
    "stimulus",
]


@dataclass(frozen=True, kw_only=True)
class Role:
    """What a line is for. ``ref``: id, key, position or kind in the persona; ``nth``: which of its lines."""

    kind: RoleKind
    ref: str
    nth: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}" + (", again" if self.nth and self.kind in _PUT_AGAIN else "")


_PUT_AGAIN = ("must_ask", "obstacle", "stimulus")
_PAUSE = "…"
_CLAUSE_END = re.compile(r"[.!?,;。！？，；]")
_WORD = re.compile(r"[㐀-䶿一-鿿]|[^\W_]+")


class LineBook:
    """The lines of one persona.

    Attributes:
        stock: The small words of its user type.
    """

    def __init__(self, persona: Persona) -> None:
        self.stock: Stock = stock_of(persona.archetype, persona.language)
        self._joiner = " " if persona.language == "en" else ""
        self._roles: dict[tuple[str, ...], Role] = {}
        self._texts: dict[str, None] = {}
        for kind, lines in self.stock.items():
            self._add("stock", kind, lines)
        for name in Phrases.model_fields:
            self._add("phrase", name, getattr(persona.phrases, name))
        self._add("phrase", "confirm_identity", _shorter(persona.phrases.confirm_identity))
        for number, trigger in enumerate(persona.triggers.positive):
            self._add("positive", str(number), trigger.say)
        for number, trigger in enumerate(persona.triggers.negative):
            self._add("negative", str(number), trigger.say)
        for number, condition in enumerate(persona.cooperation):
            self._add("cooperation", str(number), condition.say)
        for number, ending in enumerate(persona.hang_up):
            self._add("hang_up", str(number), ending.say)
        for number, ending in enumerate(persona.termination):
            self._add("termination", str(number), ending.say)
        self._add("no", "task", persona.willingness.say or self.stock["no"])
        for fact in persona.facts:
            self._add("fact", fact.key, fact.say)
            if fact.key == "name":
                self._add("fact", fact.key, _shorter(fact.say))
        for obstacle in persona.obstacles:
            self._add("obstacle", obstacle.id, obstacle.say)
        for question in persona.must_ask:
            self._add("must_ask", question.id, question.ask)
        for number, stimulus in enumerate(persona.stimuli):
            self._add("stimulus", str(number), stimulus.say)
        self._longest = max(map(len, self._roles))
        self._read = lru_cache(maxsize=4096)(self._read_roles)

    def texts(self) -> list[str]:
        """Every single line, as it is written and as it is said with a pause inside."""
        return list(dict.fromkeys(form for text in self._texts for form in (text, with_pause(text))))

    def join(self, pieces: list[str]) -> str:
        """Lines of one turn, one after the other."""
        text = ""
        for piece in pieces:
            text += (" " if text.endswith(_PAUSE) else self._joiner) + piece if text else piece
        return text

    def roles_in(self, text: str) -> tuple[Role, ...]:
        """The roles of the lines that a said text is made of, in order; words of no line are passed over."""
        return self._read(text)

    def role_of(self, line: str) -> Role:
        """The role that a line is counted under; a line with several has one of them."""
        return self._roles[line_words(line)]

    def _add(self, kind: RoleKind, ref: str, lines: tuple[str, ...]) -> None:
        for nth, line in enumerate(lines):
            self._texts.setdefault(line)
            self._roles[line_words(line)] = Role(kind=kind, ref=ref, nth=nth)

    def _read_roles(self, text: str) -> tuple[Role, ...]:
        words, found, position = line_words(text), [], 0
        while position < len(words):
            for size in range(min(self._longest, len(words) - position), 0, -1):
                role = self._roles.get(words[position : position + size])
                if role is not None:
                    found.append(role)
                    position += size
                    break
            else:
                position += 1
        return tuple(found)


_ASKS_WHO = re.compile(
    r"(?:^|(?<=[.!?…] ))[^.!?…]*\b(?:who\b|who's|you are\b|and you\b)[^.!?…]*\?\s*"
    r"|[^，。！？…]*(?:谁|哪位|哪家|贵姓|怎么称呼)[^，。！？…]*？",
    re.IGNORECASE,
)
_SAYS_WHO = re.compile(r"\b(?:yes|yeah|me|i am|i'm|speaking|that's|this is|it is)\b|[是我]", re.IGNORECASE)


@lru_cache(maxsize=8192)
def without_asking_who(line: str) -> str:
    """A line that says who one is, without the question who is calling; "" where nothing of it is left.

    A line that does not ask that stays what it is.
    """
    rest = _ASKS_WHO.sub("", line).strip()
    if rest == line.strip():
        return line
    return re.sub("，$", "。", rest) if _SAYS_WHO.search(rest) else ""


def _shorter(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the lines that are something without that question, without it."""
    short = (without_asking_who(line) for line in lines)
    return tuple(one for one, line in zip(short, lines, strict=True) if one and one != line)


@lru_cache(maxsize=8192)
def with_pause(line: str) -> str:
    """The line with a pause of thought at its first comma, where it has one; always the same."""
    for comma in (", ", "，"):
        head, found, rest = line.partition(comma)
        clause = _CLAUSE_END.split(rest, maxsplit=1)[0]
        if found and len(line_words(head)) >= 2 and len(line_words(clause)) >= 2 and _PAUSE not in line:
            return f"{head} {_PAUSE} {rest}"
    return line


@lru_cache(maxsize=16384)
def line_words(text: str) -> tuple[str, ...]:
    """The words of a line, by which it is known again."""
    return tuple(_WORD.findall(text.casefold().replace("’", "'")))
