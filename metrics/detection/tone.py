"""Sounds that no voice makes: chimes and beeps that an agent plays before it speaks, speech to webrtcvad.

A voice is a comb of overtones of its pitch, and adults speak below 400 Hz. A stretch of 40 ms of which
nearly all power lies in one line of 400 Hz or more and its overtones is a tone: the comb of a pitch that
nobody speaks at. A sound is one if such stretches cover it, whether at one pitch or one after another.
Chords, and notes lower than that, are left in doubt, as everything is that is not surely a tone. A whistle is
one, too: nobody answers with that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LOWEST_HZ = 400.0
"""Of the pitch of a tone, and half an octave above that of most speech."""
WINDOW_S = 0.04
STEP_S = 0.01
LINE_HZ = 60.0
"""Half width of a line in so short a window (the main lobe of a Hann window: two of its bins)."""
LINE_SHARE = 0.95
"""Of a window's power above :data:`RUMBLE_HZ`, in the comb."""
SOUND_SHARE = 0.9
"""Of the sound's power, in windows that are a tone: those in which one note follows on another are none, but
overlap with some that are."""
RUMBLE_HZ = 60.0

Samples = NDArray[np.float32]


def is_tone(sound: Samples, rate: int) -> bool:
    """Whether a sound, from its first to its last voiced sample, is surely a tone, or one after another."""
    window, step = round(WINDOW_S * rate), round(STEP_S * rate)
    if len(sound) < window:
        return False
    # The last one ends with the sound.
    starts = [*range(0, len(sound) - window, step), len(sound) - window]
    hz = np.fft.rfftfreq(window, 1 / rate)
    shape = np.hanning(window)
    tonal = np.zeros(len(sound), dtype=bool)
    for start in starts:
        power = np.square(np.abs(np.fft.rfft(sound[start : start + window] * shape)))
        if _in_a_comb(power[hz >= RUMBLE_HZ], hz[hz >= RUMBLE_HZ]):
            tonal[start : start + window] = True
    squares = np.square(sound, dtype=np.float64)
    return bool(np.sum(squares[tonal]) >= SOUND_SHARE * np.sum(squares) > 0)


def _in_a_comb(power: NDArray[np.float64], hz: NDArray[np.float64]) -> bool:
    strongest_hz = hz[int(np.argmax(power))]
    total = float(np.sum(power))
    if total <= 0 or strongest_hz < LOWEST_HZ:
        return False
    off_hz = np.abs(hz - strongest_hz * np.maximum(1, np.round(hz / strongest_hz)))
    return bool(np.sum(power[off_hz <= LINE_HZ]) >= LINE_SHARE * total)
