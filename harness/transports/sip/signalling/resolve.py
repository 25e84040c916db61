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


MAX_PLACES = 4
"""So many are tried for a call."""

Service = tuple[str, int]
"""A host and its port."""


async def locate(host: str, port: int | None, carrier: Carrier, *, shown: str) -> Place:
    """Where a host takes requests: the first of :func:`locate_all`."""
    return (await locate_all(host, port, carrier, shown=shown))[0]


async def locate_all(host: str, port: int | None, carrier: Carrier, *, shown: str) -> list[Place]:
    """Where a host takes requests, in the order in which they are to be tried; at least one place, at most
    :data:`MAX_PLACES`.

    Args:
        shown: The address of the agent, for messages.

    Raises:
        SetupFailed: No such host is known.
    """
    if is_numeric(host):
        return [(bare_host(host), port or default_port(carrier))]
    services = await _services(host, carrier) if port is None else []
    places: list[Place] = []
    for name, its_port in services[:MAX_PLACES] or [(host, port or default_port(carrier))]:
        place = await _address(name, its_port)
        if place is not None and place not in places:
            places.append(place)
    if not places:
        raise SetupFailed(f"{shown}: there is no host of that name")
    return places


async def _address(host: str, port: int) -> Place | None:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError):
        return None
    # IPv4 where there is both: what does not work is more often IPv6.
    best = min(found, key=lambda one: one[0] != socket.AF_INET)
    return str(best[4][0]), int(best[4][1])


async def _services(host: str, carrier: Carrier) -> list[Service]:
    """What SRV records name; nothing where there are none."""
    name = "_sips._tcp" if carrier == "tls" else f"_sip._{carrier}"
    try:
        answer = await dns.asyncresolver.resolve(f"{name}.{host}", "SRV", lifetime=SRV_LIMIT_S)
    except (dns.exception.DNSException, OSError):
        return []
    records = [one for one in answer if isinstance(one, dns.rdtypes.IN.SRV.SRV)]
    return in_order([(one.priority, one.weight, one.target.to_text(True), one.port) for one in records])


def in_order(records: list[tuple[int, int, str, int]]) -> list[Service]:
    """Records (priority, weight, host, port) in the order of RFC 2782: by priority, drawn by weight among
    those of one. What cannot be used is left out."""
    waiting = [one for one in records if one[2] not in ("", ".") and one[3] > 0]
    ordered: list[Service] = []
    while waiting:
        first = [one for one in waiting if one[0] == min(one[0] for one in waiting)]
        picked = random.choices(first, weights=[one[1] + 0.1 for one in first])[0]
        waiting.remove(picked)
        ordered.append((picked[2], picked[3]))
    return ordered
