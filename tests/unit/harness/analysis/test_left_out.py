"""What is left out of a scoring: it is taken from before, and where it is not there nothing is made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.analysis import instruments as models
from harness.analysis import listener as listening
from harness.analysis.cache import ANALYSIS_FILE
from harness.analysis.instrument_versions import Instrument
from harness.analysis.instruments import KINDS, Instruments, Kind
from harness.models.resolve import ResolvedModel
from harness.records.scores import CallScores
from tests.unit.harness.analysis.test_listener import (
    Analysed,
    Case,
    StandIns,
    _another_recording,
    case,
    heard,
)

__all__ = ["case", "heard"]


def nothing_kept(case: Case) -> Case:
    (case.folder / ANALYSIS_FILE).unlink()
    return case


def with_only(case: Case, *kinds: Kind, caller_words: bool = False) -> Case:
    case.instruments = StandIns(only=frozenset(kinds) or KINDS, caller_words=caller_words)
    return case


def of_a_script(case: Case) -> Case:
    """The call without a person whose words our guard looks at."""
    said = [
        one.model_copy(update={"text": one.text or "hello there", "text_heard": False, "cut_short": False})
        for one in case.record.utterances
    ]
    plan = case.record.plan.model_copy(update={"task": None})
    case.record = case.record.model_copy(update={"plan": plan, "utterances": said})
    return case


def reason(scores: CallScores, metric: str) -> str:
    return next(one.reason for one in scores.scores if one.metric == metric)


def value(scores: CallScores, metric: str) -> Any:
    return next(one.value for one in scores.scores if one.metric == metric)


def test_timing_alone_asks_the_detectors_alone_and_times_the_same(
    case: Case, heard: tuple[Path, Analysed]
) -> None:
    found = with_only(nothing_kept(case), "timing").analyse()
    assert found.asked == {"vad": 2}
    assert [one.latency_ms for one in found.scores.turns] == [one.latency_ms for one in heard[1].scores.turns]
    assert value(found.scores, "response_latency_ms") == value(heard[1].scores, "response_latency_ms")
    for metric in ("nisqa_naturalness", "agent_intelligibility_wer", "content_latency_ms"):
        assert value(found.scores, metric) is None
    assert reason(found.scores, "nisqa_naturalness") == "it was left out (--only timing)"
    assert not [line for line in found.transcript.lines if line.source == "whisper"]


def test_what_was_measured_before_is_used(case: Case, heard: tuple[Path, Analysed]) -> None:
    found = with_only(case, "timing").analyse()
    assert found.asked == {}
    assert (found.scores, found.transcript) == (heard[1].scores, heard[1].transcript)


@pytest.mark.parametrize(
    ("kind", "asked"), [("words", {"vad": 2, "whisper": 2}), ("sound", {"vad": 2, "nisqa": 2})]
)
def test_a_kind_by_itself_and_then_the_rest(case: Case, kind: Kind, asked: dict[str, int]) -> None:
    nothing_kept(case)
    assert with_only(case, kind).analyse().asked == asked
    # What was measured by itself is not measured again.
    rest = {"nisqa": 2} if kind == "words" else {"whisper": 2}
    assert with_only(case).analyse().asked == rest


def test_the_callers_words_are_known_and_not_listened_to_unless_asked(case: Case) -> None:
    nothing_kept(of_a_script(case))
    found = case.analyse()
    assert found.asked["whisper"] == 1
    assert "--caller-words" in reason(found.scores, "caller_intelligibility_wer")
    assert {line.side for line in found.transcript.lines if line.source == "whisper"} == {"agent"}
    assert any(line.source == "said" for line in found.transcript.lines)
    asked = with_only(case, caller_words=True).analyse()
    assert asked.asked == {"whisper": 1}
    assert value(asked.scores, "caller_intelligibility_wer") is not None
    # Once heard they are kept.
    again = with_only(case).analyse()
    assert (again.asked, again.scores) == ({}, asked.scores)


def test_a_script_scored_in_whole_and_then_in_part_has_the_same_scores(case: Case) -> None:
    nothing_kept(of_a_script(case))
    whole = case.analyse()
    for kind in KINDS:
        part = with_only(case, kind).analyse()
        assert (part.scores, part.transcript) == (whole.scores, whole.transcript), kind


def test_a_person_is_listened_to_for_the_guard(case: Case) -> None:
    nothing_kept(of_a_script(case))
    plain = case.analyse().asked["whisper"]
    material_of_a_person(case)
    assert case.analyse().asked["whisper"] == plain + 1


def material_of_a_person(case: Case) -> None:
    import tests.unit.harness.analysis.test_listener as listening

    plain = listening.call_material
    case.monkeypatch.setattr(
        listening, "call_material", lambda *of: replace(plain(*of), caller_is_checked=True)
    )


@pytest.mark.parametrize("change", ["code", "model", "threads"])
def test_what_an_earlier_version_heard_stands_until_it_is_wanted_again(
    case: Case, heard: tuple[Path, Analysed], change: str
) -> None:
    known = listening.made_of

    def other(instrument: Instrument) -> dict[str, str]:
        return known(instrument) if instrument == "speech" else known(instrument) | {"code": "another"}

    def upgraded(*kinds: Kind) -> Case:
        with_only(case, *kinds)
        if change == "model":
            case.instruments.whisper_is, case.instruments.nisqa_is = "whisper-2", "nisqa-2"
        if change == "threads":
            case.instruments.threads = 4
        return case

    if change == "code":
        case.monkeypatch.setattr(listening, "made_of", other)
    found = upgraded("timing").analyse()
    assert found.asked == {}
    assert (found.scores, found.transcript) == (heard[1].scores, heard[1].transcript)
    assert change in found.changed
    # What was left out was not taken for a result of today's instrument.
    assert upgraded().analyse().asked["whisper"] == 2


def test_another_recording_has_nothing_that_stands(case: Case) -> None:
    _another_recording(case)
    found = with_only(case, "timing").analyse()
    assert value(found.scores, "nisqa_naturalness") is None
    assert not [line for line in found.transcript.lines if line.source == "whisper"]


def test_fresh_timing_deletes_nothing_of_the_rest(case: Case, heard: tuple[Path, Analysed]) -> None:
    found = with_only(case, "timing").analyse(fresh=True)
    assert found.asked == {"vad": 2}
    assert (found.scores, found.transcript) == (heard[1].scores, heard[1].transcript)
    assert with_only(case).analyse().asked == {}


@pytest.mark.parametrize("without", [frozenset(), frozenset({"whisper-base"})])
def test_a_model_that_is_left_out_is_not_there_and_says_why(
    monkeypatch: pytest.MonkeyPatch, without: frozenset[str]
) -> None:
    def is_here(name: str) -> ResolvedModel:
        return ResolvedModel(name=name, path=Path(name), source="here", digest=f"{name} 1")

    monkeypatch.setattr(models, "resolve", is_here)
    chosen = Instruments(without=without)
    assert chosen.whisper_digest == (None if without else "whisper-base 1")
    assert chosen.why_no_whisper == ("whisper-base was left out" if without else "")
    assert chosen.nisqa_digest == "nisqa 1"
