"""A call as a case: lines, timing, and what has to go otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.sounds.played import with_played
from harness.records.call import CallStatus
from harness.records.scores import InterruptionTiming
from harness.runs.reader import CallFiles
from harness.scoring.pin.of_call import pinned_call
from tests.nights import held, night_call


def test_what_went_wrong_is_expected_to_go_otherwise() -> None:
    missed = InterruptionTiming(
        index=1,
        user_start_s=4.0,
        agent_onset_s=2.5,
        planned_offset_s=1.2,
        actual_offset_s=1.234,
        outcome="not_stopped",
        censored_after_ms=3000.0,
    )
    call = night_call("a.1", [500.0, 600.0, None], interruptions=[missed], snr_db=10.0)
    call.said[2].kind = "barge_in"
    plan = expand_plan(pinned_call(held(call).files).content)
    (one,) = plan.calls
    assert one.script is not None
    assert [line.say for line in one.script.lines] == ["Line number 1.", "Line number 2.", "Line number 3."]
    assert [line.barge_in_after_s for line in one.script.lines] == [None, 1.234, None]
    # The agent's answers end half a second before the caller's next line.
    assert [line.pause_s for line in one.script.lines] == [0.4, 0.4, 0.5]
    assert one.conditions.noise is not None
    assert one.conditions.noise.snr_db == 10.0
    assert [(each.line, each.what.told) for each in plan.checks.expect[one.call_id]] == [
        (1, "stops within 500 ms"),
        (2, "answered"),
    ]


@pytest.mark.parametrize(
    ("status", "told"), [(CallStatus.COMPLETED, "answered"), (CallStatus.AGENT_HANGUP, "ends: completed")]
)
def test_of_a_call_without_a_bad_line_the_end_or_every_answer(status: CallStatus, told: str) -> None:
    plan = expand_plan(pinned_call(held(night_call("a", status=status)).files).content)
    assert [each.what.told for each in plan.checks.expect["pin-a"]] == [told]


def test_a_call_in_which_nothing_was_said_is_no_case() -> None:
    with pytest.raises(UserError, match="said nothing"):
        pinned_call(held(night_call("a", status=CallStatus.SETUP_FAILED)).files)


def _scripted(plan: dict[str, Any], *, pressed: str = "") -> CallFiles:
    """A call of two answered lines whose plan has ``plan``; ``pressed``: in the first, keys."""
    files = held(night_call("a", [500.0, 600.0])).files
    assert files.record is not None
    of_lines = plan.get("script", {"lines": []})["lines"]
    said = [
        one.model_copy(update={"text": line.get("say") or f"[presses {' '.join(line['press'])}]"})
        for one, line in zip(files.record.utterances, of_lines, strict=False)
    ] or list(files.record.utterances)
    said[0].pressed = pressed
    made = CallPlan.model_validate(files.record.plan.model_dump() | plan)
    return replace(files, record=files.record.model_copy(update={"plan": made, "utterances": said}))


SILENT = np.zeros(20 * 48_000, dtype=np.float32)


@pytest.mark.parametrize("caller", [None, SILENT], ids=["anew", "sound"])
def test_keys_are_pressed_again_and_not_said(caller: NDArray[np.float32] | None) -> None:
    files = _scripted({"script": {"lines": [{"press": "42#"}, {"say": "Where is it?"}]}}, pressed="42#")
    case = pinned_call(files, caller=caller)
    pressed, said = case.content["calls"][0]["script"]["lines"]
    # The first line: nobody had spoken before it, so the usual pause.
    assert pressed == {"press": "42#", "pause_s": 0.4}
    assert said["say"] == "Where is it?"
    assert list(case.sounds) == ([] if caller is None else ["pin-a-sounds/02.wav"])
    if caller is None:
        expand_plan(case.content)


@pytest.mark.parametrize("kind", ["aside", "turn"])
def test_a_sound_that_comes_along_is_played_again(kind: str) -> None:
    line = with_played({"play": "cough", "kind": kind, "level_db": -3.0}, where="here")
    case = pinned_call(_scripted({"script": {"lines": [line, {"say": "Where is it?"}]}}))
    played, _ = case.content["calls"][0]["script"]["lines"]
    assert played == {"play": "cough", "kind": kind, "level_db": -3.0, "pause_s": 0.4}
    expand_plan(case.content)


def test_by_its_very_sound_too_a_cough_asks_for_no_answer() -> None:
    line = with_played({"play": "cough"}, where="here")
    case = pinned_call(_scripted({"script": {"lines": [line]}}), caller=SILENT)
    first = case.content["calls"][0]["script"]["lines"][0]
    assert first["kind"] == "aside"
    assert first["sound"]["path"] == "pin-a-sounds/01.wav"


def test_recordings_and_noises_of_the_plan_are_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("order.wav", "other.wav"):
        (tmp_path / name).write_bytes(b"RIFF")
    (tmp_path / "noises").mkdir()
    under = {"path": "other.wav", "level_db": -5.0}
    line = {"say": "Where is it?", "sound": "order.wav", "under": under, "under_after_s": 1.0}
    noise = {"kind": "folder", "path": "noises", "snr_db": 10.0}
    files = _scripted({"script": {"lines": [line]}, "conditions": {"noise": noise}})
    case = pinned_call(files)
    (call,) = case.content["calls"]
    assert call["script"]["lines"][0] == {
        "say": "Where is it?",
        "sound": {"path": str(tmp_path / "order.wav")},
        "under": {"path": str(tmp_path / "other.wav"), "level_db": -5.0},
        "under_after_s": 1.0,
        "pause_s": 0.4,
    }
    assert call["conditions"]["noise"]["path"] == str(tmp_path / "noises")
    (tmp_path / "noises").rmdir()
    with pytest.raises(UserError, match=r"a: conditions.noise.path: noises is not there"):
        pinned_call(files)
    (tmp_path / "order.wav").unlink()
    with pytest.raises(UserError, match=r"a, line 1: order.wav is not there"):
        pinned_call(files)


def test_a_call_that_is_not_scored_is_no_case_yet() -> None:
    # When the agent spoke is not known: the case would not wait for its greeting, nor expect what went wrong.
    files = replace(held(night_call("a")).files, scores=None)
    with pytest.raises(UserError, match=r"a: is not scored, .* first score its run: outboundeval score RUN"):
        pinned_call(files)
