"""Makes the traps of a listening test anew: ``python -m bench.listening_traps``.

A voice (Piper's joe, CC0) says which answer to choose; one file for each of the five. The files
are mono FLAC.
"""

from __future__ import annotations

from pathlib import Path

from bench.parts.sounds import spoken, write_flac
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan

FOLDER = Path(__file__).parents[1] / "fixtures" / "listening"
RATE = 24_000
ANSWERS = {5: "five, excellent", 4: "four, good", 3: "three, fair", 2: "two, poor", 1: "one, bad"}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    maker = ClipMaker()
    for value, answer in ANSWERS.items():
        text = f"This is a check. Please choose {answer}."
        said = spoken(maker, VoicePlan(engine="piper", name="joe"), text, rate=RATE)
        write_flac(FOLDER, f"choose-{value}", said, rate=RATE)


if __name__ == "__main__":
    main()
