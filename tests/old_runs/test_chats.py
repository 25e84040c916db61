"""A run of dialogues that version 0.1.0 left unfinished: scored, reported and resumed by the present code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.old_runs.copies import KEPT, assert_the_same_figures, content, copied, document, outboundeval

CHAT = ("chat", "--all", "--from", "scenarios", "--seed", "7")
HELD = "sop.pizza-callback.hesitant"
INTERRUPTED, MISSING = "sop.pizza-callback.resistant", "sop.pizza-callback.efficient"


def test_it_is_scored_to_the_same_figures_and_reported(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    ended = outboundeval("score", "chat", folder=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    before, now = document(KEPT / "chat" / "summary.json"), document(folder / "chat" / "summary.json")
    assert_the_same_figures(now["metrics"], before["metrics"])
    assert now["dialogues"] == before["dialogues"] == 1
    ended = outboundeval("report", "chat", folder=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "sop" in (folder / "chat" / "report" / "index.html").read_text(encoding="utf-8")
    assert any("hesitant" in name for name in content(folder / "chat" / "report"))


def test_it_is_resumed_and_nothing_is_held_twice(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    ended = outboundeval(*CHAT, "--out", "chat", folder=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    dialogues = folder / "chat" / "dialogues"
    kept = content(KEPT / "chat" / "dialogues" / HELD)
    now = content(dialogues / HELD)
    for name in ("dialogue.json", "timeline.jsonl"):
        assert now[name] == kept[name]
    for dialogue_id in (INTERRUPTED, MISSING):
        record = document(dialogues / dialogue_id / "dialogue.json")
        # How it ends is the agent's and the caller's of today: both hear more than those of then.
        assert record["status"] in ("agent_hangup", "caller_hangup", "completed")
        assert len(record["turns"]) > 6
    assert document(folder / "chat" / "run.json")["finished_at"]


@pytest.mark.long
def test_a_run_of_then_held_anew_is_held_the_same_way_each_time(tmp_path: Path) -> None:
    """Not in the words of then: the agent by rule answers other things since."""
    folder = copied(tmp_path)
    said = []
    for name in ("again", "once-more"):
        ended = outboundeval(*CHAT, "--out", name, folder=folder)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        record = document(folder / name / "dialogues" / HELD / "dialogue.json")
        said.append([(turn["speaker"], turn["text"]) for turn in record["turns"]])
    assert len(said[0]) > 6
    assert said[0] == said[1]
