"""The telephone band: what is left of a voice after G.711 at 8 kHz.

The path is that of a landline: a high-pass (4th-order Butterworth at 230 Hz), an anti-alias filter (linear
phase, flat to 3400 Hz, at least 60 dB down from 4000 Hz) like the edges of ITU-T G.712, sampling at
8 kHz, the 8-bit companding of ITU-T G.711 (mu-law in North America and Japan, A-law elsewhere), and the same
filter on the way back. The filters' own delay is counted out, so speech stays where it was.

A-law has no code for zero: its silence is an offset of 8 in 32768 (-72 dBFS), here as in a real line.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, kaiserord, resample_poly, sosfilt
from scipy.signal import firwin as window_filter

Law = Literal["ulaw", "alaw"]
Samples = NDArray[np.float32]
Codes = NDArray[np.uint8]

TELEPHONE_RATE_HZ = 8_000
HIGH_PASS_HZ = 230.0
PASS_HZ, STOP_HZ, STOP_DB = 3400.0, 4000.0, 60.0
FULL_SCALE = 32768.0

_BIAS = 33
_ULAW_MAX = 8158
_ALAW_MAX = 2047


def telephone(samples: Samples, *, law: Law, sample_rate_hz: int = 48_000) -> Samples:
    """``samples`` after a telephone line: the same length, rate and place in time.

    Args:
        samples: Mono float, within -1..1; what is beyond is clipped by the codec, as in a real one.
        law: Which companding.
        sample_rate_hz: A multiple of 8000.

    Raises:
        ValueError: Unknown law, or a rate that is no multiple of 8000.
    """
    if sample_rate_hz % TELEPHONE_RATE_HZ:
        raise ValueError(f"{sample_rate_hz} Hz is no multiple of {TELEPHONE_RATE_HZ} Hz")
    factor = sample_rate_hz // TELEPHONE_RATE_HZ
    high_passed = sosfilt(_high_pass(sample_rate_hz), samples.astype(np.float64))
    if factor == 1:
        narrow = high_passed
    else:
        narrow = resample_poly(high_passed, 1, factor, window=_low_pass(sample_rate_hz))
    pcm = np.clip(np.round(narrow * FULL_SCALE), -FULL_SCALE, FULL_SCALE - 1).astype(np.int16)
    heard = decode(encode(pcm, law=law), law=law) / FULL_SCALE
    if factor > 1:
        heard = resample_poly(heard, factor, 1, window=_low_pass(sample_rate_hz))
    return heard[: samples.size].astype(np.float32)


def encode(pcm: NDArray[np.int16], *, law: Law) -> Codes:
    """16-bit samples as G.711 codes, one byte a sample."""
    wide = pcm.astype(np.int32)
    negative = wide < 0
    if law == "ulaw":
        # G.711 codes 14 bits; a bias of 33 makes every segment begin at a power of two.
        magnitude = np.minimum(np.abs(wide) >> 2, _ULAW_MAX) + _BIAS
        segment = _highest_bit(magnitude) - 5
        code = (segment << 4) | ((magnitude >> (segment + 1)) & 0x0F)
        codes: Codes = np.where(negative, ~code & 0x7F, ~code & 0xFF).astype(np.uint8)
        return codes
    if law == "alaw":
        magnitude = np.minimum(np.abs(wide) >> 4, _ALAW_MAX)
        segment = np.maximum(_highest_bit(magnitude) - 3, 0)
        step = np.maximum(segment - 1, 0)
        code = (segment << 4) | ((magnitude >> step) & 0x0F)
        codes = (np.where(negative, code, code | 0x80) ^ 0x55).astype(np.uint8)
        return codes
    raise ValueError(f"unknown companding '{law}'; known: ulaw, alaw")


def decode(codes: Codes, *, law: Law) -> NDArray[np.int32]:
    """G.711 codes as samples on the 16-bit scale."""
    if law == "ulaw":
        code = ~codes.astype(np.int32) & 0xFF
        segment, step = (code >> 4) & 0x07, code & 0x0F
        magnitude = ((((step << 1) + _BIAS) << segment) - _BIAS) << 2
        return np.where(code & 0x80, -magnitude, magnitude)
    if law == "alaw":
        code = codes.astype(np.int32) ^ 0x55
        segment, step = (code >> 4) & 0x07, code & 0x0F
        within = (step << 4) + 8
        magnitude = np.where(segment == 0, within, (within + 0x100) << np.maximum(segment - 1, 0))
        return np.where(code & 0x80, magnitude, -magnitude)
    raise ValueError(f"unknown companding '{law}'; known: ulaw, alaw")


def _highest_bit(values: NDArray[np.int32]) -> NDArray[np.int32]:
    """Position of the highest set bit, 0 for the lowest one; -1 for zero."""
    return (np.frexp(values.astype(np.float64))[1] - 1).astype(np.int32)


@cache
def _high_pass(sample_rate_hz: int) -> NDArray[np.float64]:
    return np.asarray(butter(4, HIGH_PASS_HZ, "highpass", fs=sample_rate_hz, output="sos"))


@cache
def _low_pass(sample_rate_hz: int) -> NDArray[np.float64]:
    taps, beta = kaiserord(STOP_DB, (STOP_HZ - PASS_HZ) / (sample_rate_hz / 2))
    middle = (PASS_HZ + STOP_HZ) / 2
    return np.asarray(window_filter(taps | 1, middle, window=("kaiser", beta), fs=sample_rate_hz))
