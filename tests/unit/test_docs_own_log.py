"""The example of ``docs/own-log.md`` is run on calls that stood side by side, with a log each."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from harness.records.call import CallRecord
from harness.records.scores import TurnTiming
from harness.records.scores.probes import ProbeReaction

PAGE = Path(__file__).parents[2] / "docs" / "own-log.md"


def _call(run: Path, call_id: str, began_s: float, *turns: tuple[float, float, float | None]) -> None:
    """Turns by the end of the caller's, the agent's onset and the latency in ms."""
    folder = run / "calls" / call_id
    folder.mkdir(parents=True)
    (folder / "call.json").write_text(json.dumps({"began_monotonic_s": began_s}))
    rows = [
        {"index": n, "user_end_s": end, "agent_start_s": onset, "latency_ms": latency, "resolution_ms": 20.6}
        for n, (end, onset, latency) in enumerate(turns)
    ]
    (folder / "scores.json").write_text(json.dumps({"turns": rows}))


def _log(path: Path, *moments: tuple[float, str]) -> str:
    path.write_text("".join(json.dumps({"t": t, "event": event}) + "\n" for t, event in moments))
    return str(path)


def test_the_example_pairs_calls_and_turns_with_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    _call(run, "a", 1000.0, (3.0, 4.3, 1300.0), (9.0, 9.8, None), (20.0, 20.9, 900.0))
    _call(run, "b", 1000.1, (3.0, 4.4, 1400.0))
    # The log of call b is given first. Each log has more moments than the calls have turns.
    logs = [
        _log(
            tmp_path / "1.jsonl",
            (1001.0, "connected"),
            (1001.2, "voice_begins"),
            (1003.1, "caller_ended"),
            (1004.51, "voice_begins"),
        ),
        _log(
            tmp_path / "2.jsonl",
            (1000.9, "connected"),
            (1001.1, "voice_begins"),
            (1003.001, "caller_ended"),
            (1004.302, "voice_begins"),
            (1020.001, "caller_ended"),
            (1020.898, "voice_begins"),
        ),
    ]
    [example] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    monkeypatch.setattr(sys, "argv", ["compare.py", str(run), *logs])
    exec(compile(example, PAGE.name, "exec"), {})
    assert capsys.readouterr().out.splitlines() == [
        "a 0: 1300 ms ± 21, by the log 1301 ms; its onset is +2 ms from ours",
        "a 2: 900 ms ± 21, by the log 897 ms; its onset is -2 ms from ours",
        "b 0: 1400 ms ± 21, by the log 1410 ms; its onset is +10 ms from ours",
    ]


def test_the_example_with_an_agent_that_talks_over_and_one_that_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    _call(run, "a", 1000.0, (3.0, 4.0, 1000.0), (13.0, 12.7, -300.0))
    logs = [
        _log(tmp_path / "1.jsonl", (1003.1, "caller_ended")),
        _log(
            tmp_path / "2.jsonl",
            (1003.0, "caller_ended"),
            (1004.0, "voice_begins"),
            (1012.7, "voice_begins"),
            (1013.0, "caller_ended"),
        ),
    ]
    [example] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    monkeypatch.setattr(sys, "argv", ["compare.py", str(run), *logs])
    exec(compile(example, PAGE.name, "exec"), {})
    assert capsys.readouterr().out.splitlines() == [
        "a 0: 1000 ms ± 21, by the log 1000 ms; its onset is +0 ms from ours",
        "a 1: -300 ms ± 21, by the log -300 ms; its onset is +0 ms from ours",
    ]


def test_the_fields_that_the_page_names_are_there() -> None:
    assert {"began_monotonic_s", "started_at", "utterances"} <= set(CallRecord.model_fields)
    turn = {"index", "user_end_s", "agent_start_s", "agent_end_s", "latency_ms", "resolution_ms", "outcome"}
    assert turn <= set(TurnTiming.model_fields)
    assert {"start_s", "end_s", "stop_s", "reply_s"} <= set(ProbeReaction.model_fields)
