"""What goes with the sound, what with the words, and what stays."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

from harness.reports.html import build_report
from harness.runs.prune import PRUNED, prune
from harness.scoring.gates.decide import decide, read_verdict
from tests.nights import night_call
from tests.report.make_run import write_run

NOW = datetime.datetime(2026, 12, 3, 2, tzinfo=datetime.UTC)
"""Thirty days after the run."""
QUOTED = "Your secret is pineapple."


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = write_run(tmp_path / "run", [night_call("a", says=[QUOTED])])
    expect = {"a": [{"what": {"said": "pineapple"}}]}
    (folder / "checks.json").write_text(json.dumps({"expect": expect}))
    decide(folder)
    build_report(folder)
    return folder


def kept(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_sound_goes_with_the_pages_that_carry_it(run: Path) -> None:
    before = kept(run)
    (one,) = prune([run], now=NOW, keep_audio_days=29, keep_words_days=None)
    assert (one.audio, one.words) == (1, 0)
    assert before - kept(run) == {"calls/a/audio.flac", "report/index.html"}


def test_with_the_words_nothing_is_left_in_which_the_agent_is_quoted(run: Path) -> None:
    figures = (run / "summary.json").read_text()
    list(prune([run], now=NOW, keep_audio_days=None, keep_words_days=29))
    assert kept(run) == {"run.json", "summary.json", "verdict.json", "checks.json", "calls/a/call.json"}
    assert (run / "summary.json").read_text() == figures
    verdict = read_verdict(run)
    assert verdict is not None
    assert [one.told for one in verdict.checks if one.of == "expect"] == [PRUNED]
    texts = [path.read_text() for path in run.rglob("*.json") if path.name != "checks.json"]
    assert not any("pineapple." in text for text in texts)


def test_what_an_agent_printed_and_a_backend_told_goes_with_the_words_and_is_counted(run: Path) -> None:
    """Of first attempts and of second ones: the run has one of each."""
    (run / "again").mkdir()
    quoting = [run / "agent.log", run / "witness.jsonl", run / "again/agent.log", run / "again/witness.jsonl"]
    (without,) = prune([run], now=NOW, keep_audio_days=None, keep_words_days=0, dry=True)
    for path in quoting:
        path.write_text(QUOTED)
    list(prune([run], now=NOW, keep_audio_days=0, keep_words_days=None))
    assert all(path.is_file() for path in quoting)
    (found,) = prune([run], now=NOW, keep_audio_days=None, keep_words_days=0)
    assert not any(path.exists() for path in quoting)
    assert found.words == without.words + 4


def test_young_runs_dry_runs_and_runs_under_way_stay_as_they_are(run: Path, tmp_path: Path) -> None:
    before = kept(run)
    assert list(prune([run], now=NOW, keep_audio_days=31, keep_words_days=31)) == []
    (dry,) = prune([run], now=NOW, keep_audio_days=0, keep_words_days=0, dry=True)
    assert (dry.audio, dry.words > 0) == (1, True)
    info = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(info | {"finished_at": None}))
    under_way, nothing = prune([run, tmp_path], now=NOW, keep_audio_days=0, keep_words_days=0)
    assert under_way.why_not == "is no finished run of calls"
    assert nothing.why_not
    assert kept(run) == before


def test_a_link_leads_nowhere(run: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "audio.flac").write_bytes(b"mine")
    (run / "calls" / "b").symlink_to(outside)
    list(prune([run], now=NOW, keep_audio_days=0, keep_words_days=0))
    assert (outside / "audio.flac").read_bytes() == b"mine"
