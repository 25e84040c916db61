"""A whole call about a scenario to a real worker of livekit-agents, through a LiveKit server (a real one
where one is named, else the stand-in), and its scores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.records.call import CallRecord, CallStatus, Event
from harness.runs.store import RunStore
from harness.selfcheck.livekit_server import serving_some_livekit
from harness.selfcheck.reference_agents import serving
from tests.faults.placing import beneath_pacing

pytest.importorskip("livekit.agents", reason="livekit-agents is not installed (extra 'livekit')")

pytestmark = [
    pytest.mark.live,
    pytest.mark.calls(places=2),
    pytest.mark.long,
    pytest.mark.timeout(1800),
]
CALL_S = 300.0
CLI = (sys.executable, "-m", "harness.cli.main")


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What the call left; ``secret`` is its server's."""

    run: Path
    record: CallRecord
    events: list[Event]
    secret: str

    @property
    def text(self) -> str:
        files = [path for path in self.run.rglob("*.json*") if path.is_file()]
        return "".join(path.read_text(errors="replace") for path in files)


@pytest.fixture(scope="module")
def kept(whisper_folder: Path, joe_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("livekit")
    with (
        serving_some_livekit() as server,
        serving("livekit", extra=["--livekit", server.url], environment=server.environment),
    ):
        plan = {
            "agent": f"livekit+{server.url}?agent=outboundeval",
            "seed": 3,
            "defaults": {"voice": {"engine": "piper", "name": "joe"}, "limits": {"call_s": CALL_S}},
            "calls": [{"id": "whole", "scenario": "cs-bank-complaint/efficient"}],
        }
        (folder / "plan.yaml").write_text(yaml.safe_dump(plan))
        command = [*CLI, "run", str(folder / "plan.yaml"), "--no-score"]
        # A caller that understood too late says that the machine was overloaded, and that is no fault of what
        # is tested here; twice running it would be.
        for run in (folder / "run", folder / "second"):
            done = subprocess.run(
                [*command, "--out", str(run), "--json"],
                env={**os.environ, **server.environment},
                capture_output=True,
                text=True,
                timeout=900,
            )
            store = RunStore(run)
            record = store.read_record("whole")
            assert record is not None, done.stdout + done.stderr
            if not record.status_detail.endswith("the machine is overloaded"):
                break
    kept = Kept(run=run, record=record, events=store.read_events("whole"), secret=server.secret)
    assert kept.secret not in kept.text + done.stdout + done.stderr
    return kept


@pytest.fixture(scope="module")
def scored(kept: Kept) -> Kept:
    """All but how voices sound, of which nothing is asked here."""
    command = [*CLI, "score", str(kept.run), "--only", "timing,words,text"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert kept.secret not in kept.text + done.stdout + done.stderr
    return kept


# The agent, with a recogniser and a voice, takes half of the places; to score its call takes the fewest.
@pytest.mark.calls(places=5)
def test_the_call_is_held_to_its_end(kept: Kept) -> None:
    status = beneath_pacing(kept.record)
    assert status in (CallStatus.COMPLETED, CallStatus.AGENT_HANGUP), kept.record.status_detail
    assert kept.record.duration_s < CALL_S
    assert len(kept.record.utterances) >= 4
    assert "eyJ" not in kept.text, "no token is kept"


def test_the_agents_own_words_are_in_the_timeline(kept: Kept) -> None:
    told = [event for event in kept.events if event.source == "livekit"]
    said = " ".join(str(event.data["text"]) for event in told if event.kind == "bot-output")
    heard = [event for event in told if event.kind == "user-transcription" and event.data["final"]]
    assert "Changjiang Bank" in said
    assert len(heard) >= 3
    kinds = {event.kind for event in told}
    assert {"agent-joined", "agent-state", "bot-started-speaking", "bot-stopped-speaking"} <= kinds


def test_its_silence_is_no_loss(kept: Kept) -> None:
    """Such a worker sends Opus with DTX: in silence hardly a packet, and none is lost."""
    media = kept.record.media
    assert media is not None
    assert media.packets_lost == 0
    assert media.packets_received < 0.9 * kept.record.duration_s / 0.02


def test_it_has_latencies_and_text_scores(scored: Kept) -> None:
    metrics: dict[str, Any] = json.loads((scored.run / "summary.json").read_text())["metrics"]
    for name in ("response_latency_ms", "response_rate", "key_node_completion", "tfc"):
        assert metrics[name]["status"] == "measured", (name, metrics[name])
    assert "eyJ" not in scored.text, "no token is kept"
