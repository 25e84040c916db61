"""Background noise at a stated signal-to-noise ratio.

SNR = active speech level (:func:`voice_sim.conditions.level.active_level_dbfs`) minus the RMS level of the
noise, both over the whole band. Every kind of noise is seeded, has an RMS of 1.0, and is *circular*: its end
runs on into its beginning, so that it can be looped without a click.

A kind is a function ``(samples, *, seed, speech, sample_rate_hz) -> float32 array``; ``speech`` are the clips
that it may take its spectrum or its voices from, at the same rate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.signal import welch

from voice_sim.conditions import NOISES
from voice_sim.conditions.level import amplitude, rms_dbfs

Samples = NDArray[np.float32]

BABBLE_VOICES = 6
SPECTRUM_WINDOW_S = 0.032
MIN_LOOP_S = 0.1
CREST_LIMIT = 4.0


class NoiseError(ValueError):
    """The noise cannot be made or mixed as asked; the message says what to change."""


class NoiseKind(Protocol):
    """Makes circular noise of an RMS of 1.0; see the module's docstring."""

    def __call__(
        self, samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int
    ) -> Samples: ...


@dataclass(frozen=True, kw_only=True)
class NoiseLoop:
    """A bed of noise whose end joins its beginning.

    Attributes:
        samples: float32, mono, at the level at which it is to be heard.
        sample_rate_hz: Of the samples.
    """

    samples: Samples
    sample_rate_hz: int

    @property
    def level_dbfs(self) -> float:
        return rms_dbfs(self.samples)

    def take(self, start: int, count: int) -> Samples:
        """``count`` samples from position ``start`` of the endlessly repeated loop."""
        return np.take(self.samples, np.arange(start, start + count), mode="wrap")


def noise_loop(
    kind: str,
    *,
    snr_db: float,
    speech_level_dbfs: float,
    duration_s: float,
    seed: int,
    speech: Sequence[Samples] = (),
    sample_rate_hz: int = 48_000,
) -> NoiseLoop:
    """A bed of noise for speech of a known level.

    Args:
        kind: As in the table of noises.
        snr_db: Speech level minus noise level.
        speech_level_dbfs: Active level of the speech that will be heard over it.
        duration_s: Length of one round.
        seed: The same seed, kind, length and speech give the same samples.
        speech: Clips for the kinds that are made from speech.

    Raises:
        UnknownPartError: No such kind; the message lists the known ones.
        NoiseError: Too short, a kind without the speech that it needs, or so loud that it clips.
    """
    make: NoiseKind = NOISES.load(kind)
    if duration_s < MIN_LOOP_S:
        raise NoiseError(f"a loop of {duration_s} s; at least {MIN_LOOP_S} s")
    unit = make(round(duration_s * sample_rate_hz), seed=seed, speech=speech, sample_rate_hz=sample_rate_hz)
    samples = (unit * amplitude(speech_level_dbfs - snr_db)).astype(np.float32)
    _refuse_clipping(samples, f"{kind} noise {-snr_db:+.1f} dB against speech at {speech_level_dbfs} dBFS")
    samples.setflags(write=False)
    return NoiseLoop(samples=samples, sample_rate_hz=sample_rate_hz)


def unit_rms(samples: NDArray[np.float64]) -> Samples:
    """Scaled to an RMS of 1.0, rare peaks beyond 12 dB limited: a bed must not clip for one sample's sake."""
    limited = _normalised(np.clip(_normalised(samples), -CREST_LIMIT, CREST_LIMIT))
    return limited.astype(np.float32)


def white(samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int) -> Samples:
    """Gaussian noise of the same power at every frequency. Takes nothing from ``speech``."""
    return unit_rms(np.random.default_rng(seed).standard_normal(samples))


def speech_shaped(samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int) -> Samples:
    """Gaussian noise with the long-term average spectrum of the given speech: it masks, but says nothing.

    Shaped in the frequency domain over its whole length, so it is circular by construction.
    """
    clips = _audible(speech, kind="speech_shaped")
    window = round(SPECTRUM_WINDOW_S * sample_rate_hz)
    joined = np.concatenate([np.pad(clip.astype(np.float64), (0, window)) for clip in clips])
    frequencies, power = welch(joined, fs=sample_rate_hz, nperseg=window)
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(samples))
    bins = np.fft.rfftfreq(samples, 1.0 / sample_rate_hz)
    spectrum *= np.sqrt(np.interp(bins, frequencies, power))
    spectrum[0] = 0.0
    return unit_rms(np.fft.irfft(spectrum, n=samples))


def babble(samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int) -> Samples:
    """Several people talking at once: the given clips, shifted at random, half of them reversed.

    Reversed speech keeps the sound of speech without words that a recogniser could take for the caller's.
    Each voice repeats its clips around the loop, all voices at the same power.
    """
    clips = _audible(speech, kind="babble")
    random = np.random.default_rng(seed)
    total = np.zeros(samples)
    for voice in range(BABBLE_VOICES):
        order = random.permutation(len(clips))
        joined = np.concatenate([clips[index].astype(np.float64) for index in order])
        talk = _around(joined[::-1] if voice % 2 else joined, samples, ramp=sample_rate_hz // 100)
        power = np.mean(np.square(talk))
        if power > 0.0:
            total += np.roll(talk / np.sqrt(power), random.integers(samples))
    if not np.any(total):
        raise NoiseError("babble: the clips are silent for longer than the loop lasts")
    return unit_rms(total)


def _around(talk: NDArray[np.float64], samples: int, *, ramp: int) -> NDArray[np.float64]:
    """``talk`` repeated and cut to ``samples``, with short ramps where it is cut and where it repeats."""
    filled = np.zeros(samples)
    for start in range(0, samples, talk.size):
        part = talk[: samples - start].copy()
        edge = min(ramp, part.size // 2)
        rising = np.sin(np.linspace(0.0, math.pi / 2.0, edge)) ** 2
        part[:edge] *= rising
        part[part.size - edge :] *= rising[::-1]
        filled[start : start + part.size] = part
    return filled


def _audible(speech: Sequence[Samples], *, kind: str) -> list[Samples]:
    clips = [clip for clip in speech if clip.size and np.any(clip)]
    if not clips:
        raise NoiseError(f"{kind} noise is made from speech; give at least one clip that is not silent")
    return clips


def _normalised(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    return samples / float(np.sqrt(np.mean(np.square(samples))))


def _refuse_clipping(samples: Samples, what: str) -> None:
    peak = float(np.max(np.abs(samples)))
    if peak > 1.0:
        over_db = 20.0 * math.log10(peak)
        raise NoiseError(f"{what} clips by {over_db:.1f} dB; choose a lower speech level or a higher SNR")
