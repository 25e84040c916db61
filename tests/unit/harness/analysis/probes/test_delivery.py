"""How sentences were said, in sound of which it is known: made voices laid into a call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.analysis.probes.delivery import delivered
from harness.analysis.sound.spoken_forms import HeardForms
from harness.plans.probes.to_read import ToRead
from harness.records.call import SAMPLE_RATE_HZ
from harness.records.scores import ProbeReading, ReadingDelivery, TranscriptLine
from tests.unit.metrics.synthesis.prosody.made_voice import RATE, span_of, spoken

FACTOR = SAMPLE_RATE_HZ // RATE
Parts = list[tuple[str, float]]


class Call:
    """Sentences one after the other, each three seconds of nothing after the one before."""

    def __init__(self) -> None:
        self.readings: list[ProbeReading] = []
        self.told: list[ToRead] = []
        self.lines: list[TranscriptLine] = []
        self._sound: list[NDArray[np.float32]] = []
        self._now_s = 0.0

    def read(self, parts: Parts, words: tuple[str, str, str], *, gain: float = 1.0, **of_item: Any) -> None:
        """``parts``: an introduction, head, key and tail as sounds; ``words``: the last three as words."""
        said = np.repeat(spoken(parts) * np.float32(gain), FACTOR)
        self._sound += [np.zeros(3 * SAMPLE_RATE_HZ, np.float32), said]
        start_s = self._now_s + 3.0
        self._now_s = start_s + len(said) / SAMPLE_RATE_HZ
        item = f"item-{len(self.readings)}"
        fields = {"item": item, "kind": "toy", "text": " ".join(words)} | of_item
        self.told.append(ToRead(line=len(self.told), **fields))
        plain = {"suite": "toy", "language": "en", "said": True, "start_s": start_s, "end_s": self._now_s}
        known = {name: value for name, value in fields.items() if name not in ("readings", "heard_key")}
        self.readings.append(ProbeReading.model_validate(plain | known))
        heard = []
        for number, phrase in enumerate(words, start=1):
            begin, end = span_of(parts, number)
            pieces = phrase.split()
            each = (end - begin) / max(len(pieces), 1)
            heard += [
                {
                    "word": one,
                    "start_s": start_s + begin + at * each,
                    "end_s": start_s + begin + (at + 1) * each,
                }
                for at, one in enumerate(pieces)
            ]
        self.lines.append(
            TranscriptLine.model_validate(
                {
                    "side": "agent",
                    "source": "whisper",
                    "start_s": start_s,
                    "end_s": self._now_s,
                    "text": " ".join(words),
                    "words": heard,
                }
            )
        )

    def deliveries(self, *heard: HeardForms) -> list[ReadingDelivery | None]:
        """``heard``: of the words of another language whose letters are not in the transcript."""
        sound = np.concatenate(self._sound)
        found = delivered(
            self.readings,
            self.told,
            lines=self.lines,
            sound=lambda: sound,
            language="en",
            hear=lambda forms, language: list(heard),
            why_not=str,
        )
        return [one.delivery for one in found]


WORDS = ("please keep in mind", "four seven two", "and use it today")


def sentence(intro: str, key: float = 1.0, rest: float = 1.0) -> Parts:
    return [(intro, 1.0), ("pleasekepinmd", rest), ("fousvtwni", key), ("andyucaitody", rest)]


def test_a_key_that_is_slowed_down_for_is_found_by_the_words_around_it() -> None:
    call = Call()
    call.read(sentence("zqxwvgjkbh"), WORDS, key="four seven two")
    call.read(sentence("mcrqgzjxup", key=1.25), WORDS, key="four seven two", control="item-0")
    control, stressed = call.deliveries()
    assert control is None
    assert stressed is not None
    assert stressed.rate_adaptation == pytest.approx(1.25, rel=0.05)
    assert stressed.seams == ()


@pytest.mark.parametrize(("gain", "fluent"), [(1.0, True), (2.0, False)])
def test_a_phrase_that_is_louder_is_not_fluent(gain: float, fluent: bool) -> None:
    words = ("your plane goes to", "marseille airport", "in about two hours")
    native = ("your plane goes to", "manchester airport", "in about two hours")
    call = Call()
    call.read(sentence("zq"), native, key="manchester airport")
    call.read(sentence("zq"), words, key="marseille airport", key_language="fr", control="item-0")
    _, plain = call.deliveries()
    assert plain is not None
    start, end = span_of(sentence("zq"), 2)
    first = sum(map(len, call._sound[:3]))
    call._sound[3][round(start * SAMPLE_RATE_HZ) : round(end * SAMPLE_RATE_HZ)] *= np.float32(gain)
    _, switched = call.deliveries()
    assert switched is not None
    assert (switched.understood, switched.phrase_heard) == (True, "marseille airport")
    assert [one.fluent for one in switched.seams] == [fluent, fluent]
    assert switched.seams[0].at_s == pytest.approx(first / SAMPLE_RATE_HZ + start, abs=0.01)
    assert switched.level_step_db == pytest.approx(20 * np.log10(gain), abs=0.8)


def test_a_phrase_that_was_swapped_for_the_native_one_is_not_understood() -> None:
    call = Call()
    native = ("your plane goes to", "manchester airport", "in about two hours")
    call.read(sentence("zq"), native, key="manchester airport")
    text = "your plane goes to Tarragona in about two hours"
    call.read(sentence("zq"), native, key="Tarragona", key_language="es", control="item-0", text=text)
    heard = HeardForms(fits=(-30.0, -1.0), in_words="whatever", in_words_fits=-1.0)
    _, switched = call.deliveries(heard)
    assert switched is not None
    assert switched.understood is False
    assert not any(one.fluent for one in switched.seams)


def test_without_a_key_the_whole_sentence_is_compared() -> None:
    call = Call()
    call.read(sentence("zqxwvgjkbh"), WORDS, kind="sad_news")
    call.read(sentence("mcrqgzjxup"), WORDS, kind="sad_news", control="item-0", gain=2.0)
    _, shouted = call.deliveries()
    assert shouted is not None
    assert shouted.level_db == pytest.approx(6.0, abs=0.8)
    assert shouted.rate_ratio == pytest.approx(1.0, abs=0.03)
    assert (shouted.rate_adaptation, shouted.understood) == (None, None)


def test_what_was_not_said_or_lost_is_told_and_not_measured() -> None:
    call = Call()
    call.read(sentence("zq"), WORDS, key="four seven two")
    call.read(sentence("mc"), WORDS, key="four seven two", control="item-0")
    told = {"said": False, "reason": "it said something else"}
    call.readings[0] = call.readings[0].model_copy(update=told)
    _, found = call.deliveries()
    assert found == ReadingDelivery(reason="its control was not said: it said something else")
    call.readings[0] = call.readings[0].model_copy(update={"said": True, "reason": "audio was lost"})
    _, found = call.deliveries()
    assert found == ReadingDelivery(reason="its control is not whole: audio was lost")


def test_without_a_transcript_the_key_is_not_found_and_no_figure_is_made() -> None:
    call = Call()
    call.read(sentence("zq"), WORDS, key="four seven two")
    call.read(sentence("mc"), WORDS, key="four seven two", control="item-0")
    call.lines.clear()
    _, found = call.deliveries()
    assert found is not None
    assert found.rate_adaptation is None
    assert "not found" in found.reason


def test_a_sentence_whose_readings_are_judged_is_left_to_others() -> None:
    call = Call()
    call.read(sentence("zq"), WORDS, key="four seven two")
    call.read(sentence("mc"), WORDS, key="four seven two", control="item-0", readings=("four seven two",))
    assert call.deliveries() == [None, None]
