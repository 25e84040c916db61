"""A call with a missed interruption, pinned: red on the agent that misses it, green on one that was mended.

The agent's manner is its own, chosen when it is started: the pinned plan knows nothing of it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
import yaml

from harness.selfcheck.reference_agents import serving
from metrics.resample import resampled
from tests.faults.command_line import start

pytestmark = [pytest.mark.live, pytest.mark.calls(places=2), pytest.mark.long]

LONG = {"clip": ["answer_long", "reference", "answer_long"]}


def agent(folder: Path, *, stop_after_ms: float | None) -> list[str]:
    """An agent that talks at length and, when interrupted, stops after so long or not at all."""
    stops = {} if stop_after_ms is None else {"stop_after_ms": stop_after_ms}
    turns = [
        {"answer_after_ms": 500, "say": LONG} | stops,
        {"answer_after_ms": 500, "say": {"clip": "goodbye"}},
    ]
    behaviour = {"greeting": {"after_ms": 300, "say": {"clip": "greeting"}}, "turns": turns, "quiet_ms": 300}
    path = folder / f"stops-{stop_after_ms}.yaml"
    path.write_text(yaml.safe_dump(behaviour), encoding="utf-8")
    return ["--behaviour", str(path)]


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Addresses: one that never stops, and the same one mended."""
    folder = tmp_path_factory.mktemp("agents")
    bad, mended = agent(folder, stop_after_ms=None), agent(folder, stop_after_ms=250)
    with serving("calibration", extra=bad) as one, serving("calibration", extra=mended) as other:
        yield one, other


def outboundeval(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    command = start(*arguments, "--json", folder=folder)
    code = command.ends()
    assert "Traceback" not in command.stderr, command.stderr
    return code, json.loads(command.stdout) if command.stdout else {"stderr": command.stderr}


@pytest.fixture(scope="module")
def bad_run(agents: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which the interruption is missed."""
    folder = tmp_path_factory.mktemp("bad")
    lines = [
        {"say": "Could you tell me what this is about?"},
        {"say": "Sorry, can I just ask something?", "barge_in_after_s": 1.2},
    ]
    limits = {"first_speech_s": 6.0, "silence_s": 6.0, "call_s": 60.0}
    call = {"id": "refund", "script": {"lines": lines, "hang_up_after_s": 0.3}, "limits": limits}
    (folder / "plan.yaml").write_text(yaml.safe_dump({"calls": [call]}), encoding="utf-8")
    outboundeval(folder, "run", "plan.yaml", "--agent", agents[0], "--out", "bad")
    return folder / "bad"


def called(folder: Path, case: Path, address: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the verdict of a run of the pinned call."""
    code, document = outboundeval(folder, "run", str(case), "--agent", address, "--out", "run")
    return code, document["verdict"]


@pytest.mark.parametrize("way", ["words", "sound", "recording"])
def test_a_pinned_interruption_is_red_until_the_agent_is_mended(
    way: str, bad_run: Path, agents: tuple[str, str], joe_folder: Path, tmp_path: Path
) -> None:
    bad, mended = agents
    shutil.copytree(bad_run, tmp_path / "runs" / "bad")
    call = tmp_path / "runs" / "bad" / "calls" / "refund"
    if way == "recording":
        # As a recorder in production has it: 8 kHz, the caller on the right, and nothing else known.
        audio, rate = soundfile.read(call / "audio.flac", dtype="float32")
        narrow = np.stack([resampled(audio[:, side], rate, 8_000) for side in (1, 0)], axis=1)
        soundfile.write(tmp_path / "production.wav", narrow, 8_000)
        source, more = "production.wav", ["--caller", "right"]
    else:
        source, more = "runs/bad/calls/refund", ["--sound"] if way == "sound" else []
    code, pinned = outboundeval(tmp_path, "pin", source, "--out", "cases/case.yaml", *more)
    assert code == 0, pinned
    assert {"line": 1, "what": "stops within 500 ms"} in pinned["expect"]
    assert bool(pinned["sounds"]) == (way != "words")
    # Side by side: each waits for its call most of the time.
    with ThreadPoolExecutor() as runs:
        held = [
            (word, expected, runs.submit(called, tmp_path / word, tmp_path / "cases" / "case.yaml", address))
            for address, word, expected in ((bad, "failed", 1), (mended, "passed", 0))
        ]
    for word, expected, run in held:
        code, verdict = run.result()
        assert (code, verdict["word"]) == (expected, word), verdict
    (stop,) = json.loads((tmp_path / "passed/run/calls" / pinned["call"] / "scores.json").read_text())[
        "interruptions"
    ]
    # The mended agent stops 250 ms after the interruption, by its own schedule.
    assert stop["outcome"] == "stopped"
    assert stop["delay_ms"] == pytest.approx(250, abs=30)
