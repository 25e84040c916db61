"""The caller's own turn: what it is about to say or is saying, and the thought that it comes from."""

from __future__ import annotations

from dataclasses import dataclass, field

from voice_sim.caller.events import Speak
from voice_sim.policies.base import Decision, EndReason, Kind, Leave, Line


@dataclass(kw_only=True)
class OwnTurn:
    """One line, or the parts of a thought, from being planned to having been said.

    Attributes:
        parts: Those handed out so far, at least one.
        finished: How many of them have been said to their end.
        leave: Hang up when they are said.
        farewell: Before that, stay for the agent's answer.
        prompt: They ask after a silent agent.
        parting, takes_leave, closes_as: See :class:`voice_sim.policies.base.Line`.
    """

    parts: list[Speak]
    finished: int = 0
    leave: Leave | None = None
    farewell: bool = False
    prompt: bool = False
    parting: bool = False
    takes_leave: bool = False
    closes_as: EndReason = "satisfied"

    @classmethod
    def of(
        cls, line: Line, *, kind: Kind, index: int, at_s: float, agent_onset_s: float | None, prompt: bool
    ) -> OwnTurn:
        """A turn that begins with ``line``."""
        speak = Speak(
            index=index,
            text=line.text,
            kind=kind,
            at_s=at_s,
            agent_onset_s=agent_onset_s,
            why=line.why,
            press=line.press,
        )
        turn = cls(parts=[speak], prompt=prompt)
        turn._heed_end(line)
        return turn

    @property
    def first(self) -> Speak:
        return self.parts[0]

    @property
    def under_way(self) -> Speak | None:
        """The part that is being said, or is to be said next; None when all are said."""
        return self.parts[self.finished] if self.finished < len(self.parts) else None

    @property
    def all_said(self) -> bool:
        """Whether every part handed out so far has been said."""
        return self.finished == len(self.parts)

    def finish_part(self) -> Speak:
        """Notes that the part under way has been said; returns it."""
        self.finished += 1
        return self.parts[self.finished - 1]

    def add(self, line: Line, *, at_s: float) -> Speak:
        """A further part, to follow at once."""
        speak = Speak(
            index=self.parts[-1].index + 1,
            text=line.text,
            kind=self.first.kind,
            at_s=at_s,
            agent_onset_s=self.first.agent_onset_s,
            why=line.why,
            continues=True,
        )
        self.parts.append(speak)
        self._heed_end(line)
        return speak

    def _heed_end(self, line: Line) -> None:
        """Notes it where this line is meant to be the last."""
        if line.ends_call is not None:
            self.leave, self.farewell = Leave(reason=line.ends_call, why=line.why), True
        self.parting = self.parting or line.parting
        self.takes_leave = self.takes_leave or line.parting or line.takes_leave
        if line.parting or line.takes_leave:
            self.closes_as = line.closes_as


@dataclass(kw_only=True)
class Thinking:
    """What the policy has been asked, and what of its answer is not yet used.

    Attributes:
        number: As in :class:`~voice_sim.caller.events.Think`.
        parts: Known, and not yet used.
        complete: No further part will come.
        begun: Its first part is planned or said.
    """

    number: int
    parts: list[Decision] = field(default_factory=list)
    complete: bool = False
    begun: bool = False

    def add(self, decision: Decision) -> None:
        """A part has come. None after a part that promised more: there is no more."""
        if not self.complete:
            self.parts.append(decision)
            self.complete = not (isinstance(decision, Line) and decision.more)

    @property
    def used_up(self) -> bool:
        return self.complete and not self.parts


@dataclass(frozen=True, kw_only=True)
class TurnEnd:
    """How a turn is meant to end, as far as its parts are known. ``parting``, ``closes_as``:
    see :class:`voice_sim.policies.base.Line`."""

    leaves: EndReason | None = None
    parting: bool = False
    closes_as: EndReason = "satisfied"


def planned_end(turn: OwnTurn, thinking: Thinking | None) -> TurnEnd:
    """The end of a turn, also where the thought that it comes from has parts that are not yet used."""
    unused = thinking.parts[-1] if thinking is not None and thinking.parts else None
    match unused:
        case Leave(reason=reason):
            return TurnEnd(leaves=reason, parting=turn.parting, closes_as=turn.closes_as)
        case Line(ends_call=reason, parting=parting, closes_as=closes_as):
            closes_as = closes_as if parting else turn.closes_as
            return TurnEnd(leaves=reason, parting=parting or turn.parting, closes_as=closes_as)
        case _:
            leaves = turn.leave.reason if turn.leave else None
            return TurnEnd(leaves=leaves, parting=turn.parting, closes_as=turn.closes_as)
