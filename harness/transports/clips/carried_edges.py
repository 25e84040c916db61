"""Where an utterance begins and ends for who hears it in a narrower band than that of recordings.

An *s* at the end of a line lies above what 8 kHz carry: who is called over a telephone's codec heard the line
end 20 to 180 ms before its last voiced sample at 48 kHz, and answers that much sooner by our clock. So what
is not voiced in the band that a call is sent in is taken off both ends, and the edges that remain are as
sharp as :mod:`voice_sim.voice.utterance` pins them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.transports.codecs.base import Samples
from harness.transports.codecs.recording_rate import look_around, lowered
from voice_sim.voice.utterance import voiced_edges

NARROWER = (2, 3, 6)
"""Of the bands that a call may turn out to be sent in: 24, 16 and 8 kHz, as parts of 48."""


@dataclass(frozen=True, kw_only=True)
class Faint:
    """The beginning and the end of an utterance that a band does not carry, at 48 kHz; often empty."""

    lead: Samples
    tail: Samples


def faint_edges(utterance: Samples, *, times: int) -> Faint | None:
    """What of a trimmed utterance is not voiced at 1/``times`` of 48 kHz, before and after what is.

    None where nothing of it is voiced there.
    """
    around = look_around(times)
    edges = voiced_edges(lowered(np.pad(utterance, around), times))
    if edges is None:
        return None
    first = max(0, edges[0] * times - around)
    end = min(len(utterance), edges[1] * times - around + 1)
    return Faint(lead=utterance[:first], tail=utterance[max(first, end) :])
