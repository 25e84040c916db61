"""The filter by which what the caller sent comes back, learned from where nobody else is heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz
from scipy.signal import fftconvolve

from metrics.detection.echo_path import LONGEST_S, StretchEcho, slice_of
from metrics.detection.line_echo import AHEAD_S
from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span

TAPS_S = 0.064
BEFORE_S = 0.004
"""Of the filter so much lies before the delay that was found."""
EXPLAINED = 0.5
MOST_S = 12.0
"""Of the caller's speech so much is enough to learn the filter from."""
FRAME_S = 0.01
LEAD_S = LONGEST_S + 0.1

_FRAME = round(FRAME_S * SPEECH_RATE_HZ)
_SMOOTH = 3
_ROUNDS = 4
_RIDGE = 1e-4

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class EchoFilter:
    """What comes back by one way is what was sent, through this.

    Attributes:
        delay_s: Of the way.
        first: Sample (at 16 kHz) after which the first tap lies.
        explains: Of the frames that it was learned from, the share that it explains.
        likeness: Of the stretches that it was learned from, without any filter (the median).
    """

    delay_s: float
    first: int
    taps: Floats
    explains: float
    likeness: float

    def came_back(self, sent: Floats, length: int) -> Floats:
        """What comes back over the last ``length`` samples of what was sent."""
        lead = len(sent) - length - self.first
        return np.asarray(fftconvolve(sent, self.taps)[lead : lead + length])


def learned(
    caller: Samples, agent: Samples, rate: int, *, way: Sequence[StretchEcho], threshold: float
) -> EchoFilter:
    """The filter of a way, from the stretches that it was found in, those first in which it is heard most
    alone.

    It is one for all of them: over the seconds that a way takes to be found, its 64 ms learn next to nothing
    of a voice that happens to speak beside the echo.

    Args:
        threshold: Level (linear) from which a sample of the agent's counts as voiced.
    """
    delay_s = float(np.median([one.delay_s for one in way]))
    first = max(0, round((delay_s - BEFORE_S) * SPEECH_RATE_HZ))
    count = round(TAPS_S * SPEECH_RATE_HZ)
    sent: list[Floats] = []
    came: list[Floats] = []
    raw: list[Floats] = []
    total_s = 0.0
    best = sorted(way, key=lambda one: -one.likeness)
    for one in best:
        if total_s >= MOST_S:
            break
        start_s = one.said.start_s + delay_s - AHEAD_S
        span = Span(start_s=start_s, end_s=min(one.said.end_s + delay_s + TAPS_S, start_s + MOST_S / 2))
        total_s += span.duration_s
        raw.append(np.asarray(slice_of(agent, rate, span, SPEECH_RATE_HZ), dtype=np.float64))
        heard = _emphasised(raw[-1])
        before = Span(start_s=span.start_s - LEAD_S, end_s=span.end_s)
        spoken = _emphasised(slice_of(caller, rate, before, SPEECH_RATE_HZ))
        lead = len(spoken) - len(heard) - first - count
        sent.append(spoken[lead : lead + len(heard) + count])
        came.append(heard)
    sizes = [1 << (len(one) + count).bit_length() for one in sent]
    spectra = [np.fft.rfft(one, size) for one, size in zip(sent, sizes, strict=True)]
    own = sum(
        (
            np.fft.irfft(np.square(np.abs(one)), size)[:count]
            for one, size in zip(spectra, sizes, strict=True)
        ),
        start=np.zeros(count),
    )
    own[0] = own[0] * (1 + _RIDGE) + 1e-9
    targets = [_limited(one) for one in came]
    taps = np.zeros(count)
    alone = [np.zeros(0, dtype=bool)] * len(came)
    for _ in range(_ROUNDS):
        across = np.zeros(count)
        for target, spectrum, size in zip(targets, spectra, sizes, strict=True):
            padded = np.concatenate([np.zeros(count), target])
            across += np.fft.irfft(np.fft.rfft(padded, size) * np.conj(spectrum), size)[:count]
        taps = np.asarray(solve_toeplitz(own, across))
        for place, (spectrum, heard, size) in enumerate(zip(spectra, came, sizes, strict=True)):
            guess = np.fft.irfft(spectrum * np.fft.rfft(taps, size), size)[count : count + len(heard)]
            # Where somebody else is heard, the prediction stands for what was not heard by itself.
            alone[place] = frame_power(heard - guess) <= EXPLAINED * frame_power(heard)
            targets[place] = np.where(np.repeat(alone[place], _FRAME)[: len(heard)], heard, guess)
    loud = np.concatenate([frame_peaks(one) >= threshold for one in raw])
    explains = float(np.mean(np.concatenate(alone)[loud])) if loud.any() else 0.0
    likeness = float(np.median([one.likeness for one in best]))
    return EchoFilter(delay_s=delay_s, first=first, taps=taps, explains=explains, likeness=likeness)


def _emphasised(audio: Samples | Floats) -> Floats:
    wide = np.asarray(audio, dtype=np.float64)
    return np.concatenate([wide[:1], wide[1:] - 0.95 * wide[:-1]])


def _limited(audio: Floats) -> Floats:
    """Frames that are louder than most are brought down to these: in the beginning what is louder than the
    rest is taken for somebody else."""
    level = np.sqrt(frame_power(audio))
    sounding = level[level > 1e-4]
    most = 2 * float(np.percentile(sounding, 40)) if len(sounding) else 1.0
    gains = np.repeat(np.minimum(1.0, most / np.maximum(level, 1e-12)), _FRAME)
    return np.asarray(audio * gains[: len(audio)])


def _framed(audio: Floats) -> Floats:
    return np.pad(audio, (0, -len(audio) % _FRAME)).reshape(-1, _FRAME)


def frame_power(audio: Floats) -> Floats:
    """Mean power of each 10 ms, over three of them."""
    # No running sum: what that loses in rounding may be less than nothing.
    power = np.mean(np.square(_framed(audio)), axis=1)
    return np.convolve(power, np.ones(_SMOOTH) / _SMOOTH, mode="full")[_SMOOTH // 2 :][: len(power)]


def frame_peaks(audio: Floats) -> Floats:
    """Highest sample of each 10 ms."""
    return np.asarray(np.max(np.abs(_framed(audio)), axis=1))
