"""Whisper's word times, put right.

Whisper's alignment is contiguous: a word starts where the one before ended, so that the pause before it is
counted to it; and it runs early. Ten words spoken one by one with known pauses of 0.15 and 0.3 s: their ends
came 0.10 s early in the median, their starts 0.26 and 0.39 s. So the lag is taken out, the quiet at both
edges of a word is cut off, and the tail of the word before that is left in front of a pause. Then the same
words were placed with a median error below 0.01 s, mean 0.01 s at starts and 0.04 s at ends; in speech
without pauses 0.06 and 0.04 s.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ

ALIGNMENT_LAG_S = 0.1
QUIET_DB = 30.0
"""Below the word's loudest 10 ms. In noise nearer than that nothing is cut off."""
PAUSE_S = 0.1
"""Quiet that cuts a leftover off. Closures inside words (the t of "later") are shorter."""
LEFTOVER_S = 0.15
"""Longest tail of a word before."""

_FRAME_S = 0.01


def place_word(clip: NDArray[np.float32], start_s: float, end_s: float) -> tuple[float, float]:
    """Start and end of a word in a clip at 16 kHz, from those that Whisper gave; both inside the clip."""
    length_s = len(clip) / SPEECH_RATE_HZ
    start_s = min(max(start_s + ALIGNMENT_LAG_S, 0.0), length_s)
    end_s = min(max(end_s + ALIGNMENT_LAG_S, start_s), length_s)
    frame = round(_FRAME_S * SPEECH_RATE_HZ)
    word = clip[round(start_s * SPEECH_RATE_HZ) : round(end_s * SPEECH_RATE_HZ)].astype(np.float64)
    count = len(word) // frame
    frames = word[: count * frame].reshape(count, frame)
    energy = np.mean(frames**2, axis=1)
    if not energy.any():
        return start_s, end_s
    sounding = np.flatnonzero(energy >= energy.max() * 10 ** (-QUIET_DB / 10))
    for last, following in pairwise(sounding):
        if last - sounding[0] > LEFTOVER_S / _FRAME_S:
            break
        if following - last > PAUSE_S / _FRAME_S:
            sounding = sounding[sounding >= following]
            break
    after = count - 1 - sounding[-1]
    # A remainder of less than a frame at the end belongs to the word unless the frames before it do not.
    return start_s + sounding[0] * _FRAME_S, end_s - after * _FRAME_S
