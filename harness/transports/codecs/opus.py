"""Opus (RFC 6716, RFC 7587), as libopus encodes and decodes it."""

from __future__ import annotations

from functools import partial

from harness.transports.codecs.base import Codec
from harness.transports.codecs.libav import LibavDecoder, LibavEncoder, encode

_RATE_HZ = 48_000
_FRAME_SAMPLES = 960
_BIT_RATE = 64_000
_OPTIONS = {"application": "voip"}

OPUS = Codec(
    name="opus",
    clock_rate_hz=_RATE_HZ,
    sample_rate_hz=_RATE_HZ,
    frame_samples=_FRAME_SAMPLES,
    # libopus's lookahead (6.5 ms) in its ``voip`` and ``audio`` modes; ``lowdelay`` would be 120.
    delay_samples=312,
    encode=partial(
        encode,
        codec="libopus",
        sample_rate_hz=_RATE_HZ,
        frame_samples=_FRAME_SAMPLES,
        bit_rate=_BIT_RATE,
        options=_OPTIONS,
    ),
    encoder=partial(LibavEncoder, "libopus", sample_rate_hz=_RATE_HZ, bit_rate=_BIT_RATE, options=_OPTIONS),
    # Always told two channels: it is the packet that says how many it has.
    decoder=partial(LibavDecoder, "libopus", sample_rate_hz=_RATE_HZ, layout="stereo"),
    # Mixed to mono by libopus itself, at half the cost.
    ear=partial(LibavDecoder, "libopus", sample_rate_hz=_RATE_HZ, layout="mono"),
    # Silence and DTX (RFC 6716, 2.1.9): 1.2 kbit/s carry no voice.
    silent_bytes=3,
)
