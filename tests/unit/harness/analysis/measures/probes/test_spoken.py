"""Defects planted in what an agent understands, at two strengths, move their own figure and no other.

The calls are made: whole suites, with transcripts and replies of an agent that is bad at one thing.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.probes.accent import ACCENTS
from harness.analysis.measures.probes.entities import PROPER_NOUNS
from harness.analysis.measures.probes.rejection import FALSE_REJECTION, REJECTION, SILENT_AT_NOISE
from harness.analysis.measures.understanding.noise import WER_NOISY
from harness.analysis.probes import own_error
from harness.plans.call import CallPlan, NoisePlan
from harness.plans.probes.spoken import SpokenItem
from harness.records.scores import CallScores
from metrics.intervals import wilson
from metrics.score import Score, Status
from tests.unit.harness.analysis.probes.spoken_calls import (
    Replies,
    Understands,
    misheard,
    plans_of,
    scored,
    suite_named,
)

ALL = (WER_NOISY, ACCENTS, PROPER_NOUNS, REJECTION, FALSE_REJECTION, SILENT_AT_NOISE)
PARTS = (0.1, 0.3)
"""The weaker and the stronger strength: so many words, entities or lines of ten."""
AGAIN, CONTENT = "Sorry, could you say that again?", "Certainly, that is noted."


@cache
def plans() -> tuple[CallPlan, ...]:
    return tuple(plan for name in ("noise", "accent", "rejection", "entities") for plan in plans_of(name))


def _good_replies(_: CallPlan, item: SpokenItem) -> str | None:
    return {"speech": AGAIN, "sound": None}.get(item.usable, CONTENT)


def _some_errors(_: CallPlan, item: SpokenItem) -> str:
    """Two words in each sentence: what every agent has, so that a ratio can be formed."""
    return misheard(item.say, 0.1, Random(item.id)) if item.kind == "sentence" else item.say


def figures(
    understands: Understands = _some_errors, replies: Replies = _good_replies, **how: Any
) -> dict[str, Score]:
    calls = scored(plans(), understands=understands, replies=replies, **how)
    return {one.entry.name: one.pool(calls) for one in ALL}


@cache
def clean() -> dict[str, Score]:
    return figures()


def _worse_in_noise(share: float) -> dict[str, Any]:
    def understands(plan: CallPlan, item: SpokenItem) -> str:
        noise, heard = plan.conditions.noise, _some_errors(plan, item)
        noisy = noise is not None and noise.snr_db <= 10
        return misheard(heard, share, Random(plan.call_id + item.id)) if noisy else heard

    return {"understands": understands}


def _worse_for_accents(share: float) -> dict[str, Any]:
    def understands(plan: CallPlan, item: SpokenItem) -> str:
        heard = _some_errors(plan, item)
        accented = plan.language == "en" and plan.voice.name.startswith(("en-gb", "en-029", "j"))
        accented = accented and plan.voice.name != "joe"
        return misheard(heard, share, Random(plan.call_id + item.id)) if accented else heard

    return {"understands": understands}


def _wrong_entities(share: float) -> dict[str, Any]:
    def understands(plan: CallPlan, item: SpokenItem) -> str:
        if item.entity and Random(item.id).random() < share:
            return "something else was said"
        return _some_errors(plan, item)

    return {"understands": understands}


def _answers_what_nobody_understands(share: float) -> dict[str, Any]:
    def replies(plan: CallPlan, item: SpokenItem) -> str | None:
        wrong = item.usable == "speech" and Random(item.id).random() < share
        return CONTENT if wrong else _good_replies(plan, item)

    return {"replies": replies}


def _rejects_good_input(share: float) -> dict[str, Any]:
    def replies(plan: CallPlan, item: SpokenItem) -> str | None:
        wrong = item.usable == "good" and Random(item.id).random() < share
        return AGAIN if wrong else _good_replies(plan, item)

    return {"replies": replies}


def _answers_noise(share: float) -> dict[str, Any]:
    def replies(plan: CallPlan, item: SpokenItem) -> str | None:
        wrong = item.usable == "sound" and Random(item.id).random() < share
        return CONTENT if wrong else _good_replies(plan, item)

    return {"replies": replies}


@pytest.mark.long
@pytest.mark.parametrize(
    ("defect", "metric", "sign"),
    [
        (_worse_in_noise, "wer_noisy", 1),
        (_worse_for_accents, "accent_adaptability", 1),
        (_wrong_entities, "proper_noun_accuracy", -1),
        (_answers_what_nobody_understands, "rejection_rate", -1),
        (_rejects_good_input, "false_rejection_rate", 1),
        (_answers_noise, "silence_at_noise_rate", -1),
    ],
)
def test_a_defect_moves_its_own_figure_the_stronger_the_more(defect: Any, metric: str, sign: int) -> None:
    plain = clean()
    weaker, stronger = (figures(**defect(share)) for share in PARTS)
    steps = [one[metric].value for one in (plain, weaker, stronger)]
    assert all(value is not None for value in steps), [
        one[metric].reason for one in (plain, weaker, stronger)
    ]
    assert [sign * value for value in steps] == sorted({sign * value for value in steps})  # type: ignore[operator]
    for found in (weaker, stronger):
        others = {name: score.value for name, score in found.items() if name != metric}
        assert others == {name: score.value for name, score in plain.items() if name != metric}


def test_a_clean_agent_against_itself_does_not_move() -> None:
    again = figures()
    assert {name: one.value for name, one in again.items()} == {
        name: one.value for name, one in clean().items()
    }
    assert clean()["proper_noun_accuracy"].value == 1.0
    assert clean()["rejection_rate"].value == 1.0
    assert clean()["false_rejection_rate"].value == 0.0
    assert clean()["silence_at_noise_rate"].value == 1.0
    assert abs(clean()["accent_adaptability"].value or 0.0) < 0.01


def test_every_level_of_noise_counts_alike_and_15_db_is_told_alone() -> None:
    """All wrong at 0 dB, nothing elsewhere: a third, whatever is wrong at 15 dB."""

    def understands(plan: CallPlan, item: SpokenItem) -> str:
        noise = plan.conditions.noise
        return "" if noise is not None and noise.snr_db in (0.0, 15.0) else item.say

    calls = scored(plans_of("noise"), understands=understands)
    score = WER_NOISY.pool(calls)
    assert score.value == pytest.approx(1 / 3)
    assert "quiet 0.000" in score.reason
    assert "15 dB 1.000" in score.reason
    assert "0 dB 1.000" in score.reason
    assert "Chinese by characters, not counted: quiet 0.000" in score.reason
    # Fewer calls at one level change no level's weight.
    thinned = [one for one in calls if not one.scores.call_id.startswith("noise.en.street-0")]
    assert WER_NOISY.pool(thinned).value == pytest.approx(1 / 3)


def _called(name: str, calls: Sequence[ScoredCall]) -> list[ScoredCall]:
    """The calls as of a suite of that name."""

    def renamed(scores: CallScores) -> CallScores:
        hearings = [one.model_copy(update={"suite": name}) for one in scores.hearings]
        return scores.model_copy(update={"hearings": hearings})

    return [dataclasses.replace(one, scores=renamed(one.scores)) for one in calls]


def test_a_suite_of_one_s_own_is_counted_by_what_it_says_and_not_by_its_name() -> None:
    in_noise = scored(plans_of("noise"), **_worse_in_noise(0.3))
    accented = scored(plans_of("accent"), **_worse_for_accents(0.3))
    for calls, measure, none in ((in_noise, WER_NOISY, ACCENTS), (accented, ACCENTS, WER_NOISY)):
        theirs = _called("hotel-2", calls)
        assert measure.pool(calls).value is not None
        assert measure.pool(theirs) == measure.pool(calls)
        assert none.pool(theirs) == none.pool(calls)
        assert none.pool(theirs).value is None


def test_voices_in_one_noise_throughout_are_no_curve() -> None:
    """``run --probes accent`` in a plan with noise: its words are those of noisy calls, as of any others."""
    noise = NoisePlan(kind="babble", snr_db=5.0)
    plans = [
        one.model_copy(update={"conditions": one.conditions.model_copy(update={"noise": noise})})
        for one in plans_of("accent")
    ]
    score = WER_NOISY.pool(scored(plans))
    assert "no English sentence of the suite was transcribed" not in score.reason


def test_a_level_that_is_lacking_leaves_no_figure() -> None:
    calls = [one for one in scored(plans_of("noise")) if "-5-db" not in one.scores.call_id]
    score = WER_NOISY.pool(calls)
    assert (score.status, score.value) == (Status.INDETERMINATE, None)
    assert "no English sentence of the suite was transcribed at 5 dB" in score.reason


def test_no_error_in_noise_is_as_sure_as_so_many_words_are() -> None:
    score = WER_NOISY.pool(scored(plans_of("noise"), understands=lambda _, item: item.say))
    known = wilson(0, score.n)
    assert (score.value, score.ci_low, score.ci_high) == (0.0, known.low, known.high)
    assert score.n > 40
    assert score.ci_high is not None
    assert score.ci_high < 0.09


def test_noise_of_an_agent_that_tells_no_transcript() -> None:
    score = WER_NOISY.pool(scored(plans_of("noise"), understands=lambda *_: None))
    assert score.status is Status.INDETERMINATE


def accents_with(errors: dict[str, float]) -> Score:
    """So many of ten words wrong in a sentence, by voice."""

    def understands(plan: CallPlan, item: SpokenItem) -> str:
        words = item.say.split()
        wrong = round(len(words) * errors.get(plan.probe.setting if plan.probe else "", 0.0))
        return " ".join(["blorp"] * wrong + words[wrong:])

    return ACCENTS.pool(scored(plans_of("accent"), understands=understands))


def test_accents_are_compared_with_the_voice_of_their_kind() -> None:
    both = {"American": 0.2, "American neural": 0.2}
    native = accents_with(both | {"Scottish": 0.2, "Japanese man": 0.4})
    assert native.status is Status.MEASURED
    assert "Japanese man 0.4" in native.reason
    assert native.value is not None
    # Six of eight accents are wholly understood, one as well as its reference, one half as well.
    assert native.value == pytest.approx(-0.625, abs=0.05)
    assert "absolute change -0.1" in native.reason
    assert native.ci_low is not None
    assert native.ci_high is not None
    assert native.ci_low - 1e-9 <= native.value <= native.ci_high + 1e-9


def test_accents_without_an_error_have_no_interval() -> None:
    """So many edits with the reference voice, and none with an accent: a ratio of 0, and how sure that is
    Wilson's interval of so many trials does not say."""
    score = accents_with({"American": 0.2, "American neural": 0.2})
    assert (score.value, score.status) == (-1.0, Status.MEASURED)
    assert (score.ci_low, score.ci_high) == (None, None)
    assert score.interval_method == "no interval: nothing was wrong with an accent"


