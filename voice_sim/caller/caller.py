"""The simulated caller: hears, decides, speaks. A state machine over events; no network, no clock, no audio.

Whoever runs a call tells it what happened (:data:`CallerEvent`, each with the call time ``t`` at which it
became known), carries out what it answers (:data:`CallerAction`), and sends a :class:`Tick` when
:meth:`Caller.next_deadline_s` has come. The same events give the same actions.

::

    IDLE -> LISTENING -> (THINKING ->) SCHEDULED -> SPEAKING -> LISTENING ... -> CLOSING -> DONE
                 ^           |             |           |  ^
                 +-----------+-------------+           v  |  (the next part of a thought is not known yet)
                     the agent goes on              THINKING

The caller never starts to speak over the agent unless the line is meant to: a line that is planned but not
begun is taken back when the agent speaks, and so is a thought. Once begun, a line is said to its end,
whatever the agent does; later parts of a thought are dropped where the agent has taken the turn.
"""

from __future__ import annotations

import math

from voice_sim.caller.call_so_far import CallSoFar
from voice_sim.caller.events import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    AgentWords,
    CallerAction,
    CallerEvent,
    Cancel,
    Connected,
    Forget,
    HangUp,
    HangUpReason,
    Think,
    Thought,
    Tick,
    UtteranceFinished,
)
from voice_sim.caller.own_turn import OwnTurn, Thinking, planned_end
from voice_sim.caller.state import CallerState, in_words, where, why_it_left
from voice_sim.caller.turn_taking import Patience, Reply
from voice_sim.policies.base import (
    COURTEOUS,
    THINKING,
    Decision,
    Dialogue,
    EndReason,
    Kind,
    Leave,
    Line,
    Policy,
)

EAR_HANGOVER_S = 0.8
COMMIT_LEAD_S = 0.15
"""Later than this before its first voiced sample a line is not taken back: its pre-roll is on the way."""


