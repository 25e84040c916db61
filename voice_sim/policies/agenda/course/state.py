"""Where a call stands for the persona: what was asked, told, refused, and how the mood is.

The state is folded from the dialogue (:mod:`.fold`); nothing is kept between two questions to the policy.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from voice_sim.person.persona import MustAsk, Persona
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.temper import MOOD_MAX, MOOD_MIN

NOT_UNDERSTOOD = ("repeat_please", "misheard", "lost", "ask_back")
"""What a person says who has not understood."""
OPENING = 4
"""Turns of the agent in which it may ask whether this is a good moment; later, such words ask something
else."""
ASKS_TWICE = 2
"""A question is put once and put again once, in other words; then the answer is not coming."""


@dataclass(kw_only=True)
class State:
    """See the module's docstring. Ids, keys and positions are those of the persona.

    Attributes:
        mood: From -3 (about to hang up) to 3.
        hearing: What the agent said since our last turn; None before its first words.
        pending: The must-ask whose answer is awaited.
        settled, failed: Must-asks that were answered, and those where it was given up.
        told: Must-asks that were answered before they were asked.
        put_off: Must-asks to which the agent said that it does not know.
        trusted: A cooperation condition has come true.
        introduced: The agent has said who it is.
        lost: The agent's turns in a row that led nowhere.
        repeated: How often the agent has said the same thing again, in a row.
        missed: Its turns in a row that were not understood.
        waits: How often it asked to wait.
        insults: How often it insulted us.
        idle: The agent's turns in a row that touched none of our concerns.
        goodbyes: The agent's turns so far that took leave.
        heard_again: What was heard last had been said before. asked_again: Its last question had.
        after_the_end: The agent's turns since we summed up.
        wrapped_up: We have summed up; only the goodbye is left.
        took_leave: We have said goodbye.
        last_text: What we said last. ``last_roles``: the lines that it was made of.
        topics: Content words of what was heard. ``earlier``: of what was heard before the latest turn.
        turns: Our own turns so far. ``last_question``: the latest with a must-ask in it.
        last_overwhelmed: Our latest turn that asked to say it again.
        last_no: The agent's turn to which we last said no, or were in two minds.
        last_objection, last_told: Our turns with an obstacle, and with a fact in it.
        noes: How often we have said no to the matter, and ``doubts``: in two minds about it.
        agreed: We have said yes to it, and have not said no since.
        owed: Facts that the agent's last turn asked for, and that we did not tell in reply.
        reasons: Turns of the agent that gave a good reason, by its place among them.
        argued: Words to the point of an objection, since it was voiced.
        pushed: How often it asked again after a no without giving a reason.
        not_understood: Our turns that said that we had not understood it; by whose fault is not known.
        refusals: Obstacles, noes and things that were not told.
        planted: Planted places that were said. ``last_planted``: our turn in which the latest was.
    """

    mood: float
    hearing: Perception | None = None
    heard_turns: int = 0
    turns: int = 0
    last_question: int = -99
    last_overwhelmed: int = -99
    pending: str | None = None
    asked: Counter[str] = field(default_factory=Counter)
    settled: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    put_off: set[str] = field(default_factory=set)
    voiced: Counter[str] = field(default_factory=Counter)
    overcome: set[str] = field(default_factory=set)
    facts: Counter[str] = field(default_factory=Counter)
    owed: tuple[str, ...] = ()
    planted: set[str] = field(default_factory=set)
    last_planted: int = -99
    lines: Counter[Role] = field(default_factory=Counter)
    felt: set[Role] = field(default_factory=set)
    trusted: bool = False
    introduced: bool = False
    lost: int = 0
    repeated: int = 0
    missed: int = 0
    waits: int = 0
    insults: int = 0
    idle: int = 0
    goodbyes: int = 0
    heard_again: bool = False
    asked_again: bool = False
    after_the_end: int = 0
    wrapped_up: int = 0
    took_leave: bool = False
    last_no: int = -1
    last_objection: int = -1
    last_told: int = -1
    noes: int = 0
    doubts: int = 0
    agreed: bool = False
    reasons: list[int] = field(default_factory=list)
    argued: Counter[str] = field(default_factory=Counter)
    pushed: int = 0
    not_understood: int = 0
    refusals: int = 0
    last_text: str = ""
    last_roles: tuple[Role, ...] = ()
    topics: frozenset[str] = frozenset()
    earlier: frozenset[str] = frozenset()
    heard_before: list[tuple[str, ...]] = field(default_factory=list)
    questions_before: list[tuple[str, ...]] = field(default_factory=list)

    def standing(self) -> list[str]:
        """Obstacles that we have voiced, and that nothing has met."""
        return [obstacle for obstacle in self.voiced if obstacle not in self.overcome]

    def feel(self, change: float) -> None:
        """Lifts or sours the mood, within its bounds."""
        self.mood = min(MOOD_MAX, max(MOOD_MIN, self.mood + change))

    @property
    def has_just_refused(self) -> bool:
        """Whether our last turn said no to the matter, or objected."""
        return any(role.kind in ("no", "obstacle") for role in self.last_roles)

    @property
    def wants_it_again(self) -> bool:
        """Whether the agent asked us to say it again, or asked the same thing again."""
        asked = self.hearing is not None and self.hearing.acts.asks_to_repeat
        return asked or self.asked_again or self.heard_again

    def open_questions(self, persona: Persona) -> list[str]:
        """Must-asks that were not asked yet, in the persona's order."""
        return [question.id for question in persona.must_ask if not self.asked[question.id]]


def asked_of(persona: Persona, ref: str) -> MustAsk:
    """The must-ask of that id."""
    return next(question for question in persona.must_ask if question.id == ref)
