"""How a call ended, from why its caller hung up: the same for calls and for dialogues in text.

A caller that was satisfied, that closed courteously without being so, or that refused, has **completed** the
call: it came to the end that the person had in mind. One that gave up on the agent, or waited in vain for its
words, has **hung up** on it. An agent that hangs up after the caller's goodbye has ended nothing: the caller
then gives its own reason.
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.records.call import CallRecord, CallStatus
from voice_sim.caller.events import HangUpReason
from voice_sim.caller.state import AFTER_GOODBYE, AFTER_LAST_WORDS, SAID_GOODBYE

BY_PERSON = "interrupted (Ctrl-C or SIGTERM)"
"""Status detail of a conversation that a person cut off."""

STATUS_OF_REASON: Mapping[HangUpReason, CallStatus] = {
    "completed": CallStatus.COMPLETED,
    "satisfied": CallStatus.COMPLETED,
    "declined": CallStatus.COMPLETED,
    "unanswered": CallStatus.COMPLETED,
    "refused": CallStatus.COMPLETED,
    "gave_up": CallStatus.CALLER_HANGUP,
    "agent_silent": CallStatus.CALLER_HANGUP,
    "no_greeting": CallStatus.CALLER_HANGUP,
    "limit": CallStatus.TIMEOUT,
    "agent_hangup": CallStatus.AGENT_HANGUP,
    "connection_lost": CallStatus.CONNECTION_LOST,
}


def ended_with_leave(record: CallRecord) -> bool:
    """Whether the last that the caller said was its goodbye."""
    said = (SAID_GOODBYE, AFTER_GOODBYE, AFTER_LAST_WORDS)
    return any(words in record.status_detail for words in said)
