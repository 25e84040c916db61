"""Makes the sounds that a line of a script can ``play`` anew: ``python -m bench.line_sounds``.

Tones are those of the national plans of ITU-T E.180: one of 425 Hz (most of Europe), two at once (North
America). Laughs are drawn from a seed; coughs and music are those of the suite ``restraint``. The files are
16 kHz mono FLAC.
"""

from __future__ import annotations

import math

import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from fixtures import SOUNDS_FOLDER

RATE = 16_000
Samples = NDArray[np.float64]

TONES: dict[str, tuple[tuple[float, ...], float, float, float]] = {
    # Name: frequencies in Hz, seconds on, seconds off, seconds in all.
    "dial_tone_eu": ((425,), 3.0, 0.0, 3.0),
    "dial_tone_us": ((350, 440), 3.0, 0.0, 3.0),
    "busy_tone_eu": ((425,), 0.5, 0.5, 3.5),
    "busy_tone_us": ((480, 620), 0.5, 0.5, 3.5),
    "ringback_eu": ((425,), 1.0, 4.0, 6.0),
    "ringback_us": ((440, 480), 2.0, 4.0, 8.0),
}


def main() -> None:
    SOUNDS_FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (hz, on_s, off_s, length_s) in TONES.items():
        _write(name, tone(hz, on_s=on_s, off_s=off_s, length_s=length_s))
    _write("laugh", _laugh(seed=50))


def tone(hz: tuple[float, ...], *, on_s: float, off_s: float, length_s: float) -> Samples:
    """A tone of equal partials, switched on and off."""
    t = np.arange(round(length_s * RATE)) / RATE
    sound = sum((np.sin(2 * math.pi * one * t) for one in hz), np.zeros_like(t))
    return np.asarray(sound * (t % (on_s + off_s) < on_s))


def _laugh(*, seed: int) -> Samples:
    """Six "ha", each lower and softer than the one before: breath, then a voice through an open mouth."""
    random = np.random.default_rng(seed)
    parts = []
    for number in range(6):
        t = np.arange(round(random.uniform(0.14, 0.18) * RATE)) / RATE
        hz = (230 - 12 * number) * (1 - 0.6 * t)
        voice = np.mod(np.cumsum(hz) / RATE, 1.0) - 0.5
        source = voice * (t > 0.04) * np.exp(-t / 0.09) + 0.15 * random.standard_normal(t.size)
        mouth = sum(
            gain * sosfilt(butter(1, [0.8 * f, 1.25 * f], "bandpass", fs=RATE, output="sos"), source)
            for f, gain in ((750, 1.0), (1250, 0.7), (2600, 0.3))
        )
        parts += [mouth * 0.88**number, np.zeros(round(0.06 * RATE))]
    return np.concatenate(parts[:-1])


def _write(name: str, samples: Samples) -> None:
    level = 0.5 / float(np.max(np.abs(samples)))
    soundfile.write(SOUNDS_FOLDER / f"{name}.flac", samples * level, RATE, subtype="PCM_16")


if __name__ == "__main__":
    main()
