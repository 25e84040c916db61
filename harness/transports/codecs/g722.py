"""G.722, the wideband codec of telephone networks: 16 kHz, 64 kbit/s (RFC 3551)."""

from __future__ import annotations

from functools import partial

from harness.transports.codecs.base import Codec
from harness.transports.codecs.libav import LibavDecoder, LibavEncoder, encode

_RATE_HZ = 16_000
_FRAME_SAMPLES = 320

G722 = Codec(
    name="g722",
    # RTP counts G.722 as if it had 8 kHz: an error of an early RFC that stays (RFC 3551, 4.5.2).
    clock_rate_hz=8_000,
    sample_rate_hz=_RATE_HZ,
    frame_samples=_FRAME_SAMPLES,
    # Its two filter banks of 24 taps each delay by 11 samples; measured from end to end: 22.00.
    delay_samples=22,
    encode=partial(encode, codec="g722", sample_rate_hz=_RATE_HZ, frame_samples=_FRAME_SAMPLES),
    decoder=partial(LibavDecoder, "g722", sample_rate_hz=_RATE_HZ),
    encoder=partial(LibavEncoder, "g722", sample_rate_hz=_RATE_HZ),
)
