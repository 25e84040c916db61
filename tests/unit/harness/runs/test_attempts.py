"""Earlier attempts: one form of them, whether they lie beside the call or stand in its record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness._files.atomic_file import write_model
from harness.calls.guard import GUARD_FILE, GuardFile
from harness.errors import UserError
from harness.plans.unit import Unit
from harness.records.call import CallRecord, CallStatus
from harness.runs.attempts import Attempts, set_aside
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import set_guilty_aside
from tests.unit.harness.stand_ins.recorded import recorded_call
from voice_sim.guard.session import Finding

GUILTY = GuardFile(
    verdict="guilty",
    findings=(
        Finding(kind="broke_character", detail="speaks of models", quote="As a model", turn=0, certain=True),
    ),
)


def test_a_guilty_call_by_voice_is_set_aside_and_the_next_record_says_so(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    held = recorded_call("one")
    unit = Unit(plan=held.record.plan)
    store.write(held)
    write_model(store.call_folder("one") / GUARD_FILE, GUILTY)
    attempts = Attempts(store, again=False, rerun_guilty=0)
    assert attempts.complete(unit) == held.record
    (tmp_path / "verdict.json").write_text("{}")
    assert set_guilty_aside(store, ["one"], attempts=1) == ["one"]
    assert not (tmp_path / "verdict.json").exists(), "it is of a call that is missing now"

    attempts = Attempts(store, again=False, rerun_guilty=0)
    assert attempts.complete(unit) is None
    store.write(attempts.numbered(recorded_call("one")))
    record = store.read_record("one")
    assert record is not None
    [earlier] = record.earlier_attempts
    assert earlier.status is held.record.status
    assert earlier.guilty == ("broke_character: speaks of models",)
    assert (store.call_folder("one") / "attempt-1" / "audio.flac").is_file(), "its sound is still there"
    assert set_guilty_aside(store, ["one"], attempts=1) == []


def test_a_whole_record_of_a_newer_version_is_not_placed_again(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    held = recorded_call("one")
    store.write(held)
    path = store.record_file("one")
    written = json.loads(path.read_text()) | {"version": 3, "a_new_field": 1}
    path.write_text(json.dumps(written))
    attempts = Attempts(store, again=False, rerun_guilty=0)
    with pytest.raises(UserError, match=r"a_new_field.* perhaps of a newer version"):
        attempts.complete(Unit(plan=held.record.plan))
    path.write_text(json.dumps(written)[:-1])  # torn
    assert attempts.complete(Unit(plan=held.record.plan)) is None


def test_attempts_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    held = recorded_call("one")
    for number, content in (
        (1, "{"),
        (2, held.record.model_dump_json()),
        (10, held.record.model_dump_json()),
    ):
        folder = store.call_folder("one") / f"attempt-{number}"
        folder.mkdir(parents=True)
        (folder / "call.json").write_text(content)
    assert len(set_aside(store, "one")) == 2


def test_a_call_that_was_cut_off_is_no_attempt(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    held = recorded_call("one")
    cut = held.record.model_copy(update={"status": CallStatus.INTERRUPTED})
    store.write(type(held)(record=cut, events=[]))
    attempts = Attempts(store, again=True, rerun_guilty=9)
    assert attempts.complete(Unit(plan=cut.plan)) is None
    again: CallRecord = attempts.numbered(held).record
    assert again.earlier_attempts == ()
