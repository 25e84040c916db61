"""From the host of an address to where requests go: DNS SRV, then addresses (RFC 3263, without NAPTR)."""

from __future__ import annotations

import asyncio
import random
import socket

import dns.asyncresolver
import dns.exception
import dns.rdtypes.IN.SRV

from harness.errors import SetupFailed
from harness.transports.sip.address import Carrier, bare_host, default_port, is_numeric
from harness.transports.sip.signalling.wire import Place

SRV_LIMIT_S = 2.0


async def locate(host: str, port: int | None, carrier: Carrier, *, shown: str) -> Place:
    """Where a host takes requests.

    Args:
        shown: The address of the agent, for messages.

    Raises:
        SetupFailed: No such host is known.
    """
    if is_numeric(host):
        return bare_host(host), port or default_port(carrier)
    if port is None and (named := await _service(host, carrier)) is not None:
        host, port = named
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            host, port or default_port(carrier), type=socket.SOCK_DGRAM
        )
    except (OSError, UnicodeError) as error:
        raise SetupFailed(f"{shown}: there is no host of that name") from error
    # IPv4 where there is both: what does not work is more often IPv6.
    best = min(found, key=lambda one: one[0] != socket.AF_INET)
    return str(best[4][0]), int(best[4][1])


async def _service(host: str, carrier: Carrier) -> tuple[str, int] | None:
    """What SRV records name; None where there are none."""
    name = "_sips._tcp" if carrier == "tls" else f"_sip._{carrier}"
    try:
        answer = await dns.asyncresolver.resolve(f"{name}.{host}", "SRV", lifetime=SRV_LIMIT_S)
    except (dns.exception.DNSException, OSError):
        return None
    records = [one for one in answer if isinstance(one, dns.rdtypes.IN.SRV.SRV)]
    return chosen([(one.priority, one.weight, one.target.to_text(True), one.port) for one in records])


def chosen(records: list[tuple[int, int, str, int]]) -> tuple[str, int] | None:
    """One of the records of the lowest priority, by weight (RFC 2782); None where none can be used."""
    usable = [one for one in records if one[2] not in ("", ".") and one[3] > 0]
    if not usable:
        return None
    first = [one for one in usable if one[0] == min(one[0] for one in usable)]
    picked = random.choices(first, weights=[one[1] + 0.1 for one in first])[0]
    return picked[2], picked[3]
