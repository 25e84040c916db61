"""One place of a host after the other."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.transports.sip.signalling.inviting.reaching import NEXT_AFTER_S, first_reached
from harness.transports.sip.signalling.wire import Unreached


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