def test_a_voice_that_was_heard_oftener_is_not_taken_for_a_worse_one() -> None:
    """All that one voice says twice over: figure and interval are those of once."""

    def understands(_: CallPlan, item: SpokenItem) -> str:
        return " ".join(["blorp", *item.say.split()[1:]])

    plans = [one for one in plans_of("accent") if one.probe and one.probe.setting in ("American", "Scottish")]
    calls = scored(plans, understands=understands)
    again = [one for one in calls if one.scores.hearings[0].setting == "Scottish"]
    assert 0 < len(again) < len(calls)
    once, twice = ACCENTS.pool(calls), ACCENTS.pool([*calls, *again])
    assert once.value == pytest.approx(0.0)
    for figure in ("value", "ci_low", "ci_high"):
        assert getattr(twice, figure) == pytest.approx(getattr(once, figure)), figure


def test_two_suites_with_the_same_ids_are_not_compared_with_each_other() -> None:
    """A copy of the suite, whose accents are wholly misunderstood and whose reference voice was lost."""

    def understands(_: CallPlan, item: SpokenItem) -> str:
        return " ".join(["blorp", *item.say.split()[1:]])

    plans = [one for one in plans_of("accent") if one.probe and one.probe.setting in ("American", "Scottish")]
    own = scored(plans, understands=understands)
    accented = [one for one in plans if one.probe and one.probe.setting == "Scottish"]
    theirs = _called("hotel-2", scored(accented, understands=lambda *_: "blorp"))
    alone = ACCENTS.pool(own)
    assert (alone.value, alone.n) == (pytest.approx(0.0), 10)
    assert ACCENTS.pool([*own, *theirs]) == alone
    # Both whole: twice as many sentences.
    assert ACCENTS.pool([*own, *_called("hotel-2", own)]).n == 20


