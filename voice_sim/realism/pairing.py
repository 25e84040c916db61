"""Which dialogues are judged, and which human one is laid beside which simulated one."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from voice_sim.realism.verdicts import Source
from voice_sim.talk import Talk


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two dialogues side by side; ``first`` is the one that is shown first where a pair is shown once."""

    human: Talk
    simulated: Talk
    first: Source


def drawn(talks: Sequence[Talk], count: int | None, *, seed: int) -> list[Talk]:
    """So many of the dialogues, drawn with the seed, in their own order; all where there are no more."""
    if count is None or count >= len(talks):
        return list(talks)
    chosen = set(random.Random(f"{seed} drawn").sample(range(len(talks)), count))
    return [talk for place, talk in enumerate(talks) if place in chosen]


def pairs_of(
    human: Sequence[Talk], simulated: Sequence[Talk], *, count: int | None = None, seed: int
) -> list[Pair]:
    """Each dialogue in at most one pair: two about the same where there are such, then two in one language.

    Half of the pairs show the human one first (an odd one more or less), in an order drawn with the seed.
    """
    rng = random.Random(f"{seed} pairs")
    left, right = list(human), list(simulated)
    rng.shuffle(left)
    rng.shuffle(right)
    found: list[tuple[Talk, Talk]] = []
    for key in (lambda talk: (talk.language, talk.about) if talk.about else None, lambda talk: talk.language):
        waiting: dict[object, list[Talk]] = defaultdict(list)
        for talk in right:
            waiting[key(talk)].append(talk)
        rest = []
        for talk in left:
            if key(talk) is not None and waiting[key(talk)]:
                partner = waiting[key(talk)].pop(0)
                right.remove(partner)
                found.append((talk, partner))
            else:
                rest.append(talk)
        left = rest
    found = found if count is None else found[:count]
    sides: list[Source] = ["human" if place % 2 == 0 else "simulated" for place in range(len(found))]
    rng.shuffle(sides)
    return [
        Pair(human=one, simulated=other, first=first)
        for (one, other), first in zip(found, sides, strict=True)
    ]
