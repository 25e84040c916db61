"""``python -m bench.encoder_window [--calls N] [--least FRAMES]``: words through a shorter encoder window.

Calls are made of lines whose words are known: eight lines of one voice with 0.7 to 2 s between them, in turn
clean, with speech-shaped noise 15 dB below it, and over a telephone's 8 kHz. Each is transcribed twice by
the same model, which of both first in turns: with Whisper's thirty seconds and with the short window. Told
are the seconds of processor time a minute of sound, the words that are not the same, and the error rate of
both against what was spoken, with an interval for the difference (calls drawn anew, 2,000 times).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.models.resolve import resolve_model
from harness.plans.call import VoicePlan
from harness.records.call import SAMPLE_RATE_HZ
from harness.selfcheck.understanding.labelled import load_labelled, sets_root
from metrics.recognition.error_rate import character_error_rate, word_error_rate
from metrics.recognition.whisper.short_window import LEAST_WINDOW_FRAMES, WHOLE_WINDOW_FRAMES, ShortWindow
from metrics.resample import SPEECH_RATE_HZ, resampled
from metrics.spans import Span
from metrics.transcript import Transcriber, Transcript
from voice_sim.conditions.noise import noise_loop

Language = Literal["en", "zh"]
VOICES: dict[Language, tuple[VoicePlan, ...]] = {
    "en": (
        VoicePlan(engine="piper", name="joe"),
        VoicePlan(engine="kokoro", name="jf_alpha"),
        VoicePlan(engine="piper", name="joe"),
        VoicePlan(engine="kokoro", name="jm_kumo"),
    ),
    "zh": (VoicePlan(engine="kokoro", name="jm_kumo"), VoicePlan(engine="kokoro", name="jf_nezumi")),
}
LINES = 8
LINES_OF: tuple[Language, ...] = ("en", "en", "en", "zh")
CONDITIONS = ("clean", "noise at 15 dB", "8 kHz")


@dataclass(frozen=True, kw_only=True)
class Call:
    """One side of a call at 16 kHz, and what is said in which span of it."""

    language: Language
    condition: str
    audio: NDArray[np.float32]
    spans: list[Span]
    texts: list[str]


@dataclass(frozen=True, kw_only=True)
class Tried:
    """What one way of hearing made of a call: seconds of the processor, the words, and its errors."""

    processor_s: float
    heard: Transcript
    errors: int
    length: int


def main() -> None:
    arguments = _arguments()
    whisper = Transcriber(resolve_model("whisper-base"), threads=1, together=False)
    model = whisper._model  # the bench turns what no caller may
    assert isinstance(model, ShortWindow)
    rows: list[tuple[Call, Tried, Tried]] = []
    for number, call in enumerate(calls_of_lines(arguments.calls)):
        if number == 0:
            tried_with(whisper, model, call, WHOLE_WINDOW_FRAMES)
        windows = (WHOLE_WINDOW_FRAMES, arguments.least)
        order = windows if number % 2 else windows[::-1]
        found = {frames: tried_with(whisper, model, call, frames) for frames in order}
        whole, short = (found[frames] for frames in windows)
        rows.append((call, whole, short))
        others, words = unlike(whole.heard, short.heard)
        print(
            f"{number + 1}: {call.language}, {call.condition}, {len(call.audio) / SPEECH_RATE_HZ:.0f} s: "
            f"{whole.processor_s:.1f} and {short.processor_s:.1f} s; {others} of {words} words unlike; "
            f"errors {whole.errors} and {short.errors} of {whole.length}; "
            f"words apart by {apart_s(whole.heard, short.heard):.3f} s (95 %)",
            flush=True,
        )
        for one, other in changes(whole.heard, short.heard):
            print(f"    {one!r} -> {other!r}")
    for language in VOICES:
        some = [row for row in rows if row[0].language == language]
        if some:
            print(f"{language}: {summary(some)}")


def calls_of_lines(count: int) -> Iterator[Call]:
    lines = load_labelled(sets_root() / "held_out")
    says = {
        language: list(dict.fromkeys(line.says for line in lines if line.persona.language == language))
        for language in VOICES
    }
    voices, taken = ClipMaker(), dict.fromkeys(VOICES, 0)
    for number in range(count):
        language = LINES_OF[number % len(LINES_OF)]
        own, first = says[language], taken[language] * LINES
        texts = [own[(first + k) % len(own)] for k in range(LINES)]
        voice = VOICES[language][taken[language] % len(VOICES[language])]
        condition = CONDITIONS[taken[language] % len(CONDITIONS)]
        taken[language] += 1
        yield _call(voices, voice, language, condition, texts, number)


def _call(
    voices: ClipMaker, voice: VoicePlan, language: Language, condition: str, texts: list[str], seed: int
) -> Call:
    draw = np.random.default_rng(seed)
    pieces, spans, at, level = [np.zeros(SAMPLE_RATE_HZ, np.float32)], [], SAMPLE_RATE_HZ, -26.0
    for text in texts:
        spoken = voices.speak(voice, text)
        level = spoken.level_dbfs
        gap = np.zeros(round(draw.uniform(0.7, 2.0) * SAMPLE_RATE_HZ), np.float32)
        pieces += [spoken.samples.astype(np.float32), gap]
        end = at + len(spoken.samples)
        spans.append(Span(start_s=at / SAMPLE_RATE_HZ, end_s=end / SAMPLE_RATE_HZ))
        at = end + len(gap)
    audio = np.concatenate(pieces)
    if condition.startswith("noise"):
        noise = noise_loop(
            "speech_shaped",
            snr_db=15.0,
            speech_level_dbfs=level,
            duration_s=10.0,
            seed=seed,
            speech=[pieces[1]],
            sample_rate_hz=SAMPLE_RATE_HZ,
        )
        audio = (audio + noise.take(0, len(audio))).astype(np.float32)
    if condition == "8 kHz":
        audio = resampled(resampled(audio, SAMPLE_RATE_HZ, 8000), 8000, SPEECH_RATE_HZ)
    else:
        audio = resampled(audio, SAMPLE_RATE_HZ, SPEECH_RATE_HZ)
    return Call(language=language, condition=condition, audio=audio, spans=spans, texts=texts)


def tried_with(whisper: Transcriber, model: ShortWindow, call: Call, frames: int) -> Tried:
    model.least_frames = frames
    return tried(whisper, call)


def tried(whisper: Transcriber, call: Call) -> Tried:
    """A call heard as a transcriber is set."""
    began = time.process_time()
    heard = whisper.transcribe(call.audio, call.language, spans=call.spans)
    used_s = time.process_time() - began
    errors = length = 0
    for text, span in zip(call.texts, call.spans, strict=True):
        near = heard.text_within(Span(start_s=span.start_s - 0.3, end_s=span.end_s + 0.3))
        if call.language == "zh":
            rate = character_error_rate(text, near, language="zh")
        else:
            rate = word_error_rate(text, near)
        errors, length = errors + rate.errors, length + rate.reference_length
    return Tried(processor_s=used_s, heard=heard, errors=errors, length=length)


def _matcher(one: Transcript, other: Transcript) -> SequenceMatcher[str]:
    return SequenceMatcher(None, [w.word for w in one.words], [w.word for w in other.words], False)


def unlike(one: Transcript, other: Transcript) -> tuple[int, int]:
    same = sum(block.size for block in _matcher(one, other).get_matching_blocks())
    return max(len(one.words), len(other.words)) - same, len(one.words)


def changes(one: Transcript, other: Transcript) -> Iterator[tuple[str, str]]:
    for kind, a, b, c, d in _matcher(one, other).get_opcodes():
        if kind != "equal":
            yield " ".join(w.word for w in one.words[a:b]), " ".join(w.word for w in other.words[c:d])


def apart_s(one: Transcript, other: Transcript) -> float:
    """The 95th percentile of how far the starts of the words that both heard lie apart, in seconds."""
    apart = [
        abs(one.words[block.a + k].start_s - other.words[block.b + k].start_s)
        for block in _matcher(one, other).get_matching_blocks()
        for k in range(block.size)
    ]
    return float(np.percentile(apart, 95)) if apart else 0.0


def summary(rows: list[tuple[Call, Tried, Tried]]) -> str:
    minutes = sum(len(call.audio) for call, _, _ in rows) / SPEECH_RATE_HZ / 60
    cost = [sum(one.processor_s for one in way) / minutes for way in list(zip(*rows, strict=True))[1:]]
    counts = np.array([unlike(whole.heard, short.heard) for _, whole, short in rows])
    errors = np.array([(whole.errors, short.errors, whole.length) for _, whole, short in rows])
    drawn = np.random.default_rng(0).integers(len(rows), size=(2000, len(rows)))
    sums = errors[drawn].sum(axis=1)
    low, high = np.percentile((sums[:, 1] - sums[:, 0]) / sums[:, 2], [2.5, 97.5])
    whole, short, length = errors.sum(axis=0)
    return (
        f"{len(rows)} calls, {minutes:.1f} minutes: {cost[0]:.2f} and {cost[1]:.2f} processor s/min "
        f"({cost[1] / cost[0]:.2f} of it); {counts[:, 0].sum()} of {counts[:, 1].sum()} words unlike; "
        f"error rate {whole / length:.4f} and {short / length:.4f} of {length}, "
        f"{(short - whole) / length:+.4f} ({low:+.4f} to {high:+.4f})"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.encoder_window",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--calls", type=int, default=24)
    parser.add_argument("--least", type=int, default=LEAST_WINDOW_FRAMES, metavar="FRAMES")
    return parser.parse_args()


if __name__ == "__main__":
    main()
