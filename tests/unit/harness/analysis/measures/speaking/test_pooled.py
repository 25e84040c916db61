"""Figures of sentences by hand: counted, left out with the reason, and never from what was not measured."""

from __future__ import annotations

from typing import Any

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.speaking.code_switch import CODE_SWITCH
from harness.analysis.measures.table import measures
from harness.records.scores import CallScores, ProbeReading
from metrics.score import Score, Status
from tests.report.make_run import scores_of
from tests.report.sample_calls import plain_call


def pooled(name: str, *readings: dict[str, Any]) -> Score:
    """The figure of calls with one sentence each."""
    return next(one for one in measures() if one.entry.name == name).pool(calls_with(*readings))


def calls_with(*readings: dict[str, Any]) -> list[ScoredCall]:
    plain = {"suite": "toy", "kind": "toy", "language": "en", "text": "a", "control": "c", "said": True}
    calls = []
    for number, one in enumerate(readings):
        reading = ProbeReading.model_validate(plain | {"item": f"i-{number}"} | one)
        scores: CallScores = scores_of(plain_call())
        calls.append(
            ScoredCall(scores=scores.model_copy(update={"call_id": f"c-{number}", "readings": [reading]}))
        )
    return calls


def test_adaptation_is_the_mean_over_sentences_and_tells_what_it_left_out() -> None:
    score = pooled(
        "speech_rate_adaptation",
        *({"key": "four", "delivery": {"rate_adaptation": 1.0}} for _ in range(3)),
        *({"key": "four", "delivery": {"rate_adaptation": 1.3}} for _ in range(3)),
        {"key": "four", "said": False, "delivery": {"reason": "it was not said: it said nothing"}},
        {"key": "Paris", "key_language": "fr", "delivery": {"reason": "of another figure"}},
    )
    assert (score.n, score.status) == (6, Status.MEASURED)
    assert score.value == pytest.approx(1.15)
    assert "1 sentence not counted: it was not said" in score.reason
    assert "of another figure" not in score.reason
    assert "our own error" in score.reason


def test_a_few_sentences_make_no_rate() -> None:
    one = {"key": "four", "delivery": {"rate_adaptation": 1.3}}
    assert pooled("speech_rate_adaptation", *[one] * 5).status is Status.MEASURED
    score = pooled("speech_rate_adaptation", *[one] * 4)
    assert (score.value, score.status) == (None, Status.INDETERMINATE)
    assert "4 sentences measured" in score.reason


def test_sentences_that_were_read_and_not_measured_make_no_figure() -> None:
    one = {"key": "four", "delivery": {"reason": "its key was not found"}}
    score = pooled("speech_rate_adaptation", one)
    assert (score.value, score.status) == (None, Status.INDETERMINATE)
    score = pooled("speech_rate_adaptation", one | {"said": False})
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)


def test_what_nobody_listened_to_is_told_apart_from_what_was_not_asked_for() -> None:
    score = pooled("speech_rate_adaptation", {"key": "four"})
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)
    assert "neither words nor sound were measured" in score.reason
    score = pooled("code_switch_fluency", {"key": "four"})
    assert "run --probes code_switch" in score.reason


def test_fluency_is_the_share_of_seams() -> None:
    def switched(*fluent: bool, **more: Any) -> dict[str, Any]:
        seams = [{"at_s": 1.0, "pause_s": 0.0 if one else 0.3, "fluent": one} for one in fluent]
        found = {"seams": seams, "understood": True, "level_step_db": 0.0, "timbre_db": 1.0} | more
        return {"key": "Paris", "key_language": "fr", "delivery": found}

    seams = switched(True, True), switched(True, False), switched(True)
    score = CODE_SWITCH.share(calls_with(*seams))
    assert (score.value, score.n) == (0.8, 5)
    assert "paused at 1 of 5 seams" in score.reason
    assert "timbre +1.0 dB" in score.reason
    told = pooled("code_switch_fluency", *seams)
    assert (told.value, told.status) == (None, Status.INDETERMINATE)
    assert "80% of 5 seams" in told.reason
    assert "40 of 66 fluent seams" in told.reason
    missed = switched(False, False, understood=False, level_step_db=-5.1)
    other = CODE_SWITCH.share(calls_with(missed, switched(False, level_step_db=5.0)))
    assert other.value == 0.0
    assert "understood 1 of 2 phrases" in other.reason
    assert "more than 5 dB in 1 phrases" in other.reason


def test_pause_and_level_at_foreign_words_stand_by_themselves() -> None:
    def switched(*pauses_s: float, **more: Any) -> dict[str, Any]:
        seams = [{"at_s": 1.0, "pause_s": one, "fluent": False} for one in pauses_s]
        return {"key": "Paris", "key_language": "fr", "delivery": {"seams": seams} | more}

    words = (
        switched(0.1, 0.2, understood=False, level_step_db=-4.0),
        switched(0.0, level_step_db=2.0),
        {"key": "Paris", "key_language": "fr", "delivery": {"reason": "it was not found"}},
        {"key": "four", "delivery": {"rate_adaptation": 1.0}},
    )
    pause, level = pooled("code_switch_pause_ms", *words), pooled("code_switch_level_db", *words)
    assert (pause.value, pause.n) == (pytest.approx(150.0), 2)
    assert (level.value, level.n) == (3.0, 2)
    assert "1 sentence not counted: it was not found" in pause.reason
    assert "run --probes code_switch" in pooled("code_switch_level_db", {"key": "four"}).reason


def test_sentences_that_are_all_the_same_give_no_certainty() -> None:
    one = {
        "key": "Paris",
        "key_language": "fr",
        "delivery": {"seams": [{"at_s": 1.0, "pause_s": 0.0, "fluent": True}]},
    }
    score = pooled("code_switch_pause_ms", *[one] * 6)
    assert (score.value, score.n, score.ci_low, score.ci_high) == (0.0, 6, None, None)
    assert score.interval_method == "no interval: all sentences have the same value"


def test_proxies_count_sad_news_the_other_way_round() -> None:
    loud = {"delivery": {"level_db": 6.0, "f0_range_semitones": 2.0, "rate_ratio": 1.1}}
    sad, glad = ({"kind": kind} | loud for kind in ("sad_news", "good_news"))
    assert pooled("emotion_level_db", sad).value == -6.0
    assert pooled("emotion_level_db", glad).value == 6.0
    assert pooled("emotion_rate", sad, glad).value == pytest.approx(0.0)
    assert pooled("emotion_f0_range_st", sad).value == -2.0
    assert pooled("emotion_f0_range_st", {"kind": "weather"} | loud).status is Status.NOT_APPLICABLE
    score = pooled("emotion_f0_range_st", {"kind": "sad_news", "delivery": {"level_db": 1.0}})
    assert score.status is Status.INDETERMINATE
    assert "voiced" in score.reason


def test_no_proxy_is_the_emotion_match() -> None:
    score = pooled("emotion_match", {"kind": "sad_news", "delivery": {"level_db": 6.0}})
    assert score.status is Status.NOT_APPLICABLE
    assert "people" in score.reason
