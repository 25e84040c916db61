"""Whether a voice slows down for what matters: ``speech_rate_adaptation`` (Table 16).

Articulation rate of the rest over that of the key span, divided by the same in a control: the same words,
asked for without stress. Since both readings say the same words, their syllables cancel, and what is left are
durations without pauses: how much longer the key takes in the stressed reading than in the control, over how
much longer the rest takes. 1: not slower; 1.25: the key is read at 80 % of the rate.

The key is found in the control alone, and carried over to the stressed reading by time warping
(:mod:`metrics.synthesis.prosody.alignment`): where its edges are a little off, they are off by the same words
in both readings, and hardly anything is lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.spans import Span
from metrics.synthesis.prosody.alignment import align
from metrics.synthesis.prosody.frames import HOP_S, frames_of

VERSION = "1"
LEAST_KEY_S = 0.35
"""Of a shorter key one step of 10 ms at either edge is more than 5 %."""
LEAST_REST_S = 0.8
FARTHEST = 0.75
"""Beyond this distance along the path the two readings are not of the same words."""

Samples = NDArray[np.float32]


class NotComparableError(ValueError):
    """Two readings of which no rate can be told; the message says why."""


@dataclass(frozen=True, kw_only=True)
class PairedRates:
    """Durations without pauses, in seconds, of what both readings share.

    Attributes:
        distance: See :class:`metrics.synthesis.prosody.alignment.Alignment`.
    """

    key_s: float
    rest_s: float
    control_key_s: float
    control_rest_s: float
    distance: float

    @property
    def adaptation(self) -> float:
        """``speech_rate_adaptation``: above 1 where the key is read more slowly than the rest."""
        return (self.key_s / self.control_key_s) / (self.rest_s / self.control_rest_s)

    @property
    def tempo(self) -> float:
        """Rate of the whole, over that of the control: the whole sentence slowed down is no adaptation."""
        return (self.control_key_s + self.control_rest_s) / (self.key_s + self.rest_s)


def paired_rates(stressed: Samples, control: Samples, sample_rate_hz: int, *, key: Span) -> PairedRates:
    """Compares two readings of the same carrier sentence; what stands before it may differ.

    Args:
        stressed, control: Mono, full scale 1.0, at one rate; 0.3 to 60 s.
        key: Where the key is said in the control, in seconds of its sound, within some 0.1 s.

    Raises:
        NotComparableError: The key is not in what both share, or too little of it, or they share nothing.
        UnreadableError: One of them is silent, too short or too long.
    """
    one, other = frames_of(control, sample_rate_hz), frames_of(stressed, sample_rate_hz)
    try:
        shared = align(one.features, other.features)
        start, end = one.index_at(key.start_s), one.index_at(key.end_s)
        there = shared.at(start), shared.at(end)
    except ValueError as error:
        raise NotComparableError(f"the key is not in what both readings share: {error}") from error
    if shared.distance > FARTHEST:
        raise NotComparableError(
            f"the readings are too unlike to be of the same words: distance {shared.distance:.2f}"
        )
    whole = shared.path[-1] - shared.path[0] + 1
    found = PairedRates(
        key_s=(there[1] - there[0]) * HOP_S,
        rest_s=(float(whole[1]) - (there[1] - there[0])) * HOP_S,
        control_key_s=(end - start) * HOP_S,
        control_rest_s=(float(whole[0]) - (end - start)) * HOP_S,
        distance=shared.distance,
    )
    if min(found.key_s, found.control_key_s) < LEAST_KEY_S:
        raise NotComparableError(f"a key of {min(found.key_s, found.control_key_s):.2f} s is too short")
    if min(found.rest_s, found.control_rest_s) < LEAST_REST_S:
        raise NotComparableError(
            f"only {min(found.rest_s, found.control_rest_s):.2f} s of the rest are shared"
        )
    return found
