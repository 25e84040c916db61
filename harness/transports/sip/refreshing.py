"""Our own signs of life: a re-INVITE with what was agreed, and what its answer changes (RFC 4028, 7.4).

An answer is one as any other: the agent may name other keys, another port or another address in it. One that
refuses is no sign that the agent is gone, nor is none at all where our connection was lost or the agent is
heard: we ask again a little later.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal, Protocol

from sipmessage import Response

from harness.redaction import KNOWN
from harness.transports.base import ConnectionLost
from harness.transports.sip.in_dialog import Call, InDialog
from harness.transports.sip.media.sdp import BadSdp
from harness.transports.sip.session_timer import LEAST_S, MOST_S, SessionTimer
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.inviting.placing import SESSION_S
from harness.transports.sip.signalling.message import cseq_of, described, number_in
from harness.transports.sip.signalling.transactions import BrokenOff

LIMIT_S = 32.0
AGAIN_S = (2.1, 4.0)
"""So long to wait before a refused re-INVITE is sent again, for who made the Call-ID (RFC 3261, 14.1)."""
AGAIN_CALLED_S = (0.1, 2.0)
"""The same for who did not: never at the same time as the other side."""

Why = Literal["due", "moved", "codec"]
"""A sign of life is due, without which the call is over; we are elsewhere, and the agent's own requests would
go to where we were, until it takes that (RFC 3261, 12.2); or the agent is to send in the one codec, which is
a wish of ours, and is asked for once. The latter two cost no call."""


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
        heard: Whether sound of the agent came a moment ago.
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
        heard: Callable[[], bool],
        draw: Random | None = None,
    ) -> None:
        self._call = call
        self._timer = timer
        self._ask_again = again
        self._again_s = again_s
        self._after = after
        self._heard = heard
        self._draw = draw or Random()
        self._again: Stops | None = None
        self._refused = 0
        self._least_s = 0
        self._wanted: set[Why] = set()
        self._wished_again = False
        self._newest = 0

    def stop(self) -> None:
        """Asks no more."""
        if self._again is not None:
            self._again.cancel()
        self._again = None

    async def ask(self, asking: Asking, in_dialog: InDialog, why: Why | None = None) -> None:
        """One attempt.

        Args:
            why: None: what an earlier one was for, that came to nothing.
        """
        self.stop()
        if why is not None:
            self._wanted.add(why)
        if in_dialog.inviting or not self._wanted:
            # It follows when the one under way has its answer.
            return
        wanted, self._wanted = self._wanted, set()
        in_dialog.inviting = True
        try:
            await self._attempt(asking, wanted)
        finally:
            in_dialog.inviting = False
        if self._wanted:
            self._try_again()

    def late(self, asking: Asking, response: Response) -> None:
        """An answer for which we waited no longer: it holds, unless a newer one does. To be acknowledged
        afterwards."""
        if cseq_of(response).number > self._newest:
            asking.dialog.refresh(response)
            self._holds(response)

    async def _attempt(self, asking: Asking, wanted: set[Why]) -> None:
        try:
            response = await asking.answered(
                "INVITE",
                [*self._proposal(), ("Supported", "timer"), ("Content-Type", "application/sdp")],
                self._call.negotiation.offer(),
                limit_s=LIMIT_S,
                waits_on=lambda: not self._is_due(wanted) or self._heard(),
            )
        except BrokenOff:
            self._stays(wanted, wish=True)
            return
        is_due = self._is_due(wanted)
        if response is None or response.code == 408:
            # Some agents answer no re-INVITE at all, and a proxy then says that nothing came (408).
            if is_due and not self._heard():
                self._gone()
            else:
                self._stays(wanted)
            return
        if response.code == 481:
            if is_due:
                self._gone()
            return
        if response.code >= 300:
            if response.code == 422:
                self._lengthen(response.headers.get("Min-SE") or "")
            self._stays(wanted, wish=response.code == 491)
            return
        self._refused = 0
        target = asking.dialog.target
        asking.dialog.refresh(response)
        asking.acknowledge(response)
        self._holds(response)
        if asking.dialog.target != target:
            await asking.settle_hop()

    def _is_due(self, wanted: set[Why]) -> bool:
        return "due" in wanted and self._timer.interval_s > 0

    def _holds(self, response: Response) -> None:
        self._newest = max(self._newest, cseq_of(response).number)
        self._take(described(response))
        self._timer.agreed(response)

    def _gone(self) -> None:
        self._call.end(ConnectionLost("the agent was gone: it did not answer a sign of life"))

    def _stays(self, wanted: set[Why], *, wish: bool = False) -> None:
        """What is asked for again, since it came to nothing.

        Args:
            wish: It was not for the agent to decide: our wish has another attempt, one.
        """
        if self._is_due(wanted):
            self._wanted.add("due")
        if "moved" in wanted:
            self._wanted.add("moved")
        if "codec" in wanted and wish and not self._wished_again:
            self._wished_again = True
            self._wanted.add("codec")

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
        least_s = number_in(told.partition(";")[0])
        if least_s is not None and LEAST_S <= least_s <= MOST_S:
            self._least_s = max(self._least_s, least_s)

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
