"""What the caller knows of the call so far: who spoke when and what, and whose turn it is."""

from __future__ import annotations

import math

from voice_sim.caller.dialogue_log import DialogueLog
from voice_sim.caller.own_turn import OwnTurn
from voice_sim.caller.turn_taking import Patience, Reply, ReplyWatch, SilenceWatch

FAREWELL_S = 10.0
"""After its last words the caller hears an agent that talks and talks no longer than this."""


class CallSoFar:
    """Notes what happens; decides nothing.

    Attributes:
        agent: Its speech, and what of it is the reply.
        silence: How long it has left us waiting.
        log: The dialogue.
        spoken: How many lines and parts of lines we have said.
        own_end_s: When the last of them ended.
    """

    def __init__(self, *, patience: Patience, ear_hangover_s: float) -> None:
        self.agent = ReplyWatch(ear_hangover_s=ear_hangover_s, doubtful_s=patience.doubtful_s)
        self.silence = SilenceWatch(patience)
        self.log = DialogueLog()
        self.spoken = 0
        self.own_end_s = -math.inf

    def reply(self, now_s: float) -> Reply:
        """How far the agent's reply to our last line has come."""
        return self.agent.reply(now_s)

    @property
    def nothing_happened(self) -> bool:
        """Nobody has said a word."""
        return self.spoken == 0 and self.agent.onset_s is None

    @property
    def quiet_since_s(self) -> float:
        """Since when nobody speaks."""
        if self.agent.onset_s is None:
            return max(self.silence.connected_s, self.own_end_s)
        return max(self.agent.quiet_since_s, self.own_end_s)

    def farewell_ends_s(self, now_s: float, *, waits_s: float) -> float:
        """When to hang up after our last words: once they are answered, or after ``waits_s`` of silence."""
        if self.reply(now_s) is Reply.ENDED:
            return now_s
        at_the_latest_s = self.own_end_s + max(FAREWELL_S, waits_s)
        return at_the_latest_s if self.agent.speaking else min(at_the_latest_s, self.quiet_since_s + waits_s)

    def note_agent_started(self, onset_s: float) -> None:
        """The agent began to speak."""
        self.agent.started(onset_s)
        self.silence.agent_spoke()

    def note_agent_ended(self, end_s: float, *, now_s: float) -> None:
        """The agent stopped, as is known now."""
        heard = self.agent.ended(end_s)
        if heard is not None:
            self.silence.agent_stopped(heard.end_s)
            self.log.note_heard(heard, now_s=now_s)

    def note_said(self, turn: OwnTurn, *, end_s: float) -> None:
        """We have said the next part of our turn."""
        part = turn.finish_part()
        self.spoken += 1
        self.own_end_s = end_s
        self.silence.said(end_s=end_s, prompt=turn.prompt)
        if part is turn.first:
            self.log.note_said(text=part.text, kind=part.kind, start_s=part.at_s, end_s=end_s)
        else:
            self.log.note_continued(text=part.text, end_s=end_s)
        if part.kind != "backchannel":
            self.agent.expect_reply(line_start_s=turn.first.at_s, line_end_s=end_s)
