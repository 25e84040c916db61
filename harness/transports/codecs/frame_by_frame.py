"""Sound at 48 kHz into any codec, frame by frame, while a call runs.

Where it is settled only with the agent's answer what is spoken, nothing can be encoded beforehand. A frame is
encoded when the one after it is known: so the low-pass can look as far ahead as it looks back, and sample k
of what is sent is sample k of what was prepared, just as if the whole of it had been encoded at once.
"""

from __future__ import annotations

import numpy as np

from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.codecs.base import Codec, FrameEncoder, Samples
from harness.transports.codecs.recording_rate import look_around, lowered


class FrameByFrame:
    """The encoder of one stream.

    Args:
        codec: As it is in the table, at its own rate.

    Raises:
        ValueError: The codec cannot encode frame by frame.
    """

    def __init__(self, codec: Codec) -> None:
        if codec.encoder is None:
            raise ValueError(f"codec '{codec.name}' cannot encode frame by frame")
        self._times = SAMPLE_RATE_HZ // codec.sample_rate_hz
        self.frame_samples = codec.frame_samples * self._times
        self._around = look_around(self._times)
        self._encoder: FrameEncoder = codec.encoder()
        self._before = np.zeros(self._around, np.float32)
        self._frame = np.zeros(self.frame_samples, np.float32)

    def first(self, frame: Samples) -> None:
        """The first frame of the stream, at 48 kHz."""
        self._frame = frame

    def take(self, following: Samples) -> bytes:
        """The packet of the frame that was given before.

        Args:
            following: The frame after it, at 48 kHz.
        """
        frame, self._frame = self._frame, following
        if self._times == 1:
            return self._encoder.encode(frame)
        around = self._around
        window = np.concatenate([self._before, frame, following[:around]])
        self._before = frame[len(frame) - around :]
        skip = around // self._times
        return self._encoder.encode(lowered(window, self._times)[skip : skip + len(frame) // self._times])
