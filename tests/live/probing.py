"""Runs of a probe suite against the calibration agent, and its log of each call beside what we found."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from scipy.stats import binom

from fixtures import PROBES_FOLDER
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import CallScores, Summary
from harness.runs.reader import read_run
from harness.selfcheck.reference_agents import serving

SAME_LINE_S = 0.05
MOST_LATE_MS = 400.0
CLI = (sys.executable, "-P", "-m", "harness.cli")


@dataclass(frozen=True, kw_only=True)
class Probed:
    """A call, what we found in it, and the agent's own log of it.

    Attributes:
        truth: In monotonic seconds; ``began_s`` is when the call's clock was 0 by that.
    """

    record: CallRecord
    scores: CallScores
    truth: dict[str, Any]

    @property
    def began_s(self) -> float:
        assert self.record.began_monotonic_s is not None
        return self.record.began_monotonic_s


def is_drawn(share: float, planted: float, *, n: int) -> bool:
    """Whether so many of n may come of an agent that draws each time: all but one draw of 1,000."""
    low, high = binom.interval(0.999, n, planted)
    return bool(low <= round(share * n) <= high)


def suite_copy(name: str, folder: Path, **changed: Any) -> str:
    """A copy of one of our suites with other content, as a plan names it."""
    shutil.copytree(PROBES_FOLDER / name, folder)
    content = yaml.safe_load((folder / "suite.yaml").read_text(encoding="utf-8")) | changed
    (folder / "suite.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return f"{folder}/"


def place(folder: Path, *, suite: str, behaviour: dict[str, Any], size: str, parallel: int) -> None:
    """Places the suite's calls, several at once.

    Calls whose sender was late, ours or the agent's, are placed once more: that machine measures nothing.
    """
    folder.mkdir()
    plan, told, log, run = (folder / name for name in ("plan.yaml", "agent.yaml", "log", "run"))
    told.write_text(yaml.safe_dump(behaviour), encoding="utf-8")
    with serving("calibration", extra=["--behaviour", str(told), "--log", str(log)]) as agent:
        content = {"name": folder.name, "agent": agent, "probes": [{"suite": suite, "size": size}]}
        plan.write_text(yaml.safe_dump(content), encoding="utf-8")
        command = [*CLI, "run", str(plan), "--out", str(run), "--no-score", "--parallel", str(parallel)]
        for _ in range(3):
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=900)
            records = [call.record for call in read_run(run).calls if call.record is not None]
            late = [one for one in records if _was_late(one, _truths_in(log))]
            if records and not late:
                break
            for one in late:
                shutil.rmtree(run / "calls" / one.plan.call_id)
        else:
            pytest.fail(f"the machine is too busy to keep the time of a call: {done.stdout}{done.stderr}")


def probed(folder: Path, *, only: str) -> tuple[Summary, list[Probed]]:
    """Scores a part of what was placed in a folder."""
    command = [*CLI, "score", str(folder / "run"), "--only", only, "--processes", "1"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=900)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return found_in(folder)


def found_in(folder: Path) -> tuple[Summary, list[Probed]]:
    """What :func:`probed` found, as it stands in its folder."""
    files = read_run(folder / "run")
    assert files.summary is not None
    truths = _truths_in(folder / "log")
    found = []
    for call in files.calls:
        assert call.record is not None
        assert call.scores is not None, f"{call.call_id}: no scores that can be read"
        truth = _truth_of(call.record, truths)
        found.append(Probed(record=call.record, scores=call.scores, truth=truth))
    return files.summary, found


def _truths_in(log: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in log.glob("*.json")]


def _was_late(record: CallRecord, truths: list[dict[str, Any]]) -> bool:
    """A packet of either side left so late that who waits for the other no longer knows whose doing it is."""
    fault = record.status is CallStatus.HARNESS_FAULT
    return fault or _truth_of(record, truths)["late_ms"]["max"] > MOST_LATE_MS


def _truth_of(record: CallRecord, truths: list[dict[str, Any]]) -> dict[str, Any]:
    """The log in which the caller's lines were heard when they were said: each end of each."""
    assert record.began_monotonic_s is not None
    lines = [one for one in record.utterances if one.kind not in ("backchannel", "aside")]
    said = [record.began_monotonic_s + at for one in lines for at in (one.start_s, one.end_s)]

    def apart_s(truth: dict[str, Any]) -> float:
        heard = np.array([at for one in truth["heard"] for at in (one["first_s"], one["last_s"])])
        return (
            max((float(np.min(np.abs(heard - at))) for at in said), default=np.inf) if len(heard) else np.inf
        )

    # Calls that began within a few hundredths of a second of each other say their lines nearly at once.
    (least_s, own), *others = sorted(((apart_s(one), n) for n, one in enumerate(truths)))
    assert least_s < SAME_LINE_S, f"{record.plan.call_id}: {least_s}, {others}"
    assert not others or others[0][0] > 2 * least_s, f"{record.plan.call_id}: {least_s}, {others}"
    return truths[own]
