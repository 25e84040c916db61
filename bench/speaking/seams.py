"""How right ``code_switch_fluency`` is: ``python -m bench.speaking.seams``.

The suite's own sentences in voices of ours, as one text (what a fluent agent says) and with one thing planted
at the seams; the key's edges by Whisper, as in a call. Prints how many seams each criterion finds not fluent.
``python -m bench.speaking.seams piper 10``: the voices of one engine, ten phrases each. A phrase takes 6 s
of a core; what Whisper wrote is kept in a file (``--heard``), a line a reading, so that a run that was broken
off goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.analysis.instruments import Instruments
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.read_aloud import ReadAloudItem, ReadAloudSuite
from metrics.recognition.switched_word import understood
from metrics.resample import SPEECH_RATE_HZ, to_speech_rate
from metrics.spans import Span
from metrics.synthesis.prosody.bounds import LARGEST_STEP_DB
from metrics.synthesis.prosody.places import Placed, place_phrase
from metrics.synthesis.prosody.seams import SeamSounds, seam_sounds
from metrics.transcript import Transcriber, Word

RATE_HZ = 48_000
VOICES = (
    ("piper", "joe", "en"),
    ("kokoro", "jm_kumo", "en"),
    ("kokoro", "jf_gongitsune", "zh"),
)
Samples = NDArray[np.float32]
Plant = Callable[[Samples, Span], tuple[Samples, float]]
"""Samples, where the key is -> samples, and by how many seconds what follows its beginning is later."""


class Heard(NamedTuple):
    """One reading, where its key was found, and what its seams are like."""

    sound: Samples
    placed: Placed | None
    words: tuple[Span, ...]
    sounds: SeamSounds | None


def pause(seconds: float) -> Plant:
    def plant(sound: Samples, key: Span) -> tuple[Samples, float]:
        at = round(key.start_s * RATE_HZ)
        silence = np.zeros(round(seconds * RATE_HZ), np.float32)
        return np.concatenate([sound[:at], silence, sound[at:]]), seconds

    return plant


def step(db: float) -> Plant:
    def plant(sound: Samples, key: Span) -> tuple[Samples, float]:
        louder = sound.copy()
        louder[round(key.start_s * RATE_HZ) : round(key.end_s * RATE_HZ)] *= np.float32(10 ** (db / 20))
        return louder, 0.0

    return plant


PLANTS: Sequence[tuple[str, Plant | None]] = (
    ("nothing", None),
    ("a pause of 200 ms", pause(0.2)),
    ("a pause of 300 ms", pause(0.3)),
    ("a step of 3 dB", step(3.0)),
    ("a step of 6 dB", step(6.0)),
    ("a step of -6 dB", step(-6.0)),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", nargs="?", default="", help="piper, kokoro; all")
    parser.add_argument("most", nargs="?", type=int, default=1000, help="phrases of each voice")
    parser.add_argument("--heard", type=Path, default=Path("seams-heard.jsonl"))
    asked = parser.parse_args()
    suite = load_suite("code_switch")
    assert isinstance(suite, ReadAloudSuite)
    ears = Ears(asked.heard)
    maker = ClipMaker()
    print("| voice | planted | phrases | placed | understood | native | paused | level | timbre | fluent |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for engine, name, language in (one for one in VOICES if asked.engine in ("", one[0])):
        items = [one for one in suite.items if one.control and one.language == language]
        items = items[:: max(1, len(items) // asked.most)][: asked.most]
        by_id = {one.id: one for one in suite.items}
        voice = VoicePlan(engine=engine, name=name)
        pairs = []
        for item in items:
            control = by_id[item.control]
            switched = heard(maker.speak(voice, item.text).samples, voice, item, ears)
            native = heard(maker.speak(voice, control.text).samples, voice, control, ears)
            pairs.append((item, control, switched, native))
            told = "not placed" if switched.placed is None else f"“{switched.placed.heard}”"
            print(f"{len(pairs)} of {len(items)}: {item.key}: {told}", file=sys.stderr, flush=True)
        for told, plant in PLANTS:
            print(f"| {engine}/{name} ({language}) | {told} | {row(pairs, plant)} |", flush=True)


class Ears:
    """Whisper, loaded when something has to be heard; and what it wrote before."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        self._whisper: Transcriber | None = None
        lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
        self._words = {
            (one["voice"], one["item"]): tuple(Word(**word) for word in one["words"])
            for one in map(json.loads, lines)
        }

    def words(self, sound: Samples, voice: VoicePlan, item: ReadAloudItem) -> tuple[Word, ...]:
        """The words of a reading."""
        key = (voice.name, item.id)
        if key not in self._words:
            narrow = to_speech_rate(sound, RATE_HZ)
            whole = Span(start_s=0.0, end_s=len(narrow) / SPEECH_RATE_HZ)
            self._words[key] = tuple(
                self._transcriber().transcribe(narrow, item.language, spans=[whole]).words
            )
            line = {
                "voice": voice.name,
                "item": item.id,
                "words": [one.model_dump() for one in self._words[key]],
            }
            with self._kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return self._words[key]

    def _transcriber(self) -> Transcriber:
        if self._whisper is None:
            self._whisper = Instruments().whisper
        if self._whisper is None:
            raise SystemExit("Whisper is not installed: outboundeval models")
        return self._whisper


