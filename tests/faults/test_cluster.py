"""Calls on the machines of a cluster: a node is killed, and no call is lost or placed in secret."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.analysis.error_bar import UNCALIBRATED_RESOLUTION_S
from harness.analysis.timing import measure_timing
from harness.records.calibration import CALIBRATION_FILE
from harness.records.call import CallRecord, CallStatus
from harness.records.placed.placings import read_placings
from harness.runs.store import RunStore
from tests.faults.command_line import good_call, start, write_plan

cluster_utils = pytest.importorskip("ray.cluster_utils", reason="Ray is not installed: pip install '.[ray]'")
pytestmark = [
    pytest.mark.live,
    pytest.mark.calls(places=6),
    pytest.mark.long,
    # Processes of Ray's that the killed node leaves to nobody.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"),
]

CALLS = 18
LOCAL = 6
TIMED = 10
ANSWER_AFTER_MS = 300.0
"""What the agent is programmed to (``placing.WELL_BEHAVED``)."""


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes on this machine."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    made = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        yield made
    finally:
        made.shutdown()


def _latencies_ms(store: RunStore, records: Sequence[CallRecord]) -> list[float]:
    found = []
    for record in records:
        audio = store.read_audio(record.plan.call_id)
        assert audio is not None
        sent, received = store.read_packets(record.plan.call_id)
        timing = measure_timing(
            agent_audio=audio[:, 1],
            utterances=record.utterances,
            gaps=record.gaps,
            sent=sent,
            received=received,
            interruption_resolution_s=UNCALIBRATED_RESOLUTION_S,
            end_s=record.duration_s,
        )
        found += [one.latency_s * 1000 for one in timing.latencies if one.latency_s is not None]
    return found


def test_a_node_that_is_killed_loses_no_call(
    cluster: Any, calibration: str, joe_folder: Path, tmp_path: Path
) -> None:
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ids = [f"call-{number:02d}" for number in range(CALLS)]
    plan = write_plan(tmp_path / "calls.yaml", [good_call(call_id, calibration) for call_id in ids])
    options = ["--out", "run", "--no-score", "--parallel", "4", "--processes", "2"]
    running = start("run", str(plan), *options, "--ray", cluster.address, folder=tmp_path)
    folder = tmp_path / "run"

    def noted(what: str) -> list[str]:
        return [one.call for one in read_placings(folder) if one.what == what]

    try:
        running.wait_for(lambda: len(noted("ended")) >= 5, "five calls")
        hosts = {one.host.rpartition("/")[0] for one in read_placings(folder) if one.what == "dialled"}
        assert len(hosts) == 2, f"both nodes place calls: {hosts}"
        cluster.remove_node(second, allow_graceful=False)
        code = running.ends()
    finally:
        running.process.kill()
    assert code in (0, 1), running.stdout + running.stderr
    assert "Traceback" not in running.stdout + running.stderr

    store = RunStore(folder)
    records = list(store.records())
    told = f"exit code {code}\n{running.stdout[-3000:]}\n{running.stderr[-3000:]}"
    assert [record.plan.call_id for record in records] == ids, told
    lost, dialled = noted("lost"), Counter(noted("dialled"))
    assert lost, "calls were under way on the node"
    for record in records:
        call = record.plan.call_id
        assert dialled[call] == 1 + lost.count(call), f"{call}: placed twice, and not told"
        assert len(record.earlier_attempts) == lost.count(call)
        assert store.recording(call) is not None, f"{call}: its recording has not come home"
        assert (store.call_folder(call) / CALIBRATION_FILE).is_file()
    earlier = next(one for one in records if one.earlier_attempts).earlier_attempts[0]
    assert earlier.status is CallStatus.HARNESS_FAULT
    assert "lost a node" in earlier.status_detail

    local = write_plan(tmp_path / "local.yaml", [good_call(one, calibration) for one in ids[:LOCAL]])
    here = start("run", str(local), *options[2:], "--out", "local", folder=tmp_path)
    assert here.ends() in (0, 1), here.stderr
    # Of calls whose own pacing held: what they are compared by.
    punctual = [one for one in records if one.status is not CallStatus.HARNESS_FAULT]
    there_ms = _latencies_ms(store, punctual[:: max(1, len(punctual) // TIMED)])
    at_home = RunStore(tmp_path / "local")
    here_ms = _latencies_ms(
        at_home, [one for one in at_home.records() if one.status is not CallStatus.HARNESS_FAULT]
    )
    assert min(len(there_ms), len(here_ms)) >= 3
    bar_ms = UNCALIBRATED_RESOLUTION_S * 1000
    assert abs(float(np.median(there_ms)) - float(np.median(here_ms))) < bar_ms
    assert abs(float(np.median(there_ms)) - ANSWER_AFTER_MS) < bar_ms


def test_nobody_at_the_address_is_told_in_one_line(
    calibration: str, joe_folder: Path, tmp_path: Path
) -> None:
    plan = write_plan(tmp_path / "one.yaml", [good_call("one", calibration)])
    running = start("run", str(plan), "--out", "run", "--ray", "127.0.0.1:1", folder=tmp_path)
    assert running.ends() == 2
    assert "--ray 127.0.0.1:1: no cluster answers there" in running.stderr
    assert "Traceback" not in running.stdout + running.stderr
