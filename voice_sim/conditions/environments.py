"""Places that a caller may be in: a car, a street, a factory hall. Synthetic, and honest about it.

No recordings: each place is Gaussian noise with a spectrum from the literature plus the events that make the
place what it is, all drawn from the seed. They are as hard on a recogniser as their spectrum and their
unevenness make them; nobody would take them for recordings. For recordings use the kind ``folder``.

- ``car``: inside a car at motorway speed. Most of the energy below 500 Hz, falling by about 9 dB an octave
  above 100 Hz (car noises of ETSI EG 202 396-1), and the engine: a four-cylinder at 2000-3000 turns a minute
  fires 67-100 times a second, six harmonics, its speed wandering by 1 %.
- ``street``: traffic with the normalised spectrum of EN 1793-3, of which a part is even (the road at a
  distance) and a part comes in passing vehicles: each rises and falls like a source passing at 5-12 m with
  30-60 km/h, about one in three seconds.
- ``factory``: a hall of machines. Broadband noise falling by 3 dB an octave, the hum of mains and motors
  (harmonics of 50 Hz), and blows on metal, three in two seconds: two to five partials between 600
  and 5000 Hz that die away in 60-250 ms.

The SNR counts the whole loop: while a vehicle passes, it is worse, and between them better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voice_sim.conditions.noise import Samples, unit_rms

_Signal = NDArray[np.float64]
_Power = Callable[[NDArray[Any]], _Signal]
"""Frequency in Hz to power, in any unit."""

CAR_KNEE_HZ = 100.0
ENGINE_HARMONICS = 6
ENGINE_SWAY = 0.01
VEHICLES_PER_S = 1.0 / 3.0
BLOWS_PER_S = 1.5

# EN 1793-3:1997, table 1: A-weighted one-third octave levels of traffic noise, in dB relative to their sum.
_TRAFFIC_HZ = (
    100,
    125,
    160,
    200,
    250,
    315,
    400,
    500,
    630,
    800,
    1000,
    1250,
    1600,
    2000,
    2500,
    3150,
    4000,
    5000,
)
_TRAFFIC_DBA = (-20, -20, -18, -16, -15, -14, -13, -12, -11, -9, -8, -9, -10, -11, -13, -15, -16, -18)


def car(samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int) -> Samples:
    """Inside a driving car; see the module's docstring. Takes nothing from ``speech``."""
    random = np.random.default_rng(seed)
    road = _shaped(samples, sample_rate_hz, random, _car_power)
    seconds = samples / sample_rate_hz
    turn = np.arange(samples) / samples * 2.0 * math.pi
    # Whole cycles over the loop, so that it closes.
    firings = round(random.uniform(67.0, 100.0) * seconds)
    sways = max(1, round(seconds / 7.0))
    sway = ENGINE_SWAY * firings / sways * np.sin(sways * turn + random.uniform(0.0, 2.0 * math.pi))
    engine = np.zeros(samples)
    for harmonic in range(1, ENGINE_HARMONICS + 1):
        phase = harmonic * (turn * firings + sway) + random.uniform(0.0, 2.0 * math.pi)
        engine += np.cos(phase) / harmonic
    return unit_rms(_power_one(road) + 0.5 * _power_one(engine))


def street(samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int) -> Samples:
    """At the side of a road; see the module's docstring. Takes nothing from ``speech``."""
    random = np.random.default_rng(seed)
    total = _power_one(_shaped(samples, sample_rate_hz, random, _traffic_power))
    for _ in range(_events(VEHICLES_PER_S, samples, sample_rate_hz)):
        vehicle = _power_one(_shaped(samples, sample_rate_hz, random, _traffic_power))
        nearest_m, speed_m_s = random.uniform(5.0, 12.0), random.uniform(30.0, 60.0) / 3.6
        # Nearest in the middle of the loop, then turned round it: the far ends of the passage meet.
        away_m = speed_m_s * (np.arange(samples) - samples / 2.0) / sample_rate_hz
        distance_m = np.hypot(nearest_m, away_m)
        passing = vehicle * (10.0 / distance_m) * 10.0 ** (random.uniform(0.0, 6.0) / 20.0)
        total += np.roll(passing, random.integers(samples))
    return unit_rms(total)


