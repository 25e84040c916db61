"""Turn-taking by user type: what is drawn follows the figures, and the types differ as they are named."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from random import Random

import pytest

from voice_sim.caller.turn_taking import Patience
from voice_sim.person.archetypes import Archetype
from voice_sim.person.manners import (
    LONGEST_DELAY_S,
    SHORTEST_DELAY_S,
    Manners,
    draw_backchannel_s,
    draw_barge_in_s,
    draw_response_delay_s,
    manners_of,
)
from voice_sim.person.persona import Manner

DRAWS = 4000


def plain(archetype: Archetype) -> Manners:
    return manners_of(archetype, Manner(interrupts="sometimes", backchannels="sometimes"))


@pytest.mark.parametrize("archetype", Archetype)
def test_delays_have_the_median_and_spread_that_they_are_said_to_have(archetype: Archetype) -> None:
    manners, random = plain(archetype), Random(7)
    delays = [draw_response_delay_s(manners, random) for _ in range(DRAWS)]
    assert statistics.median(delays) == pytest.approx(manners.response_median_s, rel=0.05)
    inner = [math.log(delay) for delay in delays if SHORTEST_DELAY_S < delay < LONGEST_DELAY_S]
    assert statistics.stdev(inner) == pytest.approx(manners.response_spread, rel=0.1)
    assert all(SHORTEST_DELAY_S <= delay <= LONGEST_DELAY_S for delay in delays)


@pytest.mark.parametrize(
    ("draw", "kind"), [(draw_barge_in_s, "barge_in"), (draw_backchannel_s, "backchannel")]
)
def test_offsets_come_as_often_and_where_they_are_said_to(
    draw: Callable[[Manners, Random], float | None], kind: str
) -> None:
    manners = manners_of(Archetype.RESISTANT, Manner(interrupts="often", backchannels="often"))
    random = Random(3)
    drawn = [draw(manners, random) for _ in range(DRAWS)]
    offsets = [offset for offset in drawn if offset is not None]
    earliest, latest = getattr(manners, f"{kind}_s")
    rate = getattr(manners, f"{kind}_rate")
    # Three standard deviations of a share among that many draws.
    assert len(offsets) / DRAWS == pytest.approx(rate, abs=3 * math.sqrt(rate * (1 - rate) / DRAWS))
    assert earliest <= min(offsets) < earliest + 0.1
    assert latest - 0.1 < max(offsets) <= latest


def test_who_never_interrupts_never_does() -> None:
    for archetype in Archetype:
        manners = manners_of(archetype, Manner(interrupts="never", backchannels="never"))
        random = Random(1)
        assert {draw_barge_in_s(manners, random) for _ in range(200)} == {None}
        assert {draw_backchannel_s(manners, random) for _ in range(200)} == {None}


def test_the_types_differ_as_they_are_named() -> None:
    of = {archetype: plain(archetype) for archetype in Archetype}
    assert max(of, key=lambda one: of[one].response_median_s) is Archetype.HESITANT
    assert min(of, key=lambda one: of[one].response_median_s) is Archetype.EFFICIENT
    assert max(of, key=lambda one: of[one].filler_rate) is Archetype.HESITANT
    assert max(of, key=lambda one: of[one].barge_in_rate) is Archetype.RESISTANT
    assert min(of, key=lambda one: of[one].give_up_after_s) is Archetype.RESISTANT
    assert all(one.prompt_after_s < one.give_up_after_s for one in of.values())


def test_a_persons_own_manner_shifts_the_type() -> None:
    short = manners_of(Archetype.ANALYTICAL, Manner(pauses="short", pace="fast"))
    long = manners_of(Archetype.ANALYTICAL, Manner(pauses="long", pace="slow"))
    assert short.response_median_s < plain(Archetype.ANALYTICAL).response_median_s < long.response_median_s
    assert short.pause_rate < long.pause_rate
    assert short.speaking_rate > 1.0 > long.speaking_rate


def test_manners_give_the_patience_of_a_call() -> None:
    manners = plain(Archetype.EFFICIENT)
    assert manners.patience(call_s=200.0, first_speech_s=12.0) == Patience(
        first_speech_s=12.0, silence_s=manners.give_up_after_s, call_s=200.0, prompt_s=manners.prompt_after_s
    )


def test_the_same_seed_draws_the_same() -> None:
    def drawn(seed: int) -> list[object]:
        manners, random = plain(Archetype.COOPERATIVE), Random(seed)
        return [
            (
                draw_response_delay_s(manners, random),
                draw_barge_in_s(manners, random),
                draw_backchannel_s(manners, random),
            )
            for _ in range(20)
        ]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
