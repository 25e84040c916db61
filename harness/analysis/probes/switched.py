"""Whether a word of another language was understood, and whether its seams are fluent.

What a recogniser writes for a foreign word is often not its spelling ("quassam"). A word whose letters are
not in our transcript is looked for in the sound itself: how well the sentence fits with the word in it,
against the native word in its place, the words of the call's other sentences, and what the recogniser writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.analysis.probes.symbols import Hear
from harness.analysis.sound.spoken_forms import Forms, HeardForms
from harness.records.scores import ProbeReading, ReadingDelivery
from metrics.recognition.forced_decoding import MOST_TEXTS
from metrics.recognition.switched_word import fits
from metrics.spans import Span
from metrics.synthesis.prosody.bounds import LARGEST_STEP_DB, LONGEST_PAUSE_S, STEP_ERROR_DB

MOST_OTHERS = MOST_TEXTS - 3
"""The word, the native one and what the recogniser writes come to them."""


def heard_again(
    readings: Sequence[ProbeReading], *, language: str, hear: Hear, why_not: Callable[[], str]
) -> list[ProbeReading]:
    """The readings, those with a word of another language each with whether its seams are fluent.

    Args:
        readings: With what is measured of their delivery; ``understood`` is by the letters of the transcript.
        language: Of the sentences around the words.
        why_not: Why ``hear`` gave None.
    """
    by_item = {one.item: one for one in readings}
    doubtful = [
        (one, one.delivery)
        for one in readings
        if one.delivery is not None and one.delivery.seams and not one.delivery.understood
    ]
    found: dict[str, ReadingDelivery] = {}
    if doubtful:
        keys = tuple(dict.fromkeys(one.key for one in readings if one.key_language))
        heard = hear([_forms(one, by_item[one.control].key, keys) for one, _ in doubtful], language)
        if heard is None:
            reason = f"nobody can tell whether the phrase was understood: {why_not()}"
            found = {one.item: ReadingDelivery(reason=reason) for one, _ in doubtful}
        else:
            found = {
                one.item: _looked_for(delivery, what)
                for (one, delivery), what in zip(doubtful, heard, strict=True)
            }
    return [_with_seams(one, found) for one in readings]


def _forms(one: ProbeReading, native: str, keys: Sequence[str]) -> Forms:
    assert one.start_s is not None
    assert one.end_s is not None
    before, key, after = one.text.partition(one.key)
    others = [other for other in keys if other not in (key, native)][:MOST_OTHERS]
    return Forms(
        span=Span(start_s=one.start_s, end_s=one.end_s),
        sentences=tuple(before + word + after for word in (key, native, *others)),
    )


def _looked_for(delivery: ReadingDelivery, heard: HeardForms) -> ReadingDelivery:
    if heard.reason:
        return ReadingDelivery(reason=heard.reason)
    right = fits(heard.fits[0], others=heard.fits[1:], written=heard.in_words_fits)
    return delivery.model_copy(update={"understood": right})


def _with_seams(one: ProbeReading, found: Mapping[str, ReadingDelivery]) -> ProbeReading:
    delivery = found.get(one.item, one.delivery)
    if delivery is None:
        return one
    step_db = delivery.level_step_db
    level_keeps = step_db is None or abs(step_db) <= LARGEST_STEP_DB + STEP_ERROR_DB
    keeps = bool(delivery.understood) and level_keeps
    seams = tuple(
        seam.model_copy(update={"fluent": keeps and seam.pause_s <= LONGEST_PAUSE_S})
        for seam in delivery.seams
    )
    return one.model_copy(update={"delivery": delivery.model_copy(update={"seams": seams})})
