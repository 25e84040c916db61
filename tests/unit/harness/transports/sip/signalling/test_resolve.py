"""Where a host takes requests."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.transports.sip.signalling.resolve import in_order, locate


async def test_an_address_needs_no_looking_up() -> None:
    assert await locate("192.0.2.1", None, "udp", shown="s") == ("192.0.2.1", 5060)
    assert await locate("192.0.2.1", None, "tls", shown="s") == ("192.0.2.1", 5061)
    assert await locate("[2001:db8::1]", 5070, "tcp", shown="s") == ("2001:db8::1", 5070)


async def test_a_host_that_is_not_there_is_told() -> None:
    with pytest.raises(SetupFailed, match=r"^shown: there is no host of that name$"):
        await locate("no-such-host.invalid", 5060, "udp", shown="shown")


def test_services_are_tried_by_priority() -> None:
    records = [(20, 0, "later.example", 5060), (10, 5, "now.example", 5070), (15, 0, "then.example", 5080)]
    assert in_order(records) == [("now.example", 5070), ("then.example", 5080), ("later.example", 5060)]
    assert in_order([(1, 1, ".", 5060), (1, 1, "no-port.example", 0)]) == []
    assert in_order([]) == []


def test_of_one_priority_the_heavier_comes_first_more_often() -> None:
    records = [(10, 90, "heavy.example", 5060), (10, 10, "light.example", 5060)]
    orders = [in_order(records) for _ in range(400)]
    assert all(sorted(order) == [("heavy.example", 5060), ("light.example", 5060)] for order in orders)
    first = sum(order[0][0] == "heavy.example" for order in orders)
    assert 320 < first < 395, "nine of ten"
