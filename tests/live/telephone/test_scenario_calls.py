"""A whole call about a scenario over SIP, once out and once in, with an agent on baresip that has a card:
its text scores, its times beside those that the agent tells, and the words of both sides."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import soundfile
import yaml

from harness.records.call import CallRecord, CallStatus
from harness.runs.store import RunStore
from metrics.recognition.error_rate import pool, word_error_rate
from tests.faults.placing import beneath_pacing
from tests.live.telephone.peers import free_port
from tests.serving import serving_module

pytestmark = [pytest.mark.live, pytest.mark.calls(places=4), pytest.mark.long, pytest.mark.timeout(1800)]

ENTRY = "cs-appliance-repair/efficient"
CALL_S = 240.0
WAYS = ("out", "in")
CLI = (sys.executable, "-P", "-m", "harness.cli")
MOST_WER = 0.2
"""Of our transcript, over the words that the agent told that it said. 0.083 over G.711 in
``bench.telephone_words``, 0.112 in the first call that was held here."""
LATER_MS = (-60.0, 300.0)
"""Between what we measure and what the agent tells: two jitter buffers, and its 80 ms of sound ahead."""
SAME_END_S = 0.4
"""Two ends of turns nearer than this, by one clock, are of one turn."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What a run left, and what the agent told of the call."""

    record: CallRecord
    run: Path
    told: list[dict[str, Any]]
    heard: np.ndarray
    printed: str

    @property
    def call(self) -> Path:
        return self.run / "calls" / "whole"

    @property
    def metrics(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.run / "summary.json").read_text())["metrics"]
        return found

    def said(self, side: str, source: str) -> str:
        lines = json.loads((self.call / "transcript.json").read_text())["lines"]
        return " ".join(one["text"] for one in lines if (one["side"], one["source"]) == (side, source))

    def of_the_agent(self, speaker: str) -> str:
        return " ".join(turn["text"] for turn in self.told if turn["speaker"] == speaker)


@pytest.fixture(scope="module")
def both(
    whisper_folder: Path, joe_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Kept]]:
    if importlib.util.find_spec("baresip") is None:
        pytest.skip("needs baresip-python: pip install 'outboundeval[telephones]'")
    folder = tmp_path_factory.mktemp("scenario")
    models = ("--whisper", str(whisper_folder), "--piper", str(joe_folder))
    with ThreadPoolExecutor(len(WAYS)) as side_by_side:
        held = {way: side_by_side.submit(_held, folder, way, models) for way in WAYS}
        yield {way: one.result() for way, one in held.items()}


def _held(folder: Path, way: str, models: Sequence[str]) -> Kept:
    """One call with an agent of its own."""
    port = free_port()
    options = ("--sip-port", str(port), "--entry", ENTRY, *models)
    with serving_module("tests.peers.telephone_agent", *options) as (address, _):
        printed = _called(folder, way, address, port)
        record = RunStore(folder / way).read_record("whole")
        assert record is not None, printed
        (call,) = httpx.get(f"{address}/calls").json()
        sound = httpx.get(f"{address}/calls/0/heard").content
    return Kept(
        record=record,
        run=folder / way,
        told=call["turns"],
        heard=np.frombuffer(sound, np.int16) / 32768,
        printed=printed,
    )


@pytest.fixture(scope="module")
def scored(both: dict[str, Kept]) -> dict[str, Kept]:
    """All but how voices sound, of which nothing is asked here."""
    with ThreadPoolExecutor(len(WAYS)) as side_by_side:
        list(side_by_side.map(_score, (one.run for one in both.values())))
    return both


@pytest.fixture(params=WAYS)
def kept(request: pytest.FixtureRequest, scored: dict[str, Kept]) -> Kept:
    return scored[request.param]


