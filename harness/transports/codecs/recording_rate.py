"""Codecs of other rates, used at 48 kHz: the rate of recordings, of the ears, and of what the caller says.

Both ways go through the same linear-phase low-pass. Down, over a whole utterance, it is centred and delays
nothing. Up, packet by packet, it delays the sound by a whole number of samples, which is added to what the
codec itself delays, and so is counted out with it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.codecs.base import Codec, Decoder, Samples

_STOPBAND_DB = 80.0
_TRANSITION = 0.1
"""Width of the filter's slope, as a share of the codec's Nyquist frequency, below it."""


def at_recording_rate(codec: Codec) -> Codec:
    """The codec as one that takes and gives 48 kHz; itself, where that is its rate.

    Raises:
        ValueError: 48 kHz is no whole multiple of its rate.
    """
    times, rest = divmod(SAMPLE_RATE_HZ, codec.sample_rate_hz)
    if rest:
        raise ValueError(
            f"codec '{codec.name}': {SAMPLE_RATE_HZ} Hz is no whole multiple of {codec.sample_rate_hz} Hz"
        )
    if times == 1:
        return codec
    return replace(
        codec,
        sample_rate_hz=SAMPLE_RATE_HZ,
        frame_samples=codec.frame_samples * times,
        times=times,
        delay_samples=(codec.delay_samples + _half_length(times)) * times,
        resampling_samples=_half_length(times) * times,
        encode=lambda samples: codec.encode(lowered(samples, times)),
        decoder=lambda: _RaisingDecoder(codec.decoder(), times),
    )


def lowered(samples: Samples, times: int) -> Samples:
    """A whole signal at 1/``times`` of its rate, without delay: sample k is sample ``k * times`` of it."""
    wanted = math.ceil(len(samples) / times)
    if wanted == 0:
        return np.zeros(0, np.float32)
    half = _half_length(times)
    # Every ``times``-th tap of the filter falls on samples that are ``times`` apart: so many short filters,
    # each over its own share of the samples, whose results are added.
    taps = np.pad(_low_pass(times), (0, times - 1))
    first, count = times - 1, wanted + 2 * half
    padded = np.zeros(first + count * times, np.float64)
    padded[first + half * times : first + half * times + len(samples)] = samples
    total = np.zeros(wanted, np.float64)
    for place in range(times):
        share = padded[first - place :: times][:count]
        total += np.convolve(share, taps[place::times], "valid")
    return np.asarray(total, dtype=np.float32)


def look_around(times: int) -> int:
    """How many samples before and after it :func:`lowered` takes into account for a sample."""
    return _half_length(times) * times if times > 1 else 0


class Raiser:
    """A stream at ``times`` its rate, block by block: late by ``delay_samples`` of the higher rate."""

    def __init__(self, times: int) -> None:
        self.delay_samples = _half_length(times) * times
        self._times = times
        taps = np.pad(_low_pass(times) * times, (0, times - 1))
        self._phases = [taps[place::times] for place in range(times)]
        self._before = np.zeros(2 * _half_length(times), np.float64)

    def take(self, samples: Samples) -> Samples:
        """The next block, ``times`` as long."""
        if len(samples) == 0:
            return np.zeros(0, np.float32)
        known = np.concatenate([self._before, samples])
        self._before = known[len(samples) :]
        raised = np.empty((len(samples), self._times), np.float32)
        for place, taps in enumerate(self._phases):
            raised[:, place] = np.convolve(known, taps, "valid")
        return raised.reshape(-1)

    def rest(self) -> Samples:
        """What is still to sound where the stream pauses; what comes next begins from silence."""
        left = self.take(np.zeros(self.delay_samples // self._times, np.float32))
        self._before = np.zeros_like(self._before)
        return left


class _RaisingDecoder:
    def __init__(self, decoder: Decoder, times: int) -> None:
        self._decoder = decoder
        self._raiser = Raiser(times)

    def decode(self, payload: bytes) -> Samples:
        return self._raiser.take(self._decoder.decode(payload))

    def rest(self) -> Samples:
        """See :meth:`Raiser.rest`."""
        return self._raiser.rest()


def _half_length(times: int) -> int:
    """Half the filter's length, in samples of the lower rate (by Kaiser's formula), the middle left out."""
    taps = (_STOPBAND_DB - 7.95) / (2.285 * math.pi * _TRANSITION / times)
    return math.ceil(taps / 2 / times)


@lru_cache(maxsize=16)
def _low_pass(times: int) -> NDArray[np.float64]:
    """Kaiser-windowed low-pass whose stopband starts at the lower rate's Nyquist frequency."""
    half = _half_length(times) * times
    cutoff = (1 - _TRANSITION / 2) / times
    beta = 0.1102 * (_STOPBAND_DB - 8.7)
    taps = np.sinc(cutoff * np.arange(-half, half + 1)) * np.kaiser(2 * half + 1, beta)
    return np.asarray(taps / taps.sum(), dtype=np.float64)
