"""The states of the caller, and in words where a call stood: for whoever reads how it ended."""

from __future__ import annotations

from enum import Enum

from voice_sim.policies.base import COURTEOUS, EndReason, Leave

SAID_GOODBYE = "and said good-bye"
AFTER_GOODBYE = "after the goodbye"
AFTER_LAST_WORDS = "after the caller's last words"
"""How a call is said to have ended whose caller had taken leave."""


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


def where(
    state: CallerState, *, lines: int, agent_speaking: bool, farewell: EndReason | None, took_leave: bool
) -> str:
    """Where the call stands, to follow "the agent hung up".

    Args:
        lines: How many lines the caller has said.
        farewell: It has said its last words, and leaves for this reason.
        took_leave: It has taken leave, and said nothing else since.
    """
    if farewell in COURTEOUS or (took_leave and state in (CallerState.LISTENING, CallerState.THINKING)):
        return AFTER_GOODBYE
    match state:
        case CallerState.IDLE:
            return "before the call was connected"
        case CallerState.SPEAKING:
            return f"while line {lines + 1} was being said"
        case CallerState.THINKING:
            return f"while the caller thought about line {lines + 1}"
        case CallerState.SCHEDULED:
            return f"before line {lines + 1}"
        case CallerState.CLOSING if farewell is not None:
            return AFTER_LAST_WORDS
        case CallerState.CLOSING:
            return "after the reply to the last line"
        case _:
            awaited = f"reply to line {lines}" if lines else "greeting"
            if agent_speaking:
                return f"while the agent went on with the {awaited}"
            return f"while the caller waited for the {awaited}"


def why_it_left(leave: Leave, *, farewell: bool) -> str:
    """Why the caller hung up; ``farewell``: it has said its last words before."""
    manner = SAID_GOODBYE if farewell else "and hung up without another word"
    because = f" ({leave.why})" if leave.why else ""
    return f"{in_words(leave.reason)} {manner}{because}"


def in_words(reason: EndReason) -> str:
    """ "the caller had had enough": what a reason means, for a person."""
    return f"the caller {_IN_WORDS[reason]}"


_IN_WORDS: dict[EndReason, str] = {
    "satisfied": "had what the call was for",
    "declined": "did not want what the call was for",
    "unanswered": "had not been told what they had to know",
    "refused": "did not want to go on",
    "gave_up": "had had enough",
}