def _called(folder: Path, way: str, address: str, port: int) -> str:
    """Runs the command to its end: what it printed."""
    defaults: dict[str, Any] = {
        "voice": {"engine": "piper", "name": "joe"},
        "limits": {"call_s": CALL_S},
        "reach": {"codecs": ["pcmu"]},
    }
    if way == "in":
        defaults["answer"] = {"ring_s": 1, "within_s": 30}
        defaults["trigger"] = {"url": f"{address}/ring", "body": {"to": "{address}"}}
    agent = f"sip:agent@127.0.0.1:{port}" if way == "out" else "sip:127.0.0.1"
    calls = [{"id": "whole", "scenario": ENTRY}]
    plan = folder / f"{way}.yaml"
    plan.write_text(yaml.safe_dump({"agent": agent, "seed": 3, "defaults": defaults, "calls": calls}))
    command = ["run"] if way == "out" else ["answer", "--listen", "sip:127.0.0.1:0"]
    done = subprocess.run(
        [*CLI, *command, str(plan), "--no-score", "--out", str(folder / way)],
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.stdout + done.stderr


def _score(run: Path) -> None:
    command = [*CLI, "score", str(run), "--only", "timing,words,text", "--processes", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode in (0, 1), done.stdout + done.stderr


# Both calls, each with a recogniser and two voices, take all places; to score them does not.
@pytest.mark.calls(places=10)
@pytest.mark.parametrize("way", WAYS)
def test_it_is_held_to_its_end(way: str, both: dict[str, Kept]) -> None:
    kept = both[way]
    status = beneath_pacing(kept.record)
    assert status in (CallStatus.COMPLETED, CallStatus.AGENT_HANGUP), kept.printed
    assert len(kept.record.utterances) >= 6
    assert sum(turn["speaker"] == "agent" for turn in kept.told) >= 6


def test_it_has_text_scores_and_says_what_it_has_not(kept: Kept) -> None:
    for name in ("key_node_completion", "node_completion", "process", "tfc", "response_rate"):
        assert kept.metrics[name]["status"] == "measured", (name, kept.metrics[name])
    assert kept.metrics["key_node_completion"]["value"] >= 0.6
    # Rules do not judge how something is said, and the agent tells nobody what it heard.
    for name in ("gic_naturalness", "wer"):
        told = kept.metrics.get(name)
        assert told is None or (told["status"] != "measured" and told["value"] is None), told


def test_our_transcript_has_the_words_that_the_agent_said(kept: Kept) -> None:
    ours = pool([word_error_rate(kept.of_the_agent("agent"), kept.said("agent", "whisper"))], unit="word")
    assert ours.reference_length > 150
    assert ours.rate is not None
    assert ours.rate < MOST_WER


def test_the_agent_heard_what_the_caller_said(kept: Kept) -> None:
    heard = word_error_rate(kept.said("caller", "said"), kept.of_the_agent("caller"))
    assert heard.rate is not None
    assert heard.rate < 0.5


def test_both_sides_are_in_the_recording_and_none_is_clipped(kept: Kept) -> None:
    sound, rate = soundfile.read(kept.call / "audio.flac")
    assert abs(len(sound) / rate - kept.record.duration_s) < 1.0
    for side in sound.T:
        assert np.abs(side).max() < 0.999
        loud = side[np.abs(side) > 0.01]
        assert len(loud) > rate
        assert -35 < 20 * np.log10(np.sqrt(np.mean(loud**2))) < -6
    # What the agent's telephone played is the left side of the recording.
    sides = ((sound[:, 0], rate), (kept.heard, 8000))
    spoke_s = [np.count_nonzero(np.abs(one) > 0.02) / hz for one, hz in sides]
    assert spoke_s[1] == pytest.approx(spoke_s[0], rel=0.15)


def test_its_latencies_are_those_that_the_agent_tells(kept: Kept) -> None:
    if kept.record.voided:
        pytest.skip("the machine was too busy for times")
    assert kept.metrics["response_latency_ms"]["status"] == "measured"
    scores = RunStore(kept.run).read_scores("whole")
    assert scores is not None
    ends = {one.index: one.end_s for one in kept.record.utterances}
    ours = [(ends[one.index], one.latency_ms) for one in scores.turns if one.latency_ms is not None]
    told = [
        (before["ended_s"], 1000 * (after["began_s"] - before["ended_s"]))
        for before, after in zip(kept.told, kept.told[1:], strict=False)
        if (before["speaker"], after["speaker"]) == ("caller", "agent")
    ]
    later = _turn_by_turn(ours, told)
    # It may take two lines for one, or a line for noise.
    assert len(later) >= 0.7 * len(ours), (ours, told)
    assert LATER_MS[0] <= float(np.median(later)) <= LATER_MS[1], later


def _turn_by_turn(ours: Sequence[tuple[float, float]], told: Sequence[tuple[float, float]]) -> list[float]:
    """By how much each of our latencies is longer than what the agent tells of the same turn. Its clock began
    when it liked: by the shift at which most ends of turns fall together.

    Args:
        ours, told: Seconds of the end of a turn, and ms of the latency.
    """

    def beside(shift_s: float) -> list[float]:
        return [
            ms - its_ms
            for end_s, ms in ours
            for its_end_s, its_ms in told
            if abs(its_end_s - shift_s - end_s) < SAME_END_S
        ]

    return max((beside(its_s - our_s) for its_s, _ in told for our_s, _ in ours), key=len)


def test_it_is_reported(kept: Kept) -> None:
    page = (kept.run / "report" / "index.html").read_text()
    assert "Taishan" in page or "dishwasher" in page
    assert "not comparable" in page or "do not compare" in page
