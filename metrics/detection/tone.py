"""Sounds that no voice makes: chimes and beeps that an agent plays before it speaks, speech to webrtcvad.

A voice is a comb of overtones of its pitch, and pitches of speech lie below 500 Hz (the highest among the
voices that come along reaches 470), and move. A stretch of 40 ms of which nearly all power lies in one line
of 500 Hz or more and its overtones is the comb of a pitch that nobody speaks at. A note is such stretches on
end, all at one pitch, and a sound is a tone if notes cover it. Chords, glides, notes of under 60 ms and lower
ones are left in doubt, as everything is that is not surely a tone. A whistle may be one: nobody answers with
that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LOWEST_HZ = 500.0
"""Of a note's pitch. An "oh" of a high voice is as pure as a chime, at 375 to 470 Hz, and a hum whose lowest
overtone a telephone takes away is at up to 492."""
WINDOW_S = 0.04
STEP_S = 0.01
NOTE_WINDOWS = 3
STEADY = 0.005
"""A note is so many windows at least, of which none is further than this from the first one's pitch."""
LINE_HZ = 60.0
"""Half width of a line in so short a window (the main lobe of a Hann window: two of its bins)."""
LINE_SHARE = 0.95
"""Of a window's power above :data:`RUMBLE_HZ`, in the comb."""
SOUND_SHARE = 0.9
"""Of the sound's power, in notes: windows in which one note follows on another are of none, but overlap with
some that are."""
RUMBLE_HZ = 60.0

Samples = NDArray[np.float32]


def is_tone(sound: Samples, rate: int) -> bool:
    """Whether a sound, from its first to its last voiced sample, is surely a tone, or one after another."""
    window, step = round(WINDOW_S * rate), round(STEP_S * rate)
    if len(sound) < window:
        return False
    # The last one ends with the sound.
    starts = [*range(0, len(sound) - window, step), len(sound) - window]
    shape = np.hanning(window)
    pitches = [_pitch_hz(sound[start : start + window] * shape, rate) for start in starts]
    in_notes = np.zeros(len(sound), dtype=bool)
    for first, last in _notes(pitches):
        in_notes[starts[first] : starts[last] + window] = True
    squares = np.square(sound, dtype=np.float64)
    return bool(np.sum(squares[in_notes]) >= SOUND_SHARE * np.sum(squares) > 0)


def _notes(pitches: list[float]) -> list[tuple[int, int]]:
    """First and last window of each; a pitch of 0 is that of a window that is no tone."""
    found: list[tuple[int, int]] = []
    first = 0
    for number in range(1, len(pitches) + 1):
        steady = number < len(pitches) and abs(pitches[number] - pitches[first]) <= STEADY * pitches[first]
        if not steady:
            if pitches[first] > 0 and number - first >= NOTE_WINDOWS:
                found.append((first, number - 1))
            first = number
    return found


def _pitch_hz(window: NDArray[np.float64], rate: int) -> float:
    """Of a window that is a tone; 0 of any other."""
    power = np.square(np.abs(np.fft.rfft(window)))
    hz = np.fft.rfftfreq(len(window), 1 / rate)
    power[hz < RUMBLE_HZ] = 0.0
    total, peak = float(np.sum(power)), int(np.argmax(power))
    # Of silence the peak is the first one, and that is around nothing.
    around = power[peak - 1 : peak + 2]
    if len(around) < 3 or not around.all():
        return 0.0
    # The top of a parabola through the logarithms: within a tenth of a bin of the line.
    left, top, right = np.log(around)
    pitch_hz = (peak + 0.5 * (left - right) / (left - 2 * top + right)) * rate / len(window)
    off_hz = np.abs(hz - pitch_hz * np.maximum(1, np.round(hz / pitch_hz)))
    in_comb = np.sum(power[off_hz <= LINE_HZ]) >= LINE_SHARE * total
    return float(pitch_hz) if pitch_hz >= LOWEST_HZ and in_comb else 0.0
