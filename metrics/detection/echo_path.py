"""Whether one side's own voice comes back on the other's channel: the delay and the level of a line echo.

A telephone's hybrid and a loudspeaker send back what they are sent, later and quieter, and every detector
calls that speech. A copy is known by its shape. Both sides are whitened (the magnitudes of each frame are
flattened, the phases stay), so that neither loudness nor the common spectrum of speech makes two voices
alike, and held to each other at every delay, one talk at a time. A delay that was found on one half of a
talk's stretches must be confirmed on the other half, and be the same in several talks: two voices that say
the same by chance, or one synthetic voice that repeats its own words, are no line. Tones are like themselves
at any delay, and count for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metrics.detection.line_echo import EchoPath
from metrics.resample import resampled
from metrics.spans import Span

LONGEST_S = 0.6
"""The longest way round of a line; what comes later may as well be a playback."""
LOUDEST_DB = 3.0
"""What is louder than what was sent is no echo of it."""
TALKS = 3
TOGETHER_S = 3.0
"""In so many talks of the caller, and for so long in all, both sides must sound at the same delay."""
SAME_DELAY_S = 0.002
LIKENESS = 0.2
SHARPNESS = 12.0
"""The normalised correlation of each half by itself, and by how many root mean squares of all other delays
the peak stands out (a tone's does not). Of 272 pairs of shipped clips in one voice the highest are 0.11 and,
on the half that confirms, 0.09, and 6.2; of the clips' echoes at -10 to -30 dB through G.711, Opus, a
telephone's band and with a second tap the lowest are 0.36 and 27, where enough of them is heard at all."""
LEAST_S = 0.25
"""Of each half so much must sound on both sides at a delay, or that delay is not looked at."""
STRETCH_S = 8.0
"""A longer talk is looked at in stretches, for the memory's sake; each counts as a talk."""
APART_S = 0.064
SECOND_LIKENESS = 0.12
SECOND_SHARPNESS = 8.0
"""A second way, so far from the first that one filter does not hold both, is quieter beside it; it must be
the same in as many talks."""

RATE_HZ = 8_000
_FRAME = 256
_HOP = 128
_BLOCK = 8
"""Hops (0.13 s) that belong to one half, before the next ones belong to the other."""
_NEAR = 24
_FAINT = 1e-4
"""Root mean square (-80 dBFS) under which a frame is nothing but rounding and a codec's noise."""
_BROAD = 0.2
"""A frame counts from this share of its bins within 40 dB of the strongest: a few tones fill fewer."""

Samples = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class StretchEcho:
    """The caller's voice come back in one stretch of what it said.

    Attributes:
        delay_s, gain: How much later, and its power over that of what was sent.
        together_s: So long both sounded at that delay.
        likeness: Of the half that is less like it: high where little else is heard.
        other_s: A second way, more than a filter's length off, if there is one.
    """

    said: Span
    delay_s: float
    together_s: float
    gain: float
    likeness: float
    other_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class FoundEcho:
    """What comes back in a call.

    Attributes:
        path: The way that is heard longest.
        stretches: What the caller said, in stretches of :data:`STRETCH_S` at most.
        ways: The stretches in which each way is certain, the longest first.
        others: Those in which the voice comes back at a delay that is no way's.
    """

    path: EchoPath
    stretches: tuple[Span, ...]
    ways: tuple[tuple[StretchEcho, ...], ...]
    others: tuple[StretchEcho, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Flat:
    """One side of a talk: whitened samples, which hops count, and their power as it was."""

    samples: Floats
    counts: NDArray[np.bool_]
    power: Floats


def echo_path(
    caller: Samples, agent: Samples, sample_rate_hz: int, *, said: Sequence[Span], sounds: Sequence[Span]
) -> FoundEcho | None:
    """The ways by which the caller's voice comes back on the agent's channel; None where none is certain.

    A delay of next to nothing is returned, too: of a recording that has one sound on both channels.

    Args:
        caller, agent: Both sides, mono, from the same instant on.
        said: The caller's talks.
        sounds: Where the agent's channel sounds.
    """
    stretches = [part for talk in said for part in _stretches(talk)]
    found = [
        one
        for part in stretches
        if (one := echo_in(caller, agent, sample_rate_hz, part, sounds=sounds)) is not None
    ]
    ways, left = _ways(found)
    if not ways:
        return None
    group = ways[0]
    gain_db = _gain_db(group)
    if gain_db > LOUDEST_DB:
        return None
    path = EchoPath(
        delay_s=float(np.median([one.delay_s for one in group])),
        gain_db=gain_db,
        talks=len(group),
        seconds=sum(one.together_s for one in group),
    )
    return FoundEcho(
        path=path, stretches=tuple(stretches), ways=tuple(map(tuple, _seconds(ways))), others=tuple(left)
    )


def _gain_db(group: Sequence[StretchEcho]) -> float:
    return float(10 * np.log10(np.median([one.gain for one in group])))


def _stretches(talk: Span) -> list[Span]:
    count = max(1, math.ceil(talk.duration_s / STRETCH_S - 1e-9))
    length_s = talk.duration_s / count
    places = [talk.start_s + place * length_s for place in range(count)] + [talk.end_s]
    return [Span(start_s=first, end_s=last) for first, last in pairwise(places)]


def _ways(found: Sequence[StretchEcho]) -> tuple[list[list[StretchEcho]], list[StretchEcho]]:
    """The delays that are certain, each with its stretches, and what is left over."""
    ways, left = [], list(found)
    while left:
        groups = [[two for two in left if abs(two.delay_s - one.delay_s) <= SAME_DELAY_S] for one in left]
        group = max(groups, key=lambda own: sum(one.together_s for one in own))
        if len(group) < TALKS or sum(one.together_s for one in group) < TOGETHER_S:
            break
        ways.append(group)
        left = [one for one in left if one not in group]
    return ways, left


def _seconds(ways: Sequence[Sequence[StretchEcho]]) -> list[list[StretchEcho]]:
    """Without a second way that is not the same in several stretches."""
    every = [one.other_s for way in ways for one in way if one.other_s is not None]
    often = [at_s for at_s in every if sum(abs(at_s - two) <= SAME_DELAY_S for two in every) >= TALKS]
    return [[one if one.other_s in often else replace(one, other_s=None) for one in way] for way in ways]


def slice_of(audio: Samples, rate: int, span: Span, to_hz: int) -> Samples:
    """A stretch at another rate, with silence for what lies beyond both ends of the audio."""
    first, last = round(span.start_s * rate), round(span.end_s * rate)
    inside = audio[max(0, first) : max(0, last)]
    padded = np.pad(inside, (max(0, -first), max(0, last - max(0, first) - len(inside))))
    # Without its mean: an offset is on both sides at any delay.
    mean = np.mean(padded) if len(padded) else 0.0
    return resampled(np.asarray(padded - mean, dtype=np.float32), rate, to_hz)


def echo_in(
    caller: Samples, agent: Samples, rate: int, said: Span, *, sounds: Sequence[Span]
) -> StretchEcho | None:
    """The caller's voice come back in one stretch of what it said; None where both halves have no delay in
    common. Only what lies in ``sounds`` is looked at."""
    whole = Span(start_s=said.start_s, end_s=said.end_s + LONGEST_S)
    heard_in = [one for one in sounds if one.overlap_s(whole) > 0]
    if sum(one.overlap_s(whole) for one in heard_in) < 2 * LEAST_S:
        return None
    sent = _flat(slice_of(caller, rate, whole, RATE_HZ))
    came = _flat(slice_of(agent, rate, whole, RATE_HZ))
    times = said.start_s + np.arange(len(came.counts)) * _HOP / RATE_HZ
    heard = came.counts & np.any([(times >= one.start_s) & (times < one.end_s) for one in heard_in], axis=0)
    halves = np.arange(len(heard)) // _BLOCK % 2 == 0
    first, together = _likeness(sent, came, heard & halves)
    second, more = _likeness(sent, came, heard & ~halves)
    delay = _peak(first, second, np.ones(len(first), dtype=bool), LIKENESS, SHARPNESS)
    if delay is None:
        return None
    far = np.abs(np.arange(len(first)) - delay) > round(APART_S * RATE_HZ)
    other = _peak(first, second, far, SECOND_LIKENESS, SECOND_SHARPNESS)
    lag = min(len(sent.power) - 1, round(delay / _HOP))
    both = heard[lag:] & sent.counts[: len(heard) - lag]
    # The median: in some of them the agent may be speaking, too.
    gain = np.median(came.power[lag:][both] / sent.power[: len(heard) - lag][both])
    return StretchEcho(
        said=said,
        delay_s=delay / RATE_HZ,
        together_s=float(together[delay] + more[delay]),
        gain=float(gain),
        likeness=float(min(abs(first[delay]), abs(second[delay]))),
        other_s=None if other is None else other / RATE_HZ,
    )


def _peak(
    first: Floats, second: Floats, among: NDArray[np.bool_], likeness: float, sharpness: float
) -> int | None:
    """The delay, among some, at which one half stands out, confirmed on the other, where nothing was
    chosen."""
    size = np.where(among, np.abs(first), 0.0)
    delay = int(np.argmax(size))
    away = among & (np.abs(np.arange(len(size)) - delay) > _NEAR)
    spread = float(np.sqrt(np.mean(np.square(size[away])))) if away.any() else 0.0
    stands_out = size[delay] >= max(likeness, sharpness * spread)
    return delay if stands_out and abs(second[delay]) >= likeness else None


def _flat(audio: Samples) -> _Flat:
    """The sound with the magnitudes of each frame flattened; faint and tonal frames are silent."""
    window = np.sqrt(np.hanning(_FRAME + 1)[:-1])
    count = -(-len(audio) // _HOP) + 1
    padded = np.zeros((count + 1) * _HOP)
    padded[_HOP : _HOP + len(audio)] = audio
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FRAME)[::_HOP]
    spectra = np.fft.rfft(frames * window, axis=1)
    magnitudes = np.abs(spectra)
    strongest = np.max(magnitudes, axis=1, keepdims=True)
    power = np.mean(np.square(frames), axis=1)
    # A wider window's leakage would make a tone broad.
    bins = np.abs(np.fft.rfft(frames * np.hanning(_FRAME + 1)[:-1], axis=1))
    broad = np.mean(bins > 1e-2 * np.max(bins, axis=1, keepdims=True), axis=1) >= _BROAD
    counts = (power > _FAINT**2) & broad
    # Bins that hold next to nothing (above a telephone's band) stay so: their phases are noise.
    flat = spectra / np.maximum(magnitudes, 1e-2 * strongest + 1e-12)
    flat[~counts] = 0.0
    parts = np.fft.irfft(flat, n=_FRAME, axis=1) * window
    result = np.zeros_like(padded)
    result[: len(parts) * _HOP] += parts[:, :_HOP].ravel()
    result[_HOP : _HOP + len(parts) * _HOP] += parts[:, _HOP:].ravel()
    return _Flat(samples=result[_HOP:], counts=counts, power=power)


def _likeness(sent: _Flat, came: _Flat, used: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """For each delay the correlation, over what sounds on both sides at that delay, and how many seconds of
    that there are; 0 where they are too few."""
    length, lags = len(came.samples), round(LONGEST_S * RATE_HZ)
    heard = came.samples * np.repeat(used, _HOP)[:length]
    size = 1 << (length + lags).bit_length()
    across = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(sent.samples, size)), size)
    hops = -(-lags // _HOP) + 1
    energy = np.square(heard).reshape(-1, _HOP).sum(axis=1)
    own = np.square(sent.samples).reshape(-1, _HOP).sum(axis=1)
    spoken = sent.counts.astype(float)
    theirs, ours, both = (
        np.array([np.sum(one[hop:] * two[: len(two) - hop]) for hop in range(hops)])
        for one, two in ((energy, spoken), (used.astype(float), own), (used.astype(float), spoken))
    )
    places = np.arange(lags + 1)
    power, together = (
        np.interp(places, np.arange(hops) * _HOP, one) for one in (np.sqrt(theirs * ours), both)
    )
    together_s = together * _HOP / RATE_HZ
    enough = together_s >= LEAST_S
    return np.where(enough, across[: lags + 1] / np.maximum(power, 1e-9), 0.0), together_s