def test_no_ratio_to_a_rate_of_next_to_nothing() -> None:
    score = accents_with({"Scottish": 0.5})
    assert score.status is Status.INDETERMINATE
    assert "the reference voices' rate is 0.000, under 0.03: no ratio to it" in score.reason
    assert "absolute change +0.0" in score.reason
    assert re.search(r"Scottish 0\.[45][0-9] \(0\.00\)", score.reason)


def test_silence_after_what_cannot_be_understood_is_neither() -> None:
    def replies(_: CallPlan, item: SpokenItem) -> str | None:
        if item.kind in ("reversed", "babble"):
            return None
        return AGAIN if item.kind == "shreds" else CONTENT

    rejection = REJECTION.pool(scored(plans_of("rejection"), replies=replies))
    assert (rejection.value, rejection.n) == (0.5, 10)
    told, own_error = rejection.reason.split("; by words: ")
    assert told == "silent after 10 of 20, not counted; foreign 0 of 5; shreds 5 of 5"
    assert own_error == (
        "95 of 120 unseen replies that ask again were known, and 115 of 120 that do not "
        "(written by the rules' own author, most of them in unusual words)"
    )
    assert "by words" not in SILENT_AT_NOISE.pool(scored(plans_of("rejection"), replies=replies)).reason


def test_an_agent_that_never_speaks_has_no_rate() -> None:
    calls = scored(plans_of("rejection"), replies=lambda *_: None)
    for measure in (REJECTION, FALSE_REJECTION):
        score = measure.pool(calls)
        assert (score.status, score.value) == (Status.NOT_APPLICABLE, None)
        assert "nothing was asked again or answered" in score.reason
    assert SILENT_AT_NOISE.pool(calls).value == 1.0


