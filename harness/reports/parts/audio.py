"""A call's sound for the page: its outline for drawing, and a small stereo copy for playing.

Both read the recording in blocks, so that an hour-long call needs no more memory than a short one.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
import soundfile
from numpy.typing import NDArray

MAX_BUCKETS = 30_000
"""Of an outline: 100 a second for a call of five minutes."""

MIN_BUCKETS = 1_500
"""A little more than a screen is wide."""

MAX_BUCKETS_PER_S = 200

OPUS_RATES_HZ = (8_000, 12_000, 16_000, 24_000, 48_000)

_BITS_PER_S = 26_000
"""A channel, at most. It is transparent for speech."""
_MEAN_BITS_PER_S = 22_000
_EFFORT = "5"
"""Of 10: more takes longer, and at this rate nobody hears it."""

_BLOCK_S = 1


class AudioError(RuntimeError):
    """A recording that the page cannot use; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Outline:
    """The lowest and highest sample of each bucket, for both sides.

    Attributes:
        duration_s: Length of the recording, as far as it can be decoded.
        torn: Its file promises more than can be decoded.
        buckets_per_s: Buckets per second of sound.
        full_scale: The sample value that ±127 stands for: the loudest of both sides.
        caller, agent: [buckets, 2] int8, lowest and highest; empty for a side that the recording lacks.
    """

    duration_s: float
    torn: bool
    buckets_per_s: float
    full_scale: float
    caller: NDArray[np.int8]
    agent: NDArray[np.int8]

    def packed(self, side: NDArray[np.int8]) -> str:
        """One side as base64 of its bytes, lowest and highest alternating."""
        return base64.b64encode(np.ascontiguousarray(side).tobytes()).decode("ascii")


def outline(path: Path, *, max_buckets: int = MAX_BUCKETS) -> Outline:
    """The outline of a recording: left is the caller, right the agent; a mono file is the agent's.

    Raises:
        AudioError: Not readable, empty, or of more than two channels.
    """
    with _opened(path) as sound:
        rate_hz, frames, channels = sound.samplerate, sound.frames, sound.channels
        bucket = max(1, round(rate_hz / MAX_BUCKETS_PER_S), -(-frames // max_buckets))  # in samples
        lows, highs, decoded = [], [], 0
        for block in _readable(sound, bucket * 512):
            decoded += len(block)
            starts = np.arange(0, len(block), bucket)
            lows.append(np.minimum.reduceat(block, starts, axis=0))
            highs.append(np.maximum.reduceat(block, starts, axis=0))
    if not lows:
        raise AudioError("holds no sound")
    extremes = np.nan_to_num(np.stack([np.concatenate(lows), np.concatenate(highs)], axis=2))
    full_scale = max(float(np.abs(extremes).max()), 1e-4)
    scaled = np.rint(np.clip(extremes / full_scale, -1, 1) * 127).astype(np.int8)
    nobody = np.empty((0, 2), dtype=np.int8)
    return Outline(
        duration_s=decoded / rate_hz,
        torn=decoded < frames,
        buckets_per_s=rate_hz / bucket,
        full_scale=full_scale,
        caller=scaled[:, 0] if channels == 2 else nobody,
        agent=scaled[:, -1],
    )


def estimated_uri_bytes(path: Path) -> int:
    """About how long :func:`opus_data_uri` will be; speech with pauses comes out somewhat below.

    Raises:
        AudioError: As :func:`outline`.
    """
    with _opened(path) as sound:
        seconds: float = sound.frames / sound.samplerate
        channels: int = sound.channels
    return round(seconds * channels * _BITS_PER_S / 8 * 4 / 3)


def opus_data_uri(path: Path) -> str:
    """The recording as Ogg Opus in a data URI, with its channels and its timing kept.

    Raises:
        AudioError: As :func:`outline`, or a sample rate that Opus does not have.
    """
    with _opened(path) as sound:
        if sound.samplerate not in OPUS_RATES_HZ:
            raise AudioError(f"has a sample rate of {sound.samplerate} Hz, which Opus does not know")
        encoded = _opus(sound)
    return f"data:audio/ogg;base64,{base64.b64encode(encoded).decode('ascii')}"


def _opus(sound: soundfile.SoundFile) -> bytes:
    """By FFmpeg's build of libopus, which takes a quarter of the time that libsndfile's takes."""
    layout = "mono" if sound.channels == 1 else "stereo"
    file = io.BytesIO()
    with av.open(file, "w", format="ogg") as copy:
        stream = copy.add_stream("libopus", rate=sound.samplerate, layout=layout)
        stream.bit_rate = _MEAN_BITS_PER_S * sound.channels
        stream.options = {"vbr": "on", "compression_level": _EFFORT}
        at = 0
        for block in _readable(sound, sound.samplerate * _BLOCK_S):
            frame = av.AudioFrame.from_ndarray(
                np.ascontiguousarray(block).reshape(1, -1), format="flt", layout=layout
            )
            frame.sample_rate, frame.pts = sound.samplerate, at
            at += len(block)
            copy.mux(stream.encode(frame))
        copy.mux(stream.encode(None))
    return file.getvalue()


def _opened(path: Path) -> soundfile.SoundFile:
    try:
        sound = soundfile.SoundFile(path)
    except (RuntimeError, OSError) as error:
        raise AudioError(f"cannot be opened: {_why(error)}") from error
    if not 1 <= sound.channels <= 2:
        sound.close()
        raise AudioError(f"has {sound.channels} channels; a call has two")
    return sound


def _readable(sound: soundfile.SoundFile, frames: int) -> Iterator[NDArray[np.float32]]:
    """Blocks of a recording, up to where a torn file can no longer be decoded."""
    some = False
    try:
        for block in sound.blocks(blocksize=frames, dtype="float32", always_2d=True):
            yield block
            some = True
    except (RuntimeError, OSError) as error:
        if not some:
            raise AudioError(f"cannot be decoded: {_why(error)}") from error


def _why(error: Exception) -> str:
    """libsndfile's reason alone: its full message holds a path of this machine, which no report needs."""
    return str(getattr(error, "error_string", None) or getattr(error, "strerror", None) or error)
