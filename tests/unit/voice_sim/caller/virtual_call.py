"""A whole call on a virtual clock: the caller against an agent, ears and a sender that are made of numbers.

What the caller knows comes as late as in reality: onsets after ``ONSET_DELAY_S``, ends after the ears'
hangover, words later still, and its first voiced sample leaves ``PREROLL_S`` after it asked at the earliest;
a further part of a line follows at the end of the one before, or at once where that is past.
"""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field

from tests.unit.voice_sim.caller.planned_policy import PlannedPolicy, Thoughts
from voice_sim.caller.caller import Caller
from voice_sim.caller.events import (
    AgentSpeechEnded,
    AgentSpeechStarted,
    AgentWords,
    CallerAction,
    CallerEvent,
    Cancel,
    Connected,
    Forget,
    HangUp,
    Speak,
    Think,
    Thought,
    Tick,
    UtteranceFinished,
)
from voice_sim.policies.base import Line

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
    thoughts: PlannedPolicy | None = None
    """Thinks for the caller."""
    words_after_s: float | None = None
    """After the end of a stretch is known, its words are; None: nobody has words."""
    actions: list[CallerAction] = field(default_factory=list)
    sent: list[Outgoing] = field(default_factory=list)
    agent_speech: list[Speech] = field(default_factory=list)
    overheard: list[tuple[float, bool]] = field(default_factory=list)
    """When the caller was told that the agent speaks (True) or has stopped (False)."""
    hang_up: HangUp | None = None
    hang_up_s: float = 0.0

    def run(self, *, max_events: int = 5000) -> None:
        self._queue: list[tuple[float, int, str, object]] = []
        self._count = itertools.count()
        self._pending: list[Outgoing] = []
        self._thinks: Think | None = None
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
        if isinstance(subject, Outgoing) and subject in self._pending:
            if what == "line starts":
                self.sent.append(subject)
                self._interrupt_agent(t)
            else:
                self._pending.remove(subject)
                self._tell(t, UtteranceFinished(t=t, index=subject.action.index))
                if subject.action.kind != "backchannel":
                    self._agent_takes_turn(t)
        elif isinstance(subject, Thought) and self._thinks and subject.number == self._thinks.number:
            if not (isinstance(subject.decision, Line) and subject.decision.more):
                self._thinks = None
            self._tell(t, subject)
        elif isinstance(subject, AgentWords):
            self._tell(t, subject)
        elif isinstance(subject, Speech) and subject in self.agent_speech:
            if what == "onset heard":
                self.overheard.append((t, True))
                self._tell(t, AgentSpeechStarted(t=t, onset_s=subject.start_s))
            elif t == subject.end_s + HANGOVER_S and not self._goes_on_after(subject):
                self.overheard.append((t, False))
                self._tell(t, AgentSpeechEnded(t=t, end_s=subject.end_s))
                if self.words_after_s is not None:
                    words_s = t + self.words_after_s
                    onset_s = self._onset_of_stretch(subject)
                    self._at(words_s, "words", AgentWords(t=words_s, onset_s=onset_s, text="words"))

    def _goes_on_after(self, ended: Speech) -> bool:
        """Whether more speech follows so soon that the ears take both for one."""
        return any(ended.end_s < one.start_s <= ended.end_s + HANGOVER_S for one in self.agent_speech)

    def _onset_of_stretch(self, last: Speech) -> float:
        """Where the ears began to hear what ended with ``last``."""
        onset_s = last.start_s
        for one in sorted(self.agent_speech, key=lambda speech: -speech.start_s):
            if one.start_s < onset_s <= one.end_s + HANGOVER_S:
                onset_s = one.start_s
        return onset_s

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
            self.actions.append(action)
            match action:
                case Speak():
                    self._speak(action, t)
                case Cancel():
                    assert len(self._pending) == 1, "took back what was not planned"
                    (planned,) = self._pending
                    assert planned.action.index == action.index
                    assert t <= planned.start_s - PREROLL_S, "took back what had left"
                    self._pending = []
                case Think():
                    self._think(action, t)
                case Forget():
                    self._thinks = None
                case HangUp():
                    self.hang_up, self.hang_up_s = action, t

    def _speak(self, action: Speak, t: float) -> None:
        if action.continues:
            follows = self._pending[-1] if self._pending else self.sent[-1]
            assert follows.action.index == action.index - 1, "continues something else"
            start_s = max(follows.end_s, t)
        else:
            assert not self._pending, "two lines at once"
            start_s = max(action.at_s, t + PREROLL_S)
        line = Outgoing(action=action, asked_s=t, start_s=start_s, end_s=start_s + self.line_s)
        self._pending.append(line)
        self._at(line.start_s, "line starts", line)
        self._at(line.end_s, "line ends", line)

    def _think(self, action: Think, t: float) -> None:
        assert self._thinks is None, "two thoughts at once"
        assert self.thoughts is not None, "nobody thinks here"
        planned = self.thoughts.at(action.dialogue)
        assert isinstance(planned, Thoughts)
        self._thinks = action
        for after_s, decision in planned.parts:
            t += after_s
            self._at(t, "thought", Thought(t=t, number=action.number, decision=decision))

    def _at(self, t: float, what: str, subject: object) -> None:
        heapq.heappush(self._queue, (t, next(self._count), what, subject))
