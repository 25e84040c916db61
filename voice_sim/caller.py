"""The simulated caller: hears, decides, speaks. A state machine over events; no network, no clock, no audio.

Whoever runs a call tells it what happened (:data:`CallerEvent`, each with the call time ``t`` at which it
became known), carries out what it answers (:data:`CallerAction`), and sends a :class:`Tick` when
:meth:`Caller.next_deadline_s` has come. The same events give the same actions.

::

    IDLE -> LISTENING -> SCHEDULED -> SPEAKING -> LISTENING ... -> CLOSING -> DONE

The caller never starts to speak over the agent unless the line is meant to: a line that is planned but not
begun is taken back when the agent speaks. Once begun, it is said to its end, whatever the agent does.
"""

from __future__ import annotations

import math
from enum import Enum

from voice_sim.events import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    CallerAction,
    CallerEvent,
    Cancel,
    Connected,
    HangUp,
    HangUpReason,
    Speak,
    Tick,
    UtteranceFinished,
)
from voice_sim.policies.base import Heard, Kind, Line, Policy, Said
from voice_sim.turn_taking import DOUBTFUL_S, Patience, Reply, ReplyWatch

__all__ = [
    "COMMIT_LEAD_S",
    "AgentHungUp",
    "AgentSpeechEnded",
    "AgentSpeechStarted",
    "Caller",
    "CallerAction",
    "CallerEvent",
    "CallerState",
    "Cancel",
    "Connected",
    "HangUp",
    "HangUpReason",
    "Patience",
    "Speak",
    "Tick",
    "UtteranceFinished",
]

EAR_HANGOVER_S = 0.8
COMMIT_LEAD_S = 0.15
"""Later than this before its first voiced sample a line is not taken back: its pre-roll is on the way."""