def factory(samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int) -> Samples:
    """Among machines; see the module's docstring. Takes nothing from ``speech``."""
    random = np.random.default_rng(seed)
    total = _power_one(_shaped(samples, sample_rate_hz, random, _machine_power))
    turn = np.arange(samples) / samples * 2.0 * math.pi
    mains = max(1, round(50.0 * samples / sample_rate_hz))
    hum = np.zeros(samples)
    for harmonic in (1, 2, 3, 4, 6, 8, 12):
        hum += np.cos(harmonic * mains * turn + random.uniform(0.0, 2.0 * math.pi)) / math.sqrt(harmonic)
    total += 0.5 * _power_one(hum)
    for _ in range(_events(BLOWS_PER_S, samples, sample_rate_hz)):
        blow = _blow(samples, sample_rate_hz, random)
        total += np.roll(blow * random.uniform(1.5, 4.0), random.integers(samples))
    return unit_rms(total)


def _shaped(samples: int, sample_rate_hz: int, random: np.random.Generator, power: _Power) -> _Signal:
    """Gaussian noise of a power spectrum, shaped over its whole length and so circular."""
    spectrum = np.fft.rfft(random.standard_normal(samples))
    spectrum *= np.sqrt(power(np.fft.rfftfreq(samples, 1.0 / sample_rate_hz)))
    spectrum[0] = 0.0
    return np.fft.irfft(spectrum, n=samples)


def _car_power(hz: NDArray[Any]) -> _Signal:
    power: _Signal = 1.0 / (1.0 + (hz / CAR_KNEE_HZ) ** 3)
    return power


def _traffic_power(hz: NDArray[Any]) -> _Signal:
    """Density of EN 1793-3's spectrum, its A-weighting taken off; it falls on beyond its bands."""
    centres = np.array(_TRAFFIC_HZ, dtype=np.float64)
    # A third of an octave is as wide as its centre is high: per hertz, the level falls by that.
    density_db = np.array(_TRAFFIC_DBA) - _a_weighting_db(centres) - 10.0 * np.log10(centres)
    octaves = np.log2(np.maximum(hz, 20.0))
    inside = np.interp(octaves, np.log2(centres), density_db)
    beyond = np.maximum(octaves - math.log2(_TRAFFIC_HZ[-1]), 0.0) * 12.0
    below = np.maximum(math.log2(_TRAFFIC_HZ[0]) - octaves, 0.0) * 6.0
    power: _Signal = 10.0 ** ((inside - beyond - below) / 10.0)
    return power


def _a_weighting_db(hz: _Signal) -> _Signal:
    """IEC 61672-1, annex E."""
    square = np.square(hz)
    response = (12194.0**2 * square**2) / (
        (square + 20.6**2) * np.sqrt((square + 107.7**2) * (square + 737.9**2)) * (square + 12194.0**2)
    )
    weighting: _Signal = 20.0 * np.log10(response) + 2.0
    return weighting


def _machine_power(hz: NDArray[Any]) -> _Signal:
    power: _Signal = 1.0 / np.maximum(hz, 40.0)
    return power


def _blow(samples: int, sample_rate_hz: int, random: np.random.Generator) -> _Signal:
    """A blow on metal: partials that die away; at most as long as the loop."""
    count = min(samples, round(0.5 * sample_rate_hz))
    time_s = np.arange(count) / sample_rate_hz
    blow = np.zeros(samples)
    for _ in range(random.integers(2, 6)):
        partial = np.sin(2.0 * math.pi * random.uniform(600.0, 5000.0) * time_s)
        decay = np.exp(-3.0 * time_s / random.uniform(0.06, 0.25))
        blow[:count] += random.uniform(0.3, 1.0) * partial * decay
    return blow


def _events(per_s: float, samples: int, sample_rate_hz: int) -> int:
    """How many fall into the loop; at least one, so that no loop is without what makes the place."""
    return max(1, round(per_s * samples / sample_rate_hz))


def _power_one(signal: _Signal) -> _Signal:
    return signal / math.sqrt(float(np.mean(np.square(signal))))
