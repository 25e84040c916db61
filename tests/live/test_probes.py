"""``run --probes restraint`` against an agent that knows the sounds when it hears them: its log is the truth.

One agent stops at every sound and answers it, one does neither. What is measured is held to the log, place by
place; where there is no sound neither has a defect.
"""

from __future__ import annotations

import copy
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.records.scores import Summary
from harness.runs.reader import read_run
from harness.selfcheck.reference_agents import serving
from tests.live.probing import CLI

pytestmark = [pytest.mark.live, pytest.mark.long, pytest.mark.calls(places=2), pytest.mark.timeout(1500)]

SAME_SOUND_S = 0.8


def behaviour(share: float) -> dict[str, Any]:
    turn = {"answer_after_ms": 900, "say": {"clip": ["answer_long", "account"]}}
    return {
        "greeting": {"after_ms": 400, "say": {"clip": "greeting"}},
        "quiet_ms": 450,
        "sounds": {
            "folder": "probes/restraint/sounds",
            "stops_at": {"any": share},
            "answers": {"any": share},
            "say": {"clip": "refund"},
        },
        "turns": [copy.deepcopy(turn) for _ in range(30)],
    }


def probed(folder: Path, share: float) -> tuple[Summary, int]:
    """The figures of a quick run against an agent, and how many verdicts its log agrees with; fails where one
    does not."""
    written, log, run = folder / "agent.yaml", folder / "log", folder / "run"
    written.write_text(yaml.safe_dump(behaviour(share)), encoding="utf-8")
    with serving("calibration", extra=["--behaviour", str(written), "--log", str(log)]) as agent:
        command = [*CLI, "run", "--probes", "restraint", "--agent", agent, "--no-score", "--out", str(run)]
        subprocess.run(command, check=False, capture_output=True, timeout=900)
    # What is said, and how it sounds, is asked of neither figure.
    command = [*CLI, "score", str(run), "--only", "timing", "--processes", "1"]
    subprocess.run(command, check=False, capture_output=True, timeout=900)
    truths = [json.loads(path.read_text(encoding="utf-8")) for path in log.glob("*.json")]
    files = read_run(run)
    assert files.summary is not None
    agreed = 0
    for call in files.calls:
        assert call.record is not None
        assert call.scores is not None
        began_s = call.record.began_monotonic_s
        assert began_s is not None
        heard = [one | {"t": one["first_s"] - began_s} for truth in truths for one in truth["sounds"]]
        for one in call.scores.reactions:
            if one.control or one.start_s is None:
                continue
            known = [
                each
                for each in heard
                if each["name"] == one.item and abs(each["t"] - one.start_s) < SAME_SOUND_S
            ]
            assert len(known) == 1, one
            if one.over_agent:
                assert one.stopped is None or one.stopped == known[0]["stopped"], one
            assert one.replied is None or one.replied == known[0]["answered"], one
            agreed += (one.stopped is not None) + (one.replied is not None)
    return files.summary, agreed


def test_an_agent_that_keeps_to_its_caller_and_one_that_does_not(tmp_path: Path) -> None:
    expected = (("keeps", 0.0, 0.0, 0.0), ("falls", 1.0, 0.9, 1.0))
    for name, *_ in expected:
        (tmp_path / name).mkdir()
    # Side by side: each is one call at a time, which waits most of the time.
    with ThreadPoolExecutor() as runs:
        probings = [runs.submit(probed, tmp_path / name, share) for name, share, *_ in expected]
    for (_, _, low, high), probing in zip(expected, probings, strict=True):
        summary, agreed = probing.result()
        assert agreed >= 15
        for metric, least in (("false_stop_rate", 7), ("false_reply_rate", 9)):
            found = summary.metrics[metric]
            assert found.value is not None, found.reason
            assert low <= found.value <= high, found.reason
            assert found.n >= least
            assert found.reason.startswith("0 of "), found.reason
