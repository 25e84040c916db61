"""Provisional responses that are not to be lost (100rel, RFC 3262): each is acknowledged with a PRACK.

Of the caller's side alone. An INVITE of ours says that we can; whoever answers may then want it of single
responses: ``Require: 100rel`` and a number (``RSeq``). Each phone that rings has an early dialog of its own,
in which its responses are counted. A description in one of them is the answer to our offer, and need not
come again with the 200 (RFC 3262, 5).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from sipmessage import Response

from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.message import cseq_of, described, tag_of, values

RELIABLE = "100rel"
MAX_EARLY = 8
"""Phones that ring for one INVITE and are acknowledged."""
MAX_ACKNOWLEDGED = 50
"""Responses to one INVITE that are."""


@dataclass(kw_only=True)
class _Early:
    """What is known of one phone. ``sequence``: of its last response that was heeded."""

    dialog: Dialog
    sequence: int
    answer: bytes = b""


class ReliableProvisionals:
    """Those of one INVITE.

    Args:
        acknowledge: Sends a PRACK in an early dialog, with what stands in its RAck.
    """

    def __init__(self, acknowledge: Callable[[Dialog, str], Coroutine[Any, Any, None]]) -> None:
        self._acknowledge = acknowledge
        self._early: dict[str, _Early] = {}
        self._left = MAX_ACKNOWLEDGED
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Another INVITE leaves: what rang before is no more."""
        self._early.clear()
        self._left = MAX_ACKNOWLEDGED

    def take(self, response: Response, of: Dialog) -> bool:
        """A provisional response; acknowledges it, where it wants that.

        Args:
            of: The dialog as the INVITE began it.

        Returns:
            Whether it is to be heeded: not a copy, and not one before which another is missing (RFC 3262, 4).
        """
        sequence = _sequence(response)
        tag = tag_of(response.headers["To"])
        if sequence is None or not tag:
            return True
        number = cseq_of(response).number
        early = self._early.get(tag)
        if self._left == 0 or (early is None and len(self._early) >= MAX_EARLY):
            return False
        if early is None:
            dialog = Dialog(
                call_id=of.call_id,
                local=of.local,
                remote="",
                target=of.target,
                contact=of.contact,
                local_number=number,
            )
            dialog.confirm(response)
            early = self._early[tag] = _Early(dialog=dialog, sequence=sequence)
        elif sequence != early.sequence + 1:
            return False
        early.sequence = sequence
        early.answer = early.answer or described(response)
        self._left -= 1
        task = asyncio.ensure_future(self._acknowledge(early.dialog, f"{sequence} {number} INVITE"))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    def answer_before(self, response: Response) -> bytes:
        """The description that the phone which took the call gave while it rang; empty: it gave none."""
        early = self._early.get(tag_of(response.headers["To"]))
        return b"" if early is None else early.answer

    def counted_to(self, tag: str) -> int:
        """The number of our last request in a phone's early dialog; 0: there was none."""
        early = self._early.get(tag)
        return 0 if early is None else early.dialog.local_number

    def close(self) -> None:
        """Nothing is acknowledged any more."""
        for task in self._tasks:
            task.cancel()


def _sequence(response: Response) -> int | None:
    """Its number, where it wants to be acknowledged and can be."""
    if RELIABLE not in (one.lower() for one in values(response, "Require")):
        return None
    told = (response.headers.get("RSeq") or "").strip()
    if not told.isascii() or not told.isdecimal() or len(told) > 10:
        return None
    return int(told) if 0 < int(told) < 2**32 else None
