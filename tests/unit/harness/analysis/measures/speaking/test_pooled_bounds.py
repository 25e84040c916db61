"""Every word of what is told with a figure of sentences, which sentences are counted, and at which bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, ScoredCall
from harness.analysis.measures.pooling import NOT_MEASURED
from harness.analysis.measures.speaking import adaptation, code_switch, emotion
from harness.analysis.measures.speaking.adaptation import SPEECH_RATE
from harness.analysis.measures.speaking.code_switch import CODE_SWITCH, PAUSE
from harness.analysis.measures.speaking.delivered import OfSentences
from harness.analysis.measures.units import DB, MS, RATIO, SEMITONES, Unit
from harness.records.scores import CallScores, ProbeReading
from metrics.score import Status

NOT_FOUND: dict[str, Any] = {"reason": "it was not found"}
NOT_FOUND_TOLD = "1 sentence not counted: it was not found"
NOT_VOICED_TOLD = "1 sentence not counted: too little of it is voiced"


def calls(*readings: Mapping[str, Any]) -> list[ScoredCall]:
    """One sentence each."""
    plain = {"suite": "toy", "kind": "toy", "language": "en", "text": "a", "control": "c", "said": True}
    return [
        ScoredCall(
            scores=CallScores(
                call_id=f"c-{number}",
                readings=[ProbeReading.model_validate({**plain, "item": f"i-{number}", **one})],
            )
        )
        for number, one in enumerate(readings)
    ]


def stressed(value: float | None, **fields: Any) -> dict[str, Any]:
    delivery = NOT_FOUND if value is None else {"rate_adaptation": value}
    return {"key": "four", "delivery": delivery} | fields


def switched(*pauses_s: float, **delivery: Any) -> dict[str, Any]:
    seams = [{"at_s": 1.0, "pause_s": one, "fluent": one <= 0.15} for one in pauses_s]
    found = {"seams": seams, "understood": True} | delivery
    return {"key": "Paris", "key_language": "fr", "delivery": found}


def unfound(reason: str = "it was not found", **fields: Any) -> dict[str, Any]:
    return {"key": "Paris", "key_language": "fr", "delivery": {"reason": reason}} | fields


# ---- what a figure is called and needs


@pytest.mark.parametrize(
    ("measure", "unit", "better", "counted", "paper", "when_absent", "share"),
    [
        (
            SPEECH_RATE,
            RATIO,
            "higher",
            "sentence",
            "Table 16",
            "no call let the agent read the same sentence with stress and without: run --probes rate",
            False,
        ),
        (CODE_SWITCH, RATIO, "higher", "seam", "Table 16", code_switch.NOT_READ, True),
        (PAUSE, MS, "lower", "foreign word", "", code_switch.NOT_READ, False),
        (code_switch.LEVEL, DB, "lower", "foreign word", "", code_switch.NOT_READ, False),
        (emotion.F0_RANGE, SEMITONES, "higher", "sentence", "", emotion.NOT_READ, False),
        (emotion.LEVEL, DB, "higher", "sentence", "", emotion.NOT_READ, False),
        (emotion.RATE, RATIO, "higher", "sentence", "", emotion.NOT_READ, False),
    ],
)
def test_an_entry_of_the_catalogue(
    measure: Measure, unit: Unit, better: str, counted: str, paper: str, when_absent: str, share: bool
) -> None:
    entry = measure.entry
    assert (entry.unit, entry.better, entry.counted, entry.paper) == (unit, better, counted, paper)
    assert (entry.when_absent, entry.share, entry.needs) == (when_absent, share, (Need.READING,))
    assert measure.scores_calls is False


# ---- which sentences are counted, and what is told of the others


def test_only_a_key_of_the_sentence_s_own_language_is_stressed() -> None:
    score = SPEECH_RATE.pool(
        calls(*[stressed(1.5)] * 5, stressed(9.0, key=""), stressed(9.0, key_language="fr"))
    )
    assert (score.value, score.n, score.reason) == (1.5, 5, adaptation.OWN_ERROR)


@pytest.mark.parametrize(("n", "told"), [(1, "1 sentence"), (4, "4 sentences")])
def test_fewer_than_five_sentences_make_no_rate(n: int, told: str) -> None:
    score = SPEECH_RATE.pool(calls(*[stressed(1.5)] * n, stressed(None)))
    assert (score.value, score.status) == (None, Status.INDETERMINATE)
    few = f"{told} measured, and fewer than 5 make no figure"
    assert score.reason == f"{NOT_MEASURED}{few}; {adaptation.OWN_ERROR}; {NOT_FOUND_TOLD}"


def test_kinds_are_told_by_themselves_where_there_are_several() -> None:
    score = SPEECH_RATE.pool(
        calls(
            *(stressed(one, kind="card_number") for one in (1.25, 1.75)),
            *(stressed(one, kind="date") for one in (1.0, 1.0, 1.5)),
            stressed(None, kind="place"),
        )
    )
    assert score.value == pytest.approx(1.3)
    assert score.n == 5
    kinds = "card number 1.50 (2), date 1.17 (3)"
    assert score.reason == f"{kinds}; {adaptation.OWN_ERROR}; {NOT_FOUND_TOLD}"


def test_the_three_commonest_reasons_are_told_and_one_word_makes_a_pause() -> None:
    score = PAUSE.pool(
        calls(
            unfound("it was whispered"),
            *[unfound("it was cut")] * 2,
            *[unfound("it was lost")] * 3,
            unfound("it was sung"),
            switched(0.125, 0.25),
        )
    )
    assert (score.status, score.value, score.n) == (Status.MEASURED, 375.0, 1)
    assert score.reason == (
        "3 sentences not counted: it was lost; 2 sentences not counted: it was cut; "
        "1 sentence not counted: it was whispered"
    )


@pytest.mark.parametrize("measure", [PAUSE, CODE_SWITCH])
@pytest.mark.parametrize(
    ("said", "status"),
    [
        ((True,), Status.INDETERMINATE),
        ((False, True), Status.INDETERMINATE),
        ((False, None), Status.NOT_APPLICABLE),
    ],
)
def test_of_what_was_said_and_not_measured_nothing_is_known(
    measure: Measure, said: tuple[bool | None, ...], status: Status
) -> None:
    score = measure.pool(calls(*(unfound(said=one) for one in said)))
    assert (score.value, score.status) == (None, status)
    many = "1 sentence" if len(said) == 1 else "2 sentences"
    assert score.reason == f"{NOT_MEASURED}{many} not counted: it was not found"


def test_sentences_without_a_control_were_not_to_be_measured() -> None:
    bare = {"key": "four"}
    score = SPEECH_RATE.pool(calls(bare, bare, bare | {"control": ""}))
    why = "2 sentences with a control, and neither words nor sound were measured"
    assert (score.status, score.reason) == (Status.NOT_APPLICABLE, NOT_MEASURED + why)
    score = SPEECH_RATE.pool(calls(bare | {"control": ""}))
    assert score.reason == NOT_MEASURED + SPEECH_RATE.entry.when_absent


def test_foreign_words_that_nobody_listened_to_are_told_apart_from_none() -> None:
    why = "1 sentence with a control, and neither words nor sound were measured"
    for measure in (CODE_SWITCH, PAUSE):
        score = measure.pool(calls({"key": "Paris", "key_language": "fr"}))
        assert (score.status, score.reason) == (Status.NOT_APPLICABLE, NOT_MEASURED + why)
        assert measure.pool(calls({"key": "four"})).reason == NOT_MEASURED + code_switch.NOT_READ


SAME = "no interval: all sentences have the same value"


@pytest.mark.parametrize("n", [2, 3])
def test_what_is_all_the_same_has_no_interval(n: int) -> None:
    score = code_switch.LEVEL.pool(calls(*[switched(0.0, level_step_db=1.5)] * n))
    assert (score.value, score.n, score.interval_method) == (1.5, n, SAME)
    assert (score.ci_low, score.ci_high) == (None, None)


def test_two_values_make_an_interval_between_them() -> None:
    score = code_switch.LEVEL.pool(
        calls(*(switched(0.0, level_step_db=one) for one in (1.0, 1.0, 1.0, 3.0, 3.0, 3.0)))
    )
    assert score.value == 2.0
    assert score.ci_low is not None
    assert score.ci_high is not None
    assert 1.0 <= score.ci_low < 2.0 < score.ci_high <= 3.0
    assert score.interval_method != SAME


def test_of_one_sentence_nothing_is_the_same() -> None:
    score = code_switch.LEVEL.pool(calls(switched(0.0, level_step_db=1.5)))
    assert (score.value, score.n) == (1.5, 1)
    assert score.interval_method != SAME


def test_a_figure_has_the_version_of_its_measure() -> None:
    measure = OfSentences(
        code_switch.LEVEL.entry,
        wanted=lambda one: True,
        value=lambda one, delivery: delivery.level_step_db,
        version="17",
    )
    assert measure.pool(calls(switched(0.0, level_step_db=1.5))).version == "17"


# ---- words of another language


def test_what_is_told_of_seams() -> None:
    """A pause of 150 ms is none too many; a level that was not measured is in order."""
    score = CODE_SWITCH.share(calls(switched(0.15, 0.151)))
    told = "understood 1 of 1 phrases, paused at 1 of 2 seams, level off by more than 5 dB in 0 phrases"
    assert (score.value, score.n, score.version, score.reason) == (0.5, 2, "2", told)
    pooled = CODE_SWITCH.pool(calls(switched(0.15, 0.151)))
    assert (pooled.value, pooled.status) == (None, Status.INDETERMINATE)
    assert pooled.reason == f"{NOT_MEASURED}50% of 2 seams, but {code_switch.OWN_ERROR}; {told}"


def test_phrases_that_were_not_measured_are_in_no_count_of_seams() -> None:
    score = CODE_SWITCH.share(
        calls(
            switched(0.0, level_step_db=5.0),
            switched(0.0, understood=False, level_step_db=-5.1),
            switched(0.2, understood=None, level_step_db=5.1),
            unfound(),
            {"key": "four", "delivery": {"rate_adaptation": 1.0}},
        )
    )
    assert score.value == pytest.approx(2 / 3)
    assert score.n == 3
    assert score.reason == (
        "understood 1 of 3 phrases, paused at 1 of 3 seams, level off by more than 5 dB in 2 phrases; "
        + NOT_FOUND_TOLD
    )


@pytest.mark.parametrize(
    ("timbre_db", "told"),
    [((-1.5,), "-1.5"), ((3.0, 1.0), "+3.0"), ((9.0, 1.0, 2.0), "+2.0"), ((4.0, None, 4.5, 0.5), "+4.0")],
)
def test_timbre_is_told_by_its_median(timbre_db: tuple[float | None, ...], told: str) -> None:
    score = CODE_SWITCH.share(calls(*(switched(0.0, timbre_db=one) for one in timbre_db)))
    assert score.reason.endswith(f"in 0 phrases, timbre {told} dB from the control's (median)")


def test_a_level_counts_where_there_are_seams_louder_or_quieter() -> None:
    score = code_switch.LEVEL.pool(
        calls(
            switched(0.0, level_step_db=-4.0),
            switched(0.0, level_step_db=1.0),
            switched(level_step_db=9.0),
        )
    )
    assert (score.value, score.n, score.reason) == (2.5, 2, NOT_VOICED_TOLD)
    assert code_switch.LEVEL.pool(calls(switched(0.0))).status is Status.INDETERMINATE


# ---- proxies of emotion


@pytest.mark.parametrize(
    ("kind", "way"), [("sad_news", -1), ("apology", -1), ("good_news", 1), ("urgency", 1)]
)
def test_each_emotion_has_the_way_that_a_voice_is_expected_to_go(kind: str, way: int) -> None:
    delivery = {"f0_range_semitones": 2.0, "level_db": 6.0, "rate_ratio": 1.25}
    one = calls({"kind": kind, "delivery": delivery})
    assert emotion.F0_RANGE.pool(one).value == 2.0 * way
    assert emotion.LEVEL.pool(one).value == 6.0 * way
    assert emotion.RATE.pool(one).value == 0.25 * way


def test_a_voice_without_pitch_or_rate_still_has_a_level() -> None:
    one = calls({"kind": "urgency", "delivery": {"level_db": -3.0}})
    assert emotion.LEVEL.pool(one).value == -3.0
    for measure in (emotion.F0_RANGE, emotion.RATE):
        score = measure.pool(one)
        assert (score.status, score.reason) == (Status.INDETERMINATE, NOT_MEASURED + NOT_VOICED_TOLD)


def test_a_sentence_with_a_key_asks_for_no_emotion() -> None:
    one = calls({"kind": "sad_news", "key": "four", "delivery": {"level_db": 6.0}})
    score = emotion.LEVEL.pool(one)
    assert (score.status, score.reason) == (Status.NOT_APPLICABLE, NOT_MEASURED + emotion.NOT_READ)
