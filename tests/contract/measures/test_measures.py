"""What holds for every measure of the table, whatever it measures."""

from __future__ import annotations

import re
from typing import Any

import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial, Need
from harness.analysis.measures.base import Measure, ScoredCall
from harness.analysis.measures.not_built import NotBuilt
from harness.analysis.measures.speaking.code_switch import CODE_SWITCH
from harness.analysis.measures.table import MEASURES, catalogue, found, found_in, label, measures
from harness.analysis.measures.task.text_measure import TextMeasure
from harness.analysis.measures.units import unit_named
from harness.analysis.measures.voice.by_duration import ByDuration
from harness.records.call import Event, SpokenUtterance
from harness.records.scores import (
    CallScores,
    DialogueScores,
    ProbeAttention,
    ProbeHearing,
    ProbeReaction,
    ProbeReading,
    Summary,
    TranscriptLine,
    TurnConduct,
    TurnTold,
)
from harness.records.scores.listening import Listened, ListenedClip
from harness.scoring.summary import pooled
from metrics.dialogue.text_scores import TextScores
from metrics.interaction.entry import Entry
from metrics.score import Evidence, Score, Status
from tests.report.make_run import record_of, scores_of
from tests.report.sample_calls import interruption_call, noisy_call, plain_call

ALL = measures()
BUILT = [one for one in ALL if not isinstance(one, NotBuilt) and one is not CODE_SWITCH]
"""Those that can make a figure: that of switched words is told in words until its own error is known."""
SCORING = [one for one in ALL if one.scores_calls]
OF_RUNS = [one for one in BUILT if type(one).of_run is not Measure.of_run]
"""Those that look at how calls ended, and not into them."""


def _name(measure: Measure) -> str:
    return measure.entry.name


def _judged(number: int, value: float) -> DialogueScores:
    scores = tuple(
        Score(metric=_name(one), unit="ratio", value=value, status=Status.MEASURED, n=1)
        for one in ALL
        if isinstance(one, TextMeasure)
    )
    text = TextScores(judge="rules", judge_version="1", nodes=(), replies=(), scores=scores)
    return DialogueScores(id=f"d{number}", entry=f"e{number}", text=text)


def scored_calls() -> list[ScoredCall]:
    """Three calls that have something for every measure that is built."""
    calls = []
    for number, made in enumerate((plain_call(), interruption_call(), noisy_call())):
        scores = scores_of(made)
        counts = dict.fromkeys(
            ("wer", "cer", "caller_intelligibility_wer", "agent_intelligibility_wer"), made.word_counts["wer"]
        )
        clips = [clip.model_copy(update=_all_rated(3.0 + number / 3)) for clip in scores.clips]
        text = _judged(number, (0.2, 0.5, 0.9)[number])
        by_stretch = [
            one.score_of(
                [
                    Evidence(call_id=scores.call_id, start_s=1.0, end_s=3.0, value=2.0 + number),
                    Evidence(call_id=scores.call_id, start_s=4.0, end_s=9.0, value=3.0),
                ]
            )
            for one in ALL
            if isinstance(one, ByDuration)
        ]
        scores = scores.model_copy(
            update={
                "word_counts": counts,
                "clips": clips,
                "text": text,
                "scores": [*scores.scores, *by_stretch],
                "reactions": [_reaction(number), _reaction(number, suite="echo")],
                "attention": _attention(number),
                "conduct": _conduct(number),
                "told": _told(number),
                "hearings": _hearings(number),
                "readings": [*_symbols(number), *_readings(number)],
                "listening": _listened(number),
            }
        )
        calls.append(ScoredCall(scores=scores, plan=record_of(made).plan))
    return calls


def _listened(number: int) -> Listened:
    ratings = tuple(
        ListenedClip(start_s=1.0, end_s=4.0, rater=f"{rater:012x}", value=2 + (number + rater) % 3)
        for rater in range(3)
    )
    return Listened(recording_sha256="a" * 64, ratings=ratings)


def _symbols(number: int) -> list[ProbeReading]:
    """Of each call one symbol read as it may be, and one that is not in every call."""
    plain = {
        "suite": "toy",
        "kind": "currency",
        "language": "en",
        "text": "$4",
        "said": True,
        "is_symbol": True,
    }
    verdicts = ("right", "wrong" if number else "right")
    return [
        ProbeReading.model_validate(plain | {"item": f"price-{place}", "verdict": verdict})
        for place, verdict in enumerate(verdicts)
    ]


