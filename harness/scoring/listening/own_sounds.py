"""The sounds of a listening page that are ours: clean speech, and the voice that says what to choose."""

from __future__ import annotations

import functools
import random
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness._files.shipped import shipped_folder
from harness.scoring.listening.levels import at_page_rate
from metrics.listening.headphone_tones import TONES, TRIALS, headphone_trial

Samples = NDArray[np.float32]

CLEAN = ("account", "answer_long", "callback", "greeting", "minutes", "reference", "refund", "question")
"""Whole sentences of ``fixtures/speech``, synthetic."""


def clean_speech(rng: random.Random, count: int) -> list[Samples]:
    """So many different sentences, 3 to 5 s each, at 48 kHz, in an order by chance.

    Raises:
        UserError: The installation lacks them.
        ValueError: There are not so many.
    """
    folder = shipped_folder("speech")
    return [_read(folder / f"{name}.flac") for name in rng.sample(CLEAN, count)]


def says_choose(value: int) -> Samples:
    """The voice that says to choose an answer of the scale from 1 to 5, at 48 kHz."""
    return _read(shipped_folder("listening") / f"choose-{value}.flac")


def headphone_trials(rng: random.Random) -> list[tuple[int, Samples]]:
    """(which tone is the softer one, the trial at 8 kHz), six times: each tone is it twice."""
    softer = [number for number in range(1, TONES + 1) for _ in range(TRIALS // TONES)]
    rng.shuffle(softer)
    return [
        (one, headphone_trial(softer=one, inverted=rng.choice([n for n in range(1, TONES + 1) if n != one])))
        for one in softer
    ]


@functools.cache
def _read(path: Path) -> Samples:
    samples, rate = soundfile.read(path, dtype="float32")
    found = at_page_rate(samples, rate)
    found.flags.writeable = False  # it is the same for every page
    return found
