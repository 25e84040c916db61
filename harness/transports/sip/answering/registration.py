"""Makes us known to a registrar, and keeps us so (RFC 3261, section 10)."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable

from sipmessage import Response

from harness.errors import EXIT_NOT_PLACED, SetupFailed, UserError
from harness.redaction import KNOWN
from harness.transports.sip.address import Destination, bare_host, in_brackets
from harness.transports.sip.answering.door import Door
from harness.transports.sip.answering.line import Line
from harness.transports.sip.signalling.login import MAX_ROUNDS, Login, Refused
from harness.transports.sip.signalling.message import (
    address_of,
    number_in,
    parameter,
    request_bytes,
    said,
    values,
)
from harness.transports.sip.signalling.resolve import locate
from harness.transports.sip.signalling.transactions import new_branch
from harness.transports.sip.signalling.wire import Place, StreamWire, Wire, open_wire

EXPIRES_S = 600
LEAST_S = 10
MOST_S = 7200
ANSWER_S = 8.0
"""So long a registrar may take; its answer is asked for several times meanwhile."""
AGAIN_S = 15.0
"""After a refresh that failed."""


class Registration:
    """One address of ours at one registrar.

    Args:
        destination: Who we are there; user and password, proxy and way are those of ``--register``.
        on_note: Told where a refresh fails, and where it works again.
    """

    def __init__(self, destination: Destination, *, on_note: Callable[[str], None]) -> None:
        self.destination = destination
        self.hop: Place = ("", 0)
        self.contact = ""
        self._on_note = on_note
        self._name = f"sip:{destination.uri.user}@{destination.uri.host}"
        self._login = Login(user=destination.user or destination.uri.user, password=destination.password)
        self._line: Line | None = None
        self._under: Wire | None = None
        self._is_unanswered = False
        self._call_id = f"{secrets.token_hex(12)}@outboundeval"
        self._tag = secrets.token_hex(6)
        self._number = 0
        self._expires_s = EXPIRES_S
        self._refreshing: asyncio.Task[None] | None = None
        self._connection_lost = asyncio.Event()
        self._stands = False

    async def locate(self) -> None:
        """Finds out where the registrar is.

        Raises:
            UserError: There is no such host.
        """
        destination = self.destination
        host, port = destination.proxy or (destination.uri.host, destination.uri.port)
        try:
            self.hop = await locate(host, port, destination.carrier, shown=f"--register: {self._name}")
        except SetupFailed as error:
            raise UserError(str(error)) from None

    async def begin(self, door: Door) -> None:
        """Registers, and goes on doing so until :meth:`end`.

        Raises:
            UserError: The registrar does not take us, or does not answer.
        """
        self._door = door
        try:
            await self._connect(door)
        except SetupFailed as error:
            raise UserError(str(error), exit_code=EXIT_NOT_PLACED) from None
        if trouble := await self._register(self._expires_s):
            raise UserError(f"--register: {self._name}: {trouble}", exit_code=EXIT_NOT_PLACED)
        self._stands = True
        self._refreshing = asyncio.create_task(self._refresh())

    async def end(self) -> None:
        """Takes our address back; a registrar that does not answer is not waited for."""
        if self._refreshing is not None:
            self._refreshing.cancel()
        if self._stands:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._register(0)
        if self._line is not None:
            self._line.endpoint.close()

    async def _connect(self, door: Door) -> None:
        """Over UDP from where we listen; else over a connection of our own, by which calls come as well."""
        destination, before = self.destination, self._under
        under: Wire | None = None
        if destination.carrier != "udp":
            under = await open_wire(
                destination.carrier,
                self.hop,
                server_name=bare_host((destination.proxy or (destination.uri.host, 0))[0]),
                ca_file=None,
                shown=f"--register: {self._name}",
                within_s=ANSWER_S,
            )
        if self._line is not None:
            self._line.endpoint.close()
        self._under, self._is_unanswered = under, False
        self._line = door.line(self._call_id, under, towards=self.hop)
        self._line.endpoint.on_request = lambda request, source: None
        self._connection_lost.clear()
        self._line.endpoint.on_lost = lambda why: self._connection_lost.set()
        host, port = self._line.wire.local
        via = "" if destination.carrier == "udp" else f";transport={destination.carrier}"
        self.contact = f"sip:{destination.uri.user}@{in_brackets(host)}:{port}{via}"
        if isinstance(before, StreamWire):
            # Each renewal that failed would leave one behind.
            await door.discard(before)

    async def _renewed(self, *, anew: bool) -> str:
        """Why it could not be renewed; empty where it was."""
        if anew and self.destination.carrier != "udp":
            try:
                await self._connect(self._door)
            except SetupFailed as error:
                return str(error)
        return await self._register(self._expires_s)

    async def _refresh(self) -> None:
        failed, anew_at_s = False, -AGAIN_S
        loop = asyncio.get_running_loop()
        while True:
            if failed:
                await asyncio.sleep(AGAIN_S)
            else:
                with contextlib.suppress(TimeoutError):
                    # Well before its end: an answer may be lost, and asked for again.
                    async with asyncio.timeout(max(self._expires_s * 0.5, self._expires_s - 60.0)):
                        await self._connection_lost.wait()
            if self._connection_lost.is_set():
                # Nobody calls us by it. Only where it is lost again and again, some time passes between.
                await asyncio.sleep(anew_at_s + AGAIN_S - loop.time())
            # Where the registrar answers, if only to refuse, its connection is well.
            anew = self._is_unanswered or self._connection_lost.is_set()
            if anew:
                anew_at_s = loop.time()
            trouble = await self._renewed(anew=anew)
            if trouble and not failed:
                self._on_note(f"the registration of {self._name} could not be renewed: {trouble}")
            elif failed and not trouble:
                self._on_note(f"{self._name} is registered again")
            failed = bool(trouble)

    async def _register(self, expires_s: int) -> str:
        """Why it did not come about; empty where it did."""
        for _ in range(MAX_ROUNDS):
            response = await self._asked(expires_s)
            if response is None:
                self._is_unanswered = True
                return f"no answer within {ANSWER_S:g} s"
            if 200 <= response.code < 300:
                self._login.settled("REGISTER")
                if expires_s:
                    self._expires_s = self._granted(response, expires_s)
                return ""
            if response.code in (401, 407):
                try:
                    self._login.heed(response, "REGISTER")
                except Refused as error:
                    return f"answered {response.code}: {error}"
            elif response.code == 423 and (least := _seconds(response.headers.get("Min-Expires"))):
                if not expires_s < least <= MOST_S:
                    return f"answered {KNOWN.scrub(said(response))}"
                expires_s = least
            else:
                return f"answered {KNOWN.scrub(said(response))}"
        return f"asked {MAX_ROUNDS} times who we are"

    async def _asked(self, expires_s: int) -> Response | None:
        assert self._line is not None
        destination, wire = self.destination, self._line.wire
        branch, self._number = new_branch(), self._number + 1
        host, port = wire.local
        registrar = f"{'sips' if destination.uri.secure else 'sip'}:{destination.uri.host}"
        if destination.proxy is None and destination.uri.port is not None:
            registrar += f":{destination.uri.port}"
        headers = [
            ("Via", f"SIP/2.0/{wire.name} {in_brackets(host)}:{port};branch={branch};rport"),
            ("Max-Forwards", "70"),
            ("From", f"<{self._name}>;tag={self._tag}"),
            ("To", f"<{self._name}>"),
            ("Call-ID", self._call_id),
            ("CSeq", f"{self._number} REGISTER"),
            ("Contact", f"<{self.contact}>;expires={expires_s}"),
            ("Expires", str(expires_s)),
            *self._login.headers("REGISTER", registrar),
        ]
        transaction = self._line.endpoint.ask(
            request_bytes("REGISTER", registrar, headers), to=self.hop, method="REGISTER", branch=branch
        )
        try:
            async with asyncio.timeout(ANSWER_S):
                while (response := await transaction.responses.get()) is not None:
                    if response.code >= 200:
                        return response
        except TimeoutError:
            transaction.stop()
        return None

    def _granted(self, response: Response, asked_s: int) -> int:
        """For how long we are known: as our own Contact says, else the whole answer."""
        for contact in values(response, "Contact"):
            if address_of(contact) == self.contact and (told := _seconds(parameter(contact, "expires"))):
                return min(max(told, LEAST_S), MOST_S)
        told = _seconds(response.headers.get("Expires"))
        return min(max(told, LEAST_S), MOST_S) if told else asked_s


def _seconds(text: str | None) -> int:
    return number_in(text or "") or 0