def _hearings(number: int) -> list[ProbeHearing]:
    """A sentence by a voice (the first call's is the reference), an entity, and input of each kind."""
    lines: list[dict[str, Any]] = [
        {
            "item": item,
            "kind": "sentence",
            "setting": f"voice {number}",
            "against": "voice 0" if number else "",
            "said": "one two three",
            "errors": 1,
            "length": 3 + position,
        }
        for position, item in enumerate(("s-1", "s-2"))
    ]
    lines.append(
        {"item": "name-1", "kind": "name", "entity": "Ann", "right": bool(number), "source": "transcript"}
    )
    lines += [
        {"item": usable, "kind": usable, "usable": usable, "did": did}
        for usable, did in (
            ("good", ("answered", "asked_again", "answered")[number]),
            ("speech", ("answered", "asked_again", "silent")[number]),
            ("sound", ("silent", "asked_again", "silent")[number]),
        )
    ]
    return [ProbeHearing.model_validate({"suite": "toy", "language": "en", **line}) for line in lines]


def _readings(number: int) -> list[ProbeReading]:
    """A sentence with stress, one with a word of another language, one that asks for an emotion."""
    seam = {"at_s": 2.0, "pause_s": 0.1 * number, "fluent": number != 1}
    lines: list[dict[str, Any]] = [
        *({"key": "four", "delivery": {"rate_adaptation": 1.0 + number / 10}} for _ in range(2)),
        {
            "key": "Paris",
            "key_language": "fr",
            "delivery": {"seams": [seam, seam], "understood": True, "level_step_db": 1.0, "timbre_db": 0.5},
        },
        {
            "kind": "sad_news",
            "delivery": {"f0_range_semitones": 1.0 - number, "level_db": -1.0, "rate_ratio": 0.9},
        },
    ]
    plain = {
        "suite": "toy",
        "kind": "toy",
        "language": "en",
        "text": "a sentence",
        "control": "c",
        "said": True,
    }
    return [
        ProbeReading.model_validate(plain | {"item": f"i-{place}"} | one) for place, one in enumerate(lines)
    ]


def _conduct(number: int) -> list[TurnConduct]:
    """Two turns: the second has everything in the second call."""
    clean = TurnConduct(
        index=0, start_s=1.0, end_s=3.0, pauses=1, replied=True, answered=True, silence_s=1.0, repeats=False
    )
    odd = clean.model_copy(
        update={
            "index": 1,
            "entry": Entry.SPLIT,
            "entry_at_s": 2.0,
            "double_talk_s": 0.5,
            "cut": "it broke off",
            "silence_s": 5.0,
            "repeats": True,
        }
    )
    return [clean, odd if number == 1 else clean.model_copy(update={"index": 1})]


def _told(number: int) -> list[TurnTold]:
    """Two answers of which the agent tells everything, and one of which it tells nothing."""
    told = TurnTold(
        index=0,
        start_s=3.0,
        end_s=4.0,
        measured_ms=1000.0,
        end_of_turn_ms=400.0,
        model_ms=300.0 - 20 * number,
        voice_ms=200.0,
        not_told_ms=100.0 + 20 * number,
        basis="rtvi",
    )
    nothing = TurnTold(index=2, start_s=8.0, end_s=9.0, measured_ms=1000.0, not_told_ms=1000.0)
    return [told, told.model_copy(update={"index": 1}), nothing]


def _attention(number: int) -> list[ProbeAttention]:
    """A request alone, and with somebody else."""
    plain = {"suite": "toy", "request": "r-1", "place": "under_request", "source": "transcript"}
    others: list[dict[str, Any]] = [
        {"item": "alone", "success": True},
        {"item": "with", "heard": "voice", "snr_db": 5.0, "success": bool(number)},
    ]
    return [ProbeAttention.model_validate(plain | one) for one in others]


def _reaction(number: int, suite: str = "restraint") -> ProbeReaction:
    return ProbeReaction(
        suite=suite,
        item="cough-1",
        kind="cough",
        planned="over_agent",
        over_agent=True,
        start_s=1.0,
        end_s=2.0,
        stopped=number == 1,
        replied=number == 2,
    )


def _all_rated(value: float) -> dict[str, float]:
    names = ("naturalness", "mos", "noisiness", "discontinuity", "coloration", "loudness")
    return dict.fromkeys(names, value)


