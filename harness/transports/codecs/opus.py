"""Opus to and from packets, with the codec's delay accounted for (RFC 6716, RFC 7587)."""

from __future__ import annotations

import fractions
from collections.abc import Sequence

import av
import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE_HZ = 48_000
FRAME_SAMPLES = 960
"""One 20 ms frame."""
FRAME_S = FRAME_SAMPLES / SAMPLE_RATE_HZ
LOOKAHEAD_SAMPLES = 312
"""libopus delays the signal by this much (6.5 ms) in its ``voip`` and ``audio`` modes: what enters the
encoder as sample 0 leaves the decoder as sample 312. ``lowdelay`` would be 120."""
LOOKAHEAD_S = LOOKAHEAD_SAMPLES / SAMPLE_RATE_HZ

_TIME_BASE = fractions.Fraction(1, SAMPLE_RATE_HZ)


def encode(samples: NDArray[np.float32], *, bit_rate: int = 64_000) -> list[bytes]:
    """Encodes mono audio into 20 ms packets with a fresh encoder.

    Args:
        samples: float32 in -1..1 at 48 kHz; padded with silence to a whole number of frames.

    Returns:
        One packet a frame. Decoded, sample 0 of the input is sample 312 of the output, so the last
        6.5 ms of the input need a following frame to be heard.
    """
    context = av.CodecContext.create("libopus", "w")
    context.bit_rate = bit_rate
    context.format = "s16"
    context.layout = "mono"
    context.sample_rate = SAMPLE_RATE_HZ
    context.time_base = _TIME_BASE
    context.options = {"application": "voip"}
    pcm = to_int16(samples)
    pcm = np.pad(pcm, (0, -len(pcm) % FRAME_SAMPLES))
    packets: list[bytes] = []
    for start in range(0, len(pcm), FRAME_SAMPLES):
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(pcm[None, start : start + FRAME_SAMPLES]), format="s16", layout="mono"
        )
        frame.sample_rate = SAMPLE_RATE_HZ
        frame.pts = start
        frame.time_base = _TIME_BASE
        packets += [bytes(packet) for packet in context.encode(frame)]
    return packets


class Decoder:
    """Decodes the packets of one stream, in order. Keeps the codec's state between packets."""

    def __init__(self) -> None:
        context = av.CodecContext.create("libopus", "r")
        context.format = "s16"
        context.layout = "stereo"
        context.sample_rate = SAMPLE_RATE_HZ
        self._context = context

    def decode(self, payload: bytes) -> NDArray[np.float32]:
        """Mono float32 samples of one packet, at 48 kHz; empty where the payload is not Opus."""
        if not payload:
            return np.zeros(0, np.float32)
        packet = av.Packet(payload)
        packet.time_base = _TIME_BASE
        try:
            frames = self._context.decode(packet)
        except av.FFmpegError:
            return np.zeros(0, np.float32)
        blocks = [_mono(frame) for frame in frames]
        return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def decode(payloads: Sequence[bytes]) -> NDArray[np.float32]:
    """All packets of a stream without losses, as one mono signal."""
    decoder = Decoder()
    blocks = [decoder.decode(payload) for payload in payloads]
    return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def to_int16(samples: NDArray[np.float32]) -> NDArray[np.int16]:
    """float32 in -1..1 to 16-bit PCM, clipped and rounded."""
    return np.asarray(np.clip(np.round(samples * 32767.0), -32768, 32767), dtype=np.int16)


def _mono(frame: av.AudioFrame) -> NDArray[np.float32]:
    pcm = frame.to_ndarray()
    channels = len(frame.layout.channels)
    if frame.format.is_planar:
        mixed = pcm.astype(np.float32).mean(axis=0)
    else:
        mixed = pcm.reshape(-1, channels).astype(np.float32).mean(axis=1)
    if np.issubdtype(pcm.dtype, np.integer):
        mixed /= 32768.0
    return np.asarray(mixed, dtype=np.float32)
