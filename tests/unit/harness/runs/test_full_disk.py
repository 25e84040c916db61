"""A disk that fills while a run is written: the call that was being written is lost, and nothing else is."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.analysis.cache import ANALYSIS_FILE
from harness.calls.conversation import Held, Watcher
from harness.calls.voice import prepare
from harness.calls.voice.medium import VoiceMedium
from harness.calls.voice.workers import pool as call_helpers
from harness.errors import NotWritten, UserError
from harness.records.call import CallStatus
from harness.records.scores import CallScores, Transcript
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.runs import store as store_module
from harness.runs.batch import hold_all
from harness.runs.reader import read_run
from harness.runs.store import RunStore
from tests.small_disk import small_disk, small_files
from tests.unit.harness.runs.test_batch import _Builder, _EarsInPlace, _plan
from tests.unit.harness.runs.test_store import _info, _placed
from tests.unit.harness.stand_ins.fake_agent import FakeTransport

DISK_BYTES = 400_000


def _loud(call_id: str) -> Held:
    """A call whose recording takes about 190 kB: noise is not compressed."""
    held = _placed(call_id)
    assert held.recording is not None
    noise = np.random.default_rng(3).uniform(-0.9, 0.9, (48_000, 2)).astype(np.float32)
    return dataclasses.replace(held, recording=dataclasses.replace(held.recording, audio=noise))


@pytest.fixture(params=["small file system", "limit on files"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A place that takes the first call of :func:`_loud`, and not the second."""
    if request.param == "small file system":
        try:
            with small_disk(tmp_path / "disk", bytes_=DISK_BYTES) as folder:
                yield folder
        except PermissionError as error:
            pytest.skip(f"nothing may be mounted here: {error}")
    else:
        yield tmp_path


@contextmanager
def _full_from_now_on(disk: Path) -> Iterator[None]:
    """Where it is no small file system: files of this process do."""
    if disk.name == "disk":
        yield
    else:
        with small_files(bytes_=100_000):
            yield


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_call_that_does_not_fit_leaves_nothing_and_the_one_before_stays(disk: Path) -> None:
    store = RunStore(disk / "run")
    store.write_info(_info())
    store.write(_loud("one"))
    kept = _files(store.folder)
    # Whatever else has come to the disk meanwhile.
    (disk / "ballast").write_bytes(bytes(100_000))
    with _full_from_now_on(disk), pytest.raises(NotWritten, match="calls/two: cannot be written: "):
        store.write(_loud("two"))
    assert _files(store.folder) == kept
    assert not (store.folder / "calls" / "two").exists()
    assert [call.call_id for call in read_run(store.folder).calls] == ["one"]


def test_what_an_earlier_attempt_left_stays_whole_where_the_next_does_not_fit(disk: Path) -> None:
    store = RunStore(disk / "run")
    store.write_info(_info())
    store.write(_loud("one"))
    (store.call_folder("one") / ANALYSIS_FILE).write_text("{}")
    kept = _files(store.folder)
    # Both attempts are on the disk until the second is whole.
    (disk / "ballast").write_bytes(bytes(100_000))
    with _full_from_now_on(disk), pytest.raises(NotWritten, match="calls/one: cannot be written"):
        store.write(_loud("one"))
    assert _files(store.folder) == kept
    assert store.read_record("one") is not None


def test_figures_and_pages_are_replaced_whole_or_not_at_all(disk: Path) -> None:
    store = RunStore(disk / "run")
    store.write_info(_info())
    store.write(_loud("one"))
    store.write_scores("one", CallScores(call_id="one"), Transcript())
    build_report(store.folder)
    write_junit(store.folder)
    kept = _files(store.folder)
    with small_files(bytes_=10):
        with pytest.raises(NotWritten, match=r"scores\.json: cannot be written: File too large"):
            store.write_scores_only(CallScores(call_id="one"))
        with pytest.raises(NotWritten, match=r"transcript\.json: cannot be written"):
            store.write_scores("one", CallScores(call_id="one"), Transcript())
        with pytest.raises(NotWritten, match=r"index\.html: cannot be written"):
            build_report(store.folder)
        with pytest.raises(NotWritten, match=r"junit\.xml: cannot be written"):
            write_junit(store.folder)
        with pytest.raises(NotWritten, match="run: cannot be written"):
            store.write_info(_info())
    assert _files(store.folder) == kept


