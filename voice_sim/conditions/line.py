"""What lies between the caller's microphone and the network: the telephone line and its gain.

Order of the whole: voice, room (:mod:`~voice_sim.conditions.room`), noise at the microphone
(:mod:`~voice_sim.conditions.noise`), then this line, which takes both alike, and the quiet between the lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voice_sim.conditions.codec import Law, telephone
from voice_sim.conditions.level import amplitude
from voice_sim.voice.utterance import VOICED_DBFS, UtteranceError, voiced_edges

Samples = NDArray[np.float32]

SAMPLE_RATE_HZ = 48_000
MARGIN_SAMPLES = 4_800
"""Before and after what is carried: longer than the filters ring, and a multiple of the codec's 6."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A telephone line at 48 kHz.

    Attributes:
        telephone: Companding of a landline, with its band; None for the full band.
        gain_db: On everything that is sent, speech and noise, after the codec.
    """

    telephone: Law | None = None
    gain_db: float = 0.0

    @property
    def is_clear(self) -> bool:
        """True where the line does nothing."""
        return self.telephone is None and self.gain_db == 0.0

    def carry(self, samples: Samples) -> Samples:
        """``samples`` as they leave the line: the same length, and in the same place in time."""
        if self.telephone is not None:
            samples = telephone(samples, law=self.telephone, sample_rate_hz=SAMPLE_RATE_HZ)
        return (samples * amplitude(self.gain_db)).astype(np.float32)

    def carry_loop(self, loop: Samples) -> Samples:
        """A loop that runs on into its own beginning, as it leaves the line.

        Raises:
            ValueError: Its length is no multiple of 6 (samples at 48 kHz for one at 8 kHz).
        """
        if loop.size % 6:
            raise ValueError(f"a loop of {loop.size} samples is no whole number of samples at 8 kHz")
        around = np.take(loop, np.arange(-MARGIN_SAMPLES, loop.size + MARGIN_SAMPLES), mode="wrap")
        return self.carry(around)[MARGIN_SAMPLES : MARGIN_SAMPLES + loop.size]


@dataclass(frozen=True, kw_only=True)
class Carried:
    """An utterance as it leaves the line.

    Attributes:
        samples: float32 at 48 kHz, with what was asked for before and after the speech.
        voiced_samples: From the first to the last voiced sample of the speech alone, through the line.
    """

    samples: Samples
    voiced_samples: int


def carried(
    utterance: Samples, *, line: Line, before: int, after: int, multiple: int, bed: Samples | None = None
) -> Carried:
    """An utterance through the line, over a bed of noise where one is given.

    The line moves the edges of speech a little (what it takes away is no longer heard), so they are found
    anew, on the speech without the noise, at the threshold of ``utterance`` moved by the line's
    gain; the first voiced sample then stands at ``before`` exactly.

    Args:
        utterance: Mono float32 at 48 kHz, trimmed to its voiced samples.
        before: Samples before the first voiced one.
        after: At least so many behind the last one.
        multiple: The result's length is a multiple of this.
        bed: Noise at the microphone, at 48 kHz, repeated as often as needed; its first sample is heard first.

    Raises:
        UtteranceError: Nothing of the speech comes through the line.
    """
    padded = np.pad(utterance, (before + MARGIN_SAMPLES, after + multiple + MARGIN_SAMPLES))
    edges = voiced_edges(line.carry(padded), threshold_dbfs=VOICED_DBFS + line.gain_db)
    if edges is None:
        raise UtteranceError("nothing of the speech comes through the telephone line; choose a higher level")
    start = edges[0] - before
    voiced = edges[1] - edges[0] + 1
    count = -(-(before + voiced + after) // multiple) * multiple
    if bed is not None:
        padded = padded + np.take(bed, np.arange(-start, padded.size - start), mode="wrap")
    samples = line.carry(padded.astype(np.float32))[start : start + count]
    return Carried(samples=samples, voiced_samples=voiced)
