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
whatever the agent does; the parts of a thought that come later are dropped where the agent has taken the turn.
"""

from __future__ import annotations

import math
from enum import Enum

from voice_sim.dialogue_log import WORDS_WAIT_S, DialogueLog
from voice_sim.events import (
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
    Speak,
    Think,
    Thought,
    Tick,
    UtteranceFinished,
)
from voice_sim.own_turn import OwnTurn, Thinking
from voice_sim.policies.base import THINKING, Decision, Dialogue, EndReason, Kind, Leave, Line, Policy
from voice_sim.turn_taking import Patience, Reply, ReplyWatch, SilenceWatch

__all__ = [
    "COMMIT_LEAD_S",
    "FAREWELL_S",
    "WORDS_WAIT_S",
    "AgentHungUp",
    "AgentSpeechEnded",
    "AgentSpeechStarted",
    "AgentWords",
    "Caller",
    "CallerAction",
    "CallerEvent",
    "CallerState",
    "Cancel",
    "Connected",
    "Forget",
    "HangUp",
    "HangUpReason",
    "Patience",
    "Speak",
    "Think",
    "Thought",
    "Tick",
    "UtteranceFinished",
]

EAR_HANGOVER_S = 0.8
COMMIT_LEAD_S = 0.15
"""Later than this before its first voiced sample a line is not taken back: its pre-roll is on the way."""

FAREWELL_S = 10.0
"""After its last words the caller hears an agent that talks and talks no longer than this."""


_IN_WORDS: dict[EndReason, str] = {
    "satisfied": "had what the call was for",
    "refused": "did not want to go on",
    "gave_up": "had had enough",
}


class CallerState(Enum):
    IDLE = "idle"
    LISTENING = "listening"
    """To the greeting, or for the reply to the last line."""
    THINKING = "thinking"
    """It is the caller's turn, and the policy needs time: for its line, or for the next part of it."""
    SCHEDULED = "scheduled"
    """A line is planned; it can be taken back."""
    SPEAKING = "speaking"
    CLOSING = "closing"
    """Everything is said: stays on the line for a moment."""
    DONE = "done"


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
        self._agent = ReplyWatch(ear_hangover_s=ear_hangover_s, doubtful_s=patience.doubtful_s)
        self._silence = SilenceWatch(patience)
        self._log = DialogueLog()
        self._agent_hung_up = False
        self._spoken = 0
        self._thoughts = 0
        self._thinking: Thinking | None = None
        self._interruption: Line | None = None
        self._turn: OwnTurn | None = None
        self._farewell: Leave | None = None
        self._now_s = 0.0
        self._own_end_s = -math.inf
        self._hang_up_at_s = math.inf
        self._actions: list[CallerAction] = []

    @property
    def dialogue(self) -> Dialogue:
        """What was said and heard so far."""
        return self._log.dialogue

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
            case CallerState.LISTENING if self._agent.reply(self._now_s) is Reply.ENDED:
                deadlines.append(self._log.words_due_s())
            case CallerState.LISTENING:
                deadlines.append(self._agent.next_change_s(self._now_s))
                if not self._agent.speaking:
                    deadlines += [self._silence.patience_ends_s, self._silence.prompt_due_s]
            case CallerState.SCHEDULED if self._turn and self._thinking:
                deadlines.append(self._turn.first.at_s - COMMIT_LEAD_S)  # then its further parts can follow
            case CallerState.THINKING if self._thinking and self._thinking.begun:
                deadlines.append(self._agent.next_change_s(self._now_s))
            case CallerState.CLOSING:
                deadlines += [self._hang_up_due_s(), self._agent.next_change_s(self._now_s)]
        return min(deadline for deadline in deadlines if deadline is not None)

    def _note(self, event: CallerEvent) -> None:
        match event:
            case Connected():
                if self.state is CallerState.IDLE:
                    self.state = CallerState.LISTENING
                    self._silence.connected(self._now_s)
                    self._interruption = self._policy.interruption(self._log.dialogue)
            case AgentSpeechStarted():
                self._agent.started(min(event.onset_s, self._now_s))
                self._silence.agent_spoke()
            case AgentSpeechEnded():
                heard = self._agent.ended(min(event.end_s, self._now_s))
                if heard is not None:
                    self._silence.agent_stopped(heard.end_s)
                    self._log.note_heard(heard, now_s=self._now_s)
            case AgentWords():
                self._log.note_words(event.onset_s, event.text)
            case Thought():
                if self._thinking is not None and self._thinking.number == event.number:
                    self._thinking.add(event.decision)
            case UtteranceFinished():
                self._note_said(event)
            case AgentHungUp():
                self._agent_hung_up = True
            case Tick():
                pass

    def _note_said(self, event: UtteranceFinished) -> None:
        # A line that was taken back too late is said all the same; it is still the latest then.
        turn = self._turn
        if turn is None or turn.under_way is None or turn.under_way.index != event.index:
            return
        said, is_first = turn.under_way, turn.finished == 0
        if self._thinking is not None and not self._thinking.begun:
            self._forget()
        turn.finished += 1
        self._spoken += 1
        self._own_end_s = self._now_s if event.end_s is None else min(event.end_s, self._now_s)
        self._silence.said(end_s=self._own_end_s, prompt=turn.prompt)
        if is_first:
            self._log.note_said(text=said.text, kind=said.kind, start_s=said.at_s, end_s=self._own_end_s)
        else:
            self._log.note_continued(text=said.text, end_s=self._own_end_s)
        if said.kind != "backchannel":
            self._agent.expect_reply(line_start_s=turn.first.at_s, line_end_s=self._own_end_s)
        if not turn.all_said:
            self.state = CallerState.SPEAKING
        elif self._thinking is not None and not self._thinking.used_up:
            self.state = CallerState.THINKING
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        turn, self._turn, self._thinking = self._turn, None, None
        if turn is not None and turn.leave is not None:
            if not turn.farewell:
                self._leave(turn.leave)
                return
            self._farewell = turn.leave
            self.state = CallerState.CLOSING
        else:
            self._interruption = self._policy.interruption(self._log.dialogue)
            self.state = CallerState.LISTENING

    def _decide(self) -> None:
        if self._agent_hung_up:
            self._hang_up("agent_hangup", f"the agent hung up {self._where()}")
        elif self._now_s >= self._patience.call_s:
            self._hang_up("limit", f"the limit of {self._patience.call_s:g} s came {self._where()}")
        if self.state is CallerState.SCHEDULED and self._turn is not None:
            planned = self._turn.first
            if self._agent.speaking if planned.kind == "turn" else not self._agent.speaking:
                self._actions.append(Cancel(index=planned.index))
                self._forget()
        if self.state is CallerState.THINKING:
            self._think_on()
        if self.state is CallerState.SPEAKING:
            self._say_further_parts()
        if self.state is CallerState.CLOSING and self._farewell is None and self._agent.speaking:
            self.state = CallerState.LISTENING
        if self.state is CallerState.LISTENING:
            self._listen()
        if self.state is CallerState.CLOSING and self._now_s >= self._hang_up_due_s():
            if self._farewell is not None:
                self._leave(self._farewell)
            else:
                self._hang_up("completed", "every line was said and answered")

    def _listen(self) -> None:
        reply = self._agent.reply(self._now_s)
        if reply is Reply.UNDER_WAY:
            self._speak_over_agent()
        elif reply is Reply.ENDED:
            if not self._awaits_words():
                self._take_turn()
        elif self._agent.speaking:
            return
        elif self._spoken == 0 and self._agent.onset_s is None and not self._policy.wait_for_greeting:
            self._take_turn()
        elif self._now_s >= self._silence.patience_ends_s:
            self._hang_up(*self._silence.outcome(line=self._log.lines))
        elif self._silence.prompt_due_s is not None and self._now_s >= self._silence.prompt_due_s:
            self._ask_after_agent()

    def _speak_over_agent(self) -> None:
        line, onset_s = self._interruption, self._agent.onset_s
        if line is None or line.barge_in_after_s is None or onset_s is None:
            return
        at_s = max(self._now_s, onset_s + line.barge_in_after_s)
        self._plan(line, kind=line.kind_over_agent, at_s=at_s, agent_onset_s=onset_s)

    def _awaits_words(self) -> bool:
        if not self._policy.hears_words:
            return False
        due_s = self._log.words_due_s()
        if due_s is not None and self._now_s < due_s:
            return True
        self._log.give_up_on_words()
        return False

    def _take_turn(self) -> None:
        decision = self._policy.next_line(self._log.dialogue)
        if decision is THINKING:
            self._thoughts += 1
            self._thinking = Thinking(number=self._thoughts)
            self.state = CallerState.THINKING
            self._actions.append(Think(number=self._thoughts, dialogue=self._log.dialogue))
        else:
            self._do(decision)

    def _do(self, decision: Decision) -> None:
        quiet_since_s = (
            self._silence.connected_s if self._agent.onset_s is None else self._agent.quiet_since_s
        )
        quiet_since_s = max(quiet_since_s, self._own_end_s)
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
            if self._agent.reply(self._now_s) is not Reply.AWAITED:
                self._forget()
                self._end_turn()
            elif thinking.parts and not self._agent.speaking:
                self.state = CallerState.SPEAKING
        elif self._agent.speaking:
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
        decision = self._policy.when_silent(self._log.dialogue, times=self._silence.prompts + 1)
        self._silence.prompted(decision is not None)
        if isinstance(decision, Line):
            self._plan(decision, kind="turn", at_s=self._now_s, prompt=True)
        elif decision is not None:
            self._leave(decision)

    def _plan(
        self, line: Line, *, kind: Kind, at_s: float, agent_onset_s: float | None = None, prompt: bool = False
    ) -> None:
        speak = Speak(
            index=self._spoken,
            text=line.text,
            kind=kind,
            at_s=at_s,
            agent_onset_s=agent_onset_s,
            why=line.why,
        )
        self._turn = OwnTurn(parts=[speak], prompt=prompt)
        self._turn.heed_end(line)
        self._actions.append(speak)
        self.state = CallerState.SPEAKING if self._has_begun() else CallerState.SCHEDULED

    def _leave(self, leave: Leave) -> None:
        manner = "and said good-bye" if self._farewell else "and hung up without another word"
        why = f": {leave.why}" if leave.why else ""
        self._hang_up(leave.reason, f"the caller {_IN_WORDS[leave.reason]} {manner}{why}")

    def _hang_up(self, reason: HangUpReason, detail: str) -> None:
        self.state = CallerState.DONE
        self._actions.append(HangUp(reason=reason, detail=detail))

    def _has_begun(self) -> bool:
        return self._turn is not None and self._now_s >= self._turn.first.at_s - COMMIT_LEAD_S

    def _hang_up_due_s(self) -> float:
        """When it hangs up, as things stand."""
        if self._farewell is None:
            return self._hang_up_at_s
        if self._agent.reply(self._now_s) is Reply.ENDED:
            return -math.inf
        waits_s = self._policy.hang_up_after_s
        at_the_latest_s = self._own_end_s + max(FAREWELL_S, waits_s)
        if self._agent.speaking:
            return at_the_latest_s
        return min(at_the_latest_s, max(self._own_end_s, self._agent.quiet_since_s) + waits_s)

    def _where(self) -> str:
        line = self._log.lines
        match self.state:
            case CallerState.IDLE:
                return "before the call was connected"
            case CallerState.SPEAKING:
                return f"while line {line + 1} was being said"
            case CallerState.THINKING:
                return f"while the caller thought about line {line + 1}"
            case CallerState.SCHEDULED:
                return f"before line {line + 1}"
            case CallerState.CLOSING if self._farewell is not None:
                return "after the caller's last words"
            case CallerState.CLOSING:
                return "after the reply to the last line"
            case _:
                awaited = f"reply to line {line}" if line else "greeting"
                doing = "went on with" if self._agent.speaking else "waited for"
                side = "the agent" if self._agent.speaking else "the caller"
                return f"while {side} {doing} the {awaited}"
