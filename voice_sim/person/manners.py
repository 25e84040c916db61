"""How a person takes turns: when they answer, how long they wait, how they hesitate, when they cut in.

Where the figures come from:

- In conversation people answer within about 200 ms: the commonest gap lies between 0 and 200 ms in ten
  languages (Stivers et al. 2009, PNAS 106:10587), less than it takes to plan a word, so they prepare while
  they listen (Levinson and Torreira 2015, Front. Psychol. 6:731). Answers that refuse or disagree come later
  than those that agree (Kendrick and Torreira 2015, Discourse Processes 52:255). A caller that waits for the
  end by a silence detector cannot be as quick: its ears need 0.8 s, and that is part of the delay here.
- A silence of about one second is the most that people tolerate before somebody does something about it
  (Jefferson 1989); with a machine at the other end they wait longer. The seconds here are set by us.
- About six words in a hundred of spontaneous speech are disfluent: fillers, repeats, restarts (Fox Tree 1995,
  J. Mem. Lang. 34:709; Bortfeld et al. 2001, Lang. Speech 44:123). The rates per line here are set by us so
  that lines of a dozen words come out on that order for a hesitant person, and well below it for an efficient
  one.
- Listeners' noises ("mm-hm") follow some 0.7 s after a cue that comes no earlier than 0.7 s into the speech
  (Ward and Tsukahara 2000, J. Pragmatics 32:1177): none is placed before 1.4 s. How often they come, and how
  often and when people interrupt, is set by us.
- That delays are log-normal is set by us: gaps are skewed to the right and never negative here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from voice_sim.caller.turn_taking import Patience
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Manner

SHORTEST_DELAY_S, LONGEST_DELAY_S = 0.2, 5.0
"""Bounds of what :func:`draw_response_delay_s` gives."""


@dataclass(frozen=True, kw_only=True)
class Manners:
    """How one person takes turns; see :func:`manners_of`.

    Attributes:
        response_median_s: Half of their answers begin within this time after the agent's end.
        response_spread: Standard deviation of the natural logarithm of that delay.
        prompt_after_s: Silence after which they say "Hello?".
        give_up_after_s: Silence after which they hang up.
        filler_rate: Probability that a line begins with "um" or its like.
        hesitation_rate: Probability that a line with a place for it has one inside.
        pause_rate: Probability that a line with a place for it has a silent pause inside.
        barge_in_rate, backchannel_rate: Probability of either per turn of the agent.
        barge_in_s, backchannel_s: From when to when after the agent's onset, evenly spread.
        speaking_rate: Factor on the voice's own rate; above 1 is faster.
    """

    response_median_s: float
    response_spread: float
    prompt_after_s: float
    give_up_after_s: float
    filler_rate: float
    hesitation_rate: float
    pause_rate: float
    barge_in_rate: float
    barge_in_s: tuple[float, float]
    backchannel_rate: float
    backchannel_s: tuple[float, float]
    speaking_rate: float

    def patience(self, *, call_s: float, first_speech_s: float) -> Patience:
        """How long this person waits in a call that may last ``call_s``."""
        return Patience(
            first_speech_s=first_speech_s,
            silence_s=self.give_up_after_s,
            call_s=call_s,
            prompt_s=self.prompt_after_s,
        )


def manners_of(archetype: Archetype, manner: Manner) -> Manners:
    """The manners of a person: their user type sets the level, their own manner shifts it."""
    kind = _OF_ARCHETYPE[archetype]
    return Manners(
        response_median_s=kind.response_median_s * _THINKS_TIMES[manner.pauses],
        response_spread=kind.response_spread,
        prompt_after_s=kind.prompt_after_s,
        give_up_after_s=kind.give_up_after_s,
        filler_rate=kind.filler_rate,
        hesitation_rate=kind.hesitation_rate,
        pause_rate=min(1.0, kind.pause_rate * _THINKS_TIMES[manner.pauses]),
        barge_in_rate=min(1.0, _INTERRUPTS[manner.interrupts] * kind.interrupts_times),
        barge_in_s=kind.barge_in_s,
        backchannel_rate=_BACKCHANNELS[manner.backchannels],
        backchannel_s=_BACKCHANNEL_S,
        speaking_rate=_PACE[manner.pace],
    )


def draw_response_delay_s(manners: Manners, random: Random) -> float:
    """How long after the agent's end this person answers, this time."""
    delay_s = random.lognormvariate(math.log(manners.response_median_s), manners.response_spread)
    return min(max(delay_s, SHORTEST_DELAY_S), LONGEST_DELAY_S)


