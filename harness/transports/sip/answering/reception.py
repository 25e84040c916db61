"""Who may ring: by address, and by user and password where they are wanted."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Literal

from sipmessage import Request

from harness.transports.sip.answering.door import Door
from harness.transports.sip.answering.identity import identity
from harness.transports.sip.answering.line import Line
from harness.transports.sip.answering.listening import Listening
from harness.transports.sip.answering.ring import FORGOTTEN_S, Ring
from harness.transports.sip.signalling.credentials import Credentials
from harness.transports.sip.signalling.wire import Place

MAX_TRIES = 4
"""INVITEs of one call: a nonce may be too old, a password is not guessed here."""

Unwanted = Literal["unwanted address", "unwanted credentials"]


class Reception:
    """Opens the door, and lets in whoever may ring.

    Args:
        from_hosts: IP addresses from which calls are taken; None: from anywhere.
        on_ring: Called with each call that is let in. Has to refuse it, or have it rung and taken.
        on_unwanted: Called with each call that is not: why, its INVITE, whence it came.
    """

    def __init__(
        self,
        listening: Listening,
        *,
        from_hosts: frozenset[str] | None,
        on_ring: Callable[[Ring], None],
        on_unwanted: Callable[[Unwanted, Request, Place], None],
    ) -> None:
        self._listening = listening
        self._on_ring = on_ring
        self._on_unwanted = on_unwanted
        self._tries: dict[str, int] = {}
        self._credentials: Credentials | None = None
        if listening.password:
            self._credentials = Credentials(user=listening.user, password=listening.password)
        self.door = Door(
            admits=lambda host: from_hosts is None or host in from_hosts,
            on_invite=self._take,
            on_turned_away=lambda invite, source: on_unwanted("unwanted address", invite, source),
        )

    async def open(self) -> None:
        """Takes calls from now on.

        Raises:
            UserError: Nothing can be taken there.
        """
        listening = self._listening
        tls = None if listening.certificate is None else identity(listening.certificate, listening.key)
        await self.door.open(listening.host, listening.port, tls=tls)

    def close(self) -> None:
        self.door.close()

    async def closed(self) -> None:
        """Returns when all connections are closed."""
        await self.door.closed()

    def _take(self, line: Line, request: Request, source: Place) -> None:
        if request.method == "ACK":
            return
        if request.method != "INVITE":
            line.endpoint.reply(request, 481)
            return
        line.endpoint.reply(request, 100)
        verdict = "right" if self._credentials is None else self._credentials.check(request)
        if verdict == "right":
            self._tries.pop(request.headers["Call-ID"], None)
            self._on_ring(Ring(invite=request, line=line, source=source))
            return
        assert self._credentials is not None
        call_id = request.headers["Call-ID"]
        tries = self._tries[call_id] = self._tries.get(call_id, 0) + 1
        if verdict == "wrong" or tries >= MAX_TRIES:
            self._tries.pop(call_id, None)
            self._on_unwanted("unwanted credentials", request, source)
            Ring(invite=request, line=line, source=source).refuse(403)
            return
        if tries == 1:
            asyncio.get_running_loop().call_later(FORGOTTEN_S, self._shown_nothing, line, request, source)
        challenge = self._credentials.challenge(stale=verdict == "stale")
        line.endpoint.reply(request, 401, to_tag=secrets.token_hex(6), headers=challenge)

    def _shown_nothing(self, line: Line, request: Request, source: Place) -> None:
        """Whoever was asked who they are, and went away, is no caller of ours."""
        if self._tries.pop(request.headers["Call-ID"], None) is not None:
            self._on_unwanted("unwanted credentials", request, source)
            line.endpoint.close()
