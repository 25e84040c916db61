"""Words of another language that are looked for in the sound, and seams of which all is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.probes.switched import heard_again
from harness.analysis.sound.spoken_forms import Forms, HeardForms
from harness.records.scores import ProbeReading, ReadingDelivery
from metrics.spans import Span

SAID = HeardForms(fits=(-10.0, -20.0, -15.0), in_words="take a quassam with it", in_words_fits=-9.0)
NATIVE = HeardForms(fits=(-20.0, -10.0, -30.0), in_words="take a sandwich with it", in_words_fits=-10.0)


def reading(item: str, key: str, **fields: Any) -> ProbeReading:
    plain = {"suite": "toy", "kind": "toy", "language": "en", "said": True, "start_s": 3.0, "end_s": 5.0}
    text = f"take a {key} with it"
    return ProbeReading.model_validate(plain | {"item": item, "text": text, "key": key} | fields)


def switched(item: str, key: str, pause_s: float = 0.0, **delivery: Any) -> ProbeReading:
    seams = [{"at_s": at_s, "pause_s": pause_s, "fluent": False} for at_s in (3.5, 4.0)]
    found = {"seams": seams, "understood": False, "level_step_db": 0.0, "phrase_heard": "quassam"} | delivery
    return reading(item, key, key_language="fr", control="native", delivery=found)


class Ear:
    """Gives the same answer to all, and remembers what it was asked."""

    def __init__(self, answer: HeardForms | None) -> None:
        self._answer = answer
        self.asked: list[Forms] = []
        self.language = ""

    def __call__(self, forms: Sequence[Forms], language: str) -> list[HeardForms] | None:
        self.asked += forms
        self.language = language
        return None if self._answer is None else [self._answer for _ in forms]


def again(ear: Ear, *readings: ProbeReading) -> list[ReadingDelivery | None]:
    found = heard_again(
        [reading("native", "sandwich"), *readings], language="en", hear=ear, why_not=lambda: "no Whisper"
    )
    return [one.delivery for one in found][1:]


def fluent(found: ReadingDelivery | None) -> list[bool]:
    assert found is not None
    return [one.fluent for one in found.seams]


def test_a_word_that_the_recogniser_cannot_spell_is_understood_by_its_sound() -> None:
    ear = Ear(SAID)
    (found,) = again(ear, switched("one", "croissant"))
    assert found is not None
    assert (found.understood, found.phrase_heard) == (True, "quassam")
    assert fluent(found) == [True, True]


def test_it_is_held_against_the_native_word_and_those_of_the_other_sentences() -> None:
    ear = Ear(SAID)
    again(ear, switched("one", "croissant"), switched("two", "siesta", understood=True))
    assert ear.language == "en"
    sentences = ("take a croissant with it", "take a sandwich with it", "take a siesta with it")
    assert ear.asked == [Forms(span=Span(start_s=3.0, end_s=5.0), sentences=sentences)]


def test_a_native_word_in_its_place_is_not_understood() -> None:
    (found,) = again(Ear(NATIVE), switched("one", "croissant"))
    assert found is not None
    assert found.understood is False
    assert fluent(found) == [False, False]


def test_what_the_transcript_spells_is_not_listened_to_again() -> None:
    ear = Ear(NATIVE)
    (found,) = again(ear, switched("one", "croissant", understood=True))
    assert not ear.asked
    assert fluent(found) == [True, True]


@pytest.mark.parametrize(
    ("step_db", "pause_s", "told"),
    [(5.0, 0.15, True), (-5.0, 0.0, True), (5.01, 0.0, False), (-5.01, 0.0, False), (0.0, 0.151, False)],
)
def test_a_seam_is_fluent_up_to_150_ms_and_3_db_beyond_our_own_error(
    step_db: float, pause_s: float, told: bool
) -> None:
    (found,) = again(Ear(SAID), switched("one", "croissant", pause_s, level_step_db=step_db))
    assert fluent(found) == [told, told]


def test_without_a_recogniser_there_is_no_verdict() -> None:
    one, other = again(Ear(None), switched("one", "croissant"), switched("two", "siesta", understood=True))
    assert one == ReadingDelivery(reason="nobody can tell whether the phrase was understood: no Whisper")
    assert fluent(other) == [True, True]


def test_a_sound_that_cannot_be_asked_about_has_its_reason() -> None:
    (found,) = again(Ear(HeardForms(reason="30 s of sound")), switched("one", "croissant"))
    assert found == ReadingDelivery(reason="30 s of sound")


def test_what_was_not_measured_stays_as_it_is() -> None:
    ear = Ear(SAID)
    plain = reading("one", "four", delivery={"rate_adaptation": 1.1})
    missed = switched("two", "siesta", seams=[], understood=None).model_copy(
        update={"delivery": ReadingDelivery(reason="its key was not found")}
    )
    assert again(ear, plain, missed) == [plain.delivery, missed.delivery]
    assert not ear.asked