def draw_barge_in_s(manners: Manners, random: Random) -> float | None:
    """Whether this person interrupts the agent's next turn, and how long after its onset."""
    return _drawn(random, rate=manners.barge_in_rate, between_s=manners.barge_in_s)


def draw_backchannel_s(manners: Manners, random: Random) -> float | None:
    """Whether this person says "mm-hm" into the agent's next turn, and how long after its onset."""
    return _drawn(random, rate=manners.backchannel_rate, between_s=manners.backchannel_s)


def _drawn(random: Random, *, rate: float, between_s: tuple[float, float]) -> float | None:
    happens, at_s = random.random(), random.uniform(*between_s)
    return at_s if happens < rate else None


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """What a user type sets; all of it by us, in the order in which the types are described."""

    response_median_s: float
    response_spread: float
    prompt_after_s: float
    give_up_after_s: float
    filler_rate: float
    hesitation_rate: float
    pause_rate: float
    interrupts_times: float
    barge_in_s: tuple[float, float]


_OF_ARCHETYPE = {
    Archetype.COOPERATIVE: _Kind(
        response_median_s=0.9,
        response_spread=0.30,
        prompt_after_s=5.0,
        give_up_after_s=15.0,
        filler_rate=0.15,
        hesitation_rate=0.05,
        pause_rate=0.10,
        interrupts_times=0.8,
        barge_in_s=(2.0, 5.0),
    ),
    Archetype.ANALYTICAL: _Kind(
        response_median_s=1.3,
        response_spread=0.35,
        prompt_after_s=6.0,
        give_up_after_s=18.0,
        filler_rate=0.15,
        hesitation_rate=0.08,
        pause_rate=0.20,
        interrupts_times=0.8,
        barge_in_s=(2.5, 6.0),
    ),
    Archetype.HESITANT: _Kind(
        response_median_s=1.7,
        response_spread=0.45,
        prompt_after_s=7.0,
        give_up_after_s=20.0,
        filler_rate=0.40,
        hesitation_rate=0.25,
        pause_rate=0.35,
        interrupts_times=0.5,
        barge_in_s=(2.5, 6.0),
    ),
    Archetype.RESISTANT: _Kind(
        response_median_s=0.95,
        response_spread=0.40,
        prompt_after_s=4.0,
        give_up_after_s=9.0,
        filler_rate=0.08,
        hesitation_rate=0.04,
        pause_rate=0.08,
        interrupts_times=1.4,
        barge_in_s=(1.2, 3.5),
    ),
    Archetype.EFFICIENT: _Kind(
        response_median_s=0.8,
        response_spread=0.25,
        prompt_after_s=4.0,
        give_up_after_s=10.0,
        filler_rate=0.04,
        hesitation_rate=0.02,
        pause_rate=0.04,
        interrupts_times=1.2,
        barge_in_s=(1.5, 4.0),
    ),
}
_THINKS_TIMES = {"short": 0.8, "normal": 1.0, "long": 1.4}
_INTERRUPTS = {"never": 0.0, "sometimes": 0.12, "often": 0.3}
_BACKCHANNELS = {"never": 0.0, "sometimes": 0.15, "often": 0.4}
_BACKCHANNEL_S = (1.4, 4.0)
_PACE = {"slow": 0.88, "normal": 1.0, "fast": 1.12}
