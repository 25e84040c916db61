"""Which artefacts are found of those planted, and what in clean speech: ``python -m bench.artefacts``.

Sentences in voices of ours, at -23 dBFS, as they come out of Opus at the rate of calls and out of mu-law. The
rules of ``metrics/synthesis/artefacts.py`` were chosen on the first three voices; the others are held out.
Prints the table of ``docs/artefacts.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.codecs.base import Codec
from harness.transports.codecs.recording_rate import at_recording_rate
from harness.transports.codecs.table import codec_named
from metrics.detection.levels import block_levels
from metrics.spans import Span
from metrics.synthesis.artefacts import StretchArtefacts, find_artefacts

EN = (
    "Good morning, this is the service desk of Northern Energy, how may I help you today?",
    "Your order was shipped on Tuesday and should arrive before the end of the week.",
    "Could you please spell your last name for me, and tell me the street you live in?",
    "I am afraid that the technician cannot come before three in the afternoon.",
    "Thank you, I have written that down; is there anything else I can do for you?",
    "The balance of your account is four hundred and twelve dollars and sixty cents.",
    "Please hold the line for a moment while I look at the details of your contract.",
    "Put the battery back, wait ten seconds, and then press the top button twice.",
    "We can offer you either a voucher or your money back, whichever you prefer.",
    "Our office is closed on public holidays, but the hotline is open around the clock.",
)
ZH = (
    "您好，这里是客户服务中心，请问有什么可以帮您？",
    "您的订单已经在星期二发出，预计本周之内送到。",
    "请您稍等一下，我马上为您查询合同的详细情况。",
    "非常抱歉，工程师今天下午三点以前没有办法上门。",
    "好的，我已经记下来了，请问您还有其他问题吗？",
    "您可以选择代金券，也可以选择退款，看您的方便。",
)
VOICES = {
    "chosen on": (("piper", "joe", EN), ("kokoro", "jf_alpha", EN), ("kokoro", "jf_nezumi", ZH)),
    "held out": (
        ("kokoro", "jm_kumo", EN),
        ("kokoro", "jf_gongitsune", EN),
        ("kokoro", "jf_tebukuro", ZH),
        ("kokoro", "jm_kumo", ZH),
    ),
}
LEVEL_DBFS = -23.0
PAD_S = 0.25
Samples = NDArray[np.float32]
Plant = Callable[[Samples, np.random.Generator], Samples]


class Defect(NamedTuple):
    """Something planted.

    Attributes:
        finds: Whether the stretch shows it.
    """

    name: str
    plant: Plant
    finds: Callable[[StretchArtefacts], bool]


def gap(ms: int) -> Plant:
    """Zeros in the middle of loud speech."""

    def plant(sound: Samples, random: np.random.Generator) -> Samples:
        levels, blocks = block_levels(sound, SAMPLE_RATE_HZ), round(ms / 2.5)
        loud = np.quantile(levels[levels > -50], 0.7) - 12
        places = [
            at
            for at in range(20, len(levels) - blocks - 20)
            if min(levels[at - 6 : at].min(), levels[at + blocks : at + blocks + 6].min()) > loud
        ]
        at = int(random.choice(places)) * 120 + int(random.integers(120)) if places else 0
        holed = sound.copy()
        holed[at : at + ms * SAMPLE_RATE_HZ // 1000] = 0
        return holed

    return plant


def clipped(db: float) -> Plant:
    """Amplified beyond where it clips: at its own highest peak."""

    def plant(sound: Samples, random: np.random.Generator) -> Samples:
        peak = np.abs(sound).max()
        return np.asarray(np.clip(sound * 10 ** (db / 20), -peak, peak), dtype=np.float32)

    return plant


def step(db: float) -> Plant:
    """The second half is quieter."""

    def plant(sound: Samples, random: np.random.Generator) -> Samples:
        quieter = sound.copy()
        quieter[len(sound) // 2 :] *= 10 ** (-db / 20)
        return quieter

    return plant


def cut_off(sound: Samples, random: np.random.Generator) -> Samples:
    """Broken off in loud speech, in the second half."""
    levels = block_levels(sound, SAMPLE_RATE_HZ)
    loud = np.nonzero(levels > np.quantile(levels[levels > -50], 0.7) - 8)[0]
    at = int(random.choice(loud[len(loud) // 2 :])) * 120 + int(random.integers(120))
    return np.asarray(np.where(np.arange(len(sound)) < at, sound, 0), dtype=np.float32)


DEFECTS = (
    *(Defect(f"a gap of {ms} ms", gap(ms), lambda one: bool(one.drop_outs)) for ms in (20, 60, 120)),
    *(Defect(f"clipped by {db} dB", clipped(db), lambda one: bool(one.clipped)) for db in (3, 6, 12)),
    *(Defect(f"a step of {db} dB", step(db), lambda one: bool(one.jumps)) for db in (3, 6, 10)),
    Defect("broken off", cut_off, lambda one: bool(one.cut_end)),
)
FIGURES = ("a gap of 60 ms", "clipped by 12 dB", "a step of 10 dB", "broken off")


def main() -> None:
    maker = ClipMaker()
    for group, voices in VOICES.items():
        said = [spoken(maker, *voice) for voice in voices]
        clips = [clip for one in said for clip in one]
        seconds = sum(len(clip) for clip in clips) / SAMPLE_RATE_HZ - 2 * PAD_S * len(clips)
        print(f"\n{group}: {len(clips)} sentences, {seconds:.0f} s\n")
        print("| planted | codec | " + " | ".join(("drop-outs", "clipped", "level jumps", "cut end")) + " |")
        print("|---|---|---:|---:|---:|---:|")
        for name, codec in (
            ("Opus", codec_named("opus")),
            ("mu-law", at_recording_rate(codec_named("pcmu"))),
        ):
            for planted, found in rows(clips, codec):
                print(f"| {planted} | {name} | " + " | ".join(found) + " |", flush=True)


def rows(clips: list[Samples], codec: Codec) -> Iterator[tuple[str, list[str]]]:
    """What was planted, and in how many sentences each figure found something."""
    for planted, plant in (("nothing", None), *((one.name, one.plant) for one in DEFECTS)):
        random = np.random.default_rng(7)
        found = [looked_at(clip if plant is None else plant(clip, random), codec) for clip in clips]
        shows = [one.finds for one in DEFECTS if one.name in FIGURES]
        yield planted, [f"{sum(map(show, found))} of {len(clips)}" for show in shows]


def spoken(maker: ClipMaker, engine: str, name: str, texts: tuple[str, ...]) -> list[Samples]:
    clips = []
    for text in texts:
        sound = maker.speak(VoicePlan(engine=engine, name=name), text).samples
        active = sound[np.abs(sound) > 0.003]
        sound = sound * (10 ** (LEVEL_DBFS / 20) / np.sqrt(np.mean(active.astype(np.float64) ** 2)))
        clips.append(np.pad(sound, round(PAD_S * SAMPLE_RATE_HZ)).astype(np.float32))
    return clips


def looked_at(sound: Samples, codec: Codec) -> StretchArtefacts:
    """What is found after a codec, in the stretch from the first sample above -48 dBFS to the last."""
    heard = codec.decode(codec.encode(np.pad(sound, (0, codec.delay_samples + codec.frame_samples))))
    heard = heard[codec.delay_samples :][: len(sound)]
    voiced = np.nonzero(np.abs(heard) > 10 ** (-48 / 20))[0]
    span = Span(start_s=voiced[0] / SAMPLE_RATE_HZ, end_s=voiced[-1] / SAMPLE_RATE_HZ)
    return find_artefacts(heard, SAMPLE_RATE_HZ, span)


if __name__ == "__main__":
    main()
