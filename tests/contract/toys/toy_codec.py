"""A codec that nobody would build, as another package would bring it: see ``test_toys``.

Everything about it is unusual on purpose: 12 kHz, frames of 30 ms, a clock that counts milliseconds, and a
delay of five samples. Each sample is one byte, the fourth root of its size.
"""

import numpy as np

from harness.transports.codecs.base import Codec, Samples

FRAME = 360
DELAY = 5


def encode(samples: Samples) -> list[bytes]:
    late = np.concatenate([np.zeros(DELAY, np.float32), samples])[: len(samples)]
    whole = np.pad(late, (0, -len(late) % FRAME)).clip(-1, 1)
    steps = np.round(np.sign(whole) * np.abs(whole) ** 0.25 * 127).astype(np.int8)
    return [frame.tobytes() for frame in steps.reshape(-1, FRAME)]


class Decoder:
    def decode(self, payload: bytes) -> Samples:
        share = np.frombuffer(payload, np.int8).astype(np.float32) / np.float32(127)
        return np.asarray(np.sign(share) * share**4, np.float32)


TOY = Codec(
    name="toy",
    clock_rate_hz=1_000,
    sample_rate_hz=12_000,
    frame_samples=FRAME,
    delay_samples=DELAY,
    encode=encode,
    decoder=Decoder,
)
