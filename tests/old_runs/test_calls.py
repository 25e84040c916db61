"""A run of calls that version 0.1.0 left unfinished: scored, reported and resumed by the present code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.old_runs.copies import KEPT, assert_the_same_figures, content, copied, document, outboundeval
from tests.serving import serving_agent

pytestmark = pytest.mark.live

PORT = 21761
"""The agent's address is a part of the plan, so it is the same again."""
FINISHED = ("answered", "refused", "person")
UNFINISHED = ("cut-off", "missing")
MADE_WHEN_CALLED = ("call.json", "timeline.jsonl", "audio.flac", "packets.npz")


@pytest.fixture(scope="module")
def agent() -> Iterator[str]:
    """The calibration agent, where the old plan calls it."""
    with serving_agent("calibration", port=PORT) as (address, _):
        yield address


@pytest.mark.long
@pytest.mark.usefixtures("whisper_folder", "nisqa_folder")
def test_it_is_scored_to_the_same_figures_and_reported(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    # Then the caller's words were listened to without asking.
    ended = outboundeval("score", "calls", "--caller-words", folder=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    before, now = document(KEPT / "calls" / "summary.json"), document(folder / "calls" / "summary.json")
    assert_the_same_figures(now["metrics"], before["metrics"])
    # What was the latency then, over answered turns alone, is there under its own name.
    then, answered = before["metrics"]["response_latency_ms"], now["metrics"]["response_latency_answered_ms"]
    assert answered["n"] == then["n"] == 2
    assert answered["value"] == pytest.approx(then["value"], abs=1.0)
    # The third, to which the agent made a sound that is no speech, is censored.
    assert now["metrics"]["response_latency_ms"]["n"] == 3
    assert now["metrics"]["response_rate"]["value"] == pytest.approx(2 / 3)
    for status in ("completed", "agent_hangup", "setup_failed"):
        assert now["calls"][status] == before["calls"][status] == 1
    assert now["text"]["judgements"] == before["text"]["judgements"]
    (folder / "calls" / "report" / "index.html").unlink()
    ended = outboundeval("report", "calls", folder=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    page = (folder / "calls" / "report" / "index.html").read_text(encoding="utf-8")
    for call_id in (*FINISHED, "cut-off"):
        assert call_id in page
    assert "Where is my money?" in page


@pytest.mark.long
@pytest.mark.usefixtures("joe_folder")
def test_it_is_resumed_and_nothing_is_placed_twice(tmp_path: Path, agent: str) -> None:
    folder = copied(tmp_path)
    ended = outboundeval("run", "calls.yaml", "--out", "calls", "--no-score", "--json", folder=folder)
    # One call was refused, then as now: a check failed.
    assert ended.returncode == 1, ended.stdout + ended.stderr
    for call_id in FINISHED:
        before, now = (
            content(KEPT / "calls" / "calls" / call_id),
            content(folder / "calls" / "calls" / call_id),
        )
        for name in MADE_WHEN_CALLED:
            assert now.get(name) == before.get(name), (call_id, name)
    for call_id in UNFINISHED:
        record = document(folder / "calls" / "calls" / call_id / "call.json")
        # A machine that is busy voids a call's figures, and says how the call itself ended.
        assert record["status"] == "completed" or "ended as completed" in record["status_detail"]
    called = {
        call_id: httpx.get(f"{agent}/truth/{call_id}").status_code == 200
        for call_id in (*FINISHED, *UNFINISHED)
    }
    assert called == dict.fromkeys(FINISHED, False) | dict.fromkeys(UNFINISHED, True)


def test_another_plan_is_still_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    plan = folder / "calls.yaml"
    plan.write_text(plan.read_text(encoding="utf-8").replace("seed: 7", "seed: 8"), encoding="utf-8")
    before = content(folder / "calls")
    ended = outboundeval("run", "calls.yaml", "--out", "calls", "--no-score", folder=folder)
    assert ended.returncode == 2
    assert "holds a run of another plan" in " ".join(ended.stderr.split())
    assert content(folder / "calls") == before