async def test_the_message_says_which_call_is_lost_how_many_are_kept_and_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "transport_for", lambda agent: FakeTransport())
    monkeypatch.setattr(call_helpers, "Ears", _EarsInPlace)
    folder, full = tmp_path / "run", small_files(bytes_=1000)
    plan = _plan("a", "b", "c")
    held: list[Held] = []

    def on_held(one: Held) -> None:
        held.append(one)
        full.__enter__()

    try:
        with pytest.raises(NotWritten, match="call 'b' is lost") as told:
            await hold_all(
                plan, RunStore(folder), medium=VoiceMedium(_Builder()), watcher=Watcher(on_held=on_held)
            )
    finally:
        full.__exit__(None, None, None)
    assert str(told.value).startswith(f"{folder}/calls/b: cannot be written: File too large; ")
    assert str(told.value).endswith("call 'b' is lost, 1 of 3 are finished and kept")
    assert told.value.hint == f"make room or mend it, then go on with the same command and --out {folder}"
    assert isinstance(told.value, UserError)
    assert told.value.exit_code == 2
    assert [path.name for path in (folder / "calls").iterdir()] == ["a"]
    outcome = await hold_all(plan, RunStore(folder), medium=VoiceMedium(_Builder()))
    assert outcome.complete_before == ["a"]
    assert outcome.statuses == dict.fromkeys("abc", CallStatus.CALLER_HANGUP)


def test_what_a_killed_process_had_begun_to_write_is_swept_away(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    folder = store.call_folder("one")
    folder.mkdir(parents=True)
    (folder / ".audio.flac.x1y2").write_bytes(bytes(1000))
    (folder / ".call.json.z3").write_text("{")
    (folder / "mine.txt").write_text("mine")
    store.write(_placed("one"))
    left = {path.name for path in folder.iterdir()}
    assert left == {"timeline.jsonl", "audio.flac", "packets.npz", "call.json", "mine.txt"}


@pytest.mark.parametrize("killed_at", range(4))
def test_a_process_killed_between_two_files_leaves_no_call_that_seems_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int
) -> None:
    """The last renames are what a kill may part: until the record is there, the call is none."""
    store = RunStore(tmp_path / "run")
    store.write(_placed("one", detail="the first attempt"))

    class _Killed(BaseException):
        pass

    done: list[str] = []
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if len(done) == killed_at:
            raise _Killed("killed")
        done.append(target.name)
        return real(self, target)

    monkeypatch.setattr(store_module.Path, "replace", replace)
    with pytest.raises(_Killed, match="killed"):
        store.write(_placed("one", detail="the second attempt"))
    assert store.read_record("one") is None
    monkeypatch.undo()
    store.write(_placed("one", detail="the third attempt"))
    record = store.read_record("one")
    assert record is not None
    assert record.status_detail == "the third attempt"


@pytest.mark.parametrize("recorded", [True, False])
def test_at_no_moment_does_a_record_lie_beside_anything_of_another_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: bool
) -> None:
    """Looked at before and after each step by which the second attempt takes the place of the first."""
    store = RunStore(tmp_path / "run")
    folder = store.call_folder("one")
    store.write(_placed("one", detail="the first attempt"))
    store.write_scores("one", CallScores(call_id="one"), Transcript())
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    seen: list[str] = []

    def look() -> None:
        there = {path.name: path.read_bytes() for path in folder.iterdir() if path.name[0] != "."}
        record = store.read_record("one")
        if record is None:
            # What has no successor yet is not gone: whoever is killed here has one of both recordings.
            assert (not recorded and "audio.flac" not in there) or there["audio.flac"]
            seen.append("none")
        elif record.status_detail == "the first attempt":
            assert there == first
            seen.append("first")
        else:
            wanted = {"timeline.jsonl", "call.json"} | ({"audio.flac", "packets.npz"} if recorded else set())
            assert set(there) == wanted
            seen.append("second")

    def looking(real: Any) -> Any:
        def step(self: Path, *given: Any, **more: Any) -> Any:
            look()
            done = real(self, *given, **more)
            look()
            return done

        return step

    monkeypatch.setattr(store_module.Path, "replace", looking(Path.replace))
    monkeypatch.setattr(store_module.Path, "unlink", looking(Path.unlink))
    store.write(_placed("one", detail="the second attempt", recorded=recorded))
    assert list(dict.fromkeys(seen)) == ["first", "none", "second"]
    assert seen[-1] == "second"
