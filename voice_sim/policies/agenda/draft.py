"""A turn in the making: which of the person's lines may be said now.

No line is said more than twice in a call, twice in one turn, or in two turns running. The last but for an
answer to an agent that asks for it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.agenda.lines import LineBook, Role, line_words
from voice_sim.policies.agenda.stock import StockKind
from voice_sim.policies.base import EndReason

SAID_AT_MOST = 2
"""No line is said more often in a call."""
_TELLING = 3
"""Words from which a line inside another one is heard as the same thing said again."""
_ANSWERS = ("fact", "cooperation", "obstacle", "must_ask", "no")
_ANSWERING_PHRASES = ("confirm_identity", "agree", "decline", "pick_up")


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One line of a turn, and why it is said."""

    text: str
    why: str

    @property
    def takes_thought(self) -> bool:
        """Whether it is an answer or a question, and no formula."""
        return self.why.partition(" ")[0] in ("fact", "must_ask", "obstacle", "cooperation")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What is said.

    Attributes:
        ends: These are the last words; without pieces the person hangs up without a word.
        why: Of an end without words.
        parting: The person has nothing left to ask, and takes leave of an agent that has said goodbye.
        takes_leave: The person has nothing left to ask, and takes leave.
        closes_as: Why the call is over then.
    """

    pieces: tuple[Piece, ...]
    ends: EndReason | None = None
    why: str = ""
    parting: bool = False
    takes_leave: bool = False
    closes_as: EndReason = "satisfied"


@dataclass(kw_only=True)
class Draft:
    """See the module's docstring. Every method that adds something says whether it did.

    Attributes:
        pieces: Added so far.
    """

    state: State
    persona: Persona
    book: LineBook
    random: Random
    pieces: list[Piece] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def phrase(self, name: str, why: str, *, of: Sequence[str] = ()) -> bool:
        """One of the person's phrases of this name, or of these of them."""
        lines = of or getattr(self.persona.phrases, name)
        text = self.least_said(lines, answers=name in _ANSWERING_PHRASES)
        if text:
            self.pieces.append(Piece(text=text, why=f"{name}: {why}"))
        return bool(text)

    def stock(self, kind: StockKind, *, why: str = "") -> bool:
        """Small words that the person has no line of its own for."""
        text = self.least_said(self.book.stock[kind])
        if text:
            self.pieces.append(Piece(text=text, why=why or kind))
        return bool(text)

    def line(self, lines: Sequence[str], role: Role, why: str = "") -> bool:
        """The first of these lines, which stands for something in particular."""
        if not lines or not self._may_say(lines[0], answers=role.kind in _ANSWERS):
            return False
        self.pieces.append(Piece(text=lines[0], why=why or str(role)))
        return True

    def line_again(self, lines: Sequence[str], role: Role, why: str) -> bool:
        """The same as :meth:`line`, also where it was just said: it was not taken in rightly."""
        if not lines or self._said(lines[0]) > SAID_AT_MOST:
            return False
        self.pieces.append(Piece(text=lines[0], why=why or str(role)))
        return True

    def least_said(self, lines: Sequence[str], *, answers: bool = False) -> str:
        """One of the lines said least so far; "" when none may be said."""
        possible = [line for line in lines if self._may_say(line, answers=answers)]
        if not possible:
            return ""
        least = min(map(self._said, possible))
        return self.random.choice([line for line in possible if self._said(line) == least])

    def _may_say(self, line: str, *, answers: bool) -> bool:
        if self._said(line) >= SAID_AT_MOST or any(_same(line, piece.text) for piece in self.pieces):
            return False
        if answers and self.state.wants_it_again:
            return True
        return self.book.role_of(line) not in self.state.last_roles and not _same(line, self.state.last_text)

    def _said(self, line: str) -> int:
        return self.state.lines[self.book.role_of(line)]


def _same(one: str, other: str) -> bool:
    """Whether one of two texts says what the other says, perhaps with more around it."""
    first, second = line_words(one), line_words(other)
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    return len(short) >= _TELLING and any(
        long[start : start + len(short)] == short for start in range(len(long) - len(short) + 1)
    )