@pytest.fixture(scope="module")
def whole() -> AnalysedCall:
    """A call that lacks nothing but a rating of the voice and a judge."""
    scores = scores_of(interruption_call())
    said = SpokenUtterance(index=0, text="red green", kind="turn", start_s=1.0, end_s=2.0, audio_sha256="")
    lines = [
        TranscriptLine(side="caller", source="agent_asr", start_s=1, end_s=2, text="red grey", utterance=0),
        TranscriptLine(side="caller", source="whisper", start_s=1, end_s=2, text="red green", utterance=0),
        TranscriptLine(side="agent", source="agent_text", start_s=3, end_s=4, text="good morning"),
        TranscriptLine(side="agent", source="whisper", start_s=3, end_s=4, text="good morning"),
    ]
    return AnalysedCall(
        material=CallMaterial(
            call_id="c",
            utterances=[said],
            events=[Event(t=0.1, side="agent", kind="connected", source="wire")],
            seed=1,
        ),
        turns=scores.turns,
        interruptions=scores.interruptions,
        lines=lines,
        rated=(),
        predicted=(),
        artefacts=(),
        reactions=[_reaction(1), _reaction(1, suite="echo")],
        conduct=_conduct(1),
        told=_told(1),
    )


BARE = AnalysedCall(
    material=CallMaterial(call_id="c", utterances=()),
    why_no_recogniser="whisper is not installed",
    why_no_rating="the NISQA weights are not installed",
)
"""A call of which nothing is known and in which nobody could listen."""


# ---- entries


@pytest.mark.parametrize("measure", ALL, ids=_name)
def test_every_entry_is_complete(measure: Measure) -> None:
    entry = measure.entry
    assert re.fullmatch(r"[a-z][a-z0-9_]*", entry.name)
    assert entry.label
    assert entry.label[0].isupper()
    assert unit_named(entry.unit.name) == entry.unit
    assert entry.better in ("lower", "higher")
    assert entry.definition.endswith(".")
    assert entry.explanation.endswith(f"{entry.better.capitalize()} is better.")
    assert entry.when_absent
    assert not entry.when_absent.endswith(".")
    assert entry.counted
    assert isinstance(measure, NotBuilt) or entry.needs or measure in OF_RUNS


def test_the_table_s_names_are_the_measures_own() -> None:
    assert [_name(one) for one in ALL][: len(MEASURES.parts)] == list(MEASURES.parts)
    assert list(catalogue()) == [_name(one) for one in ALL]
    assert len({one.entry.label for one in ALL}) == len(ALL)
    places = [one.entry.card for one in ALL if one.entry.card is not None]
    assert sorted(places) == list(range(1, len(places) + 1))
    assert label("wer") == "Word error rate"
    assert label("nobody_has_it") == "nobody_has_it"


# ---- no number without what it needs


@pytest.mark.parametrize("measure", SCORING, ids=_name)
def test_a_call_that_lacks_everything_has_reasons_and_no_number(measure: Measure) -> None:
    score = found(measure, BARE).score
    assert (score.metric, score.unit) == (measure.entry.name, measure.entry.unit.name)
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)
    assert score.reason == BARE.lacks(measure.entry.needs[0]) != ""


@pytest.mark.parametrize("need", list(Need))
def test_each_need_that_is_lacking_silences_those_that_have_it(need: Need, whole: AnalysedCall) -> None:
    class Lacking(AnalysedCall):
        def lacks(self, asked: Need) -> str:
            return "gone" if asked is need else whole.lacks(asked)

    call = Lacking(**vars(whole))
    for measure in SCORING:
        score = found(measure, call).score
        if need in measure.entry.needs:
            assert score.value is None
            assert score.reason
        else:
            assert score == found(measure, whole).score


def test_a_whole_call_has_a_number_for_whatever_is_neither_rated_nor_judged(whole: AnalysedCall) -> None:
    values = {one.score.metric: one.score.value for one in found_in(whole)}
    assert list(values) == [_name(one) for one in SCORING]
    measured = {name for name, value in values.items() if value is not None}
    of_a_voice = {Need.VOICE_RATING, Need.VOICE_PREDICTION, Need.VOICE_ARTEFACTS}
    rated = {_name(one) for one in SCORING if of_a_voice.intersection(one.entry.needs)}
    assert measured == set(values) - rated
    assert values["wer"] == 0.5
    assert values["caller_intelligibility_wer"] == values["agent_intelligibility_wer"] == 0.0


def test_reasons_are_the_instruments_own_where_they_give_one() -> None:
    assert BARE.lacks(Need.RECOGNISER) == "whisper is not installed"
    assert BARE.lacks(Need.VOICE_RATING) == "the NISQA weights are not installed"
    bare = AnalysedCall(material=CallMaterial(call_id="c", utterances=()), sound=lambda _: None)  # type: ignore[arg-type, return-value]
    assert bare.lacks(Need.SOUND) == bare.lacks(Need.RECOGNISER) == ""
    assert bare.lacks(Need.VOICE_RATING) == Need.VOICE_RATING.value
    assert all(bare.lacks(need) for need in set(Need) - {Need.SOUND, Need.RECOGNISER})


