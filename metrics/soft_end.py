"""How speech ends: at full level, as where it is cut, or not; and how far its end stays open.

Where speech ends is defined by a level (:mod:`metrics.speech`), and a transform codec bends the sound just
there. After a cut it rings on, for a frame, and for two after a loud one; a sound that fades around the level
may lie on its other side after the codec. All have one shape, so none can be corrected for: they are a part
of the error bar. Over 300 cuts of natural speech at random places through Opus that were not looked at while
this was built, on a line without loss, one end was further off than 3 ms and what it was open for (8 ms);
half of all were open for less than 4 ms.

Whether speech was cut is told by its own loud part, and not by how far it is above the threshold: a loud
voice ends a sentence far above it, and noise raises it. Of 58 whole sentences of six voices through Opus
(Piper, Kokoro; English, Mandarin) none ended at full level, nor with pink noise at -45 dBFS beneath; of 232
cuts at random places 57 % did, with the noise and without; of as many that take 20 ms 50 %, of 58 that
fade in 400 ms none and 4. A cut in a quiet sound or a pause is none that sound could tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.detection.levels import block_levels, loud_part
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
"""An end fades where its last 10 ms were less than 12 dB above the threshold of being voiced."""
FULL_LEVEL_S = 0.02
FULL_LEVEL_DB = 7.0
"""Speech ends at full level where its last 20 ms are at most so far below its loud part: those of whole
sentences lay 8.5 dB below or more where it was noisy, 11 dB where not."""
BEFORE_RINGING_DB = 3.0
"""The same, of what lies before ringing: there those sentences lay 6 dB below or more, or 8."""

Samples = NDArray[np.float32]


def ends_softly(audio: Samples, sample_rate_hz: int, end_s: float, threshold: float) -> bool:
    """Whether what comes before the last voiced sample, at ``end_s``, is hardly louder: it fades, and the
    codec may have moved where it falls below the threshold."""
    end = round(end_s * sample_rate_hz) + 1
    tail = audio[max(0, end - round(SOFT_S * sample_rate_hz)) : end]
    return bool(len(tail) == 0 or np.sqrt(np.mean(np.square(tail))) < SOFT_FACTOR * threshold)


def ends_at_full_level(audio: Samples, sample_rate_hz: int, span: Span) -> bool:
    """Whether speech, from its first voiced sample to its last, breaks off: a sentence that is over, a pause
    and a quiet sound lie below its loud part by then. What rings on behind a sound at about the level of the
    loud part is not its end: behind a loud one it is loud enough to be taken for that."""
    first, end = round(span.start_s * sample_rate_hz), round(span.end_s * sample_rate_hz) + 1
    loud = loud_part(block_levels(audio[first:end], sample_rate_hz))
    if loud is None:
        return False
    rung = round(ringing_before(audio, sample_rate_hz, span.end_s) * sample_rate_hz)
    at_its_end, before_ringing = (
        _last_power(audio[first:last], sample_rate_hz) for last in (end, max(first, end - rung))
    )
    least, least_before = (10 ** ((loud - db) / 10) for db in (FULL_LEVEL_DB, BEFORE_RINGING_DB))
    return at_its_end >= least or before_ringing >= least_before


def _last_power(audio: Samples, sample_rate_hz: int) -> float:
    tail = audio[-round(FULL_LEVEL_S * sample_rate_hz) :]
    return float(np.mean(np.square(tail, dtype=np.float64))) if len(tail) else 0.0


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
