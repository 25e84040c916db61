"""Runs as tables: what stands in the files stands in the rows, of calls and of dialogues in text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import outboundeval
from tests.old_runs.copies import KEPT
from tests.report.make_run import write_run
from tests.report.sample_calls import sample_calls


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> outboundeval.Run:
    return outboundeval.load_run(write_run(tmp_path_factory.mktemp("run"), sample_calls()))


@pytest.fixture
def dialogues(tmp_path: Path) -> Path:
    _write(tmp_path / "run.json", {"kind": "chat", "dialogue_ids": ["second", "first"]})
    for name in ("first", "second"):
        turns = [
            {"speaker": "agent", "text": "Hello."},
            {"speaker": "caller", "text": f"This is {name}."},
            {"speaker": "agent", "text": "How can"},
            {"speaker": "agent", "text": "I help?"},
            {"speaker": "caller", "text": "Bye."},
        ]
        # 0.1.0 wrote a competitor; now a dialogue has an agent, as a call has.
        who = {"first": "competitor", "second": "agent"}[name]
        plan = {who: "sop", "policy": "agenda", "trial": 0, "task": {"entry": "cs-x/hesitant"}}
        record = {"plan": plan, "status": "completed", "duration_s": 4.0, "turns": turns}
        verdicts = [
            {"turn": 2, "dimension": "redundancy", "outcome": "scored", "score": 1},
            {"turn": 2, "dimension": "safety", "outcome": "not_applicable", "score": None},
            {"turn": 0, "dimension": "redundancy", "outcome": "scored", "score": 2},
        ]
        final = {"metric": "final", "value": 0.75 if name == "first" else None}
        scores = {"turns": turns, "text": {"judge": "rules", "replies": verdicts, "scores": [final]}}
        _write(tmp_path / "dialogues" / name / "dialogue.json", record)
        _write(tmp_path / "dialogues" / name / "scores.json", scores)
    return tmp_path


def test_every_call_has_a_row_in_the_order_of_the_plan(calls: outboundeval.Run) -> None:
    assert list(calls.calls["call_id"]) == [call.id for call in sample_calls()]
    plain = calls.calls.set_index("call_id").loc["plain"]
    assert plain["status"] == "completed"
    assert plain["agent"] == "http://127.0.0.1:7860"
    assert str(plain["started_at"]) == "2026-11-03 02:00:03+00:00"
    assert not plain["guilty"]
    assert calls.calls["duration_s"].gt(0).any()


def test_turns_have_the_latencies_of_the_files_and_the_words_of_both(calls: outboundeval.Run) -> None:
    turns = calls.turns[calls.turns["call_id"] == "plain"]
    assert list(turns["latency_ms"].round()) == [740, 620, 1180, 910]
    assert turns.iloc[0]["said"] == "Hi, there's a charge of 200 dollars that I don't recognise."
    assert turns.iloc[0]["answer"].endswith("the last four digits of your guard, please?")


def test_a_turn_without_an_answer_has_no_number(calls: outboundeval.Run) -> None:
    unmeasured = calls.turns[calls.turns["status"] != "measured"]
    assert len(unmeasured) > 0
    assert unmeasured["latency_ms"].isna().all()
    assert unmeasured["reason"].notna().all()


def test_interruptions_tell_what_became_of_them(calls: outboundeval.Run) -> None:
    stopped = calls.interruptions[calls.interruptions["outcome"] == "stopped"]
    assert sorted(stopped["delay_ms"].round()) == [320, 440, 505, 690]
    assert list(stopped.sort_values("delay_ms")["within_500ms"].isna()) == [False, False, True, False]


def test_the_summary_is_the_file(calls: outboundeval.Run) -> None:
    assert calls.summary == json.loads((calls.path / "summary.json").read_text())
    assert calls.info["name"] == "nightly"


def test_dialogues_in_text_have_words_and_no_times(dialogues: Path) -> None:
    run = outboundeval.load_run(dialogues)
    assert list(run.calls["call_id"]) == ["second", "first"]
    assert list(run.calls["user_type"]) == ["hesitant", "hesitant"]
    assert run.calls["in_text"].all()
    assert list(run.calls["agent"]) == ["sop", "sop"]
    assert list(run.calls["final"].fillna(-1)) == [-1, 0.75]
    first = run.turns[run.turns["call_id"] == "first"]
    assert list(first["said"]) == ["This is first.", "Bye."]
    assert list(first["answer"].fillna("")) == ["How can I help?", ""]
    assert first["latency_ms"].isna().all()
    assert len(run.interruptions) == 0
    assert "delay_ms" in run.interruptions


def test_replies_are_rows_and_dimensions_columns(dialogues: Path) -> None:
    replies = outboundeval.load_run(dialogues).replies
    first = replies[replies["call_id"] == "first"]
    assert list(first["turn"]) == [0, 2]
    assert list(first["redundancy"]) == [2, 1]
    assert first["safety"].isna().all()
    assert list(first["said"].fillna("")) == ["", "This is first."]
    assert list(first["reply"]) == ["Hello.", "How can"]


def test_a_run_of_an_earlier_version_is_read() -> None:
    run = outboundeval.load_run(KEPT / "calls")
    assert list(run.turns["latency_ms"].round().fillna(-1)) == [700, -1, 600]
    assert list(run.interruptions["delay_ms"].round()) == [300]
    [person] = run.calls[run.calls["call_id"] == "person"].to_dict("records")
    assert (person["entry"], person["user_type"]) == ("pizza-callback/efficient", "efficient")
    assert len(run.replies) == 2


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(outboundeval.Error, match="there is no such folder"):
        outboundeval.load_run(tmp_path / "nowhere")
    with pytest.raises(outboundeval.Error, match="no run"):
        outboundeval.load_run(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(outboundeval.Error, match=r"run\.json: not a file of a run that can be read"):
        outboundeval.load_run(tmp_path)


def test_a_run_that_is_not_scored_says_how_it_is(tmp_path: Path) -> None:
    _write(tmp_path / "run.json", {})
    run = outboundeval.load_run(tmp_path)
    assert len(run.calls) == len(run.turns) == 0
    with pytest.raises(outboundeval.Error, match="not scored yet: outboundeval score"):
        _ = run.summary


def test_without_pandas_the_error_names_the_extra(dialogues: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    run = outboundeval.load_run(dialogues)
    with pytest.raises(outboundeval.Error, match=r"outboundeval\[frames\]"):
        _ = run.calls


def test_it_brings_nothing_else_of_ours_into_the_process() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, outboundeval; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {name.partition(".")[0] for name in told.stdout.split()}
    assert "outboundeval" in imported
    assert not imported & {
        "harness",
        "metrics",
        "voice_sim",
        "fixtures",
        "pandas",
        "numpy",
        "torch",
        "pydantic",
    }


def _write(path: Path, document: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
