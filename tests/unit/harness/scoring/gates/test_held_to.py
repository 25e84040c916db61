"""Calls as gates look at them, from a run folder: which of them say something, and of whom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness._files.atomic_file import write_model
from harness.analysis.call import DETECTORS, MARKER_TONES
from harness.calls.guard import GUARD_FILE, GuardFile
from harness.records.call import CallStatus
from harness.records.scores import CallScores, DialogueScores, SpanSet
from harness.records.verdict import AFTER_CALL_FILE, AfterCall, HttpAnswer
from harness.scoring.gates.held_to import (
    NOT_PLACED,
    OF_STATUS,
    as_second_attempts,
    held_calls,
    summary_of,
    told_lost,
)
from metrics.dialogue.text_scores import text_scores
from metrics.dialogue.verdicts import Dimension
from tests.nights import held, night_call
from tests.report.make_run import write_run
from tests.unit.metrics.dialogue.sessions import achieved, dialogue, flow, node, scored
from voice_sim.guard.session import Finding


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


def test_calls_that_were_not_answered_are_missed_in_the_share_that_was() -> None:
    """Those alone: it knows nothing of a call that could not be set up, and no other figure of these."""
    assert dict(OF_STATUS) == {"answered_calls": {CallStatus.NOT_ANSWERED}}


@pytest.mark.parametrize("status", list(CallStatus))
def test_a_connection_was_lost_where_that_is_how_the_call_ended(status: CallStatus) -> None:
    call = held(night_call("a", status=status))
    assert call.connection_lost is (status.value == "connection_lost")


def test_what_came_of_calls_of_which_too_little_is_known() -> None:
    lost = held(night_call("a", status=CallStatus.CONNECTION_LOST))
    refused = held(night_call("b", status=CallStatus.SETUP_FAILED))
    assert told_lost([lost, lost]) == "lost their connection"
    assert told_lost([refused]) == "did not come about"
    assert told_lost([lost, refused, lost]) == "did not come about or lost their connection"


class _Rules:
    name = "rules"
    version = "1"
    dimensions = frozenset({Dimension.COHERENCE})


def _judged(id_: str) -> DialogueScores:
    """Two replies, of 0 and of 2 points of 2."""
    talk = dialogue("C: Mm.", "A: then not", "C: well", "A: bye")
    points = [scored(1, Dimension.COHERENCE, 0), scored(3, Dimension.COHERENCE, 2)]
    opens = flow(node("opens", key=True))
    text = text_scores(talk, opens, [achieved("opens", 1, "then")], points, judge=_Rules())  # type: ignore[arg-type]
    return DialogueScores(id=id_, entry=id_, turns=talk.turns, text=text)


def test_replies_to_what_our_own_caller_was_at_fault_for_are_in_no_gate(tmp_path: Path) -> None:
    made = [replace(night_call(name), text=_judged(name)) for name in ("plain", "guilty")]
    folder = write_run(tmp_path / "run", [*made, night_call("unjudged")])
    fault = Finding(kind="did_not_answer", turn=0, quote="Mm.", detail="passes over it", aside="turn")
    guard = GuardFile(verdict="guilty_turns", findings=(fault,))
    for name in ("guilty", "unjudged"):
        write_model(folder / "calls" / name / GUARD_FILE, guard)
    values = []
    for call in held_calls(folder):
        assert call.files.scores is not None
        text = call.files.scores.text
        values.append(None if text is None or text.text is None else text.text.score("gic").value)
    assert values == [0.5, 1.0, None]


def test_a_call_that_was_not_scored_is_held_without_scores(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [night_call("a", scored=False)])
    assert [call.files.scores for call in held_calls(folder)] == [None]


def test_what_a_backend_answered_is_read_from_within_the_run_alone(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [night_call("a")])
    write_model(tmp_path / "elsewhere.json", AfterCall())
    (folder / "calls" / "a" / AFTER_CALL_FILE).symlink_to(tmp_path / "elsewhere.json")
    assert [call.after for call in held_calls(folder)] == [None]
