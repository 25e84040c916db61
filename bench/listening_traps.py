"""Makes the traps of a listening test anew: ``python -m bench.listening_traps``.

A voice (Piper's joe, CC0) says which answer to choose; one file for each of the five. The files
are mono FLAC.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan

FOLDER = Path(__file__).parents[1] / "fixtures" / "listening"
RATE, SPOKEN_RATE = 24_000, 48_000
ANSWERS = {5: "five, excellent", 4: "four, good", 3: "three, fair", 2: "two, poor", 1: "one, bad"}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    maker = ClipMaker()
    for value, answer in ANSWERS.items():
        text = f"This is a check. Please choose {answer}."
        spoken = maker.speak(VoicePlan(engine="piper", name="joe"), text)
        samples = resample_poly(spoken.samples.astype(np.float64), 1, SPOKEN_RATE // RATE)
        level = 0.5 / float(np.max(np.abs(samples)))
        soundfile.write(FOLDER / f"choose-{value}.flac", samples * level, RATE, subtype="PCM_16")


if __name__ == "__main__":
    main()
