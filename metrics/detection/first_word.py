"""First words that Silero misses: it remembers a long silence, and so is asked anew where one ended.

The model is recurrent. After seconds of digital silence, as over G.711 or a line that sends nothing, what it
remembers weighs a short word down: a first word of 0.34 s with a pause behind it stayed below one half, for
which the same model without a memory gives 0.86. So a sound of a word's length, that comes right before an
onset and that webrtcvad calls speech, is judged once more by a model that has heard half a second before it
and nothing else. Where it does not hear speech in it either, the onset stays doubtful.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span

WORD_S = 0.1
WORD_SHARE = 0.8
"""A sound before an onset may be its first word if it lasts the first and webrtcvad calls the second of it
speech."""
LONGEST_WORD_S = 1.0
"""What sounds longer Silero has had the time to make up its mind about."""
BEFORE_S = 0.5
AFTER_S = 0.05
"""Of the sound around it the model hears so much."""

Samples = NDArray[np.float32]


def is_speech(cluster: Span, speech: Span) -> bool:
    """Whether enough of a cluster lies in what Silero calls speech."""
    return cluster.overlap_s(speech) >= min(0.05, 0.3 * cluster.duration_s)


def is_heard(cluster: Span, other: Sequence[Span]) -> bool:
    """Whether a sound of a word's length, in which Silero hears no speech, is speech to webrtcvad."""
    if cluster.duration_s < WORD_S:
        return False
    return sum(cluster.overlap_s(span) for span in other) >= WORD_SHARE * cluster.duration_s


def first_words(
    audio_16k: Samples,
    energy: Sequence[Span],
    silero: Sequence[Span],
    other: Sequence[Span],
    *,
    pause_s: float,
    listen: Callable[[Samples], list[Span]],
) -> list[Span]:
    """Speech that Silero hears only when it has forgotten what was before, in order of time.

    Args:
        audio_16k: One side of a call, 16 kHz.
        energy: Its clusters of voiced samples, in order.
        silero, other: What Silero and webrtcvad call speech.
        pause_s: No longer pause lies behind a first word.
        listen: Silero without a memory: spans in seconds from the first sample that it is given.
    """
    found: list[Span] = []
    begins_s: float | None = None
    for cluster in reversed(energy):
        if any(is_speech(cluster, span) for span in silero):
            begins_s = cluster.start_s
            continue
        before_an_onset = begins_s is not None and begins_s - cluster.end_s <= pause_s
        if not before_an_onset or cluster.duration_s > LONGEST_WORD_S or not is_heard(cluster, other):
            continue
        if spans := _afresh(audio_16k, cluster, listen):
            found[:0] = spans
            begins_s = cluster.start_s
    return found


def _afresh(audio_16k: Samples, cluster: Span, listen: Callable[[Samples], list[Span]]) -> list[Span]:
    """What of a cluster is speech to a model that has heard little else; empty: not enough of it."""
    first = max(0, round((cluster.start_s - BEFORE_S) * SPEECH_RATE_HZ))
    last = round((cluster.end_s + AFTER_S) * SPEECH_RATE_HZ)
    at_s = first / SPEECH_RATE_HZ
    spans = [
        Span(start_s=one.start_s + at_s, end_s=one.end_s + at_s) for one in listen(audio_16k[first:last])
    ]
    own = [one for one in spans if cluster.overlap_s(one) > 0]
    return own if any(is_speech(cluster, one) for one in own) else []
