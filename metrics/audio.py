"""Audio that knows its own rate, so that nobody hands 8 kHz to what listens at 16.

    Audio.from_file("call.wav", channel="right").resampled(16_000)

Inside the package samples and rates travel apart, where each function says what it takes; what a program of
somebody else calls (:mod:`metrics.instruments`) takes this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import soundfile
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ, resampled
from metrics.spans import Span

RATES_HZ = (8_000, 192_000)
"""Speech at less is not understood, and nothing records at more."""

Channel = Literal["left", "right"] | int


class AudioError(ValueError):
    """It is no sound, or not of this kind; the message says of which kind it is."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Audio:
    """One channel of sound. Made once, it is checked once.

    Attributes:
        samples: float32, mono, full scale at ±1. Read-only.
        sample_rate_hz: How many of them are a second.

    Raises:
        AudioError: Several channels, whole numbers instead of floating point, a rate that is none, or samples
            that are not finite.
    """

    samples: NDArray[np.float32]
    sample_rate_hz: int

    def __post_init__(self) -> None:
        given: NDArray[Any] = np.asarray(self.samples)
        if given.ndim != 1:
            raise AudioError(f"audio is one channel, not an array of shape {given.shape}: choose one")
        if not np.issubdtype(given.dtype, np.floating):
            raise AudioError(f"audio is floating point with full scale at 1, not {given.dtype}: divide first")
        _check_rate(self.sample_rate_hz)
        if not np.isfinite(given).all():
            raise AudioError("the audio has samples that are not finite")
        samples = given.astype(np.float32, copy=False).view()
        samples.flags.writeable = False
        object.__setattr__(self, "samples", samples)

    @classmethod
    def from_file(cls, path: str | Path, *, channel: Channel | None = None) -> Audio:
        """A sound file (WAV, FLAC, OGG, MP3), at its own rate.

        Args:
            channel: Of a file with several: ``left``, ``right`` or a number from 0. They are never mixed: in
                a recording of a call each is another person.

        Raises:
            AudioError: It cannot be read, or it has several channels and none was chosen.
        """
        try:
            samples, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
        except (OSError, RuntimeError) as error:
            raise AudioError(f"{path}: not a sound file that can be read: {error}") from error
        count = samples.shape[1]
        if channel is None and count > 1:
            raise AudioError(f"{path}: {count} channels: choose one, for instance channel='left'")
        chosen = {"left": 0, "right": 1}.get(channel, channel) if isinstance(channel, str) else channel or 0
        if not isinstance(chosen, int) or not 0 <= chosen < count:
            raise AudioError(f"{path}: no channel {channel!r}: it has {count}")
        return cls(samples=np.ascontiguousarray(samples[:, chosen]), sample_rate_hz=rate)

    def __len__(self) -> int:
        return self.samples.size

    def __repr__(self) -> str:
        return f"<Audio {self.duration_s:.3f} s at {self.sample_rate_hz} Hz>"

    @property
    def duration_s(self) -> float:
        return self.samples.size / self.sample_rate_hz

    def resampled(self, sample_rate_hz: int = SPEECH_RATE_HZ) -> Audio:
        """The same sound at another rate, without delay; itself where it has that rate.

        Raises:
            AudioError: That is no rate of speech audio.
        """
        if sample_rate_hz == self.sample_rate_hz:
            return self
        _check_rate(sample_rate_hz)
        samples = resampled(self.samples, self.sample_rate_hz, sample_rate_hz)
        return Audio(samples=samples, sample_rate_hz=sample_rate_hz)

    def within(self, span: Span) -> Audio:
        """The part of it that lies in ``span``, which may reach beyond either end."""
        first = max(0, math.floor(span.start_s * self.sample_rate_hz))
        last = max(first, math.ceil(span.end_s * self.sample_rate_hz))
        return Audio(samples=self.samples[first:last], sample_rate_hz=self.sample_rate_hz)


def _check_rate(sample_rate_hz: int) -> None:
    lowest, highest = RATES_HZ
    if not lowest <= sample_rate_hz <= highest:
        raise AudioError(f"{sample_rate_hz} Hz is no rate of speech audio ({lowest} to {highest})")