def read_back(**how: Any) -> Score:
    calls = scored(
        plans_of("entities"),
        understands=lambda *_: None,
        replies=lambda _, item: f"{'You said ' if item.language == 'en' else '您说的是'}{item.entity}.",
        **how,
    )
    return PROPER_NOUNS.pool(calls)


def test_what_is_said_back_makes_a_figure_where_our_own_ears_are_good_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table: dict[tuple[str, Any], tuple[int, int]] = {("en", "digits"): (32, 32), ("en", "name"): (8, 32)}
    monkeypatch.setattr(own_error, "MEASURED", table)
    heard = read_back()
    assert (heard.value, heard.n) == (1.0, 16)
    assert "digits 16 of 16; by what we heard it say back (16)" in heard.reason
    assert (
        "name (en) indeterminate: 16 of 16 heard right, our own recogniser has 8 of 32 right" in heard.reason
    )
    assert "place (zh) indeterminate: 9 of 9 heard right, what our own recogniser has" in heard.reason
    monkeypatch.setattr(own_error, "MEASURED", {})
    assert read_back().status is Status.INDETERMINATE
    told = read_back(tells_its_text=True)
    assert (told.value, told.n) == (1.0, 200)
    assert "by what it told that it said back (200)" in told.reason


def test_what_it_did_not_say_back_is_not_wrong() -> None:
    calls = scored(plans_of("entities"), understands=lambda *_: None, replies=lambda *_: CONTENT)
    score = PROPER_NOUNS.pool(calls)
    assert score.value is None
    assert "200 not counted: it did not say it back" in score.reason


def test_what_was_not_heard_in_a_whole_call_is_wrong_where_other_calls_were_heard() -> None:
    """A transcript of every second call: its entities are right, those of the others were not heard."""
    plans = plans_of("entities")
    heard = {plan.call_id for plan in plans[::2]}
    calls = scored(
        plans,
        understands=lambda plan, item: item.say if plan.call_id in heard else None,
        replies=lambda *_: CONTENT,
    )
    right = sum(len(one.scores.hearings) for one in calls if one.scores.call_id in heard)
    score = PROPER_NOUNS.pool(calls)
    assert (score.value, score.n) == (right / 200, 200)
    assert (
        f"{200 - right} wrong in calls in which the agent wrote nothing, and does in others" in score.reason
    )
    # What it said back right it did hear, whatever became of its transcript.
    back = scored(
        plans,
        understands=lambda plan, item: item.say if plan.call_id in heard else None,
        replies=lambda _, item: f"{'You said ' if item.language == 'en' else '您说的是'}{item.entity}.",
        tells_its_text=True,
    )
    assert PROPER_NOUNS.pool(back).value == 1.0


def test_runs_without_the_suites_say_what_to_run() -> None:
    for measure, suite in ((ACCENTS, "accent"), (PROPER_NOUNS, "entities"), (REJECTION, "rejection")):
        score = measure.pool([])
        assert score.status is Status.NOT_APPLICABLE
        assert f"run --probes {suite}" in score.reason


def test_other_calls_with_noise_are_left_out_beside_the_suite() -> None:
    calls = scored(plans_of("noise"))
    plan = next(one.plan for one in calls if one.plan and one.plan.conditions.noise)
    assert plan is not None
    noise = plan.conditions.noise
    assert noise is not None
    low = plan.model_copy(
        update={
            "conditions": plan.conditions.model_copy(
                update={"noise": noise.model_copy(update={"snr_db": 3.0})}
            )
        }
    )
    other = ScoredCall(scores=calls[0].scores.model_copy(update={"call_id": "x", "hearings": []}), plan=low)
    assert WER_NOISY.pool([*calls, other]).reason.endswith("1 other call with noise left out")


def test_our_own_error_is_known_of_every_kind_that_is_said_back() -> None:
    kinds = {(item.language, item.kind) for item in suite_named("entities").items}
    assert set(own_error.MEASURED) == kinds
    assert all(right <= n and n >= 20 for right, n in own_error.MEASURED.values())
    assert own_error.is_enough("amount", "en")
    assert not own_error.is_enough("name", "en")
