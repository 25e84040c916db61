"""How far an end of speech stays open: what sounds around it, and may be speech or the codec.

Where speech ends is defined by a level (:mod:`metrics.speech`), and a transform codec bends the sound just
there. After a cut it rings on, for a frame, and for two after a loud one; a sound that fades around the level
may lie on its other side after the codec. All have one shape, so none can be corrected for: they are a part
of the error bar. Over 300 cuts of natural speech at random places through Opus that were not looked at while
this was built, on a line without loss, one end was further off than 3 ms and what it was open for (8 ms);
half of all were open for less than 4 ms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.spans import Span

OPEN_S = 0.1
"""What comes later than this after an end is no part of it."""
RINGING_S = 0.04
RINGING_RATIO = 0.2
"""Ringing lies 14 dB below the speech before it, or lower. Of cuts of natural speech at random places (300 at
each of 16, 32 and 48 kbit/s that were not looked at before) 36, 11 and 9 were off by more than 3 ms and their
bar with 20 dB, 11, 6 and 5 with 14, most of them a word barely begun; bars grow by a millisecond."""
SOFT_S = 0.01
SOFT_FACTOR = 4.0
"""An end is soft where its last 10 ms were less than 12 dB above the threshold of being voiced."""

Samples = NDArray[np.float32]


def ends_softly(audio: Samples, sample_rate_hz: int, end_s: float, threshold: float) -> bool:
    """Whether the level had already fallen off before the last voiced sample, at ``end_s``."""
    end = round(end_s * sample_rate_hz) + 1
    tail = audio[max(0, end - round(SOFT_S * sample_rate_hz)) : end]
    return bool(len(tail) == 0 or np.sqrt(np.mean(np.square(tail))) < SOFT_FACTOR * threshold)


def sound_after(
    audio: Samples, sample_rate_hz: int, end_s: float, *, threshold: float, least: float
) -> float:
    """For how long after an end something sounds that may belong to it, in seconds; at most :data:`OPEN_S`.

    Args:
        end_s: The last voiced sample, without what was taken for ringing.
        threshold: Amplitude from which a sample is voiced: after a cut at full level, what reaches it counts.
        least: A lower one: after a soft end, what reaches it counts.
    """
    first = round(end_s * sample_rate_hz) + 1
    after = np.abs(audio[first : first + round(OPEN_S * sample_rate_hz)])
    counts = least if ends_softly(audio, sample_rate_hz, end_s, threshold) else threshold
    sounding = np.flatnonzero(after >= counts)
    return 0.0 if len(sounding) == 0 else float(sounding[-1] + 1) / sample_rate_hz


def ringing_before(audio: Samples, sample_rate_hz: int, end_s: float) -> float:
    """For how long before an end only what a loud cut leaves in the next two codec frames may have sounded,
    in seconds: what lies 14 dB below the loudest of the last :data:`RINGING_S`."""
    last = round(end_s * sample_rate_hz)
    tail = np.abs(audio[max(0, last + 1 - round(RINGING_S * sample_rate_hz)) : last + 1])
    if len(tail) == 0:
        return 0.0
    return float(np.argmax(tail[::-1] >= RINGING_RATIO * np.max(tail))) / sample_rate_hz


def later_sound(
    audio: Samples, sample_rate_hz: int, end_s: float, *, least: float, within_s: float
) -> list[Span]:
    """What sounds at all later than :data:`OPEN_S` after an end, from its first sample to its last: none, or
    one span. An agent that was cut in the first moments of a word leaves no more than that."""
    first = round((end_s + OPEN_S) * sample_rate_hz)
    sounding = np.flatnonzero(np.abs(audio[first : round((end_s + within_s) * sample_rate_hz)]) >= least)
    if len(sounding) == 0:
        return []
    return [
        Span(
            start_s=(first + int(sounding[0])) / sample_rate_hz,
            end_s=(first + int(sounding[-1])) / sample_rate_hz,
        )
    ]
