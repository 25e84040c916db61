"""What becomes of an agent's wish that we call somebody else (REFER, RFC 3515): we follow, or hang up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from harness.records.timeline import TRANSFERRED
from harness.redaction import KNOWN
from harness.transports.base import MediaLog
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.signalling.asking import Asking
from spoken_language.outside_text import one_line


@dataclass(frozen=True, kw_only=True)
class HandedOn:
    """The sound of a call that goes on with somebody else: our stream, and what is kept of it."""

    leg: Leg
    log: MediaLog
    media_started: asyncio.Event


class Standing(Protocol):
    """A call, as its transfers see it.

    Attributes:
        ended: Done when it is over; says how.
        peer_left: Whether the agent has hung up.
    """

    ended: asyncio.Future[str]
    peer_left: bool
    transfers: Transfers

    @property
    def asking(self) -> Asking | None:
        """What asks in its dialog."""

    @property
    def leg(self) -> Leg | None:
        """Its sound."""

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        """Something happened on the wire."""

    def end(self, how: str) -> None:
        """It is over."""

    def press(self, keys: str | None, frame: int) -> bool:
        """See :class:`~harness.transports.base.PressesKeys`."""
        ...

    def hand_on(self) -> HandedOn:
        """Gives its sound away; nothing of it is reported to this agent any more."""
        ...

    def go_on(self, handed: HandedOn) -> None:
        """Takes the sound of another call, which ends here."""

    async def close(self) -> None:
        """Ends it on our side."""


class Follows(Protocol):
    """Where a call may be handed on to."""

    def may(self, target: str) -> bool:
        """Whether an address is one to which the plan lets us follow."""
        ...

    async def go(self, call: Standing, target: str, shown: str) -> None:
        """Calls whom the agent names, and goes on there."""
        ...


class Transfers:
    """Those of one call.

    Args:
        run: Runs a coroutine for as long as the call lasts.

    Attributes:
        follows: None: nowhere.
        moving: A transfer is being followed: who hands a call on may leave before it is taken.
        went_on: The call with whom this one goes on.
    """

    def __init__(self, call: Standing, *, run: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._call = call
        self._run = run
        self.follows: Follows | None = None
        self.moving = False
        self.went_on: Standing | None = None

    def asked(self, target: str) -> None:
        """The agent wants us to call somebody else."""
        shown = one_line(KNOWN.scrub(target), most=200)
        if self.moving:
            self._run(self.tell("603 Decline"))
        elif self.follows is not None and self.follows.may(target):
            self.moving = True
            self._run(self.follows.go(self._call, target, shown))
        else:
            self._call.tell(TRANSFERRED, {"to": shown, "followed": False})
            self._run(self._leave(shown))

    async def tell(self, what: str, *, over: bool = True) -> None:
        """Tells the agent what becomes of a transfer that it asked for: a status line's code and phrase."""
        asking = self._call.asking
        assert asking is not None
        state = "terminated;reason=noresource" if over else "active;expires=60"
        await asking.in_dialog(
            "NOTIFY",
            [
                ("Event", "refer"),
                ("Subscription-State", state),
                ("Content-Type", "message/sipfrag;version=2.0"),
            ],
            f"SIP/2.0 {what}\r\n".encode(),
            limit_s=2.0,
        )

    async def hand_over(self, to: Standing) -> None:
        """The call goes on with somebody else, who has taken it; with this agent it is over."""
        call = self._call
        to.go_on(call.hand_on())
        self.went_on = to
        to.ended.add_done_callback(self._ended_there)
        asking = call.asking
        if not call.peer_left and asking is not None:
            await self.tell("200 OK")
        if not call.peer_left and asking is not None:
            call.peer_left = True
            await asking.bye()

    async def stay(self) -> None:
        """A transfer came to nothing: the call goes on here, where the agent has not left it."""
        call = self._call
        self.moving = False
        if not call.peer_left:
            await self.tell("503 Service Unavailable")
        if call.peer_left:
            call.end("the agent hung up (BYE) after a transfer that failed")

    async def _leave(self, shown: str) -> None:
        """The call ends here for us: where it goes on is not ours to follow (RFC 3515, 2.4.5)."""
        await self.tell("603 Decline")
        self._call.end(f"the agent transferred the call to {shown}")

    def _ended_there(self, ended: asyncio.Future[str]) -> None:
        if not ended.cancelled() and not self._call.ended.done():
            self._call.ended.set_result(ended.result())
