"""Lets ICE use 127.0.0.1, which aioice leaves out, so that a bot on localhost can be called."""

from __future__ import annotations

import aioice.ice

LOOPBACK = "127.0.0.1"

_host_addresses = aioice.ice.get_host_addresses


def allow_loopback_candidates() -> None:
    """Adds 127.0.0.1 to the host candidates of every later ICE connection of this process."""
    aioice.ice.get_host_addresses = _host_addresses_with_loopback


def _host_addresses_with_loopback(use_ipv4: bool, use_ipv6: bool) -> list[str]:
    addresses: list[str] = _host_addresses(use_ipv4, use_ipv6)
    return [LOOPBACK, *addresses] if use_ipv4 and LOOPBACK not in addresses else addresses
