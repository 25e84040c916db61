"""What the caller is told and what it answers. ``t`` is always the call time at which something became known.

Times within an event (``onset_s``, ``end_s``) are when it really happened, never later than ``t``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voice_sim.policies.base import Decision, Dialogue, EndReason, Kind

HangUpReason = (
    EndReason
    | Literal["completed", "agent_silent", "no_greeting", "limit", "agent_hangup", "connection_lost"]
)


@dataclass(frozen=True, kw_only=True)
class Connected:
    """The media session stands."""

    t: float


@dataclass(frozen=True, kw_only=True)
class AgentSpeechStarted:
    """The ears noticed at ``t`` that the agent has been speaking since ``onset_s``."""

    t: float
    onset_s: float


@dataclass(frozen=True, kw_only=True)
class AgentSpeechEnded:
    """The ears are sure at ``t`` that the agent stopped at ``end_s``."""

    t: float
    end_s: float


@dataclass(frozen=True, kw_only=True)
class AgentWords:
    """The ears understood, at ``t``, what the agent said from ``onset_s`` on; "" where they did not."""

    t: float
    onset_s: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Thought:
    """A part of what the policy decided, in answer to :class:`Think` number ``number``."""

    t: float
    number: int
    decision: Decision


@dataclass(frozen=True, kw_only=True)
class UtteranceFinished:
    """The last voiced sample of our line left, at ``end_s`` where that is known better than ``t``."""

    t: float
    index: int
    end_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class AgentHungUp:
    """The agent ended the call.

    Attributes:
        lost: It did not: the connection to it was lost.
    """

    t: float
    lost: bool = False


@dataclass(frozen=True, kw_only=True)
class Tick:
    """Time has passed."""

    t: float


CallerEvent = (
    Connected
    | AgentSpeechStarted
    | AgentSpeechEnded
    | AgentWords
    | Thought
    | UtteranceFinished
    | AgentHungUp
    | Tick
)


@dataclass(frozen=True, kw_only=True)
class Speak:
    """Say a line so that its first voiced sample leaves at ``at_s``, or as soon as possible.

    Attributes:
        index: Position of the line among those said, from 0. A line that was taken back keeps its index.
        at_s: Call time, now or later.
        agent_onset_s: Onset of the agent's speech that the line is aimed at; None for a turn.
        why: As in :class:`~voice_sim.policies.base.Line`.
        continues: This is a further part of the line before it, of the same turn: it follows as soon as that
            has ended, and both are one utterance.
        press: Keys that are pressed in place of words.
    """

    index: int
    text: str
    kind: Kind
    at_s: float
    agent_onset_s: float | None
    why: str = ""
    continues: bool = False
    press: str = ""


@dataclass(frozen=True, kw_only=True)
class Cancel:
    """Take back a line of which nothing has left yet. If something has, say it to its end."""

    index: int


@dataclass(frozen=True, kw_only=True)
class HangUp:
    """End the call. ``detail`` is for a person. Nothing follows."""

    reason: HangUpReason
    detail: str


@dataclass(frozen=True, kw_only=True)
class Think:
    """Ask the policy (:meth:`~voice_sim.policies.base.ThinkingPolicy.think`) and report a :class:`Thought`
    for each part. A later ``Think``, or :class:`Forget`, makes an earlier one void."""

    number: int
    dialogue: Dialogue


@dataclass(frozen=True, kw_only=True)
class Forget:
    """Stop thinking: the agent has gone on speaking, and what it says now may change the answer."""

    number: int


CallerAction = Speak | Cancel | Think | Forget | HangUp
