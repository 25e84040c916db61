"""Where a host takes requests."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.transports.sip.signalling.resolve import chosen, locate


async def test_an_address_needs_no_looking_up() -> None:
    assert await locate("192.0.2.1", None, "udp", shown="s") == ("192.0.2.1", 5060)
    assert await locate("192.0.2.1", None, "tls", shown="s") == ("192.0.2.1", 5061)
    assert await locate("[2001:db8::1]", 5070, "tcp", shown="s") == ("2001:db8::1", 5070)


async def test_a_host_that_is_not_there_is_told() -> None:
    with pytest.raises(SetupFailed, match=r"^shown: there is no host of that name$"):
        await locate("no-such-host.invalid", 5060, "udp", shown="shown")


def test_of_services_the_lowest_priority_is_taken() -> None:
    records = [(20, 0, "later.example", 5060), (10, 5, "now.example", 5070), (10, 0, "now.example", 5070)]
    assert chosen(records) == ("now.example", 5070)
    assert chosen([(1, 1, ".", 5060)]) is None
    assert chosen([]) is None
