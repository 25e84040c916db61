"""Our own signs of life: a re-INVITE with what was agreed, and what its answer changes (RFC 4028, 7.4).

An answer is one as any other: the agent may name other keys, another port or another address in it. One that
refuses is no sign that the agent is gone: we ask again a little later.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from harness.redaction import KNOWN
from harness.transports.base import ConnectionLost
from harness.transports.sip.in_dialog import Call, InDialog
from harness.transports.sip.media.sdp import BadSdp
from harness.transports.sip.session_timer import LEAST_S, MOST_S, SessionTimer
from harness.transports.sip.signalling.message import described
from harness.transports.sip.signalling.placing import SESSION_S, Placing

LIMIT_S = 32.0
AGAIN_S = (2.1, 4.0)
"""So long to wait before a refused re-INVITE is sent again, for who made the Call-ID (RFC 3261, 14.1)."""
AGAIN_CALLED_S = (0.1, 2.0)
"""The same for who did not: never at the same time as the other side."""


class RefreshedTimer(SessionTimer):
    """The timer of a call, by which its own signs of life go."""

    @property
    def interval_s(self) -> int:
        """What was agreed; 0: nothing."""
        return self._interval_s


class Stops(Protocol):
    """A timer that was set."""

    def cancel(self) -> None:
        """It does not go off."""


class Refreshing:
    """The signs of life of one call.

    Args:
        call: The call.
        timer: Its timer.
        again: Begins the next attempt, where one was refused.
        again_s: Bounds of the wait before that.
        after: Does something later, by seconds.
        draw: Of the wait.
    """

    def __init__(
        self,
        call: Call,
        timer: RefreshedTimer,
        again: Callable[[], None],
        *,
        again_s: tuple[float, float],
        after: Callable[[float, Callable[[], None]], Stops],
        draw: Random | None = None,
    ) -> None:
        self._call = call
        self._timer = timer
        self._ask_again = again
        self._again_s = again_s
        self._after = after
        self._draw = draw or Random()
        self._again: Stops | None = None
        self._refused = 0
        self._least_s = 0

    def stop(self) -> None:
        """Asks no more."""
        if self._again is not None:
            self._again.cancel()
        self._again = None

    async def ask(self, placing: Placing, in_dialog: InDialog) -> None:
        """One attempt."""
        self.stop()
        if in_dialog.inviting:
            return
        in_dialog.inviting = True
        try:
            response = await placing.in_dialog(
                "INVITE",
                [*self._proposal(), ("Supported", "timer"), ("Content-Type", "application/sdp")],
                self._call.negotiation.offer(),
                limit_s=LIMIT_S,
            )
        finally:
            in_dialog.inviting = False
        if response is None or response.code in (408, 481):
            self._call.end(ConnectionLost("the agent was gone: it did not answer a sign of life"))
            return
        if response.code >= 300:
            if response.code == 422:
                self._lengthen(response.headers.get("Min-SE") or "")
            self._try_again()
            return
        self._refused = 0
        target = placing.dialog.target
        placing.dialog.refresh(response)
        placing.acknowledge(response)
        self._take(described(response))
        self._timer.agreed(response)
        if placing.dialog.target != target:
            await placing.settle_hop()

    def _proposal(self) -> list[tuple[str, str]]:
        if not self._timer.interval_s:
            # There are no signs of life in this call: it is the description that matters.
            return []
        interval_s = max(self._timer.interval_s, self._least_s)
        told = [("Session-Expires", f"{interval_s};refresher=uac")]
        # Only who was told that our first proposal is too short has agreed to more, and may not be asked for
        # less (RFC 4028, 7.4).
        least_s = self._least_s or (interval_s if interval_s > SESSION_S else 0)
        return [*told, ("Min-SE", str(least_s))] if least_s else told

    def _lengthen(self, told: str) -> None:
        least = told.partition(";")[0].strip()
        if least.isdecimal() and LEAST_S <= int(least) <= MOST_S:
            self._least_s = max(self._least_s, int(least))

    def _try_again(self) -> None:
        """Each time after twice as long, and no later than the next sign of life would be due."""
        wait_s = self._draw.uniform(*self._again_s) * 2**self._refused
        self._refused = min(self._refused + 1, 10)
        self._again = self._after(min(wait_s, (self._timer.interval_s or SESSION_S) / 2), self._ask_again)

    def _take(self, body: bytes) -> None:
        if not body:
            return
        try:
            self._call.negotiation.take_answer(body)
        except BadSdp as error:
            self._call.tell("answer-refused", {"why": KNOWN.scrub(str(error))})
            return
        self._call.media_changed()
