"""When the persona speaks: delays before a turn, offsets of interruptions. Figures of our own."""

from __future__ import annotations

import math
from random import Random

from voice_sim.archetypes import Archetype
from voice_sim.persona import Manner, Persona

_MEDIAN_PAUSE_S = {
    Archetype.COOPERATIVE: 0.45,
    Archetype.ANALYTICAL: 0.75,
    Archetype.HESITANT: 1.1,
    Archetype.RESISTANT: 0.4,
    Archetype.EFFICIENT: 0.25,
}
_SPREAD = 0.35
"""Standard deviation of the delay's logarithm."""
_PAUSES = {"short": 0.75, "normal": 1.0, "long": 1.35}
_INTERRUPTS = {"never": 0.0, "sometimes": 0.08, "often": 0.16}
_MURMURS = {"never": 0.0, "sometimes": 0.12, "often": 0.3}
SHORTEST_S, LONGEST_S = 0.1, 4.0


def pause_s(persona: Persona, random: Random) -> float:
    """Silence before a turn, in seconds: log-normal about the user type's median."""
    median_s = _MEDIAN_PAUSE_S[persona.archetype] * _PAUSES[persona.manner.pauses]
    drawn_s = median_s * math.exp(random.gauss(0.0, _SPREAD))
    return round(min(LONGEST_S, max(SHORTEST_S, drawn_s)), 3)


def will_interrupt(manner: Manner, random: Random) -> bool:
    """Whether the person cuts into the agent's next speech."""
    return random.random() < _INTERRUPTS[manner.interrupts]


def will_murmur(manner: Manner, random: Random) -> bool:
    """Whether the person gives a sign of listening during the agent's next speech."""
    return random.random() < _MURMURS[manner.backchannels]


def barge_in_after_s(random: Random) -> float:
    """How long after the agent's onset, in seconds."""
    return round(random.uniform(1.2, 2.8), 2)