class Caller:
    """One caller in one call.

    Args:
        policy: What it says.
        patience: How long it waits.
        ear_hangover_s: Quiet after which the ears report the end of a speech.

    Attributes:
        state: See :class:`CallerState`.
    """

    def __init__(self, *, policy: Policy, patience: Patience, ear_hangover_s: float = EAR_HANGOVER_S) -> None:
        self.state = CallerState.IDLE
        self._policy = policy
        self._patience = patience
        self._call = CallSoFar(patience=patience, ear_hangover_s=ear_hangover_s)
        self._agent_hung_up = False
        self._lost = False
        self._thoughts = 0
        self._thinking: Thinking | None = None
        self._interruption: Line | None = None
        self._turn: OwnTurn | None = None
        self._farewell: Leave | None = None
        self._took_leave = False
        self._closes_as: EndReason = "satisfied"
        self._now_s = 0.0
        self._hang_up_at_s = math.inf
        self._actions: list[CallerAction] = []

    @property
    def dialogue(self) -> Dialogue:
        """What was said and heard so far."""
        return self._call.log.dialogue

    @property
    def is_through(self) -> bool:
        """Whether the call has come to the caller's own end, so that nothing but a goodbye is outstanding."""
        return self._own_end() is not None

    def on(self, event: CallerEvent) -> list[CallerAction]:
        """What the caller does about ``event``. Time never runs back: an earlier ``t`` counts as now."""
        if self.state is CallerState.DONE:
            return []
        self._now_s = max(self._now_s, event.t)
        self._actions = []
        if self.state is CallerState.SCHEDULED and self._has_begun():
            self.state = CallerState.SPEAKING
        self._note(event)
        self._decide()
        return self._actions

    def next_deadline_s(self) -> float | None:
        """Call time at which it wants a :class:`Tick` at the latest; None when the call is over."""
        deadlines: list[float | None] = [self._patience.call_s]
        match self.state:
            case CallerState.DONE:
                return None
            case CallerState.LISTENING if self._call.reply(self._now_s) is Reply.ENDED:
                deadlines.append(self._call.log.words_due_s())
            case CallerState.LISTENING:
                deadlines.append(self._call.agent.next_change_s(self._now_s))
                if not self._call.agent.speaking:
                    deadlines += [self._call.silence.patience_ends_s, self._call.silence.prompt_due_s]
            case CallerState.SCHEDULED if self._turn and self._thinking:
                deadlines.append(self._turn.first.at_s - COMMIT_LEAD_S)  # then its further parts can follow
            case CallerState.THINKING if self._thinking and self._thinking.begun:
                deadlines.append(self._call.agent.next_change_s(self._now_s))
            case CallerState.CLOSING:
                deadlines += [self._hang_up_due_s(), self._call.agent.next_change_s(self._now_s)]
        return min(deadline for deadline in deadlines if deadline is not None)

    def _note(self, event: CallerEvent) -> None:
        match event:
            case Connected():
                if self.state is CallerState.IDLE:
                    self.state = CallerState.LISTENING
                    self._call.silence.connected(self._now_s)
                    self._interruption = self._policy.interruption(self._call.log.dialogue)
            case AgentSpeechStarted():
                self._call.note_agent_started(min(event.onset_s, self._now_s))
            case AgentSpeechEnded():
                self._call.note_agent_ended(min(event.end_s, self._now_s), now_s=self._now_s)
            case AgentWords():
                self._call.log.note_words(event.onset_s, event.text)
            case Thought():
                if self._thinking is not None and self._thinking.number == event.number:
                    self._thinking.add(event.decision)
            case UtteranceFinished():
                self._note_said(event)
            case AgentHungUp():
                self._agent_hung_up, self._lost = True, event.lost
            case Tick():
                pass

    def _note_said(self, event: UtteranceFinished) -> None:
        # A line that was taken back too late is said all the same; it is still the latest then.
        turn = self._turn
        if turn is None or turn.under_way is None or turn.under_way.index != event.index:
            return
        if self._thinking is not None and not self._thinking.begun:
            self._forget()
        end_s = self._now_s if event.end_s is None else min(event.end_s, self._now_s)
        self._call.note_said(turn, end_s=end_s)
        if not turn.all_said:
            self.state = CallerState.SPEAKING
        elif self._thinking is not None and not self._thinking.used_up:
            self.state = CallerState.THINKING
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        turn, self._turn, self._thinking = self._turn, None, None
        if turn is not None and turn.first.kind != "backchannel":
            self._took_leave, self._closes_as = turn.takes_leave, turn.closes_as
        if turn is not None and turn.leave is not None:
            if not turn.farewell:
                self._leave(turn.leave)
                return
            self._farewell = turn.leave
            self.state = CallerState.CLOSING
        else:
            self._interruption = self._policy.interruption(self._call.log.dialogue)
            self.state = CallerState.LISTENING

    def _decide(self) -> None:
        if self.state is CallerState.DONE:
            return
        if self._agent_hung_up:
            self._heed_hang_up()
        elif self._now_s >= self._patience.call_s:
            self._hang_up("limit", f"the limit of {self._patience.call_s:g} s came {self._where()}")
        if self.state is CallerState.SCHEDULED and self._turn is not None:
            planned = self._turn.first
            if self._call.agent.speaking if planned.kind == "turn" else not self._call.agent.speaking:
                self._actions.append(Cancel(index=planned.index))
                self._forget()
        if self.state is CallerState.THINKING:
            self._think_on()
        if self.state is CallerState.SPEAKING:
            self._say_further_parts()
        if self.state is CallerState.CLOSING and self._farewell is None and self._call.agent.speaking:
            self.state = CallerState.LISTENING
        if self.state is CallerState.LISTENING:
            self._listen()
        if self.state is CallerState.CLOSING and self._now_s >= self._hang_up_due_s():
            if self._farewell is not None:
                self._leave(self._farewell)
            else:
                self._hang_up("completed", "every line was said and answered")

    def _listen(self) -> None:
        reply = self._call.reply(self._now_s)
        if reply is Reply.UNDER_WAY:
            self._speak_over_agent()
        elif reply is Reply.ENDED:
            if not self._policy.hears_words or self._call.log.is_understood(self._now_s):
                self._take_turn()
        elif self._call.agent.speaking:
            return
        elif self._call.nothing_happened and not self._policy.wait_for_greeting:
            self._take_turn()
        elif self._now_s >= self._call.silence.patience_ends_s:
            self._hang_up(*self._call.silence.outcome(line=self._call.log.lines))
        elif (due_s := self._call.silence.prompt_due_s) is not None and self._now_s >= due_s:
            self._ask_after_agent()

    def _speak_over_agent(self) -> None:
        line, onset_s = self._interruption, self._call.agent.onset_s
        if line is None or line.barge_in_after_s is None or onset_s is None:
            return
        at_s = max(self._now_s, onset_s + line.barge_in_after_s)
        self._plan(line, kind=line.kind_over_agent, at_s=at_s, agent_onset_s=onset_s)

    def _take_turn(self) -> None:
        decision = self._policy.next_line(self._call.log.dialogue)
        if decision is THINKING:
            self._thoughts += 1
            self._thinking = Thinking(number=self._thoughts)
            self.state = CallerState.THINKING
            self._actions.append(Think(number=self._thoughts, dialogue=self._call.log.dialogue))
        else:
            self._do(decision)

    def _do(self, decision: Decision) -> None:
        quiet_since_s = self._call.quiet_since_s
        match decision:
            case Line():
                self._plan(decision, kind="turn", at_s=max(self._now_s, quiet_since_s + decision.pause_s))
            case Leave():
                self._leave(decision)
            case None:
                self.state = CallerState.CLOSING
                self._hang_up_at_s = quiet_since_s + self._policy.hang_up_after_s

    def _think_on(self) -> None:
        thinking = self._thinking
        assert thinking is not None, "thinks of nothing"
        if thinking.begun:
            if self._call.reply(self._now_s) is not Reply.AWAITED:
                self._forget()
                self._end_turn()
            elif thinking.parts and not self._call.agent.speaking:
                self.state = CallerState.SPEAKING
        elif self._call.agent.speaking:
            self._forget()
        elif thinking.parts:
            decision = thinking.parts.pop(0)
            thinking.begun = isinstance(decision, Line)
            self._thinking = thinking if thinking.begun else None
            self._do(decision)

    def _say_further_parts(self) -> None:
        thinking, turn = self._thinking, self._turn
        if thinking is None or turn is None:
            return
        while thinking.parts:
            part = thinking.parts.pop(0)
            if isinstance(part, Line):
                self._actions.append(turn.add(part, at_s=self._now_s))
            elif isinstance(part, Leave):
                turn.leave = part
        if turn.all_said:
            self._end_turn()

    def _forget(self) -> None:
        if self._thinking is not None:
            self._actions.append(Forget(number=self._thinking.number))
            self._thinking = None
        self.state = CallerState.LISTENING

    def _ask_after_agent(self) -> None:
        decision = self._policy.when_silent(self._call.log.dialogue, times=self._call.silence.prompts + 1)
        self._call.silence.prompted(decision is not None)
        if isinstance(decision, Line):
            self._plan(decision, kind="turn", at_s=self._now_s, prompt=True)
        elif decision is not None:
            self._leave(decision)

    def _plan(
        self, line: Line, *, kind: Kind, at_s: float, agent_onset_s: float | None = None, prompt: bool = False
    ) -> None:
        self._turn = OwnTurn.of(
            line, kind=kind, index=self._call.spoken, at_s=at_s, agent_onset_s=agent_onset_s, prompt=prompt
        )
        self._actions.append(self._turn.first)
        self.state = CallerState.SPEAKING if self._has_begun() else CallerState.SCHEDULED

    def _leave(self, leave: Leave) -> None:
        self._hang_up(leave.reason, why_it_left(leave, farewell=self._farewell is not None))

    def _heed_hang_up(self) -> None:
        """The agent's doing or nobody's, but for a call in which the caller had come to its own end."""
        end = self._own_end()
        how = f"{'the connection was lost' if self._lost else 'the agent hung up'} {self._where()}"
        if end is not None:
            self._hang_up(end, f"{in_words(end)}; {how}")
        else:
            self._hang_up("connection_lost" if self._lost else "agent_hangup", how)

    def _own_end(self) -> EndReason | None:
        """Why the caller would have ended the call by itself now; None where it would not.

        Last words count when they have left: one that is cut off in them is hung up on. A goodbye to an agent
        that has said its own, or that follows on our own, only seals what was over.
        """
        if self._farewell is not None:
            return self._farewell.reason
        turn = self._turn
        if turn is None or self.state not in (CallerState.SCHEDULED, CallerState.SPEAKING):
            return self._closes_as if self._took_leave else None
        end = planned_end(turn, self._thinking)
        was_over = self._took_leave or self.state is CallerState.SCHEDULED
        if end.leaves in COURTEOUS and was_over:
            return end.leaves
        return end.closes_as if end.parting else None

    def _hang_up(self, reason: HangUpReason, detail: str) -> None:
        self.state = CallerState.DONE
        self._actions.append(HangUp(reason=reason, detail=detail))

    def _has_begun(self) -> bool:
        return self._turn is not None and self._now_s >= self._turn.first.at_s - COMMIT_LEAD_S

    def _hang_up_due_s(self) -> float:
        """When it hangs up, as things stand."""
        if self._farewell is None:
            return self._hang_up_at_s
        return self._call.farewell_ends_s(self._now_s, waits_s=self._policy.hang_up_after_s)

    def _where(self) -> str:
        return where(
            self.state,
            lines=self._call.log.lines,
            agent_speaking=self._call.agent.speaking,
            farewell=self._farewell.reason if self._farewell is not None else None,
            took_leave=self._took_leave,
        )
