"""Dialling: an agent's places one after the other, and at each what a call needs before it is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sipmessage import Request, Response

from harness.errors import SetupFailed
from harness.redaction import KNOWN
from harness.transports.base import DialRequest
from harness.transports.sip.address import Destination, bare_host, in_brackets
from harness.transports.sip.headers import MAX_BYTES, MAX_DATAGRAM_BYTES, fitting
from harness.transports.sip.lost_way import way_back
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.media.ports import open_ports
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.inviting.placing import Placing, begun
from harness.transports.sip.signalling.inviting.reaching import first_reached
from harness.transports.sip.signalling.lasting import LastingWire
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.resolve import locate_all
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import Place, Unreached, Wire, open_wire


@dataclass(frozen=True, kw_only=True)
class AtAPlace:
    """A call that is being placed at one of the agent's places.

    Attributes:
        leg: Its sound: its own, or that of a call that goes on here.
    """

    endpoint: Endpoint
    placing: Placing
    negotiation: Negotiation
    leg: Leg


@dataclass(kw_only=True)
class Dialling:
    """The dialling of one call.

    Attributes:
        handed: The sound of a call that goes on here; None: one of its own is made at each place.
        on_place: Called when all is ready at a place, before its INVITE leaves.
        on_left: Called when a place is given up for the next one.
        on_provisional: Called with each 1xx but 100.
        on_moved: Called when another connection was opened in place of a lost one, from another port of ours.
        on_request, on_lost: As :class:`~harness.transports.sip.signalling.transactions.Endpoint` has them.
        tell: Of what happens on the wire.
    """

    request: DialRequest
    destination: Destination
    handed: Leg | None
    on_place: Callable[[AtAPlace], None]
    on_left: Callable[[], None]
    on_provisional: Callable[[Response], None]
    on_request: Callable[[Request, Place], None]
    on_lost: Callable[[str], None]
    on_moved: Callable[[], None]
    tell: Callable[[str, dict[str, Any]], None]
    _at: AtAPlace | None = None

    async def reach(self) -> Response:
        """The answer of who takes the call, acknowledged.

        Raises:
            SetupFailed: Nobody does.
            Redirected: The agent is elsewhere, where we may go.
        """
        destination = self.destination
        host, port = destination.proxy or (destination.uri.host, destination.uri.port)
        places = await locate_all(host, port, destination.carrier, shown=self.request.agent)

        async def call_at(place: Place, unheard_s: float | None) -> Response:
            return await self._call_at(place, unheard_s, server_name=bare_host(host))

        return await first_reached(places, call_at, on_next=self._goes_on_at)

    async def _call_at(self, hop: Place, unheard_s: float | None, *, server_name: str) -> Response:
        """The answer of who takes the call at one of the agent's places."""
        request, destination = self.request, self.destination
        most = MAX_DATAGRAM_BYTES if destination.carrier == "udp" else MAX_BYTES
        # Before anything is opened: nobody is told of what is open where this fails.
        headers, left_out = fitting(request.to, most)
        wire = await open_wire(
            destination.carrier,
            hop,
            server_name=server_name,
            ca_file=request.to.reach.ca_file,
            shown=request.agent,
            within_s=unheard_s,
        )
        lasting = LastingWire(wire)
        endpoint = Endpoint(lasting)
        endpoint.on_request = self.on_request
        endpoint.on_lost = self.on_lost
        try:
            leg = self.handed or self._new_leg(wire.local[0])
        except SetupFailed:
            endpoint.close()
            await lasting.closed()
            raise
        agreed = leg.agreed
        negotiation = Negotiation(
            address=leg.ports.address,
            port=leg.ports.number,
            codecs=destination.codecs if agreed is None else (agreed.codec,),
            secure=destination.srtp,
        )
        if left_out:
            self.tell("not-told", {"headers": left_out, "most_bytes": most})
        asking = Asking(
            endpoint=endpoint,
            destination=destination,
            login=Login(user=destination.user, password=destination.password),
            hop=hop,
            shown=request.agent,
            dialog=begun(destination, at=lasting.local),
        )
        placing = Placing(
            asking=asking,
            offer=negotiation.offer(),
            headers=headers,
            on_provisional=self.on_provisional,
            unheard_s=unheard_s,
        )
        endpoint.on_success = placing.confirm
        self._at = AtAPlace(endpoint=endpoint, placing=placing, negotiation=negotiation, leg=leg)
        self.on_place(self._at)
        back = way_back(asking, ca_file=request.to.reach.ca_file, else_to=(hop, server_name))

        async def way() -> Wire:
            opened = await back()
            asking.moves_to(opened.local)
            self.on_moved()
            return opened

        # Before it is taken: whoever takes it may close the connection before it is acknowledged.
        lasting.way = way
        return await placing.place()

    def _new_leg(self, address: str) -> Leg:
        try:
            ports = open_ports(address)
        except OSError as error:
            raise SetupFailed(f"{self.request.agent}: our own side has {error}") from error
        return Leg(ports, self.request, on_event=self.tell)

    async def _goes_on_at(self, left: Place, place: Place, why: Unreached) -> None:
        at, self._at = self._at, None
        if at is not None:
            self.on_left()
            at.placing.close()
            at.endpoint.close()
            await at.endpoint.wire.closed()
            # The way to the next place may begin at another address of ours.
            if self.handed is None:
                await at.leg.close()
        told = {"left": _shown(left), "place": _shown(place), "why": KNOWN.scrub(str(why))}
        self.tell("next-place", told)


def _shown(place: Place) -> str:
    return f"{in_brackets(place[0])}:{place[1]}"
