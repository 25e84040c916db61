"""How often our own recogniser has an entity right that is read back: ``python -m bench.read_backs``.

Every entity of the suite ``entities`` is read back in sentences as agents say them, by a voice of ours, in
quiet, and heard by Whisper base. Prints the table of ``harness/analysis/probes/own_error.py``, and
what was heard in place of those that it had wrong.
"""

from __future__ import annotations

from collections import Counter
from typing import cast

import numpy as np

from harness.analysis.instruments import Instruments
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.spoken import SpokenItem, SpokenSuite
from harness.records.call import SAMPLE_RATE_HZ
from metrics.recognition.proper_nouns import find_entity
from metrics.resample import to_speech_rate
from metrics.spans import Span
from spoken_language.entity_kinds import EntityKind

FRAMES = {
    "en": ("You said {}, is that right?", "Okay, I have {}. Thank you."),
    "zh": ("您说的是{}，对吗？", "好的，我记下了，是{}。", "我跟您确认一下，{}，没错吧？"),
}
VOICES = {"en": VoicePlan(engine="piper", name="joe"), "zh": VoicePlan(engine="kokoro", name="jf_nezumi")}
CHINESE_DIGITS = "零一二三四五六七八九"
PAD = np.zeros(SAMPLE_RATE_HZ // 2, np.float32)


def main() -> None:
    suite = load_suite("entities")
    assert isinstance(suite, SpokenSuite)
    maker, whisper = ClipMaker(), Instruments().whisper
    assert whisper is not None, "needs whisper"
    right: Counter[tuple[str, str]] = Counter()
    n: Counter[tuple[str, str]] = Counter()
    for item in suite.items:
        for frame in FRAMES[item.language]:
            text = frame.format(spoken(item))
            said = np.concatenate([PAD, maker.speak(VOICES[item.language], text).samples, PAD])
            span = Span(start_s=0.0, end_s=len(said) / SAMPLE_RATE_HZ)
            told = whisper.transcribe(to_speech_rate(said, SAMPLE_RATE_HZ), item.language, spans=[span])
            heard = ("" if item.language == "zh" else " ").join(word.word.strip() for word in told.words)
            kind = cast(EntityKind, item.kind)
            found = find_entity(item.entity, heard, kind=kind, language=item.language)
            n[item.language, item.kind] += 1
            right[item.language, item.kind] += found.right
            if not found.right:
                print(f"{item.id}: {text} -> {heard}", flush=True)
    for language, kind in n:
        print(f'    ("{language}", "{kind}"): ({right[language, kind]}, {n[language, kind]}),')


def spoken(item: SpokenItem) -> str:
    """An entity as somebody says it who reads it back."""
    entity = item.entity
    if item.kind in ("code", "digits"):
        if item.language == "zh":
            return "".join(CHINESE_DIGITS[int(sign)] if sign.isdigit() else sign for sign in entity)
        return " ".join(entity)
    if item.kind == "amount" and item.language == "en":
        whole, _, cents = entity.removeprefix("$").replace(",", "").partition(".")
        return f"{whole} dollars" + (f" and {int(cents)} cents" if cents else "")
    return entity.replace("@", " at ").replace(".", " dot ") if "@" in entity else entity


if __name__ == "__main__":
    main()
