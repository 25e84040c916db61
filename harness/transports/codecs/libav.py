"""libav's audio codecs, frame by frame: what the codecs of this folder are made of."""

from __future__ import annotations

import fractions
from collections.abc import Mapping
from typing import cast

import av
import numpy as np
from av.audio.codeccontext import AudioCodecContext
from numpy.typing import NDArray

from harness.transports.codecs.base import Samples, to_int16


def encode(
    samples: Samples,
    *,
    codec: str,
    sample_rate_hz: int,
    frame_samples: int,
    bit_rate: int | None = None,
    options: Mapping[str, str] | None = None,
) -> list[bytes]:
    """Encodes mono audio with a fresh encoder, one packet for each frame begun.

    Args:
        codec: As libav calls it.
        options: The codec's own.
    """
    encoder = LibavEncoder(codec, sample_rate_hz=sample_rate_hz, bit_rate=bit_rate, options=options)
    pcm = np.pad(samples, (0, -len(samples) % frame_samples))
    return [encoder.encode(pcm[start : start + frame_samples]) for start in range(0, len(pcm), frame_samples)]


class LibavEncoder:
    """An encoder of libav for one stream; see :class:`~harness.transports.codecs.base.FrameEncoder`.

    Args:
        codec: As libav calls it.
        options: The codec's own.
    """

    def __init__(
        self,
        codec: str,
        *,
        sample_rate_hz: int,
        bit_rate: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        context = cast(AudioCodecContext, av.CodecContext.create(codec, "w"))
        if bit_rate is not None:
            context.bit_rate = bit_rate
        context.format = "s16"
        context.layout = "mono"
        context.sample_rate = sample_rate_hz
        context.time_base = fractions.Fraction(1, sample_rate_hz)
        context.options = dict(options or {})
        self._context = context
        self._sample_rate_hz = sample_rate_hz
        self._samples = 0

    def encode(self, frame: Samples) -> bytes:
        """The packet of the next frame."""
        pcm = np.ascontiguousarray(to_int16(frame)[None, :])
        sound = av.AudioFrame.from_ndarray(pcm, format="s16", layout="mono")
        sound.sample_rate = self._sample_rate_hz
        sound.pts = self._samples
        sound.time_base = self._context.time_base
        self._samples += len(frame)
        return b"".join(bytes(packet) for packet in self._context.encode(sound))


class LibavDecoder:
    """A decoder of libav for one stream; see :class:`~harness.transports.codecs.base.Decoder`.

    Args:
        codec: As libav calls it.
        layout: Channels that a packet may have; their mean is heard.
    """

    def __init__(self, codec: str, *, sample_rate_hz: int, layout: str = "mono") -> None:
        context = cast(AudioCodecContext, av.CodecContext.create(codec, "r"))
        context.format = "s16"
        context.layout = layout
        context.sample_rate = sample_rate_hz
        self._context = context
        self._time_base = fractions.Fraction(1, sample_rate_hz)

    def decode(self, payload: bytes) -> Samples:
        """The sound of one packet; empty where libav cannot read it."""
        if not payload:
            return np.zeros(0, np.float32)
        packet = av.Packet(payload)
        packet.time_base = self._time_base
        try:
            frames = self._context.decode(packet)
        except av.FFmpegError:
            return np.zeros(0, np.float32)
        blocks = [_mono(frame) for frame in frames]
        if len(blocks) == 1:
            return blocks[0]
        return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def _mono(frame: av.AudioFrame) -> NDArray[np.float32]:
    pcm = frame.to_ndarray()
    channels = len(frame.layout.channels)
    if channels == 1:
        mixed = pcm.reshape(-1).astype(np.float32)
    elif frame.format.is_planar:
        mixed = pcm.astype(np.float32).mean(axis=0)
    else:
        mixed = pcm.reshape(-1, channels).astype(np.float32).mean(axis=1)
    if np.issubdtype(pcm.dtype, np.integer):
        mixed /= 32768.0
    return np.asarray(mixed, dtype=np.float32)
