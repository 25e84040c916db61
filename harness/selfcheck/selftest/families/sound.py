"""Voices that are muffled, noisy, clipped, holed or too quiet: rated in calls whose agent speaks so.

The predictors of quality hang together: noise lowers what DNSMOS says of the signal as well as of the
background, and NISQA's overall value falls with any of its dimensions. That one of them moves *alone* is
therefore not claimed; what each defect does to the others is printed, and judged by nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from harness.analysis.instruments import Instruments
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.errors import UserError
from harness.plans.call import CallPlan, VoicePlan
from harness.records.call import SAMPLE_RATE_HZ
from harness.selfcheck.selftest.entries import Defect, Family, Order, Planted, Progress, Size, Strength
from harness.selfcheck.selftest.families.words import lines_without_numbers
from harness.selfcheck.selftest.made.calls import MadeLine, keep, made_call, shipped_clip
from voice_sim.conditions.level import active_level_dbfs
from voice_sim.policies.script import Script, ScriptLine

Samples = NDArray[np.float32]
Spoils = Callable[[Samples, float, int, Random], Samples]
"""Samples, amount, which reply it is, draws -> samples."""

REPLIES: dict[Size, int] = {"quick": 12, "full": 24}
SENTENCES = 2
"""In each reply: five to six seconds."""
VOICE = VoicePlan(engine="piper", name="joe")
GAP_S = 0.06
PREDICTED = frozenset(
    [
        *("dnsmos_sig", "dnsmos_bak", "dnsmos_ovrl", "dnsmos_p808", "plcmos"),
        *("nisqa_naturalness", "nisqa_mos", "nisqa_noisiness", "nisqa_discontinuity"),
        *("nisqa_coloration", "nisqa_loudness"),
    ]
)

MUFFLED = Defect(
    name="muffled",
    told="sounds as through a cloth: 6 dB an octave from a frequency on",
    moves={"nisqa_coloration": -1},
    weak=Strength(amount=2000, told="from 2000 Hz"),
    strong=Strength(amount=1200, told="from 1200 Hz"),
)
NOISY = Defect(
    name="noisy",
    told="has noise under its voice",
    moves={
        "dnsmos_bak": -1,
        "dnsmos_ovrl": -1,
        "dnsmos_p808": -1,
        "nisqa_noisiness": -1,
        "nisqa_mos": -1,
    },
    weak=Strength(amount=40, told="40 dB below the voice"),
    strong=Strength(amount=25, told="25 dB below the voice"),
)
CLIPPED = Defect(
    name="clipped",
    told="is cut off at a share of its peaks, as loud as before",
    moves={"nisqa_coloration": -1, "clipped_share": 1},
    weak=Strength(amount=0.4, told="at 0.4 of the peak"),
    strong=Strength(amount=0.05, told="at 0.05 of the peak"),
)
HOLES = Defect(
    name="drop-outs",
    told="drops 60 ms of its voice",
    moves={"plcmos": -1, "nisqa_discontinuity": -1, "drop_outs_per_minute": 1},
    weak=Strength(amount=1, told="once in 10 s"),
    strong=Strength(amount=8, told="8 times in 10 s"),
)
QUIET = Defect(
    name="quieter",
    told="speaks more quietly",
    moves={"nisqa_loudness": -1},
    weak=Strength(amount=3, told="3 dB"),
    strong=Strength(amount=12, told="12 dB"),
)


def _muffled(samples: Samples, from_hz: float, _: int, __: Random) -> Samples:
    low = butter(1, from_hz, "lowpass", fs=SAMPLE_RATE_HZ, output="sos")
    return _as_loud(np.asarray(sosfilt(low, samples), np.float32), samples)


def _noisy(samples: Samples, snr_db: float, _: int, random: Random) -> Samples:
    level = active_level_dbfs(samples, sample_rate_hz=SAMPLE_RATE_HZ) - snr_db
    draws = np.random.default_rng(random.getrandbits(32))
    return np.asarray(samples + draws.normal(0.0, 10 ** (level / 20), len(samples)), np.float32)


def _clipped(samples: Samples, share: float, _: int, __: Random) -> Samples:
    most = share * float(np.max(np.abs(samples)))
    return _as_loud(np.clip(samples, -most, most), samples)


def _holed(samples: Samples, in_10_s: float, number: int, random: Random) -> Samples:
    """Gaps spread over all replies: those of few gaps have one in every second or third."""
    each = in_10_s * len(samples) / SAMPLE_RATE_HZ / 10
    count = int(each * (number + 1)) - int(each * number)
    found = samples.copy()
    length = round(GAP_S * SAMPLE_RATE_HZ)
    for _ in range(count):
        start = _loud_place(samples, length, random)
        found[start : start + length] = 0.0
    return found


def _loud_place(samples: Samples, length: int, random: Random) -> int:
    """Where a gap falls into speech: what is dropped in a pause is not missed."""
    inside = range(length, len(samples) - 2 * length)
    places = [random.choice(inside) for _ in range(5)]
    return max(places, key=lambda at: float(np.sum(np.square(samples[at : at + length]))))


def _quieter(samples: Samples, by_db: float, _: int, __: Random) -> Samples:
    return np.asarray(samples * 10 ** (-by_db / 20), np.float32)


def _as_loud(samples: Samples, like: Samples) -> Samples:
    """At the active level that it had, so that only one thing is bad."""
    levels = [active_level_dbfs(one, sample_rate_hz=SAMPLE_RATE_HZ) for one in (like, samples)]
    louder = samples * np.float32(10 ** ((levels[0] - levels[1]) / 20))
    return np.asarray(np.clip(louder, -1.0, 1.0), np.float32)


SPOILS: Mapping[str, Spoils] = {
    MUFFLED.name: _muffled,
    NOISY.name: _noisy,
    CLIPPED.name: _clipped,
    HOLES.name: _holed,
    QUIET.name: _quieter,
}


def _make(order: Order, progress: Progress) -> Planted:
    maker = ClipMaker()
    sentences = lines_without_numbers("en")
    calls = []
    for number in range(REPLIES[order.size]):
        call_id = f"sound.{number + 1}"
        texts = sentences[number * SENTENCES : (number + 1) * SENTENCES]
        reply = _joined([maker.speak(VOICE, text).samples for text in texts])
        if order.defect is not None:
            # The same draws at both strengths: only how bad it is differs.
            reply = SPOILS[order.defect](reply, order.amount, number, Random(call_id))
        said = sentences[-1 - number]
        line = MadeLine(said=said, sound=shipped_clip("question"), wrote=said, reply=reply)
        plan = CallPlan(
            call_id=call_id,
            agent="http://127.0.0.1:7860",
            script=Script(lines=(ScriptLine(say=said),)),
            seed=order.seed,
        )
        calls.append(made_call(plan, [line], random=Random(f"{order.seed} {call_id}")))
    progress(f"{len(calls)} calls made")
    keep(order.folder, "sound", calls)
    return {}


def _joined(parts: list[Samples]) -> Samples:
    pause = np.zeros(round(0.15 * SAMPLE_RATE_HZ), np.float32)
    return np.concatenate([one for part in parts for one in (part, pause)][:-1])


@cache
def _missing() -> str:
    try:
        ClipMaker().load(VOICE)
    except UserError as error:
        return str(error)
    return ""


@cache
def _no_weights() -> Mapping[str, str]:
    """Metrics whose networks are not installed here."""
    instruments = Instruments()
    found: dict[str, str] = {}
    if instruments.nisqa_digest is None:
        told = "no weights: NISQA is not installed (README, Models and licences)"
        found |= {name: told for name in PREDICTED if name.startswith("nisqa_")}
    if instruments.predictors_digest is None:
        told = "no weights: DNSMOS and PLCMOS are not installed (README, Models and licences)"
        found |= {name: told for name in PREDICTED if not name.startswith("nisqa_")}
    return found


FAMILIES = (
    Family(
        name="sound",
        way="made",
        defects=(MUFFLED, NOISY, CLIPPED, HOLES, QUIET),
        only=frozenset({"timing", "sound"}),
        make=_make,
        missing=_missing,
        no_weights=_no_weights,
        related=PREDICTED,
    ),
)
