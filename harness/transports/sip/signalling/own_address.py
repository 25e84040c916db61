"""How requests of ours tell where we are: at our end of the wire, or where the peer sees us (RFC 3581)."""

from __future__ import annotations

from sipmessage import Response

from harness.transports.sip.address import Destination, bare_host, in_brackets
from harness.transports.sip.signalling.message import number_in, parameter, top_via
from harness.transports.sip.signalling.wire import Place, Wire


def via(wire: Wire, branch: str) -> str:
    """Where the answer to a request is to come: to our end of the wire."""
    host, port = wire.local
    return f"SIP/2.0/{wire.name} {in_brackets(host)}:{port};branch={branch};rport"


def contact(destination: Destination, at: Place) -> str:
    """Our own address in a dialog: where the agent's requests are to come."""
    host, port = at
    if destination.uri.secure:
        # Who is called by sips: is told a sips: address in return (RFC 3261, 8.1.1.8).
        return f"sips:outboundeval@{in_brackets(host)}:{port}"
    return f"sip:outboundeval@{in_brackets(host)}:{port}{carried_by(destination)}"


def carried_by(destination: Destination) -> str:
    """The parameter of an address that names its carrier; UDP goes without saying."""
    return "" if destination.carrier == "udp" else f";transport={destination.carrier}"


def seen_at(response: Response, local: Place) -> Place | None:
    """Where the peer sees us: behind a translator of addresses that is another address than ours.

    Returns:
        None: it does not say.
    """
    told = top_via(response)
    host, port = parameter(told, "received"), number_in(parameter(told, "rport"))
    if not host and port is None:
        return None
    return bare_host(host) or local[0], local[1] if port is None else port
