"""From where an agent calls: the addresses of the host that its own address names."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Container

from harness.errors import UserError
from harness.transports.sip.address import BadAddress, bare_host, is_numeric, parse_uri


async def addresses_of(url: str, *, but_of: Container[str] = ()) -> frozenset[str]:
    """IP addresses of a SIP address.

    Args:
        but_of: Hosts that need not be asked for: the domains of registrars, through which we are called.

    Raises:
        UserError: It names no host that is known.
    """
    try:
        host = bare_host(parse_uri(url).host)
    except BadAddress as error:
        raise UserError(f"the agent's address is no SIP address: {error}") from None
    if is_numeric(host):
        return frozenset({host})
    if host.lower() in but_of:
        return frozenset()
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError) as error:
        raise UserError(
            f"there is no host of the name {host}, from which the agent is to call; give the address that "
            "its calls come from, or --from-anywhere"
        ) from error
    return frozenset(str(one[4][0]) for one in found)
