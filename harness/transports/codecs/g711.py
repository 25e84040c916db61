"""G.711, the codec of telephone networks: mu-law (PCMU) and A-law (PCMA), 8 kHz, 64 kbit/s (RFC 3551)."""

from __future__ import annotations

from functools import partial

from harness.transports.codecs.base import Codec
from harness.transports.codecs.libav import LibavDecoder, LibavEncoder, encode

_RATE_HZ = 8_000
_FRAME_SAMPLES = 160


def _codec(name: str, *, libav: str) -> Codec:
    return Codec(
        name=name,
        clock_rate_hz=_RATE_HZ,
        sample_rate_hz=_RATE_HZ,
        frame_samples=_FRAME_SAMPLES,
        # Each sample is a byte by itself.
        delay_samples=0,
        encode=partial(encode, codec=libav, sample_rate_hz=_RATE_HZ, frame_samples=_FRAME_SAMPLES),
        decoder=partial(LibavDecoder, libav, sample_rate_hz=_RATE_HZ),
        encoder=partial(LibavEncoder, libav, sample_rate_hz=_RATE_HZ),
    )


PCMU = _codec("pcmu", libav="pcm_mulaw")
PCMA = _codec("pcma", libav="pcm_alaw")
