"""Whom an agent attended to while somebody else was heard besides its caller (paper, Table 14).

A dialogue is one request of the caller's and one other voice. It succeeds where the agent took up the request
and nothing of the other: it neither stopped for the other voice nor answered it where that fell into its
speech, and has none of the other's words in its transcript or its reply. A request that nobody answers is a
failure. Whether the agent copes with the request at all is asked without the other voice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

VERSION = "4"
"""2 took a request for unanswered where the call was over at once; 3 had what was not told for not
taken up, also where messages were dropped."""


@dataclass(frozen=True, kw_only=True)
class Attended:
    """``success`` None: it cannot be told. ``reason`` says why, or what it failed by."""

    success: bool | None
    reason: str = ""


def attended(
    *,
    answered: bool,
    taken_up: bool | None,
    took_words: Sequence[str] = (),
    into_speech: bool = False,
    stopped: bool | None = False,
    replied: bool | None = False,
) -> Attended:
    """The verdict on one dialogue.

    What is known to have gone wrong decides, whatever else is not known.

    Args:
        answered: The agent said anything after the request.
        taken_up: It took up what the request is about; None: nobody can tell.
        took_words: Words of the other that it took up.
        into_speech: The other fell into its speech; so it is asked whether it stopped and replied.
        stopped, replied: None: nobody can tell.
    """
    if not answered:
        return Attended(success=False, reason="it did not answer the request")
    if into_speech and stopped:
        return Attended(success=False, reason="it stopped for the other voice")
    if into_speech and replied:
        return Attended(success=False, reason="it answered the other voice")
    if took_words:
        return Attended(success=False, reason=f"it took up the other's words: {', '.join(took_words)}")
    if taken_up is False:
        return Attended(success=False, reason="it did not take up the request")
    if taken_up is None:
        return Attended(success=None, reason="nobody can tell whether it took up the request")
    if into_speech and (stopped is None or replied is None):
        return Attended(success=None, reason="nobody can tell whether it stopped or replied")
    return Attended(success=True)