class CallerState(Enum):
    IDLE = "idle"
    LISTENING = "listening"
    """To the greeting, or for the reply to the last line."""
    SCHEDULED = "scheduled"
    """A line is planned; it can be taken back."""
    SPEAKING = "speaking"
    CLOSING = "closing"
    """Everything is said and answered."""
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
        self._agent = ReplyWatch(
            ear_hangover_s=ear_hangover_s, doubtful_s=min(DOUBTFUL_S, patience.silence_s)
        )
        self._agent_hung_up = False
        self._dialogue: list[Said | Heard] = []
        self._said = 0
        self._interruption: Line | None = None
        self._speak: Speak | None = None
        self._now_s = 0.0
        self._connected_s = 0.0
        self._own_end_s = -math.inf
        self._hang_up_at_s = math.inf

    def on(self, event: CallerEvent) -> list[CallerAction]:
        """What the caller does about ``event``. Time never runs back: an earlier ``t`` counts as now."""
        if self.state is CallerState.DONE:
            return []
        self._now_s = max(self._now_s, event.t)
        if self.state is CallerState.SCHEDULED and self._has_begun():
            self.state = CallerState.SPEAKING
        self._note(event)
        return self._decide()

    def next_deadline_s(self) -> float | None:
        """Call time at which it wants a :class:`Tick` at the latest; None when the call is over."""
        if self.state is CallerState.DONE:
            return None
        deadlines = [self._patience.call_s]
        if self.state is CallerState.LISTENING:
            change_s = self._agent.next_change_s(self._now_s)
            if change_s is not None:
                deadlines.append(change_s)
            if not self._agent.speaking:
                deadlines.append(self._patience_ends_s())
        elif self.state is CallerState.CLOSING:
            deadlines.append(self._hang_up_at_s)
        return min(deadlines)

    def _note(self, event: CallerEvent) -> None:
        match event:
            case Connected():
                if self.state is CallerState.IDLE:
                    self.state = CallerState.LISTENING
                    self._connected_s = self._now_s
                    self._interruption = self._policy.interruption(self._dialogue)
            case AgentSpeechStarted():
                self._agent.started(min(event.onset_s, self._now_s))
            case AgentSpeechEnded():
                heard = self._agent.ended(min(event.end_s, self._now_s))
                if heard is not None:
                    self._dialogue.append(heard)
            case UtteranceFinished():
                self._note_said(event)
            case AgentHungUp():
                self._agent_hung_up = True
            case Tick():
                pass

    def _note_said(self, event: UtteranceFinished) -> None:
        # A line that was taken back too late is said all the same; it is still the latest then.
        if self._speak is None or self._speak.index != event.index:
            return
        said, self._speak = self._speak, None
        self._own_end_s = self._now_s if event.end_s is None else min(event.end_s, self._now_s)
        self._said += 1
        self._dialogue.append(Said(text=said.text, kind=said.kind, end_s=self._own_end_s))
        if said.kind != "backchannel":
            self._agent.expect_reply(line_start_s=said.at_s, line_end_s=self._own_end_s)
        self._interruption = self._policy.interruption(self._dialogue)
        self.state = CallerState.LISTENING

    def _decide(self) -> list[CallerAction]:
        if self._agent_hung_up:
            return self._hang_up("agent_hangup", f"the agent hung up {self._where()}")
        if self._now_s >= self._patience.call_s:
            return self._hang_up("limit", f"the limit of {self._patience.call_s:g} s came {self._where()}")
        actions: list[CallerAction] = []
        if self.state is CallerState.SCHEDULED and self._speak is not None:
            moment_is_gone = self._agent.speaking if self._speak.kind == "turn" else not self._agent.speaking
            if moment_is_gone:
                actions.append(Cancel(index=self._speak.index))
                self.state = CallerState.LISTENING
        elif self.state is CallerState.CLOSING and self._agent.speaking:
            self.state = CallerState.LISTENING
        if self.state is CallerState.LISTENING:
            actions += self._listen()
        if self.state is CallerState.CLOSING and self._now_s >= self._hang_up_at_s:
            actions += self._hang_up("completed", "every line was said and answered")
        return actions

    def _listen(self) -> list[CallerAction]:
        reply = self._agent.reply(self._now_s)
        if reply is Reply.UNDER_WAY:
            return self._speak_over_agent()
        if reply is Reply.ENDED:
            return self._take_turn(since_s=self._agent.quiet_since_s)
        if self._agent.speaking:
            return []
        if self._speaks_first():
            return self._take_turn(since_s=self._connected_s)
        if self._now_s < self._patience_ends_s():
            return []
        if self._nothing_happened():
            waited = f"for {self._patience.first_speech_s:g} s after the call was connected"
            return self._hang_up("no_greeting", f"the agent did not say a word {waited}")
        waited = f"for {self._patience.silence_s:g} s"
        return self._hang_up("agent_silent", f"the agent was silent {waited} after line {self._said}")

    def _speak_over_agent(self) -> list[CallerAction]:
        line, onset_s = self._interruption, self._agent.onset_s
        if line is None or line.barge_in_after_s is None or onset_s is None:
            return []
        at_s = max(self._now_s, onset_s + line.barge_in_after_s)
        return self._plan(line, kind=line.kind_over_agent, at_s=at_s, agent_onset_s=onset_s)

    def _take_turn(self, *, since_s: float) -> list[CallerAction]:
        line = self._policy.next_line(self._dialogue)
        quiet_since_s = max(since_s, self._own_end_s)
        if line is None:
            self.state = CallerState.CLOSING
            self._hang_up_at_s = quiet_since_s + self._policy.hang_up_after_s
            return []
        return self._plan(line, kind="turn", at_s=max(self._now_s, quiet_since_s + line.pause_s))

    def _plan(
        self, line: Line, *, kind: Kind, at_s: float, agent_onset_s: float | None = None
    ) -> list[CallerAction]:
        self._speak = Speak(
            index=self._said, text=line.text, kind=kind, at_s=at_s, agent_onset_s=agent_onset_s
        )
        self.state = CallerState.SPEAKING if self._has_begun() else CallerState.SCHEDULED
        return [self._speak]

    def _hang_up(self, reason: HangUpReason, detail: str) -> list[CallerAction]:
        self.state = CallerState.DONE
        return [HangUp(reason=reason, detail=detail)]

    def _has_begun(self) -> bool:
        return self._speak is not None and self._now_s >= self._speak.at_s - COMMIT_LEAD_S

    def _nothing_happened(self) -> bool:
        return self._said == 0 and self._agent.onset_s is None

    def _speaks_first(self) -> bool:
        return self._nothing_happened() and not self._policy.wait_for_greeting

    def _patience_ends_s(self) -> float:
        if self._nothing_happened():
            return self._connected_s + self._patience.first_speech_s
        quiet_since_s = max(self._connected_s, self._own_end_s, self._agent.quiet_since_s)
        return quiet_since_s + self._patience.silence_s

    def _where(self) -> str:
        match self.state:
            case CallerState.IDLE:
                return "before the call was connected"
            case CallerState.SPEAKING:
                return f"while line {self._said + 1} was being said"
            case CallerState.SCHEDULED:
                return f"before line {self._said + 1}"
            case CallerState.CLOSING:
                return "after the reply to the last line"
            case _:
                awaited = f"reply to line {self._said}" if self._said else "greeting"
                doing = "went on with" if self._agent.speaking else "waited for"
                side = "the agent" if self._agent.speaking else "the caller"
                return f"while {side} {doing} the {awaited}"
