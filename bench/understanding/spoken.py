"""``python -m bench.understanding.spoken [--set FOLDER] [--kept FILE]``: understood by what Whisper hears.

Every line of a set is spoken by one of two voices of its language, with noise 15 dB below it and sampled at
8 kHz as on a telephone, and transcribed as in a call; then it is understood as it was heard. Each transcript
is kept at once (JSON lines), so that a run that was cut off goes on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Literal

import numpy as np

from harness.calls.voice.hearing.quick_whisper import QuickTranscriber
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.models.resolve import resolve_model
from harness.plans.call import VoicePlan
from harness.records.call import SAMPLE_RATE_HZ
from harness.selfcheck.understanding.figures import Share, as_meant, false, try_lines
from harness.selfcheck.understanding.labelled import Labelled, load_labelled, sets_root
from metrics.recognition.error_rate import character_error_rate, word_error_rate
from metrics.resample import SPEECH_RATE_HZ, resampled
from voice_sim.conditions.noise import noise_loop
from voice_sim.person.examples import Item
from voice_sim.policies.agenda.perception import Perceiver
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.understander import UnderstandsByExamples, lines_of
from voice_sim.understanding.vectors import VectorCache

SNR_DB = 15.0
TELEPHONE_HZ = 8000
VOICES: dict[Literal["en", "zh"], tuple[VoicePlan, VoicePlan]] = {
    "en": (VoicePlan(engine="piper", name="joe"), VoicePlan(engine="kokoro", name="jf_alpha")),
    "zh": (VoicePlan(engine="kokoro", name="jm_kumo"), VoicePlan(engine="kokoro", name="jf_nezumi")),
}


class Heard:
    """Lines as Whisper hears them, kept in a file."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        self._known: dict[str, str] = {}
        if kept.exists():
            rows = (json.loads(row) for row in kept.read_text(encoding="utf-8").splitlines())
            self._known = {row["says"]: row["heard"] for row in rows}
        self._voices = ClipMaker()
        self._ears = QuickTranscriber(resolve_model("whisper-base"), threads=1)

    def heard(self, line: Labelled, number: int) -> str:
        """What is heard of a line; ``number`` chooses the voice and seeds the noise."""
        if line.says not in self._known:
            text = self._transcribed(line, number)
            self._known[line.says] = text
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            with self._kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"says": line.says, "heard": text}, ensure_ascii=False) + "\n")
        return self._known[line.says]

    def _transcribed(self, line: Labelled, number: int) -> str:
        language = line.persona.language
        spoken = self._voices.speak(VOICES[language][number % 2], line.says)
        length_s = len(spoken.samples) / SAMPLE_RATE_HZ
        noise = noise_loop(
            "speech_shaped",
            snr_db=SNR_DB,
            speech_level_dbfs=spoken.level_dbfs,
            duration_s=max(5.0, length_s),
            seed=number,
            speech=[spoken.samples],
            sample_rate_hz=SAMPLE_RATE_HZ,
        )
        noisy = spoken.samples + noise.take(0, len(spoken.samples))
        narrow = resampled(noisy.astype(np.float32), SAMPLE_RATE_HZ, TELEPHONE_HZ)
        return self._ears.transcribe(resampled(narrow, TELEPHONE_HZ, SPEECH_RATE_HZ), language)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", type=Path, default=sets_root() / "held_out")
    parser.add_argument("--kept", type=Path, default=Path("out/spoken.jsonl"))
    parser.add_argument("--cache", type=Path, default=Path("out/vectors.sqlite"))
    arguments = parser.parse_args()
    lines, heard = load_labelled(arguments.set), Heard(arguments.kept)
    texts = [heard.heard(line, number) for number, line in enumerate(lines)]
    cache, encoder = VectorCache(arguments.cache), E5Encoder()
    people: dict[str, Perceiver] = {}
    for line in lines:
        if line.entry not in people:
            vectors = cache.encode(lines_of(line.persona), encoder)
            understander = UnderstandsByExamples(line.persona, encoder, vectors=vectors)
            people[line.entry] = Perceiver(line.persona, understander=understander)
    heard_as = dict(zip(((line.entry, line.says) for line in lines), texts, strict=True))

    def takes(line: Labelled) -> frozenset[Item]:
        return frozenset(people[line.entry].perceive(heard_as[line.entry, line.says]).items())

    for language in VOICES:
        own = [line for line in lines if line.persona.language == language]
        if not own:
            continue
        tried = try_lines(own, takes)
        print(f"{language}: {len(own)} lines spoken, {_error_rate(own, heard_as, language)}")
        print(f"  as meant {_told(as_meant(tried))}; false {_told(false(tried))}")


def _error_rate(
    lines: list[Labelled], heard: dict[tuple[str, str], str], language: Literal["en", "zh"]
) -> str:
    errors = length = 0
    for line in lines:
        text = heard[line.entry, line.says]
        if language == "en":
            rate = word_error_rate(line.says, text)
        else:
            rate = character_error_rate(line.says, text, language=language)
        errors += rate.errors
        length += rate.reference_length
    return f"{'WER' if language == 'en' else 'CER'} {errors / length:.3f}"


def _told(share: Share) -> str:
    if share.value is None or share.interval is None:
        return "not measured"
    return f"{share.value:.3f} ({share.hits}/{share.n}) [{share.interval.low:.3f}, {share.interval.high:.3f}]"


if __name__ == "__main__":
    main()