def heard(sound: Samples, voice: VoicePlan, item: ReadAloudItem, ears: Ears) -> Heard:
    words = ears.words(sound, voice, item)
    before, key, after = item.text.partition(item.key)
    placed = place_phrase(words, before=before, phrase=key, after=after)
    if placed is None:
        return Heard(sound, None, (), None)
    spans = tuple(Span(start_s=one.start_s, end_s=one.end_s) for one in words)
    return Heard(sound, placed, spans, seam_sounds(sound, RATE_HZ, phrase=placed.span, words=spans))


def planted(one: Heard, plant: Plant) -> Heard:
    """The reading with something planted at the beginning of its key; words are where they were, or later."""
    assert one.placed is not None
    key = one.placed.span
    sound, later_s = plant(one.sound, key)
    words = tuple(_later(word, later_s) if word.start_s >= key.start_s else word for word in one.words)
    moved = _later(key, later_s)
    seams = seam_sounds(sound, RATE_HZ, phrase=moved, words=words)
    return Heard(sound, Placed(span=moved, heard=one.placed.heard), words, seams)


def _later(span: Span, by_s: float) -> Span:
    return Span(start_s=span.start_s + by_s, end_s=span.end_s + by_s)


def row(
    pairs: Sequence[tuple[ReadAloudItem, ReadAloudItem, Heard, Heard]],
    plant: Plant | None,
) -> str:
    placed = right = native = seams = paused = stepped = fluent = 0
    timbres = []
    for item, control, clean, other in pairs:
        one = clean
        if clean.placed is not None and plant is not None:
            one = planted(clean, plant)
        if one.placed is None or one.sounds is None or other.placed is None or other.sounds is None:
            continue
        placed += 1
        known = understood(item.key, one.placed.heard)
        level = abs(one.sounds.level_db - other.sounds.level_db) <= LARGEST_STEP_DB
        right += known
        native += understood(control.key, other.placed.heard)
        for found in (one.sounds.pause_before_s, one.sounds.pause_after_s):
            seams += found is not None
            paused += bool(one.sounds.paused(found))
            fluent += found is not None and known and level and not one.sounds.paused(found)
        stepped += not level
        timbres.append(one.sounds.timbre_db - other.sounds.timbre_db)
    timbre = f"{np.median(timbres):+.1f} dB" if timbres else ""
    counts = f"{len(pairs)} | {placed} | {right} | {native} | {paused} of {seams}"
    return f"{counts} | {stepped} of {placed} | {timbre} | {fluent} of {seams}"


if __name__ == "__main__":
    main()
