"""The port of codecs: what everything above the wire knows of how sound is carried.

A codec is a value: rates, lengths, the delay that it puts on the sound, an encoder and a decoder. One file
beside this one per codec (or family of them), and a line in ``table``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]
"""Mono, -1..1."""


Encode = Callable[["Codec", Samples], Sequence[bytes]]
"""Packets of sound by a codec, as :func:`encoded` makes them."""


class Decoder(Protocol):
    """Decodes the packets of one stream, in order. Keeps the codec's state between packets.

    A packet that never came is not told: the state stays as the last one left it, and nothing is invented.
    """

    def decode(self, payload: bytes) -> Samples:
        """The sound of one packet; empty where the payload is empty or is none of this codec. Never raises
        for what a stranger sent."""
        ...


class FrameEncoder(Protocol):
    """Encodes one stream frame by frame, at the codec's own rate."""

    def encode(self, frame: Samples) -> bytes:
        """The packet of the next frame, mono float32 of as many samples as the codec's frames have."""
        ...


@dataclass(frozen=True, kw_only=True)
class Codec:
    """A way of carrying sound in packets.

    Attributes:
        name: As in the table, and in the record of a call.
        clock_rate_hz: Of the ticks that stamps count a stream's media time in: RTP's clock of the codec,
            which is not always its sampling rate (G.722: RFC 3551, 4.5.2).
        sample_rate_hz: Of what is encoded and of what is decoded.
        frame_samples: Samples that one packet of ours holds.
        delay_samples: What enters the encoder as sample 0 leaves the decoder as this one. It is counted out
            of everything that is heard.
        resampling_samples: So many of these the decoder's change of rate takes, on our side of the wire.
        times: How often its own rate goes into ``sample_rate_hz``: more than 1 where it is used at the rate
            of recordings, of whose band it carries that part.
        encode: Encodes mono audio with a fresh encoder: one packet for each frame begun, the last one padded
            with silence. The last ``delay_samples`` of the input need a following packet to be heard.
        ear: Makes a cheaper decoder for one stream, for who only listens for speech while a call stands:
            mono, whatever the packets hold. None: :attr:`decoder` is cheap enough.
        silent_bytes: A payload of no more bytes holds no speech; 0: it takes decoding to know.
        encoder: Makes an encoder for a stream whose frames are not known beforehand, at the codec's own rate.
            None: the codec has none.
        decoder: Makes a decoder for one stream. Packets of any length are decoded, not only ours.
    """

    name: str
    clock_rate_hz: int
    sample_rate_hz: int
    frame_samples: int
    delay_samples: int
    encode: Callable[[Samples], list[bytes]]
    decoder: Callable[[], Decoder]
    encoder: Callable[[], FrameEncoder] | None = None
    ear: Callable[[], Decoder] | None = None
    silent_bytes: int = 0
    times: int = 1
    resampling_samples: int = 0

    @property
    def frame_s(self) -> float:
        """Seconds of sound in one packet of ours."""
        return self.frame_samples / self.sample_rate_hz

    @property
    def frame_ticks(self) -> int:
        """By how much the media time of a stamp grows from one packet of ours to the next."""
        return self.frame_samples * self.clock_rate_hz // self.sample_rate_hz

    @property
    def delay_s(self) -> float:
        """The codec's delay in seconds."""
        return self.delay_samples / self.sample_rate_hz

    @property
    def resampling_s(self) -> float:
        """That part of the delay which is ours alone, in seconds."""
        return self.resampling_samples / self.sample_rate_hz

    def decode(self, payloads: Sequence[bytes]) -> Samples:
        """All packets of a stream without losses, as one signal; late by :attr:`delay_samples`."""
        decoder = self.decoder()
        blocks = [decoder.decode(payload) for payload in payloads]
        return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def encoded(codec: Codec, pcm: Samples) -> list[bytes]:
    """The packets of mono audio, by a fresh encoder."""
    return codec.encode(pcm)


def to_int16(samples: Samples) -> NDArray[np.int16]:
    """float32 in -1..1 to 16-bit PCM, clipped and rounded."""
    return np.asarray(np.clip(np.round(samples * 32767.0), -32768, 32767), dtype=np.int16)
