"""An utterance that is ready to be sent: 48 kHz, level set, its first and last speech sample known.

Every time that is reported about the caller rests on the edges defined here, so the definition is pinned:

*A sample is voiced when its magnitude is at least* ``VOICED_DBFS`` *after the level is set.* The utterance is
cut to its first and last voiced sample. The threshold lies 6 dB above the floor of the detector at the other
end (-48 dBFS), so that what a codec takes from an edge does not move it.

Edges are cut, not faded: measured through Opus at 96 kbit/s (24 sentences, -23 dBFS, decoded edges found at
-48 dBFS), cut edges come back with an error of 0.0 ms at the onset and 0.75 ms (p95) at the end; a fade of
2 ms makes that 2.1 and 2.3 ms, late and early. At 32 kbit/s cut edges give 0.06 and 1.1 ms.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from voice_sim.conditions.level import active_level_dbfs, amplitude, true_peak
from voice_sim.tts.base import Speech

SAMPLE_RATE_HZ = 48_000
VOICED_DBFS = -42.0
TRUE_PEAK_LIMIT_DBFS = -1.0
TONE_RAMP_S = 0.005
MAX_LEVEL_ROUNDS = 8


class UtteranceError(ValueError):
    """This speech cannot be made into an utterance; the message says why and what to change."""


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """Speech between its first and its last voiced sample; build it with :func:`prepare_utterance`.

    Attributes:
        samples: float32, mono, within -1..1.
        sample_rate_hz: 48 000 unless asked otherwise.
        first_voiced, last_voiced: Indices of the first and last voiced sample: 0 and ``len(samples) - 1``.
        level_dbfs: Active speech level as it came out; lower than asked for where the peaks forbade it.
    """

    samples: NDArray[np.float32]
    sample_rate_hz: int
    first_voiced: int
    last_voiced: int
    level_dbfs: float

    @property
    def duration_s(self) -> float:
        """From the first voiced sample to the end of the last one."""
        return (self.last_voiced - self.first_voiced + 1) / self.sample_rate_hz

    @cached_property
    def pcm16(self) -> NDArray[np.int16]:
        """The samples as 16-bit PCM: what an encoder is given."""
        return np.round(np.clip(self.samples, -1.0, 1.0) * 32767.0).astype(np.int16)

    @cached_property
    def pcm_sha256(self) -> str:
        """Checksum of the 16-bit PCM (little endian), so that two runs can be compared."""
        return hashlib.sha256(self.pcm16.astype("<i2").tobytes()).hexdigest()


def prepare_utterance(
    speech: Speech, *, level_dbfs: float, sample_rate_hz: int = SAMPLE_RATE_HZ
) -> Utterance:
    """Resamples, sets the active speech level, and cuts to the first and last voiced sample.

    Args:
        speech: What an engine produced.
        level_dbfs: Active speech level to reach (RMS over active 10 ms frames). Where it would drive the
            true peak above -1 dBFS, the level stays lower and the result says so.
        sample_rate_hz: Rate of the result.

    Raises:
        UtteranceError: The speech is silent, or too quiet at that level to have a voiced sample.
    """
    samples = _resampled(speech, sample_rate_hz)
    peak = true_peak(samples)
    measured_dbfs = active_level_dbfs(samples, sample_rate_hz=sample_rate_hz)
    if not math.isfinite(measured_dbfs):
        raise UtteranceError("the speech is digital silence")
    ceiling_db = TRUE_PEAK_LIMIT_DBFS - 20.0 * math.log10(peak)
    gain_db = min(level_dbfs - measured_dbfs, ceiling_db)
    # The cut depends on the gain, and (slightly) the level on the cut: repeat until they agree.
    for _ in range(MAX_LEVEL_ROUNDS):
        cut = _cut_to_voiced((samples * amplitude(gain_db)).astype(np.float32), level_dbfs=level_dbfs)
        measured_dbfs = active_level_dbfs(cut, sample_rate_hz=sample_rate_hz)
        correction_db = min(level_dbfs - measured_dbfs, ceiling_db - gain_db)
        if abs(correction_db) < 0.01:
            break
        gain_db += correction_db
    return _utterance(cut, sample_rate_hz=sample_rate_hz)


def tone(
    duration_s: float,
    freq_hz: float = 1000.0,
    level_dbfs: float = -23.0,
    *,
    sample_rate_hz: int = SAMPLE_RATE_HZ,
) -> Utterance:
    """A marker for calibration: a sine with ramps of 5 ms, cut to its first and last voiced sample.

    A sine that stops from one sample to the next makes the codec ring: decoded at -48 dBFS it ends 1.5 ms
    late at 96 kbit/s and 6 ms at 32. With ramps, and cut afterwards, both edges come back exact.

    Args:
        duration_s: With the ramps; the result is 1-3 ms shorter, by what lies below the voiced threshold.
        freq_hz: Below half the sample rate.
        level_dbfs: RMS between the ramps.

    Raises:
        UtteranceError: The tone would be shorter than four ramps, clip, alias, or have no voiced sample.
    """
    crest = amplitude(level_dbfs) * math.sqrt(2.0)
    count, ramp = round(duration_s * sample_rate_hz), round(TONE_RAMP_S * sample_rate_hz)
    if count < 4 * ramp or not 0.0 < freq_hz < sample_rate_hz / 2 or crest > 1.0:
        raise UtteranceError(
            f"no tone of {duration_s} s, {freq_hz} Hz, {level_dbfs} dBFS RMS at {sample_rate_hz} Hz"
        )
    phase = 2.0 * math.pi * freq_hz / sample_rate_hz * np.arange(count)
    rising = np.sin(np.linspace(0.0, math.pi / 2.0, ramp)) ** 2
    envelope = np.concatenate([rising, np.ones(count - 2 * ramp), rising[::-1]])
    samples = (crest * envelope * np.cos(phase)).astype(np.float32)
    return _utterance(_cut_to_voiced(samples, level_dbfs=level_dbfs), sample_rate_hz=sample_rate_hz)


def voiced_edges(
    samples: NDArray[np.float32], *, threshold_dbfs: float = VOICED_DBFS
) -> tuple[int, int] | None:
    """Indices of the first and last sample whose magnitude reaches the threshold; None when none does."""
    voiced = np.flatnonzero(np.abs(samples) >= amplitude(threshold_dbfs))
    return (int(voiced[0]), int(voiced[-1])) if voiced.size else None


def _resampled(speech: Speech, sample_rate_hz: int) -> NDArray[np.float64]:
    common = math.gcd(sample_rate_hz, speech.sample_rate_hz)
    samples: NDArray[np.float64] = resample_poly(
        speech.samples.astype(np.float64), sample_rate_hz // common, speech.sample_rate_hz // common
    )
    return samples


def _cut_to_voiced(samples: NDArray[np.float32], *, level_dbfs: float) -> NDArray[np.float32]:
    edges = voiced_edges(samples)
    if edges is None:
        raise UtteranceError(
            f"at a level of {level_dbfs} dBFS no sample reaches {VOICED_DBFS} dBFS; choose a higher level"
        )
    return samples[edges[0] : edges[1] + 1]


def _utterance(samples: NDArray[np.float32], *, sample_rate_hz: int) -> Utterance:
    samples = np.ascontiguousarray(samples)
    samples.setflags(write=False)
    return Utterance(
        samples=samples,
        sample_rate_hz=sample_rate_hz,
        first_voiced=0,
        last_voiced=samples.size - 1,
        level_dbfs=active_level_dbfs(samples, sample_rate_hz=sample_rate_hz),
    )
