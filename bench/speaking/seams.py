"""How right ``code_switch_fluency`` is: ``python -m bench.speaking.seams``.

The suite's own sentences in voices of ours, as one text (what a fluent agent says) and with one thing
planted: a pause or a step of the level at the switched word, or another word in its place. Words and seams
are found as in a call, but what Whisper hears in a sentence is taken from it without the pause or the step.
Prints how many seams are called fluent, what each criterion turns down, and the means of
``code_switch_pause_ms`` and ``code_switch_level_db``.
``python -m bench.speaking.seams piper/joe 10``: one voice, ten phrases. A sentence takes 5 s of a core; what
Whisper wrote is kept in a file (``--heard``), a line a sentence, so that a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.analysis.instruments import Instruments
from harness.analysis.probes.delivery import delivered
from harness.analysis.sound.spoken_forms import Forms, HeardForms, hear_forms
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.read_aloud import ReadAloudItem, ReadAloudSuite
from harness.plans.probes.to_read import ToRead
from harness.records.scores import ProbeReading, ReadingDelivery, TranscriptLine
from harness.records.transcript import TranscriptWord
from metrics.intervals import wilson
from metrics.recognition.forced_decoding import ForcedDecoder
from metrics.resample import SPEECH_RATE_HZ, to_speech_rate
from metrics.spans import Span
from metrics.synthesis.prosody.bounds import LARGEST_STEP_DB, LONGEST_PAUSE_S, STEP_ERROR_DB
from metrics.synthesis.prosody.places import place_phrase
from metrics.transcript import Transcriber, Word

RATE_HZ = 48_000
VOICES = (
    ("piper", "joe", "en"),
    ("kokoro", "jm_kumo", "en"),
    ("kokoro", "jf_nezumi", "en"),
    ("kokoro", "jf_gongitsune", "en"),
    ("espeakng", "en-us", "en"),
    ("espeakng", "en-gb-scotland+f2", "en"),
    ("kokoro", "jf_gongitsune", "zh"),
)
UNSURE_S = 0.06
"""What is planted begins and ends by up to this beside where the word was found."""
AROUND_S = 1.0
MANGLED = {
    "Dubois": "Gupree",
    "Marseille": "Parvay",
    "déjà vu": "dayga moo",
    "tortilla": "torpeena",
    "siesta": "fienka",
    "Schmidt": "Shrund",
    "Düsseldorf": "Bissendoll",
    "Volkswagen": "Vompsmaden",
    "Xiaoming": "Shaotoom",
    "Guangzhou": "Gwenshee",
}
"""Words with about half of their sounds changed."""
Samples = NDArray[np.float32]
Plant = Callable[[Samples, Span, Random], tuple[Samples, float]]
"""Samples, where the key is -> samples, and by how many seconds what follows its beginning is later."""


class Said(NamedTuple):
    """One sentence as a voice said it."""

    name: str
    text: str
    sound: Samples
    words: tuple[Word, ...]


class Pair(NamedTuple):
    """An item, its control, and what was said of both."""

    item: ReadAloudItem
    control: ReadAloudItem
    switched: Said
    native: Said


def pause(seconds: float) -> Plant:
    def plant(sound: Samples, key: Span, _: Random) -> tuple[Samples, float]:
        at = round(key.start_s * RATE_HZ)
        silence = np.zeros(round(seconds * RATE_HZ), np.float32)
        return np.concatenate([sound[:at], silence, sound[at:]]), seconds

    return plant


def step(db: float) -> Plant:
    def plant(sound: Samples, key: Span, random: Random) -> tuple[Samples, float]:
        louder = sound.copy()
        first, last = (
            max(0, round((at_s + random.uniform(-UNSURE_S, UNSURE_S)) * RATE_HZ))
            for at_s in (key.start_s, key.end_s)
        )
        louder[first:last] *= np.float32(10 ** (db / 20))
        return louder, 0.0

    return plant


SOUNDS: Sequence[tuple[str, Plant | None]] = (
    ("nothing", None),
    ("a pause of 200 ms", pause(0.2)),
    ("a pause of 300 ms", pause(0.3)),
    ("a step of 6 dB", step(6.0)),
    ("a step of -6 dB", step(-6.0)),
    ("a step of 10 dB", step(10.0)),
    ("a step of -10 dB", step(-10.0)),
)


class Ears:
    """Whisper, loaded when something has to be heard; and what it wrote before."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        self._whisper: Transcriber | None = None
        self._words: dict[str, tuple[Word, ...]] = {}
        self._forms: dict[str, dict[str, Any]] = {}
        for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []:
            one = json.loads(line)
            if "words" in one:
                self._words[one["said"]] = tuple(Word(**word) for word in one["words"])
            else:
                self._forms[one["said"]] = one

    def words(self, name: str, sound: Samples, language: str) -> tuple[Word, ...]:
        """The words of a sentence, in seconds of its sound."""
        if name not in self._words:
            narrow = to_speech_rate(sound, RATE_HZ)
            whole = Span(start_s=0.0, end_s=len(narrow) / SPEECH_RATE_HZ)
            self._words[name] = tuple(self._ear.transcribe(narrow, language, spans=[whole]).words)
            self._keep({"said": name, "words": [one.model_dump() for one in self._words[name]]})
        return self._words[name]

    def forms(self, said: Said, forms: Forms, language: str) -> HeardForms:
        """How well the forms fit to a sentence."""
        known = self._forms.get(said.name)
        if known is None or not set(forms.sentences) <= set(known["fits"]):
            pad = np.zeros(round(AROUND_S * RATE_HZ), np.float32)
            sound = to_speech_rate(np.concatenate([pad, said.sound, pad]), RATE_HZ)
            span = Span(start_s=AROUND_S, end_s=AROUND_S + len(said.sound) / RATE_HZ)
            asked = Forms(span=span, sentences=forms.sentences)
            (found,) = hear_forms(sound, [asked], decoder=ForcedDecoder(self._ear.model), language=language)
            known = {
                "said": said.name,
                "fits": dict(zip(forms.sentences, found.fits, strict=True)),
                "in_words": found.in_words,
                "in_words_fits": found.in_words_fits,
            }
            self._forms[said.name] = known
            self._keep(known)
        return HeardForms(
            fits=tuple(known["fits"][one] for one in forms.sentences),
            in_words=known["in_words"],
            in_words_fits=known["in_words_fits"],
        )

    def _keep(self, line: dict[str, Any]) -> None:
        with self._kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    @property
    def _ear(self) -> Transcriber:
        if self._whisper is None:
            self._whisper = Instruments().whisper
        if self._whisper is None:
            raise SystemExit("Whisper is not installed: outboundeval models")
        return self._whisper


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("voice", nargs="?", default="", help="piper, kokoro/jm_kumo; all")
    parser.add_argument("most", nargs="?", type=int, default=1000, help="phrases of each voice")
    parser.add_argument("--heard", type=Path, default=Path("seams-heard.jsonl"))
    asked = parser.parse_args()
    suite = load_suite("code_switch")
    assert isinstance(suite, ReadAloudSuite)
    ears, maker = Ears(asked.heard), ClipMaker()
    print(
        "| voice | planted | phrases | placed | not understood | level off | paused | fluent seams "
        "| pause, ms a word | level, dB |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    for engine, name, language in VOICES:
        if not f"{engine}/{name}".startswith(asked.voice):
            continue
        voice = VoicePlan(engine=engine, name=name)

        def say(item: ReadAloudItem, word: str, *, by: VoicePlan = voice) -> Said:
            text = item.text.replace(item.key, word)
            sound = maker.speak(by, text).samples
            told = f"{by.engine}/{by.name}: {text}"
            return Said(told, text, sound, ears.words(told, sound, item.language))

        pairs = pairs_of(suite, language, asked.most, say)
        told = f"{engine}/{name} ({language})"
        for planted, plant in SOUNDS:
            print(f"| {told} | {planted} | {row(pairs, plant, ears)} |", flush=True)
        swapped = [one._replace(switched=one.native) for one in pairs]
        print(f"| {told} | the native word | {row(swapped, None, ears)} |", flush=True)
        others = another(pairs)
        print(f"| {told} | another word | {row(others, None, ears)} |", flush=True)
        mangled = [
            one._replace(switched=say(one.item, MANGLED[one.item.key]))
            for one in pairs
            if one.item.key in MANGLED
        ]
        if mangled:
            print(f"| {told} | half of its sounds changed | {row(mangled, None, ears)} |", flush=True)


def pairs_of(
    suite: ReadAloudSuite, language: str, most: int, say: Callable[[ReadAloudItem, str], Said]
) -> list[Pair]:
    by_id = {one.id: one for one in suite.items}
    items = [one for one in suite.items if one.control and one.language == language]
    pairs = []
    for item in items[:: max(1, len(items) // most)]:
        control = by_id[item.control]
        pairs.append(Pair(item, control, say(item, item.key), say(item, control.key)))
        print(f"{len(pairs)}: {item.key}", file=sys.stderr, flush=True)
    return pairs


def another(pairs: Sequence[Pair]) -> list[Pair]:
    """The same sounds, where the next sentence's word was to be said."""
    found = []
    for at, pair in enumerate(pairs):
        own, key = pair.item, pairs[(at + 1) % len(pairs)].item.key
        wanted = own.model_copy(update={"key": key, "text": own.text.replace(own.key, key)})
        found.append(pair._replace(item=wanted))
    return found


def row(pairs: Sequence[Pair], plant: Plant | None, ears: Ears) -> str:
    placed = unknown = stepped = paused = fluent = seams = 0
    pauses_ms, levels_db = list[float](), list[float]()
    for found in judged(pairs, plant, ears):
        if not found.seams:
            continue
        placed += 1
        unknown += not found.understood
        stepped += abs(found.level_step_db or 0.0) > LARGEST_STEP_DB + STEP_ERROR_DB
        paused += sum(one.pause_s > LONGEST_PAUSE_S for one in found.seams)
        fluent += sum(one.fluent for one in found.seams)
        seams += len(found.seams)
        pauses_ms.append(1000 * sum(one.pause_s for one in found.seams))
        levels_db.append(abs(found.level_step_db or 0.0))
    share = wilson(fluent, seams)
    shown = "" if share.low is None else f"{fluent} of {seams} ({share.low:.2f} to {share.high:.2f})"
    means = f"{np.mean(pauses_ms):.0f} | {np.mean(levels_db):.1f}" if placed else " | "
    return f"{len(pairs)} | {placed} | {unknown} | {stepped} | {paused} of {seams} | {shown} | {means}"


def judged(pairs: Sequence[Pair], plant: Plant | None, ears: Ears) -> list[ReadingDelivery]:
    """As in one call in which each control was read, and then its item."""
    around = np.zeros(round(AROUND_S * RATE_HZ), np.float32)
    sounds, readings, lines = [around], list[ProbeReading](), list[TranscriptLine]()
    by_start: dict[float, Said] = {}
    now_s = AROUND_S
    for pair in pairs:
        for item, clean in ((pair.control, pair.native), (pair.item, pair.switched)):
            said = clean if plant is None or item is pair.control else planted(pair, plant)
            readings.append(_reading(item, said, now_s))
            lines.append(_line(said, now_s))
            by_start[now_s] = clean
            sounds += [said.sound, around]
            now_s += len(said.sound) / RATE_HZ + AROUND_S
    sound = np.concatenate(sounds)
    language = pairs[0].item.language
    found = delivered(
        readings,
        [ToRead(line=at, **one.model_dump(include=_SHARED)) for at, one in enumerate(readings)],
        lines=lines,
        sound=lambda: sound,
        language=language,
        hear=lambda forms, language: [ears.forms(by_start[one.span.start_s], one, language) for one in forms],
        why_not=str,
    )
    return [one.delivery for one in found if one.delivery is not None]


def planted(pair: Pair, plant: Plant) -> Said:
    """The reading with something planted at its key; words are where they were, or later."""
    said = pair.switched
    before, key, after = pair.item.text.partition(pair.item.key)
    place = place_phrase(said.words, before=before, phrase=key, after=after)
    if place is None:
        return said
    sound, later_s = plant(said.sound, place.span, Random(pair.item.id))
    words = tuple(_later(one, later_s if one.start_s >= place.span.start_s else 0.0) for one in said.words)
    return said._replace(sound=sound, words=words)


_SHARED = {"item", "kind", "text", "key", "control", "key_language"}


def _reading(item: ReadAloudItem, said: Said, at_s: float) -> ProbeReading:
    return ProbeReading(
        suite="code_switch",
        item=item.id,
        said=True,
        start_s=at_s,
        end_s=at_s + len(said.sound) / RATE_HZ,
        **item.model_dump(include=_SHARED - {"item"} | {"language"}),
    )


def _line(said: Said, at_s: float) -> TranscriptLine:
    words = [_later(one, at_s) for one in said.words]
    return TranscriptLine(
        side="agent",
        source="whisper",
        start_s=at_s,
        end_s=at_s + len(said.sound) / RATE_HZ,
        text="",
        words=[TranscriptWord(word=one.word, start_s=one.start_s, end_s=one.end_s) for one in words],
    )


def _later(word: Word, by_s: float) -> Word:
    return word.model_copy(update={"start_s": word.start_s + by_s, "end_s": word.end_s + by_s})


if __name__ == "__main__":
    main()
