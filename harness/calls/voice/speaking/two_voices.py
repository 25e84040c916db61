"""A line under which somebody else is heard, at the caller's microphone.

The other voice begins inside the line and ends with it: the line's first and last voiced sample, on which
every time of the caller rests, stay the caller's own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from voice_sim.voice.utterance import Utterance

FADE_S = 0.02
"""Where the other voice is not done when the line ends."""


def with_other_voice(said: Utterance, other: Utterance, *, after_s: float) -> Utterance:
    """The line with the other voice in it, at the levels that both have.

    Args:
        after_s: From the line's first sample to the other's; where it is longer than the line, nothing of the
            other is heard.
    """
    start = min(round(after_s * said.sample_rate_hz), len(said.samples))
    part = other.samples[: len(said.samples) - start].astype(np.float32)
    if len(part) < len(other.samples):
        fade = min(len(part), round(FADE_S * said.sample_rate_hz))
        part[len(part) - fade :] *= np.linspace(1.0, 0.0, fade, dtype=np.float32)
    both = said.samples.astype(np.float32)
    both[start : start + len(part)] += part
    both = np.clip(both, -1.0, 1.0)
    # Their sum may be nothing there by chance; the caller's own samples are what is sent first and last.
    both[0], both[-1] = said.samples[0], said.samples[-1]
    both.setflags(write=False)
    return replace(said, samples=both)
