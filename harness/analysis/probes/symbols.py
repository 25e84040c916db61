"""How the symbols of sentences that the agent read aloud were said: right, wrong, or not to be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.sound.spoken_forms import Forms, HeardForms
from harness.plans.probes.to_read import ToRead
from harness.records.scores import ProbeReading
from metrics.spans import Span
from metrics.synthesis.symbols.verdict import judge

Hear = Callable[[Sequence[Forms], str], list[HeardForms] | None]
"""Listens to sentences in a language; None: there is no recogniser, or it was left out."""


def with_verdicts(
    material: CallMaterial, readings: Sequence[ProbeReading], *, hear: Hear, why_not: Callable[[], str]
) -> list[ProbeReading]:
    """The readings, those whose symbol can be judged with what became of it.

    Args:
        why_not: Why ``hear`` gave None.
    """
    planned = {} if material.probe is None else {one.item: one for one in material.probe.to_read}
    judged = [one for one in readings if one.is_symbol and _can_be_heard(one)]
    if not judged:
        return list(readings)
    forms = [_forms(one, planned[one.item]) for one in judged]
    heard = hear(forms, material.language)
    if heard is None:
        reason = why_not()
        found = {one.item: one.model_copy(update={"reason": reason}) for one in judged}
    else:
        found = {
            one.item: _judged(one, planned[one.item], form, what)
            for one, form, what in zip(judged, forms, heard, strict=True)
        }
    return [found.get(one.item, one) for one in readings]


def _can_be_heard(one: ProbeReading) -> bool:
    return bool(one.said) and not one.reason and one.start_s is not None and one.end_s is not None


def _forms(one: ProbeReading, planned: ToRead) -> Forms:
    assert one.start_s is not None
    assert one.end_s is not None
    return Forms(
        span=Span(start_s=one.start_s, end_s=one.end_s),
        sentences=tuple(
            planned.text.replace(planned.key, said) for said in (*planned.readings, *planned.wrong)
        ),
    )


def _judged(one: ProbeReading, planned: ToRead, forms: Forms, heard: HeardForms) -> ProbeReading:
    if heard.reason:
        return one.model_copy(update={"reason": heard.reason})
    n = len(planned.readings)
    found = judge(
        list(zip(planned.readings, heard.fits[:n], strict=True)),
        list(zip(planned.wrong, heard.fits[n:], strict=True)),
        in_words=None if heard.in_words_fits is None else (heard.in_words, heard.in_words_fits),
        sentences=forms.sentences[:n],
    )
    told: Mapping[str, object] = {
        "verdict": found.verdict,
        "spoken_as": found.said[:300],
        "margin": None if found.margin is None else round(found.margin, 2),
    }
    return one.model_copy(update=dict(told))
