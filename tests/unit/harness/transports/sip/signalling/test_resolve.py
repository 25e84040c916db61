"""Where a host takes requests."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.transports.sip.signalling.reaching import NEXT_AFTER_S, first_reached
from harness.transports.sip.signalling.resolve import in_order, locate
from harness.transports.sip.signalling.wire import Unreached


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


async def test_a_place_without_a_word_is_given_up_for_the_next() -> None:
    tried: list[tuple[int, float | None]] = []
    told: list[tuple[int, int, str]] = []

    async def call_at(place: tuple[str, int], unheard_s: float | None) -> str:
        tried.append((place[1], unheard_s))
        if place[1] < 3:
            raise Unreached(f"nobody at {place[1]}")
        return "taken"

    async def on_next(left: tuple[str, int], place: tuple[str, int], why: Unreached) -> None:
        told.append((left[1], place[1], str(why)))

    places = [("h", 1), ("h", 2), ("h", 3)]
    assert await first_reached(places, call_at, on_next=on_next) == "taken"
    assert tried == [(1, NEXT_AFTER_S), (2, NEXT_AFTER_S), (3, None)]
    assert told == [(1, 2, "nobody at 1"), (2, 3, "nobody at 2")]
    with pytest.raises(Unreached, match=r"^nobody at 2$"):
        await first_reached(places[:2], call_at, on_next=on_next)


async def test_a_refusal_is_nobody_elses_to_answer() -> None:
    tried = []

    async def call_at(place: tuple[str, int], unheard_s: float | None) -> str:
        tried.append(place)
        raise SetupFailed("busy")

    async def on_next(left: tuple[str, int], place: tuple[str, int], why: Unreached) -> None:
        raise AssertionError

    with pytest.raises(SetupFailed, match=r"^busy$"):
        await first_reached([("h", 1), ("h", 2)], call_at, on_next=on_next)
    assert tried == [("h", 1)]
