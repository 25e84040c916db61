"""Calls that are prepared as plain sound and encoded while they run: several at once, in two processes.

Over SIP that is every call; over WebRTC it is one in which the agent's own voice comes back to it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from harness.models.served_process import free_port
from harness.records.call import CallStatus
from harness.runs.reader import CallFiles, read_run
from harness.selfcheck.reference_agents import serving

pytestmark = [pytest.mark.live, pytest.mark.long, pytest.mark.alone]

RATE = 48_000
DELAY_S, LEVEL_DB = 0.2, -20.0


def run(folder: Path, agent: str, **defaults: Any) -> list[CallFiles]:
    lines = [{"say": "Hello, can you help me with my order?"}, {"say": "All right, and when will it come?"}]
    plan = {
        "parallel": 4,
        "defaults": defaults,
        "calls": [{"id": f"c{number}", "script": {"lines": lines}} for number in range(4)],
    }
    (folder / "plan.yaml").write_text(json.dumps(plan), encoding="utf-8")
    command = [sys.executable, "-P", "-m", "harness.cli", "run", str(folder / "plan.yaml"), "--agent", agent]
    more = ["--processes", "2", "--no-score", "--out", str(folder / "run")]
    ended = subprocess.run([*command, *more], check=False, capture_output=True, text=True, timeout=240)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return list(read_run(folder / "run").calls)


def test_telephone_calls_at_once_are_all_recorded(tmp_path: Path) -> None:
    port = free_port()
    with serving("calibration", extra=["--sip-port", str(port)]):
        calls = run(tmp_path, f"sip:agent@127.0.0.1:{port}")
    assert len(calls) == 4
    for call in calls:
        assert call.record is not None
        assert call.record.status is CallStatus.COMPLETED, call.record.status_detail
        assert len(call.record.utterances) == 2


def test_the_agents_voice_comes_back_as_late_and_as_quiet_as_planned(tmp_path: Path) -> None:
    echo = {"level_db": LEVEL_DB, "delay_ms": DELAY_S * 1000}
    with serving("calibration") as agent:
        calls = run(tmp_path, agent, conditions={"echo": echo})
    off_s = []
    for call in calls:
        assert call.record is not None
        assert call.record.status is CallStatus.COMPLETED, call.record.status_detail
        sound, rate = soundfile.read(call.audio, dtype="float32")
        assert rate == RATE
        # Its greeting, before anything of ours is said.
        until = round(call.record.utterances[0].start_s * RATE)
        ours, theirs = sound[:until, 0], sound[:until, 1]
        loud = np.flatnonzero(np.abs(theirs) > 0.02)
        start = int(loud[0])
        piece = theirs[start : start + RATE // 2]
        reach = RATE // 20
        at = start + round(DELAY_S * RATE)
        shifts = range(-reach, reach, 4)
        echoes = [ours[at + shift : at + shift + len(piece)] for shift in shifts]
        likeness = [float(np.dot(piece, one)) for one in echoes]
        # By shape alone: where the voice grows louder, a later place has the larger product.
        alike = [one / float(np.linalg.norm(echo)) for one, echo in zip(likeness, echoes, strict=True)]
        best = int(np.argmax(alike))
        off_s.append(shifts[best] / RATE)
        # Of all that came back: one step to the right place, in the first packets of a call, is no loss.
        gain_db = 20 * np.log10(float(np.linalg.norm(echoes[best]) / np.linalg.norm(piece)))
        assert gain_db == pytest.approx(LEVEL_DB, abs=0.3)
    # A busy machine may hold one call's echo up by less than a packet.
    assert abs(float(np.median(off_s))) <= 0.005, off_s
    assert max(map(abs, off_s)) <= 0.02, off_s
