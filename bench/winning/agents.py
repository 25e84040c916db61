"""Agents that try to win a person: by reasons, by pressing, or not at all, reading out what they have.

They know which of the person's lines they hear, so that what is tried is the caller: whether it understands
what they say, and what it makes of reasons and of pressure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.winning.words import AgentWords
from harness.calls.text.agents.base import AgentReply
from harness.scenarios.scenario import Entry
from spoken_language.dialogue import DialogueTurn
from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.lines import LineBook, Role

_DOUBTS = ("unsure", "two_minds")
MOST_ASKED = 6
"""So often it asks for the yes; then it goes on without."""


@dataclass
class Winner:
    """Answers what it is asked, meets objections, and asks for the yes at the end.

    Attributes:
        person: As it is called; only to hear which of its lines was said.
        pushes: After a no or a doubt it just asks again.
        respects: So many noes it takes; then it says goodbye.
    """

    entry: Entry
    person: Persona
    words: AgentWords
    pushes: bool = False
    respects: int = 2
    finished: bool = False
    met: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._book = LineBook(self.person)
        self._left = list(self.words.steps)
        self._noes, self._asked = 0, 0

    @property
    def name(self) -> str:
        return "pushes" if self.pushes else "wins"

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        if not any(turn.speaker == "agent" for turn in turns):
            return AgentReply(text=self.entry.card.opening)
        heard = turns[-1].text if turns[-1].speaker == "caller" else ""
        roles = self._book.roles_in(heard)
        if any(role.ref == "goodbye" or role.kind in ("termination", "hang_up") for role in roles):
            return AgentReply(text=self.words.last, hangs_up=True)
        said = [text for role in roles for text in self._to(role)]
        if self.finished:
            return AgentReply(text=" ".join([*said, self.words.last]))
        refused = any(role.kind in ("no", "obstacle") or role.ref in (*_DOUBTS, "decline") for role in roles)
        if self.pushes and refused:
            return AgentReply(text=" ".join([*said, self.words.presses]))
        agreed = any(role.ref in ("agree", "yes") or role.kind == "cooperation" for role in roles)
        return AgentReply(text=" ".join([*said, self._next(agreed=agreed)]))

    def _next(self, *, agreed: bool) -> str:
        """The next step; before the last one, the question for their yes."""
        if len(self._left) == 1 and self._asked < MOST_ASKED and not (self._asked and agreed):
            self._asked += 1
            return self.words.asks[self._asked % len(self.words.asks)]
        if self._left:
            return self._left.pop(0)
        self.finished = True
        return self.words.goodbye

    def _to(self, role: Role) -> list[str]:
        self.met[role.ref] += 1
        nth = self.met[role.ref] - 1
        if role.kind == "must_ask" and (answers := self.words.answers.get(role.ref)):
            return [answers[nth % len(answers)]]
        if self.pushes:
            return []
        if role.kind == "obstacle" and (met := self.words.objections.get(role.ref)):
            return [met[nth % len(met)]]
        if role.kind == "no":
            self._noes += 1
            if self._noes >= self.respects:
                self.finished = True
                return [self.words.respects]
        if role.kind == "no" or role.ref in _DOUBTS:
            return self._a_reason()
        return []

    def _a_reason(self) -> list[str]:
        """One that was not given yet; after those, what meets the person's objections."""
        every = [*self.words.reasons, *(text for texts in self.words.objections.values() for text in texts)]
        for text in every:
            if not self.met[text]:
                self.met[text] += 1
                return [text]
        return []


@dataclass
class ReadsOut:
    """Reads its steps in order, whatever is said."""

    entry: Entry
    words: AgentWords
    _next: int = 0

    @property
    def name(self) -> str:
        return "reads out"

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        if not any(turn.speaker == "agent" for turn in turns):
            return AgentReply(text=self.entry.card.opening)
        if self._next >= len(self.words.steps):
            return AgentReply(text=self.words.goodbye, hangs_up=True)
        self._next += 1
        return AgentReply(text=self.words.steps[self._next - 1])
