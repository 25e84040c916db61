"""Calls as gates look at them, from a run folder: which of them say something, and of whom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness._files.atomic_file import write_model
from harness.analysis.call import DETECTORS, MARKER_TONES
from harness.calls.guard import GUARD_FILE, GuardFile
from harness.records.call import CallStatus
from harness.records.scores import CallScores, SpanSet
from harness.records.verdict import AFTER_CALL_FILE, AfterCall, HttpAnswer
from harness.scoring.gates.held_to import NOT_PLACED, as_second_attempts, held_calls, summary_of
from tests.nights import held, night_call
from tests.report.make_run import write_run


def _guard(folder: Path, verdict: str) -> None:
    write_model(folder / GUARD_FILE, GuardFile.model_validate({"verdict": verdict, "version": "1"}))


def test_a_run_s_calls_are_those_that_left_a_record_and_were_not_interrupted(tmp_path: Path) -> None:
    made = [night_call("plain"), night_call("guilty"), night_call("some-turns")]
    made.append(night_call("stopped", status=CallStatus.INTERRUPTED))
    made += [night_call("gone"), night_call("last", status=CallStatus.SETUP_FAILED)]
    folder = write_run(tmp_path / "run", made)
    calls = folder / "calls"
    _guard(calls / "guilty", "guilty")
    _guard(calls / "some-turns", "guilty_turns")
    (calls / "gone" / "call.json").unlink()
    answers = AfterCall(answers=(HttpAnswer(url="http://x/", method="GET", status=200),))
    write_model(calls / "plain" / AFTER_CALL_FILE, answers)
    (calls / "last" / AFTER_CALL_FILE).write_text("{")
    found = held_calls(folder)
    assert [(one.id, one.guilty) for one in found] == [
        ("plain", False),
        ("guilty", True),
        ("some-turns", False),
        ("last", False),
    ]
    assert [one.after for one in found] == [answers, None, None, None]
    assert found[1].record.status is CallStatus.COMPLETED


@pytest.mark.parametrize(
    ("status", "guilty", "ours", "counts"),
    [
        (CallStatus.COMPLETED, False, False, True),
        (CallStatus.COMPLETED, True, True, False),
        (CallStatus.HARNESS_FAULT, False, True, False),
        (CallStatus.INTERRUPTED, False, False, False),
        (CallStatus.SETUP_FAILED, False, False, True),
        (CallStatus.AGENT_FAILED, False, False, True),
    ],
)
def test_whose_fault_a_call_is_and_whether_it_counts(
    status: CallStatus, guilty: bool, ours: bool, counts: bool
) -> None:
    call = replace(held(night_call("a", status=status)), guilty=guilty)
    assert (call.ours, call.counts) == (ours, counts)


def test_no_call_came_about_where_the_agent_s_side_is_why() -> None:
    by_us, by_the_agent = {"setup_failed", "not_answered", "agent_failed"}, {"never_rung", "rang_off"}
    assert {status.value for status in NOT_PLACED} == by_us | by_the_agent


def test_an_agent_spoke_where_its_sound_is_speech() -> None:
    assert held(night_call("a", [500.0])).agent_spoke
    assert not held(night_call("a", [None])).agent_spoke
    assert not held(night_call("a", status=CallStatus.SETUP_FAILED)).agent_spoke


@pytest.mark.parametrize(
    ("spans", "tones", "spoke"),
    [
        ({"energy": [(1.0, 3.0)], "silero": [(1.1, 2.9)], "webrtcvad": [(1.0, 3.0)]}, False, True),
        # A line that only hums: loud, and speech to webrtcvad alone.
        ({"energy": [(1.0, 9.0)], "silero": [], "webrtcvad": [(2.0, 3.0)]}, False, False),
        # Nothing sounds where Silero hears something.
        ({"energy": [(1.0, 3.0)], "silero": [(7.0, 7.1)], "webrtcvad": []}, False, False),
        # A calibration agent has nothing but tones.
        ({"energy": [(1.0, 3.0)], "silero": [], "webrtcvad": []}, True, True),
        ({}, False, False),
    ],
)
def test_noise_is_no_agent_that_spoke(
    spans: dict[str, list[tuple[float, float]]], tones: bool, spoke: bool
) -> None:
    detectors = {"energy": MARKER_TONES if tones else DETECTORS["energy"]}
    scores = CallScores(call_id="a", detectors=detectors, spans=SpanSet(agent=spans))
    call = held(night_call("a", [500.0]))
    assert replace(call, files=replace(call.files, scores=scores)).agent_spoke is spoke


def test_second_attempts_have_ids_of_their_own_everywhere() -> None:
    first = replace(held(night_call("a", [500.0])), guilty=True)
    [again] = as_second_attempts([first])
    assert again.files.scores is not None
    assert (again.id, again.record.plan.call_id, again.files.scores.call_id) == ("a again",) * 3
    assert again.files.record is again.record
    assert again.guilty
    assert (again.record.status, again.files.transcript) == (first.record.status, first.files.transcript)
    assert first.id == "a"
    [unscored] = as_second_attempts([held(night_call("a", status=CallStatus.SETUP_FAILED))])
    assert unscored.files.scores is None


def test_figures_are_of_calls_that_say_something_about_the_agent() -> None:
    """Answered and not; a guilty call's silence counts against nobody, and a call without scores is none."""
    calls = [held(night_call("a", [500.0, None])), held(night_call("b", status=CallStatus.SETUP_FAILED))]
    guilty = replace(held(night_call("c", [None, None])), guilty=True)
    rate = summary_of([*calls, guilty]).metrics["response_rate"]
    assert (rate.value, rate.n) == (0.5, 2)
    assert summary_of([*calls, guilty]) == summary_of(calls)
    assert summary_of([replace(guilty, guilty=False), *calls]).metrics["response_rate"].n == 4
