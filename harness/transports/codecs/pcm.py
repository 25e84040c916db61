"""Sound as it is: 16-bit samples, mono, little-endian, as WebSockets of voice platforms carry it."""

from __future__ import annotations

import numpy as np

from harness.transports.codecs.base import Codec, Samples, to_int16

_FRAME_S = 0.02
_SAMPLE_BYTES = 2


class _Decoder:
    def decode(self, payload: bytes) -> Samples:
        # Half a sample at the end is no sample.
        whole = payload[: len(payload) - len(payload) % _SAMPLE_BYTES]
        return np.frombuffer(whole, "<i2").astype(np.float32) / np.float32(32768.0)


def _codec(name: str, rate_hz: int) -> Codec:
    frame_samples = round(_FRAME_S * rate_hz)

    def encode(samples: Samples) -> list[bytes]:
        pcm = to_int16(samples)
        pcm = np.pad(pcm, (0, -len(pcm) % frame_samples))
        return [frame.astype("<i2").tobytes() for frame in pcm.reshape(-1, frame_samples)]

    return Codec(
        name=name,
        clock_rate_hz=rate_hz,
        sample_rate_hz=rate_hz,
        frame_samples=frame_samples,
        delay_samples=0,
        encode=encode,
        decoder=_Decoder,
    )


PCM_8K = _codec("pcm-8k", 8_000)
PCM_16K = _codec("pcm-16k", 16_000)
PCM_24K = _codec("pcm-24k", 24_000)
PCM_48K = _codec("pcm-48k", 48_000)
