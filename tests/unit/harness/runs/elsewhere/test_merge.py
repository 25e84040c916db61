"""Shards put together are the whole run; what is missing, twice or of another run is told."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from harness._files.atomic_file import write_model
from harness.analysis import error_bar
from harness.calls.conversation import Held
from harness.errors import UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.expectations import Expectation, Expected, Phrase
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from harness.records.calibration import CALIBRATION_FILE, CalibrationFile
from harness.records.placed.placings import PLACINGS_FILE
from harness.records.scores import CalibrationNote, CallScores, SpanSet
from harness.records.witness import SOURCE, WITNESS_FILE
from harness.runs.elsewhere import calibration_file
from harness.runs.elsewhere.calibration_file import calibration_of, keep_calibrations
from harness.runs.elsewhere.merge import merge_shards
from harness.runs.elsewhere.shard import shard_of
from harness.runs.opening import open_run
from harness.runs.others.witnessed import with_witnessed
from harness.runs.reader import AGAIN, read_run
from harness.runs.store import RunStore
from harness.scoring.gates.decide import decide, read_checks
from harness.scoring.run import score_run
from tests.unit.harness.analysis.test_listener import StandIns
from tests.unit.harness.stand_ins.recorded import recorded_call

IDS = ("a", "b", "c")
ANSWERS = ("refund", "callback", "account")
VERSIONS = {"outboundeval": "1"}


def three_held() -> list[Held]:
    return [recorded_call(name, answer=one, text="Pardon?") for name, one in zip(IDS, ANSWERS, strict=True)]


@pytest.fixture(scope="module")
def held() -> list[Held]:
    return three_held()


def plan_of(held: list[Held]) -> RunPlan:
    return RunPlan(name="night", units=tuple(Unit(plan=one.record.plan) for one in held))


def placed(folder: Path, plan: RunPlan, held: list[Held]) -> Path:
    store = RunStore(folder)
    info = open_run(plan, store, versions=VERSIONS)
    for one in held:
        if one.record.plan.call_id in info.call_ids:
            store.write(one)
    store.write_info(info.model_copy(update={"finished_at": "2026-11-03T11:00:00+00:00"}))
    return folder


def _shards(tmp_path: Path, held: list[Held], of: int = 2) -> list[Path]:
    plan = plan_of(held)
    return [
        placed(tmp_path / f"shard-{place}", shard_of(plan, f"{place}/{of}"), held)
        for place in range(1, of + 1)
    ]


def test_merged_shards_have_the_summary_of_the_whole(tmp_path: Path, held: list[Held]) -> None:
    whole = RunStore(placed(tmp_path / "whole", plan_of(held), held))
    merged = RunStore(tmp_path / "merged")
    told = merge_shards(list(reversed(_shards(tmp_path, held))), merged.folder)
    assert (told.calls, told.missing, told.not_placed) == (3, (), ())
    of_whole, of_merged = whole.read_info(), merged.read_info()
    assert of_whole is not None
    assert of_merged is not None
    own = {"started_at", "run_id"}
    assert of_merged.model_dump(exclude=own) == of_whole.model_dump(exclude=own)
    summaries = [
        score_run(store, instruments=StandIns(), on_progress=lambda doing: None).summary
        for store in (whole, merged)
    ]
    assert summaries[0] == summaries[1]
    assert summaries[0].metrics["response_latency_ms"].n == 3


def test_a_missing_shard_is_told_and_may_be_left_out(tmp_path: Path, held: list[Held]) -> None:
    first, _ = _shards(tmp_path, held)
    with pytest.raises(UserError, match=r"these shards are missing: 2/2"):
        merge_shards([first], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
    told = merge_shards([first], tmp_path / "merged", incomplete=True)
    assert (told.calls, told.missing, told.not_placed) == (2, (2,), ("b",))
    info = RunStore(tmp_path / "merged").read_info()
    assert info is not None
    assert info.call_ids == list(IDS)
    assert info.finished_at is None


def test_what_was_made_of_fewer_calls_does_not_stand_beside_the_whole(
    tmp_path: Path, held: list[Held]
) -> None:
    """Until it is scored: with --no-score that is for later."""
    shards, whole = _shards(tmp_path, held), tmp_path / "merged"
    merge_shards(shards[:1], whole, incomplete=True)
    score_run(RunStore(whole), instruments=StandIns(), on_progress=lambda doing: None)
    (whole / "report").mkdir()
    made = [whole / name for name in ("verdict.json", "junit.xml", "metrics.prom", "report/index.html")]
    for path in made:
        path.write_text("of two calls")
    merge_shards(shards, whole)
    assert not any(path.exists() for path in [*made, whole / "report", whole / "summary.json"])
    assert (read_run(whole).summary, len(list((whole / "calls").iterdir()))) == (None, 3)


def test_a_shard_is_not_merged_into_its_own_folder(tmp_path: Path, held: list[Held]) -> None:
    """A matrix of one: its calls would make way for what is copied, which is they themselves."""
    [only] = _shards(tmp_path, held, of=1)
    before = {path: path.read_bytes() for path in only.rglob("*") if path.is_file()}
    (tmp_path / "link").symlink_to(only)
    for out in (only, tmp_path / "link"):
        with pytest.raises(UserError, match="is a shard itself; give another --out"):
            merge_shards([only], out)
    assert {path: path.read_bytes() for path in only.rglob("*") if path.is_file()} == before
    assert merge_shards([only], tmp_path / "merged").calls == 3


def test_more_shards_than_calls_leave_nothing_missing(tmp_path: Path, held: list[Held]) -> None:
    plan = plan_of(held)
    parts = [placed(tmp_path / str(place), shard_of(plan, f"{place}/5"), held) for place in (1, 2, 3)]
    assert merge_shards(parts, tmp_path / "merged").missing == ()


def test_a_shard_that_is_there_twice_is_told(tmp_path: Path, held: list[Held]) -> None:
    first, second = _shards(tmp_path, held)
    again = placed(tmp_path / "again", shard_of(plan_of(held), "1/2"), held)
    with pytest.raises(UserError, match=r"again: shard 1/2 is there twice, the other is .*shard-1"):
        merge_shards([first, second, again], tmp_path / "merged")


def test_what_does_not_belong_together_is_told(tmp_path: Path, held: list[Held]) -> None:
    first, second = _shards(tmp_path, held)
    whole = placed(tmp_path / "whole", plan_of(held), held)
    with pytest.raises(UserError, match="is a whole run and no shard"):
        merge_shards([first, whole], tmp_path / "merged")
    other = placed(tmp_path / "other", shard_of(plan_of(held[:2]), "2/2"), held)
    with pytest.raises(UserError, match="is a shard of another run than"):
        merge_shards([first, other], tmp_path / "merged")
    with pytest.raises(UserError, match="no run: give the folder of a shard"):
        merge_shards([first, tmp_path], tmp_path / "merged")
    newer = RunStore(second)
    info = newer.read_info()
    assert info is not None
    newer.write_info(info.model_copy(update={"outboundeval": "2"}))
    with pytest.raises(UserError, match="was placed by another version"):
        merge_shards([first, second], tmp_path / "merged")


def test_what_a_link_leads_to_is_not_taken_along(tmp_path: Path, held: list[Held]) -> None:
    first, second = _shards(tmp_path, held)
    secret = tmp_path / "secret"
    secret.write_text("mine", encoding="utf-8")
    (first / "calls" / "a" / "notes.txt").symlink_to(secret)
    merge_shards([first, second], tmp_path / "merged")
    assert not (tmp_path / "merged" / "calls" / "a" / "notes.txt").exists()
    assert (tmp_path / "merged" / "calls" / "a" / "audio.flac").is_file()


def test_a_bar_comes_along_from_where_a_call_was_placed(
    tmp_path: Path, held: list[Held], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = _shards(tmp_path, held)
    bar = CalibrationNote(transport="smallwebrtc", response_p95_ms=1.25, interruption_p95_ms=2.5)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(calibration_file, "this_machine", lambda: "runner-1")
        elsewhere.setattr(calibration_file, "calibration_note", lambda *of: bar)
        keep_calibrations(RunStore(first))
    merge_shards([first, second], tmp_path / "merged")
    merged = RunStore(tmp_path / "merged")
    kept = CalibrationFile.model_validate_json((merged.call_folder("a") / CALIBRATION_FILE).read_bytes())
    assert kept.placed_on == "runner-1"
    score_run(merged, instruments=StandIns(), on_progress=lambda doing: None)
    notes = {call: scores.calibration for call in IDS if (scores := merged.read_scores(call))}
    assert notes["a"] == notes["c"] == bar
    assert notes["b"] is not None
    assert notes["b"].response_p95_ms != 1.25


def test_here_the_newest_bar_counts(
    tmp_path: Path, held: list[Held], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RunStore(placed(tmp_path / "whole", plan_of(held), held))
    keep_calibrations(store)
    newer = CalibrationNote(transport="smallwebrtc", response_p95_ms=9.0, interruption_p95_ms=9.0)
    monkeypatch.setattr(calibration_file, "calibration_note", lambda *of: newer)
    assert calibration_of(store.call_folder("a"), held[0].record) == newer
    assert error_bar.this_machine() == calibration_file.this_machine()


def test_another_attempt_takes_the_bar_of_the_one_before_away(tmp_path: Path, held: list[Held]) -> None:
    store = RunStore(placed(tmp_path / "whole", plan_of(held), held))
    keep_calibrations(store)
    store.write(dataclasses.replace(held[0]))
    assert not (store.call_folder("a") / CALIBRATION_FILE).exists()


def test_shards_of_other_libraries_have_both_versions(tmp_path: Path, held: list[Held]) -> None:
    first, second = _shards(tmp_path, held)
    for folder, numpy in ((first, "2.2.0"), (second, "2.1.3")):
        store = RunStore(folder)
        info = store.read_info()
        assert info is not None
        store.write_info(info.model_copy(update={"versions": info.versions | {"numpy": numpy, "av": "14"}}))
    merge_shards([first, second], tmp_path / "merged")
    merged = RunStore(tmp_path / "merged").read_info()
    assert merged is not None
    assert (merged.versions["numpy"], merged.versions["av"]) == ("2.1.3 / 2.2.0", "14")


def _began(folder: Path, at: str) -> str:
    """Lets a shard have begun then; its id."""
    store = RunStore(folder)
    info = store.read_info()
    assert info is not None
    store.write_info(info.model_copy(update={"started_at": at}))
    return info.run_id


def _id_of(folder: Path) -> str:
    info = RunStore(folder).read_info()
    assert info is not None
    assert len(info.run_id) == 32
    return info.run_id


def test_a_whole_is_the_same_run_wherever_and_how_often_it_is_put_together(
    tmp_path: Path, held: list[Held]
) -> None:
    first, second = _shards(tmp_path, held)
    _began(first, "2026-11-03T02:00:09+00:00")
    earliest = _began(second, "2026-11-03T02:00:00+00:00")
    merge_shards([first], tmp_path / "merged", incomplete=True)
    begun = _id_of(tmp_path / "merged")
    merge_shards([first, second], tmp_path / "merged")
    assert _id_of(tmp_path / "merged") == begun, "what was missing came later"
    merge_shards([second, first], tmp_path / "elsewhere")
    assert _id_of(tmp_path / "elsewhere") == earliest


def test_another_night_in_the_same_place_is_another_run_and_lends_no_calls(
    tmp_path: Path, held: list[Held]
) -> None:
    monday, tuesday = _shards(tmp_path / "monday", held), _shards(tmp_path / "tuesday", held)
    for day, night in enumerate((monday, tuesday), 3):
        for part in night:
            _began(part, f"2026-11-{day:02}T02:00:00+00:00")
    out = tmp_path / "merged"
    merge_shards(monday, out)
    before = _id_of(out)
    with pytest.raises(UserError, match="holds another night of these calls, and no shard has 'b'"):
        merge_shards(tuesday[:1], out, incomplete=True)
    assert _id_of(out) == before
    merge_shards(tuesday, out)
    assert _id_of(out) != before


def _tool(order: int, at_s: float, call: str = "") -> str:
    return json.dumps({"call": call, "tool_call": "lookup", "data": {"order": order}, "at_s": at_s}) + "\n"


def _began_at(folder: Path, call_id: str, monotonic_s: float) -> None:
    """Lets a call have begun then, by the clock of its machine."""
    store = RunStore(folder)
    record = store.read_record(call_id)
    assert record is not None
    write_model(store.record_file(call_id), record.model_copy(update={"began_monotonic_s": monotonic_s}))


def _witnessed(folder: Path) -> dict[str, list[tuple[float, object]]]:
    """Call -> when on its clock which order was told."""
    return {
        call.call_id: [
            (round(event.t, 3), event.data["order"]) for event in call.events if event.source == SOURCE
        ]
        for call in with_witnessed(folder, read_run(folder).calls)
    }


def test_what_was_told_on_each_machine_is_told_of_its_own_calls(tmp_path: Path, held: list[Held]) -> None:
    """Both machines were up for about as long: by the clock of the other one, each thing that was told lies
    in a call of the other shard."""
    first, second = _shards(tmp_path, held)
    for folder, call, began_s in ((first, "a", 500.0), (first, "c", 600.0), (second, "b", 500.5)):
        _began_at(folder, call, began_s)
    (first / WITNESS_FILE).write_text(_tool(7, 501.0) + _tool(8, 601.5, "c") + _tool(1, 590.0))
    (second / WITNESS_FILE).write_text(_tool(9, 501.25))
    merge_shards([first, second], tmp_path / "merged")
    wanted = {"a": [(1.0, 7)], "b": [(0.75, 9)], "c": [(1.5, 8)]}
    assert _witnessed(tmp_path / "merged") == wanted
    merge_shards([first, second], tmp_path / "merged")
    assert _witnessed(tmp_path / "merged") == wanted, "once more adds nothing"


def test_second_attempts_come_along_with_what_was_told_of_them(tmp_path: Path, held: list[Held]) -> None:
    first, second = _shards(tmp_path, held)
    for folder, call, began_s in ((first, "c", 700.0), (second, "b", 800.0)):
        chosen = [one for one in held if one.record.plan.call_id == call]
        placed(folder / AGAIN, plan_of(chosen), held)
        RunStore(folder / AGAIN).write_scores_only(CallScores(call_id=call, spans=SpanSet()))
        _began_at(folder / AGAIN, call, began_s)
        # The run listened for its second attempts, too.
        (folder / WITNESS_FILE).write_text(_tool(7, began_s + 0.5, call))
    merged = tmp_path / "merged"
    merge_shards([first], merged, incomplete=True)
    assert _witnessed(merged / AGAIN) == {"c": [(0.5, 7)]}
    merge_shards([first, second], merged)
    assert _witnessed(merged / AGAIN) == {"b": [(0.5, 7)], "c": [(0.5, 7)]}
    info = RunStore(merged / AGAIN).read_info()
    assert info is not None
    assert (info.call_ids, info.finished_at) == (["b", "c"], "2026-11-03T11:00:00+00:00")
    verdict = decide(merged)
    assert verdict.rerun is not None
    assert verdict.rerun[0] == 2


def test_second_attempts_of_another_night_do_not_stay(tmp_path: Path, held: list[Held]) -> None:
    monday, tuesday = _shards(tmp_path / "monday", held), _shards(tmp_path / "tuesday", held)
    for day, night in enumerate((monday, tuesday), 3):
        for part in night:
            _began(part, f"2026-11-{day:02}T02:00:00+00:00")
    placed(monday[0] / AGAIN, plan_of(held[:1]), held)
    merge_shards(monday, tmp_path / "merged")
    assert (tmp_path / "merged" / AGAIN / "calls" / "a" / "call.json").is_file()
    merge_shards(tuesday, tmp_path / "merged")
    assert not (tmp_path / "merged" / AGAIN).exists()


def test_second_attempts_that_were_opened_and_never_placed_stop_nothing(
    tmp_path: Path, held: list[Held]
) -> None:
    first, second = _shards(tmp_path, held)
    opened = placed(first / AGAIN, plan_of(held[:1]), [])
    (opened / PLACINGS_FILE).write_text('{"t_s": 0, "what": "began"}\n', encoding="utf-8")
    merged = tmp_path / "merged"
    assert merge_shards([first, second], merged).calls == 3
    info = RunStore(merged / AGAIN).read_info()
    assert info is not None
    assert info.call_ids == ["a"]
    assert (merged / AGAIN / PLACINGS_FILE).is_file()


def _again_expectations(merged: Path) -> dict[str, tuple[Expected, ...]]:
    return dict(read_checks(merged / AGAIN).expect)


def _again_ids(merged: Path) -> list[str]:
    info = RunStore(merged / AGAIN).read_info()
    assert info is not None
    return info.call_ids


def test_second_attempts_that_a_shard_placed_again_no_longer_has_do_not_stay(
    tmp_path: Path, held: list[Held]
) -> None:
    """Shard 1 has a and c, shard 2 has b; shard 1 is placed again, and first fails less, then not at all."""
    first, second = _shards(tmp_path, held)
    expected = (Expected(what=Expectation(answered=True)),)
    for folder, chosen in ((first, [held[0], held[2]]), (second, [held[1]])):
        again = RunStore(placed(folder / AGAIN, plan_of(chosen), held))
        again.write_checks(Checks(expect={one.record.plan.call_id: expected for one in chosen}))
    merged = tmp_path / "merged"
    merge_shards([first, second], merged)
    assert _again_ids(merged) == ["a", "b", "c"]
    shutil.rmtree(first / AGAIN)
    placed(first / AGAIN, plan_of([held[2]]), held)
    merge_shards([first, second], merged)
    assert _again_ids(merged) == ["b", "c"]
    assert not (merged / AGAIN / "calls" / "a").exists()
    assert set(_again_expectations(merged)) == {"b", "c"}
    shutil.rmtree(first / AGAIN / "calls")
    merge_shards([first, second], merged)
    assert _again_ids(merged) == ["b", "c"], "is planned"
    assert not (merged / AGAIN / "calls" / "c").exists(), "and not placed yet"
    shutil.rmtree(first / AGAIN)
    merge_shards([first], merged, incomplete=True)
    assert _again_ids(merged) == ["b"], "the other shard is not given, and keeps what it had"
    shutil.rmtree(second / AGAIN)
    merge_shards([first, second], merged)
    assert not (merged / AGAIN).exists()
    assert decide(merged).rerun is None


def test_expectations_of_second_attempts_are_those_of_the_shard_given_last(
    tmp_path: Path, held: list[Held]
) -> None:
    first, second = _shards(tmp_path, held)
    again = placed(first / AGAIN, plan_of([held[0]]), held)
    merged = tmp_path / "merged"
    for words in ("refund", "callback"):
        expected = (Expected(what=Expectation(said=Phrase(words=words))),)
        RunStore(again).write_checks(Checks(expect={"a": expected}))
        merge_shards([first, second], merged)
        assert _again_expectations(merged) == {"a": expected}
