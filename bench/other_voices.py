"""Makes the sounds of the suite ``attention`` anew: ``python -m bench.other_voices``.

Somebody else who speaks beside the caller, in voices of Kokoro (Apache-2.0) that no caller of the suite has,
and several of them at once. The files are 16 kHz mono FLAC. What is heard of their words: ``outboundeval
probes check attention``.
"""

from __future__ import annotations

import numpy as np

from bench.parts.sounds import Samples, spoken, write_flac
from fixtures import PROBES_FOLDER
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan

SAID = {
    "other-en-1": ("jf_alpha", 1.0, "Did you feed the parrot in the kitchen?"),
    "other-en-2": ("jf_nezumi", 1.0, "The plumber left his ladder in the garage."),
    "other-en-3": ("jf_gongitsune", 0.95, "Grandma wants mushrooms and pumpkin."),
    "other-en-4": ("jf_alpha", 0.9, "Your guitar is under the blanket."),
    "other-en-5": ("jf_tebukuro", 1.0, "Somebody painted the fence purple."),
    "other-en-6": ("jf_nezumi", 0.92, "We need candles and balloons."),
    "other-en-7": ("jf_gongitsune", 1.05, "The dentist lives above the bakery."),
    "other-en-8": ("jf_tebukuro", 0.93, "Take the umbrella to the river."),
    "other-zh-1": ("jf_nezumi", 1.0, "明天早上我们去游泳。"),
    "other-zh-2": ("jf_tebukuro", 1.0, "晚上我们吃饺子和南瓜。"),
    "other-zh-3": ("jf_gongitsune", 1.0, "吉他还放在厨房里。"),
    "other-zh-4": ("jf_gongitsune", 1.05, "电视的声音太大了。"),
    "other-zh-5": ("jf_nezumi", 0.92, "他的自行车是紫色的。"),
    "other-zh-6": ("jf_tebukuro", 0.93, "生日蛋糕要放蜡烛。"),
}
BABBLE = {
    "babble-en-1": ("other-en-1", "other-en-3", "other-en-6", "other-en-8"),
    "babble-en-2": ("other-en-2", "other-en-4", "other-en-5", "other-en-7"),
    "babble-zh-1": ("other-zh-1", "other-zh-3", "other-zh-5", "other-zh-6"),
}


def main() -> None:
    folder = PROBES_FOLDER / "attention" / "sounds"
    folder.mkdir(parents=True, exist_ok=True)
    maker = ClipMaker()
    said = {
        name: spoken(maker, VoicePlan(engine="kokoro", name=voice, pitch=pitch), text)
        for name, (voice, pitch, text) in SAID.items()
    }
    said |= {name: _together([said[one] for one in ones]) for name, ones in BABBLE.items()}
    for name, samples in said.items():
        write_flac(folder, name, samples)


def _together(voices: list[Samples]) -> Samples:
    """Several at once, none louder than the others, each from another of its words on, all as long as the
    longest."""
    length = max(map(len, voices))
    turned = [
        np.roll(np.resize(one, length), number * length // len(voices)) for number, one in enumerate(voices)
    ]
    return np.asarray(sum(one / np.sqrt(np.mean(np.square(one))) for one in turned))


if __name__ == "__main__":
    main()
