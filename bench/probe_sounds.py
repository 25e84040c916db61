"""Makes the sounds of the suite ``restraint`` anew: ``python -m bench.probe_sounds``.

Everything is ours: coughs, keys and music are drawn from a seed, speech is said by voices of Kokoro
(Apache-2.0) at a pitch that no caller of the suite has. The files are 16 kHz mono FLAC.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.signal import butter, sosfilt

from bench.parts.sounds import RATE, Samples, spoken, write_flac
from fixtures import PROBES_FOLDER
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan

SAID = {
    "backchannel-en-1": ("jf_alpha", 0.9, "Mm-hm."),
    "backchannel-en-2": ("jf_gongitsune", 1.1, "Right."),
    "backchannel-en-3": ("jm_kumo", 1.15, "I see."),
    "backchannel-zh-1": ("jf_nezumi", 0.9, "嗯嗯。"),
    "backchannel-zh-2": ("jf_tebukuro", 1.1, "对对。"),
    "side_talk-en-1": ("jf_alpha", 0.9, "Can you take the laundry out before it rains?"),
    "side_talk-en-2": ("jf_gongitsune", 1.1, "Put the plates on the upper shelf, please."),
    "side_talk-en-3": ("jm_kumo", 1.15, "Who left the bicycle in the hallway again?"),
    "side_talk-zh-1": ("jf_nezumi", 0.9, "你把窗户关上，外面下雨了。"),
    "side_talk-zh-2": ("jf_tebukuro", 1.1, "晚饭吃面条还是吃饺子？"),
}
TELEVISION = {
    "tv-en-1": ("jf_tebukuro", 1.1, "In the mountains, snow is expected above nine hundred metres tonight."),
    "tv-en-2": ("jm_kumo", 0.9, "And the goalkeeper throws himself into the corner, what a save!"),
    "tv-zh-1": ("jf_tebukuro", 0.9, "今天晚上，北方有大雪，请大家注意安全。"),
}


def main() -> None:
    folder = PROBES_FOLDER / "restraint" / "sounds"
    folder.mkdir(parents=True, exist_ok=True)
    maker = ClipMaker()
    for name, (voice, pitch, text) in SAID.items():
        write_flac(folder, name, spoken(maker, VoicePlan(engine="kokoro", name=voice, pitch=pitch), text))
    for number, (name, (voice, pitch, text)) in enumerate(TELEVISION.items()):
        said = spoken(maker, VoicePlan(engine="kokoro", name=voice, pitch=pitch), text)
        low, high = butter(2, [250, 5000], "bandpass", fs=RATE, output="sos"), 0.1
        music = _music(len(said) / RATE, seed=40 + number)[: said.size]
        write_flac(folder, name, sosfilt(low, said / _rms(said) + high * music / _rms(music)))
    for number in range(1, 5):
        write_flac(folder, f"cough-{number}", cough(seed=10 + number))
        write_flac(folder, f"keyboard-{number}", _keyboard(seed=20 + number))
        write_flac(folder, f"hold_music-{number}", _music(3.0, seed=30 + number))


def cough(*, seed: int) -> Samples:
    """Two or three bursts: the glottis opens (a click), air rushes (noise through a throat), a voice."""
    random = np.random.default_rng(seed)
    parts = []
    for _ in range(int(random.integers(2, 4))):
        length = round(random.uniform(0.22, 0.34) * RATE)
        t = np.arange(length) / RATE
        burst = random.standard_normal(length) * (np.exp(-t / 0.03) + 0.5 * np.exp(-t / 0.11))
        shaped = sum(
            gain * sosfilt(butter(1, [0.75 * hz, 1.3 * hz], "bandpass", fs=RATE, output="sos"), burst)
            for hz, gain in ((random.uniform(450, 700), 1.0), (random.uniform(1300, 1800), 0.8), (3200, 0.4))
        )
        voiced = np.sign(np.sin(2 * math.pi * random.uniform(110, 190) * t)) * np.exp(-t / 0.09) * (t > 0.08)
        parts += [shaped + 0.15 * voiced, np.zeros(round(random.uniform(0.05, 0.12) * RATE))]
    return np.concatenate(parts[:-1])


def _keyboard(*, seed: int) -> Samples:
    """Some two seconds of typing: down and up of each key, a short clack with a body that rings."""
    random = np.random.default_rng(seed)
    out = np.zeros(round(2.2 * RATE))
    at = 0.0
    while at < 2.1:
        for delay, gain in ((0.0, 1.0), (random.uniform(0.06, 0.1), 0.5)):
            length = round(0.05 * RATE)
            t = np.arange(length) / RATE
            clack = random.standard_normal(length) * np.exp(-t / 0.004)
            clack += 0.6 * np.sin(2 * math.pi * random.uniform(300, 900) * t) * np.exp(-t / 0.012)
            start = round((at + delay) * RATE)
            part = out[start : start + length]
            part += (gain * random.uniform(0.6, 1.0) * clack)[: part.size]
        at += random.uniform(0.09, 0.22)
    return out


def _music(seconds: float, *, seed: int) -> Samples:
    """Chords and a melody of plucked tones, four notes a second."""
    random = np.random.default_rng(seed)
    out = np.zeros(round(seconds * RATE))
    chords = ((0, 4, 7), (9, 12, 16), (5, 9, 12), (7, 11, 14))
    for beat in range(math.ceil(seconds * 4)):
        chord = chords[beat // 4 % 4]
        notes = [*chord, chord[int(random.integers(3))] + 12] if beat % 4 == 0 else [chord[beat % 3] + 12]
        start = beat * RATE // 4
        t = np.arange(min(RATE, out.size - start)) / RATE
        for note in notes:
            hz = 220.0 * 2 ** ((note + seed % 5) / 12)
            tone = sum(np.sin(2 * math.pi * hz * k * t) / k**2 for k in (1, 2, 3, 4))
            out[start : start + t.size] += tone * np.exp(-t / 0.35)
    return out


def _rms(samples: Samples) -> float:
    return float(np.sqrt(np.mean(np.square(samples))))


if __name__ == "__main__":
    main()
