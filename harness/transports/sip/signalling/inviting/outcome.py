"""What a final response says of a call that did not come about."""

from __future__ import annotations

from sipmessage import Response

from harness.errors import NotAnswered, SetupFailed, WhyNotAnswered
from harness.redaction import KNOWN
from harness.transports.sip.signalling.message import said

_REASONS: dict[int, WhyNotAnswered] = {
    404: "unknown number",
    408: "no answer",
    410: "unknown number",
    480: "no answer",
    484: "unknown number",
    486: "busy",
    487: "cancelled",
    600: "busy",
    603: "declined",
    604: "unknown number",
    607: "declined",
    608: "declined",
}
"""RFC 3261, section 21; RFC 8197 and 8688 for 607 and 608. All other codes say that the set-up failed."""


def not_taken(response: Response, *, shown: str) -> SetupFailed:
    """The error that a final response of 300 or more is; a :class:`NotAnswered` where the number was reached
    or is known not to be there.

    Args:
        shown: The address of the agent, for messages.
    """
    answered = KNOWN.scrub(said(response))
    reason = "redirected" if response.code < 400 else _REASONS.get(response.code)
    if reason is None:
        return SetupFailed(f"{shown}: answered {answered}")
    return NotAnswered(f"{shown}: {reason} ({answered})", reason=reason, code=response.code)