@pytest.mark.parametrize("measure", [one for one in ALL if not one.scores_calls], ids=_name)
def test_what_does_not_score_calls_is_in_no_call(measure: Measure, whole: AnalysedCall) -> None:
    assert measure.entry.name not in {one.score.metric for one in found_in(whole)}
    with pytest.raises(TypeError, match=measure.entry.name):
        measure.of_call(whole)


# ---- pooling


@pytest.mark.parametrize("measure", ALL, ids=_name)
@pytest.mark.parametrize("calls", [(), (ScoredCall(scores=CallScores(call_id="a")),)], ids=["none", "empty"])
def test_pooling_nothing_is_no_number(measure: Measure, calls: tuple[ScoredCall, ...]) -> None:
    score = measure.pool(calls)
    assert (score.metric, score.unit) == (measure.entry.name, measure.entry.unit.name)
    assert (score.value, score.status, score.n) == (None, Status.NOT_APPLICABLE, 0)
    assert score.reason == f"not measured: {measure.entry.when_absent}"
    assert score.ci_low is score.ci_high is score.p50 is score.p90 is score.p95 is None


@pytest.mark.parametrize("measure", BUILT, ids=_name)
def test_a_pooled_figure_lies_in_its_interval(measure: Measure) -> None:
    records = [record_of(made) for made in (plain_call(), interruption_call(), noisy_call())]
    score = measure.of_run(records) or measure.pool(scored_calls())
    assert score.status is Status.MEASURED, score.reason
    assert score.value is not None
    assert score.n > 0
    if score.ci_low is None and score.ci_high is None:
        assert score.interval_method.startswith("no interval")
    assert (score.ci_low is None) or score.ci_low <= score.value
    assert (score.ci_high is None) or score.value <= score.ci_high
    for name, (low, high) in score.percentile_intervals.items():
        value = getattr(score, name)
        assert (low is None) or low <= value
        assert (high is None) or value <= high


@pytest.mark.parametrize("measure", BUILT, ids=_name)
def test_the_order_of_the_calls_moves_no_figure(measure: Measure) -> None:
    calls = scored_calls()
    one, other = measure.pool(calls), measure.pool(list(reversed(calls)))
    assert other.value == pytest.approx(one.value)
    assert (other.n, other.status) == (one.n, one.status)
    assert other.ci_low == pytest.approx(one.ci_low)
    assert other.ci_high == pytest.approx(one.ci_high)


@pytest.mark.parametrize("measure", SCORING, ids=_name)
def test_a_call_that_failed_is_told_as_failed(measure: Measure) -> None:
    """A measurement that broke in the only call there is: the figure says so, or has observations of its own
    to say more."""
    name, unit = measure.entry.name, measure.entry.unit.name
    broken = Score(metric=name, unit=unit, status=Status.FAILED, reason="it crashed")
    score = measure.pool([ScoredCall(scores=CallScores(call_id="a", scores=[broken]))])
    assert score.value is None
    if Need.TURNS not in measure.entry.needs and Need.INTERRUPTIONS not in measure.entry.needs:
        assert score.status is Status.FAILED
        assert "it crashed" in score.reason


def test_figures_survive_their_file() -> None:
    metrics = pooled(scored_calls())
    summary = Summary(run="r", metrics=metrics)
    again = Summary.model_validate_json(summary.model_dump_json())
    assert again == summary
    assert {name: score.metric for name, score in again.metrics.items()} == {name: name for name in metrics}


def test_scores_of_a_call_survive_their_file(whole: AnalysedCall) -> None:
    all_found = found_in(whole)
    scores = CallScores(
        call_id="c",
        scores=[one.score for one in all_found],
        word_counts={one.score.metric: one.counts for one in all_found if one.counts is not None},
    )
    assert CallScores.model_validate_json(scores.model_dump_json()) == scores


def test_a_recording_from_elsewhere_is_not_taken_for_a_noisy_call() -> None:
    calls = scored_calls()
    unknown = [ScoredCall(scores=call.scores) for call in calls]
    quiet = [ScoredCall(scores=call.scores, plan=calls[0].plan) for call in calls]
    for placed in (unknown, quiet):
        assert pooled(placed)["wer_noisy"].value is None
    assert pooled(calls)["wer_noisy"].n == calls[2].scores.word_counts["wer"].reference
