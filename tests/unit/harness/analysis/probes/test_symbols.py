"""From a sentence that was read aloud to the verdict on its symbol."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import ValidationError

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.probes.symbols import SYMBOLS
from harness.analysis.probes import reading_error
from harness.analysis.probes.symbols import _forms, with_verdicts
from harness.analysis.sound.spoken_forms import Forms, HeardForms
from harness.plans.probes.planted import ProbePlan
from harness.plans.probes.to_read import ToRead
from harness.records.scores import CallScores, ProbeReading
from metrics.recognition.forced_decoding import MOST_TEXTS
from metrics.score import Status

PLANNED = {
    "item": "price",
    "line": 0,
    "kind": "currency",
    "text": "It costs $4.99 now.",
    "key": "$4.99",
    "readings": ["four ninety nine", "four dollars ninety nine"],
    "wrong": ["dollar four"],
}
PROBE = ProbePlan.model_validate(
    {
        "suite": "symbols",
        "version": "1",
        "to_read": [PLANNED, {"item": "plain", "line": 1, "kind": "plain", "text": "Hello."}],
    }
)
MATERIAL = CallMaterial(call_id="one", utterances=[], language="en", probe=PROBE)


def _reading(item: str = "price", **fields: object) -> ProbeReading:
    plain: dict[str, object] = {
        "suite": "symbols",
        "item": item,
        "kind": "currency",
        "language": "en",
        "text": "It costs $4.99 now.",
        "said": True,
        "start_s": 3.0,
        "end_s": 5.0,
        "is_symbol": item == "price",
    }
    return ProbeReading.model_validate(plain | fields)


def _verdicts(
    readings: Sequence[ProbeReading], heard: HeardForms | None
) -> tuple[list[ProbeReading], list[Forms]]:
    asked: list[Forms] = []

    def hear(forms: Sequence[Forms], language: str) -> list[HeardForms] | None:
        assert language == "en"
        asked.extend(forms)
        return None if heard is None else [heard for _ in forms]

    return with_verdicts(MATERIAL, readings, hear=hear, why_not=lambda: "no Whisper"), asked


def test_every_way_to_say_it_is_listened_for() -> None:
    (found, plain), asked = _verdicts(
        [_reading(), _reading("plain")],
        HeardForms(fits=(-30.0, -5.0, -9.0), in_words="x", in_words_fits=-5.0),
    )
    assert [one.sentences for one in asked] == [
        (
            "It costs four ninety nine now.",
            "It costs four dollars ninety nine now.",
            "It costs dollar four now.",
        )
    ]
    assert (found.verdict, found.spoken_as, found.margin) == ("right", "four dollars ninety nine", 4.0)
    assert plain.verdict == ""


def test_wrong_and_indeterminate() -> None:
    (wrong,), _ = _verdicts([_reading()], HeardForms(fits=(-30.0, -25.0, -9.0)))
    assert (wrong.verdict, wrong.spoken_as, wrong.margin) == ("wrong", "dollar four", -16.0)
    (unclear,), _ = _verdicts([_reading()], HeardForms(fits=(-30.0, -10.0, -9.0)))
    assert unclear.verdict == "indeterminate"


def test_what_was_not_said_or_could_not_be_heard_has_no_verdict() -> None:
    readings = [_reading(said=False, reason="it said nothing")]
    found, asked = _verdicts(readings, HeardForms(fits=(0.0, 0.0, 0.0)))
    assert (found, asked) == (readings, [])
    (left,), _ = _verdicts([_reading()], None)
    assert (left.verdict, left.reason) == ("", "no Whisper")
    (long,), _ = _verdicts([_reading()], HeardForms(reason="40.0 s of sound; 28 at most"))
    assert (long.verdict, long.reason) == ("", "40.0 s of sound; 28 at most")


def test_the_rate_is_of_those_that_were_decided() -> None:
    kind, language = next(
        (kind, language)
        for language, kind in reading_error.MEASURED
        if reading_error.verdicts_are_right(kind, language)
    )
    own = [
        _reading(kind=kind, language=language, verdict=one) for one in ("right", "right", "right", "wrong")
    ]
    score = SYMBOLS.pool(
        [
            ScoredCall(
                scores=CallScores(
                    call_id="one",
                    readings=[
                        *own,
                        _reading(kind=kind, language=language, verdict="indeterminate", margin=-1.9),
                        _reading(kind=kind, language=language, verdict="indeterminate", margin=-2.0),
                        _reading(kind=kind, language=language, verdict="indeterminate"),
                        _reading(kind=kind, language=language, said=False, reason="it said nothing"),
                        _reading("plain", kind=kind, language=language, verdict="wrong"),
                    ],
                )
            )
        ]
    )
    assert (score.status, score.value, score.n) == (Status.MEASURED, 0.25, 4)
    assert "1 of 4" in score.reason
    assert "1 not counted: it said nothing" in score.reason
    assert "1 not counted: two ways to read it fit about as well" in score.reason
    assert "1 not counted: it was heard in no way that the suite knows" in score.reason
    assert "1 not counted: no wrong way to read it is known, and it was heard in no right one" in score.reason


def test_a_class_on_which_our_verdict_is_not_known_to_be_right_makes_no_figure() -> None:
    score = SYMBOLS.pool(
        [ScoredCall(scores=CallScores(call_id="one", readings=[_reading(kind="runes", verdict="wrong")]))]
    )
    assert (score.status, score.value) == (Status.INDETERMINATE, None)
    assert "runes (en) indeterminate: 1 of 1 sounded wrong" in score.reason


def test_a_symbol_with_all_the_readings_that_it_may_have_can_be_asked_about() -> None:
    """And with what the recogniser writes by itself, which is asked about with them."""
    readings, wrong = ([f"{word} {number}" for number in range(30)] for word in ("right", "wrong"))
    planned = ToRead.model_validate(PLANNED | {"readings": readings, "wrong": wrong})
    assert len(_forms(_reading(), planned).sentences) + 1 <= MOST_TEXTS
    for field in ("readings", "wrong"):
        with pytest.raises(ValidationError, match="at most 30"):
            ToRead.model_validate(PLANNED | {field: [*readings, "one more"]})
