"""A whole call on a virtual clock: the caller against an agent, ears and a sender that are made of numbers.

What the caller knows comes as late as in reality: onsets after ``ONSET_DELAY_S``, ends after the ears'
hangover, and its first voiced sample leaves ``PREROLL_S`` after it asked at the earliest.
"""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field

from voice_sim.caller import (
    AgentSpeechEnded,
    AgentSpeechStarted,
    Caller,
    CallerEvent,
    Cancel,
    Connected,
    HangUp,
    Speak,
    Tick,
    UtteranceFinished,
)

ONSET_DELAY_S = 0.12
HANGOVER_S = 0.8
PREROLL_S = 0.1


@dataclass(frozen=True, kw_only=True)
class AgentTurn:
    """One reply, or the greeting: it begins ``after_s`` behind our line; pauses lie between its parts."""

    after_s: float
    parts_s: tuple[float, ...]
    pauses_s: tuple[float, ...]
    stops_after_s: float | None
    """When spoken over: stops so long after our onset; None goes on."""


@dataclass(kw_only=True)
class Outgoing:
    """A line as it was really sent."""

    action: Speak
    asked_s: float
    start_s: float
    end_s: float


@dataclass(kw_only=True, eq=False)
class Speech:
    """A stretch of the agent's speech; its end moves when it is interrupted."""

    start_s: float
    end_s: float


@dataclass
class VirtualCall:
    """Runs one call to its end; afterwards ``sent``, ``agent_speech`` and ``hang_up`` tell what happened."""

    caller: Caller
    turns: list[AgentTurn]
    line_s: float
    sent: list[Outgoing] = field(default_factory=list)
    agent_speech: list[Speech] = field(default_factory=list)
    overheard: list[tuple[float, bool]] = field(default_factory=list)
    """When the caller was told that the agent speaks (True) or has stopped (False)."""
    hang_up: HangUp | None = None
    hang_up_s: float = 0.0

    def run(self, *, max_events: int = 5000) -> None:
        self._queue: list[tuple[float, int, str, object]] = []
        self._count = itertools.count()
        self._pending: Outgoing | None = None
        self._turns = iter(self.turns)
        self._stops_after_s: float | None = None
        self._tell(0.5, Connected(t=0.5))
        self._agent_takes_turn(0.5)
        for _ in range(max_events):
            deadline_s = self.caller.next_deadline_s()
            if self.hang_up is not None or deadline_s is None:
                return
            if self._queue and self._queue[0][0] <= deadline_s:
                t, _, what, subject = heapq.heappop(self._queue)
                self._happen(t, what, subject)
            else:
                self._tell(deadline_s, Tick(t=deadline_s))
        raise AssertionError("the call does not end")

    def _happen(self, t: float, what: str, subject: object) -> None:
        if isinstance(subject, Outgoing) and subject is self._pending:
            if what == "line starts":
                self.sent.append(subject)
                self._interrupt_agent(t)
            else:
                self._pending = None
                self._tell(t, UtteranceFinished(t=t, index=subject.action.index))
                if subject.action.kind != "backchannel":
                    self._agent_takes_turn(t)
        elif isinstance(subject, Speech) and subject in self.agent_speech:
            if what == "onset heard":
                self.overheard.append((t, True))
                self._tell(t, AgentSpeechStarted(t=t, onset_s=subject.start_s))
            elif t == subject.end_s + HANGOVER_S and not self._goes_on_after(subject):
                self.overheard.append((t, False))
                self._tell(t, AgentSpeechEnded(t=t, end_s=subject.end_s))

    def _goes_on_after(self, ended: Speech) -> bool:
        """Whether more speech follows so soon that the ears take both for one."""
        return any(ended.end_s < one.start_s <= ended.end_s + HANGOVER_S for one in self.agent_speech)

    def _agent_takes_turn(self, t: float) -> None:
        talking = [speech for speech in self.agent_speech if speech.end_s > t]
        if talking and self._stops_after_s is None:
            return  # it does not listen while it talks
        turn = next(self._turns, None)
        if turn is None:
            return
        self._stops_after_s = turn.stops_after_s
        start_s = max([t, *(speech.end_s for speech in talking)]) + turn.after_s
        for part_s, pause_s in zip(turn.parts_s, (*turn.pauses_s, 0.0), strict=False):
            speech = Speech(start_s=start_s, end_s=start_s + part_s)
            self.agent_speech.append(speech)
            self._at(speech.start_s + ONSET_DELAY_S, "onset heard", speech)
            self._at(speech.end_s + HANGOVER_S, "end heard", speech)
            start_s = speech.end_s + pause_s

    def _interrupt_agent(self, t: float) -> None:
        """What the agent has not begun is not said; what it is saying ends early, if it listens."""
        for speech in list(self.agent_speech):
            if speech.start_s > t:
                self.agent_speech.remove(speech)
            elif speech.end_s > t and self._stops_after_s is not None:
                speech.end_s = min(speech.end_s, t + self._stops_after_s)
                self._at(speech.end_s + HANGOVER_S, "end heard", speech)

    def _tell(self, t: float, event: CallerEvent) -> None:
        for action in self.caller.on(event):
            assert self.hang_up is None, "acted after hanging up"
            if isinstance(action, Speak):
                assert self._pending is None, "two lines at once"
                start_s = max(action.at_s, t + PREROLL_S)
                self._pending = Outgoing(
                    action=action, asked_s=t, start_s=start_s, end_s=start_s + self.line_s
                )
                self._at(start_s, "line starts", self._pending)
                self._at(start_s + self.line_s, "line ends", self._pending)
            elif isinstance(action, Cancel):
                assert self._pending is not None, "took back what was not planned"
                assert self._pending.action.index == action.index
                assert t <= self._pending.start_s - PREROLL_S, "took back what had left"
                self._pending = None
            elif isinstance(action, HangUp):
                self.hang_up, self.hang_up_s = action, t

    def _at(self, t: float, what: str, subject: object) -> None:
        heapq.heappush(self._queue, (t, next(self._count), what, subject))
