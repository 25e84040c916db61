"""How often our verdict on a symbol is right: ``python -m bench.symbols [--half tuned|held_out] [--most N]``.

Each item of the suite ``symbols`` is said by voices of ours, in words: as it may be said, and as it may not.
So what is true is known without a judge. Prints a table by language and class, as
``harness/analysis/probes/reading_error.py`` has it, and what was judged wrongly. Items are in halves by their
place in the suite: thresholds were looked for on the even ones alone.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from harness.analysis.instruments import Instruments
from harness.analysis.sound.spoken_forms import Forms, HeardForms, hear_forms
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.read_aloud import ReadAloudItem, ReadAloudSuite
from harness.records.call import SAMPLE_RATE_HZ
from metrics.recognition.forced_decoding import ForcedDecoder
from metrics.resample import to_speech_rate
from metrics.spans import Span
from metrics.synthesis.symbols.verdict import Judged, judge

VOICES = {
    "en": (VoicePlan(engine="piper", name="joe"), VoicePlan(engine="kokoro", name="jm_kumo")),
    "zh": (VoicePlan(engine="kokoro", name="jf_nezumi"), VoicePlan(engine="kokoro", name="jm_kumo")),
}
PAD = np.zeros(SAMPLE_RATE_HZ // 2, np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("tuned", "held_out"))
    parser.add_argument("--most", type=int, default=1000)
    asked = parser.parse_args()
    suite = load_suite("symbols")
    assert isinstance(suite, ReadAloudSuite)
    items = [
        item
        for place, item in enumerate(one for one in suite.items if one.readings)
        if asked.half is None or (place % 2 == 1) is (asked.half == "held_out")
    ][: asked.most]
    maker, whisper = ClipMaker(), Instruments().whisper
    assert whisper is not None, "needs whisper"
    decoder = ForcedDecoder(whisper.model)
    right: Counter[tuple[str, str]] = Counter()
    n: Counter[tuple[str, str]] = Counter()
    for item in items:
        for said, truth in _to_say(item):
            voice = VOICES[item.language][crc32(f"{item.id}{said}".encode()) % 2]
            sound = maker.speak(voice, item.text.replace(item.key, said)).samples
            found = verdict_on(item, sound, decoder)
            n[item.language, item.kind] += 1
            right[item.language, item.kind] += found.verdict == truth
            if found.verdict != truth:
                margin = "" if found.margin is None else f" {found.margin:+.1f}"
                print(
                    f"{item.id} {voice.name}: {truth} “{said}”: {found.verdict} “{found.said}”{margin}",
                    flush=True,
                )
    for language, kind in sorted(n):
        print(f'    ("{language}", "{kind}"): ({right[language, kind]}, {n[language, kind]}),')
    for language in sorted({language for language, _ in n}):
        own = [key for key in n if key[0] == language]
        print(f"{language}: {sum(right[key] for key in own)} of {sum(n[key] for key in own)} right")


def verdict_on(item: ReadAloudItem, sound: NDArray[np.float32], decoder: ForcedDecoder) -> Judged:
    """What is made of one sound, as in a call."""
    sentences = tuple(item.text.replace(item.key, said) for said in (*item.readings, *item.wrong))
    padded = np.concatenate([PAD, sound, PAD])
    span = Span(start_s=0.5, end_s=0.5 + len(sound) / SAMPLE_RATE_HZ)
    forms = Forms(span=span, sentences=sentences)
    audio = to_speech_rate(padded, SAMPLE_RATE_HZ)
    (heard,) = hear_forms(audio, [forms], decoder=decoder, language=item.language)
    return judged(item, forms, heard)


def judged(item: ReadAloudItem, forms: Forms, heard: HeardForms) -> Judged:
    count = len(item.readings)
    return judge(
        list(zip(item.readings, heard.fits[:count], strict=True)),
        list(zip(item.wrong, heard.fits[count:], strict=True)),
        in_words=None if heard.in_words_fits is None else (heard.in_words, heard.in_words_fits),
        sentences=forms.sentences[:count],
    )


def _to_say(item: ReadAloudItem) -> Iterator[tuple[str, str]]:
    """One of those that may be said, and one that may not, drawn by the item's name."""
    draw = crc32(item.id.encode())
    yield item.readings[draw % len(item.readings)], "right"
    if item.wrong:
        yield item.wrong[draw % len(item.wrong)], "wrong"


if __name__ == "__main__":
    main()
