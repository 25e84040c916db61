"""What a sender's media clock claims, held against the sound it sent and against our clock.

The timestamps of a stream are a stranger's claim. A clock may run at another rate than was promised (96 kHz
under an answer that said 48), stand still, run backwards or be no clock at all; and a sender that sleeps
between frames sends them at another pace than real time. The sound itself tells: a packet lasts as long as it
sounds, and the next one in order should follow just then.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

RATIOS = (0.2, 5.0)
"""A clock whose rate against the sound lies beyond these is none."""
AGREEMENT = 0.02
"""Steps of the clock this close to each other, relatively, tell of the same rate."""
AGREEING_SHARE = 0.5
"""Of the packets that follow each other, as many must agree on a rate for the clock to be one."""
PAUSE_FRAMES = 3.0
"""Packets that come further apart than this many of their own length have a pause between them."""
BLOCK_S = 0.5
"""The sender's pace is read from the earliest packets of stretches of this length."""
MAX_PACE = 0.5
WORTH_SAYING = 0.005
"""A clock or a pace this far from real time is told of: beyond any crystal, below any sender that sleeps."""


@dataclass(frozen=True, kw_only=True)
class MediaClock:
    """A sender's clock after it was looked at.

    Attributes:
        media_s: Where each packet's first sample lies by the clock in seconds of sound, its rate set right;
            by the order and length of the packets alone, where the clock is none.
        ratio: Seconds that the clock claimed for each second of sound; None where it is no clock.
        pace: By how much more than a second of ours a second of sound took to be sent: 0.01 for a sender
            that falls behind by 10 ms a second.
        block_noise_s: By how much the earliest packets of two neighbouring stretches differ, as a median:
            the jitter that is left in the envelope.
    """

    media_s: Floats
    ratio: float | None
    pace: float = 0.0
    block_noise_s: float = 0.0

    @property
    def in_words(self) -> str:
        """What is odd about it; empty for a clock like any other."""
        if self.ratio is None:
            return "its time stamps are no clock: its packets were placed by their order and their arrival"
        told = []
        if abs(self.ratio - 1.0) > WORTH_SAYING:
            told.append(f"its time stamps run {self.ratio:.3g} times as fast as its sound")
        if abs(self.pace) > WORTH_SAYING:
            way = "slower" if self.pace > 0 else "faster"
            told.append(f"it sends {abs(self.pace) * 100:.1f} % {way} than real time")
        return "; ".join(told)


def examine_clock(
    claimed_s: Floats, passed_s: Floats, sound_s: Floats, number: NDArray[np.int64]
) -> MediaClock:
    """The clock of one stream.

    Args:
        claimed_s: Media time of each packet by its time stamp at the promised rate, in order of ``number``.
        passed_s: When each passed the socket.
        sound_s: How long each one sounds.
        number: Sequence numbers, rising; a missing one is a lost packet.
    """
    follows = np.diff(number) == 1
    spoken = follows & (sound_s[:-1] > 0)
    together = spoken & (np.diff(passed_s) < PAUSE_FRAMES * sound_s[:-1])
    ratio = _ratio(np.diff(claimed_s)[together], sound_s[:-1][together])
    if ratio is None:
        media_s = np.concatenate([[0.0], np.cumsum(following_s(sound_s, number))[:-1]])
    elif abs(ratio - 1.0) < 1e-4:
        ratio, media_s = 1.0, claimed_s
    else:
        media_s = claimed_s / ratio
    pace, noise_s = _pace(media_s, passed_s, sound_s)
    return MediaClock(media_s=media_s, ratio=ratio, pace=pace, block_noise_s=noise_s)


def following_s(sound_s: Floats, number: NDArray[np.int64]) -> Floats:
    """By how much media time should grow from each packet to the next, in seconds: its own sound, and that of
    the packets lost between them."""
    usual_s = float(np.median(sound_s[sound_s > 0])) if np.any(sound_s > 0) else 0.02
    lost = np.append(np.maximum(np.diff(number) - 1, 0), 0)
    return np.asarray(np.where(sound_s > 0, sound_s, usual_s) + lost * usual_s)


def _ratio(steps_s: Floats, sound_s: Floats) -> float | None:
    """Seconds that the clock claims for one of sound; None where no rate holds for most packets."""
    if len(steps_s) == 0:
        return 1.0
    ratios = steps_s / sound_s
    middle = float(np.median(ratios))
    if not RATIOS[0] <= middle <= RATIOS[1]:
        return None
    agreeing = np.abs(ratios - middle) <= AGREEMENT * middle
    return middle if np.mean(agreeing) >= AGREEING_SHARE else None


def _pace(media_s: Floats, passed_s: Floats, sound_s: Floats) -> tuple[float, float]:
    """Median slope between the earliest packets of neighbouring stretches without a pause, and how much these
    differ beside it."""
    difference = passed_s - media_s
    heard_s = np.concatenate([[0.0], np.cumsum(sound_s)])[:-1]
    block = np.floor(heard_s / BLOCK_S).astype(np.int64)
    starts = np.append(0, np.flatnonzero(np.diff(block)) + 1)
    ends = np.append(starts[1:], len(block))
    lowest = [int(s + np.argmin(difference[s:e])) for s, e in zip(starts, ends, strict=True)]
    apart_s = np.diff(media_s[lowest])
    rose_s = np.diff(difference[lowest])
    whole = (apart_s > 0.2 * BLOCK_S) & (np.abs(apart_s - np.diff(heard_s[lowest])) < 0.1 * BLOCK_S)
    whole &= np.abs(rose_s) < MAX_PACE * apart_s
    if np.count_nonzero(whole) < 8:
        return 0.0, 0.0
    slopes = rose_s[whole] / apart_s[whole]
    pace = float(np.median(slopes))
    return pace, float(np.median(np.abs(rose_s[whole] - pace * apart_s[whole])))
