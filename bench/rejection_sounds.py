"""Makes the sounds of the suite ``rejection`` anew: ``python -m bench.rejection_sounds``.

Speech is said by voices of Kokoro (Apache-2.0) and, in other languages, of espeak-ng; then it is reversed,
cut into shreds, or several voices are laid over each other. Noise and coughs are drawn from a seed. The files
are 16 kHz mono FLAC.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.signal import butter, sosfilt

from bench.parts.sounds import RATE, Samples, spoken, write_flac
from bench.probe_sounds import cough
from fixtures import PROBES_FOLDER
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan

SENTENCES = {
    "en": (
        "I would like to know when my parcel arrives.",
        "Is it possible to change the date of the visit?",
        "My washing machine has stopped working again.",
    ),
    "zh": ("我想知道我的包裹什么时候到。", "可以改一下上门的时间吗？"),
}
OTHER_LANGUAGES = {
    "foreign-en-1": ("fi", "Missä on lähin rautatieasema?"),
    "foreign-en-2": ("hu", "Hol van a legközelebbi gyógyszertár?"),
    "foreign-en-3": ("tr", "En yakın otobüs durağı nerede?"),
    "foreign-zh-1": ("fi", "Kuinka paljon tämä takki maksaa?"),
    "foreign-zh-2": ("hu", "Mikor indul a következő vonat?"),
}
KOKORO = ("jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo")
KEPT_S, LOST_S = 0.07, 0.16
"""Of speech that is cut to shreds: so much is heard, and so much is lost, in turn."""


NO_SPEECH = 10
"""So many coughs, and so many noises: twenty sounds that are no speech, no two alike."""


def main() -> None:
    folder = PROBES_FOLDER / "rejection" / "sounds"
    folder.mkdir(parents=True, exist_ok=True)
    maker = ClipMaker()
    for language, sentences in SENTENCES.items():
        for number, text in enumerate(sentences, start=1):
            said = spoken(maker, VoicePlan(engine="kokoro", name=KOKORO[number], pitch=1.05), text)
            write_flac(folder, f"reversed-{language}-{number}", said[::-1])
            write_flac(folder, f"shreds-{language}-{number}", _shreds(said))
            voices = [
                spoken(maker, VoicePlan(engine="kokoro", name=name, pitch=0.9 + 0.06 * place), other)
                for place, (name, other) in enumerate(zip(KOKORO, _others(sentences, number), strict=True))
            ]
            write_flac(folder, f"babble-{language}-{number}", _together(voices))
    for name, (voice, text) in OTHER_LANGUAGES.items():
        write_flac(folder, name, spoken(maker, VoicePlan(engine="espeakng", name=voice), text))
    for number in range(1, NO_SPEECH + 1):
        write_flac(folder, f"cough-{number}", cough(seed=50 + number))
        write_flac(folder, f"noise-{number}", _noise(seed=60 + number))


def _others(sentences: Sequence[str], number: int) -> list[str]:
    return [sentences[(number + place) % len(sentences)] for place in range(len(KOKORO))]


def _shreds(said: Samples) -> Samples:
    """What is left of speech on a line that drops most of it, with soft edges."""
    t = np.arange(said.size) / RATE
    kept = np.mod(t, KEPT_S + LOST_S) < KEPT_S
    ramp = np.hanning(RATE // 100)
    return said * np.convolve(kept, ramp / ramp.sum(), mode="same")


def _together(voices: Sequence[Samples]) -> Samples:
    """Several people at once, each as loud as the others, every second one backwards."""
    length = min(2 * RATE, *(voice.size for voice in voices))
    parts = [voice[:length] if place % 2 else voice[::-1][:length] for place, voice in enumerate(voices)]
    return np.asarray(sum(part / np.sqrt(np.mean(np.square(part))) for part in parts))


def _noise(*, seed: int) -> Samples:
    """A door, a vacuum cleaner, a passing lorry: two seconds of noise that swells and dies away."""
    random = np.random.default_rng(seed)
    low, high = ((60, 400), (200, 3500), (100, 1200))[seed % 3]
    shaped = sosfilt(
        butter(2, [low, high], "bandpass", fs=RATE, output="sos"), random.standard_normal(2 * RATE)
    )
    return np.asarray(shaped * np.sin(np.linspace(0.05, np.pi - 0.05, 2 * RATE)) ** 0.5)


if __name__ == "__main__":
    main()
