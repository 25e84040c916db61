"""Words that are looked for in the sound: against which others, how far each, and each seam by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.probes.switched import heard_again
from harness.analysis.sound.spoken_forms import Forms, HeardForms
from harness.records.scores import ProbeReading, ReadingDelivery
from metrics.spans import Span

SAID = HeardForms(fits=(-10.0, -20.0, -15.0), in_words="quassam", in_words_fits=-9.0)


def reading(item: str, key: str, **fields: Any) -> ProbeReading:
    made = {"suite": "toy", "kind": "toy", "language": "en", "said": True, "start_s": 3.0, "end_s": 5.0}
    made |= {"item": item, "text": f"take a {key} with it", "key": key}
    return ProbeReading.model_validate(made | fields)


NATIVE = reading("native", "sandwich")


def switched(item: str, key: str, *, pauses_s: Sequence[float] = (0.0, 0.0), **fields: Any) -> ProbeReading:
    seams = [{"at_s": 3.5 + at, "pause_s": one, "fluent": False} for at, one in enumerate(pauses_s)]
    delivery = {"seams": seams, "understood": True, "level_step_db": 0.0, "timbre_db": 1.5} | fields
    return reading(item, key, key_language="fr", control="native", delivery=delivery)


class Ear:
    def __init__(self, answer: HeardForms = SAID) -> None:
        self._answer = answer
        self.asked: list[Forms] = []

    def __call__(self, forms: Sequence[Forms], language: str) -> list[HeardForms] | None:
        self.asked += forms
        return [self._answer for _ in forms]


def again(ear: Ear, *readings: ProbeReading) -> list[ProbeReading]:
    return heard_again(readings, language="en", hear=ear, why_not=lambda: "no Whisper")


def delivery(found: ProbeReading) -> ReadingDelivery:
    assert found.delivery is not None
    return found.delivery


def fluent(found: ProbeReading) -> list[bool]:
    return [one.fluent for one in delivery(found).seams]


# ---- which words it is held against


def test_61_texts_are_asked_about_with_what_is_written_so_that_58_other_words_are_tried() -> None:
    others = [f"word{number}" for number in range(60)]
    ear = Ear()
    again(
        ear,
        NATIVE,
        switched("doubtful", "croissant", understood=False),
        *(switched(one, one) for one in others),
    )
    (asked,) = ear.asked
    words = ("croissant", "sandwich", *others[:58])
    assert asked.sentences == tuple(f"take a {one} with it" for one in words)


def test_words_of_the_sentence_s_own_language_are_not_tried_and_each_other_once() -> None:
    ear = Ear()
    again(
        ear,
        NATIVE,
        reading("plain", "four"),
        switched("a", "siesta"),
        switched("doubtful", "croissant", understood=False),
        switched("b", "siesta"),
    )
    words = ("croissant", "sandwich", "siesta")
    sentences = tuple(f"take a {one} with it" for one in words)
    assert ear.asked == [Forms(span=Span(start_s=3.0, end_s=5.0), sentences=sentences)]


@pytest.mark.parametrize(
    ("fits", "told"),
    [
        ((-10.0, -12.0, -12.0), True),
        ((-10.0, -11.9, -30.0), False),
        ((-10.0, -30.0, -11.9), False),
        ((-14.5, -30.0, -30.0), True),
        ((-14.6, -30.0, -30.0), False),
    ],
)
def test_every_other_word_is_behind_by_two_and_what_was_written_not_far_ahead(
    fits: tuple[float, ...], told: bool
) -> None:
    ear = Ear(HeardForms(fits=fits, in_words="x", in_words_fits=-10.0))
    _, found = again(ear, NATIVE, switched("one", "croissant", understood=False))
    assert delivery(found).understood is told
    assert fluent(found) == [told, told]


def test_where_the_recogniser_wrote_nothing_the_word_was_not_understood() -> None:
    ear = Ear(HeardForms(fits=(-10.0, -20.0)))
    _, found = again(ear, NATIVE, switched("one", "croissant", understood=None))
    assert delivery(found).understood is False


# ---- what is told


def test_each_seam_is_judged_by_its_own_pause() -> None:
    _, one, other = again(
        Ear(),
        NATIVE,
        switched("one", "croissant", pauses_s=(0.2, 0.1)),
        switched("other", "siesta", pauses_s=(0.15, 0.151)),
    )
    assert (fluent(one), fluent(other)) == ([False, True], [True, False])


@pytest.mark.parametrize(
    ("step_db", "told"), [(None, True), (5.0, True), (5.1, False), (-5.0, True), (-5.1, False)]
)
def test_a_level_that_steps_takes_both_seams(step_db: float | None, told: bool) -> None:
    _, found = again(Ear(), NATIVE, switched("one", "croissant", level_step_db=step_db))
    assert fluent(found) == [told, told]


def test_only_what_is_judged_changes() -> None:
    given = switched("one", "croissant", understood=False, pauses_s=(0.05,), phrase_heard="quassam")
    native, found = again(Ear(), NATIVE, given)
    assert native == NATIVE
    expected = switched("one", "croissant", understood=True, pauses_s=(0.05,), phrase_heard="quassam")
    (seam,) = delivery(expected).seams
    seams = (seam.model_copy(update={"fluent": True}),)
    assert found == expected.model_copy(
        update={"delivery": delivery(expected).model_copy(update={"seams": seams})}
    )
