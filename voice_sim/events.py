"""What the caller is told and what it answers. ``t`` is always the call time at which something became known.

Times within an event (``onset_s``, ``end_s``) are when it really happened, never later than ``t``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voice_sim.policies.base import Kind

HangUpReason = Literal["completed", "agent_silent", "no_greeting", "limit", "agent_hangup"]


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
class UtteranceFinished:
    """The last voiced sample of our line left, at ``end_s`` where that is known better than ``t``."""

    t: float
    index: int
    end_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class AgentHungUp:
    """The agent ended the call."""

    t: float


@dataclass(frozen=True, kw_only=True)
class Tick:
    """Time has passed."""

    t: float


CallerEvent = Connected | AgentSpeechStarted | AgentSpeechEnded | UtteranceFinished | AgentHungUp | Tick


@dataclass(frozen=True, kw_only=True)
class Speak:
    """Say a line so that its first voiced sample leaves at ``at_s``, or as soon as possible.

    Attributes:
        index: Position of the line among those said, from 0. A line that was taken back keeps its index.
        at_s: Call time, now or later.
        agent_onset_s: Onset of the agent's speech that the line is aimed at; None for a turn.
    """

    index: int
    text: str
    kind: Kind
    at_s: float
    agent_onset_s: float | None


@dataclass(frozen=True, kw_only=True)
class Cancel:
    """Take back a line of which nothing has left yet. If something has, say it to its end."""

    index: int


@dataclass(frozen=True, kw_only=True)
class HangUp:
    """End the call. ``detail`` is for a person. Nothing follows."""

    reason: HangUpReason
    detail: str


CallerAction = Speak | Cancel | HangUp
