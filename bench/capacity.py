"""How many calls at once ``run`` carries on this machine, and whether their figures are still true.

``python -m bench.capacity --calls 60 [--processes 2] [--entries 60] [--rounds 5] [--ramp-s S]``: so many
calls at once, of so many, placed by ``outboundeval run`` to a peer on this machine that answers after delays
of its own and logs its socket (``bench._answering_peer``). Ears listen in every call. A round takes about a
minute.

Told of each round, and as the median of all: how many stood at once, how late frames left (p95 of each call:
the median call and the worst; and of the worst process over half seconds while all stood), how many calls
were our own fault, by how much the response latencies that the harness measured differ from the peer's log
(p95), and who had the cores while most calls stood.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bench.parts.watched_run import Watched, watched_run
from bench.simultaneous_calls import wait_for_peer
from harness.analysis.error_bar import calibration_note, response_resolution_s
from harness.analysis.timing import measure_timing
from harness.models.served_process import free_port
from harness.records.call import CallRecord, CallStatus
from harness.records.placed.placings import read_placings
from harness.runs.store import RunStore

LINES = ("Good morning, I am calling about my order.", "Could you tell me more about that?")
CLOCK_HZ = 48_000
TIMED = 6
"""Calls of a round that are listened to: each takes a second."""
LATE_MS = 2.0
"""A packet that left so much later than it was due was on the wire then (as in calibration)."""


@dataclass(kw_only=True)
class Round:
    """What one run showed."""

    store: RunStore
    records: list[CallRecord]
    log: dict[str, Any]
    placed: int
    stood: int
    statuses: Counter[str]
    late_ms: list[float]
    paced_ms: list[float]
    cores: dict[str, float]
    took_s: float
    errors_ms: list[float] = field(default_factory=list)
    missing: int = 0

    @property
    def faults(self) -> int:
        return self.statuses[CallStatus.HARNESS_FAULT]

    def told(self) -> str:
        cores = ", ".join(f"{role} {share:.2f}" for role, share in self.cores.items())
        return (
            f"{self.placed} placed in {self.took_s:.0f} s, {self.stood} at once; frames late p95: median "
            f"call {np.median(self.late_ms):.1f}, worst call {max(self.late_ms):.1f}, worst process "
            f"{_median(self.paced_ms):.1f} (max {max(self.paced_ms, default=float('nan')):.1f}) ms; faults "
            f"{self.faults}; cores: {cores}; {dict(self.statuses)}"
        )

    def listen(self) -> None:
        """Compares latencies of some calls, spread over all, with what the peer's socket saw."""
        kept = [one for one in self.records if one.status is not CallStatus.HARNESS_FAULT]
        for record in kept[:: max(1, len(kept) // TIMED)]:
            for error_ms in _errors_ms(self.store, record, self.log[record.plan.call_id]):
                if error_ms is None:
                    self.missing += 1
                else:
                    self.errors_ms.append(abs(error_ms))

    def timing(self) -> str:
        worst = max(self.errors_ms, default=float("nan"))
        told = f"p95 {_p95(self.errors_ms):.2f}, max {worst:.2f} ms"
        return f"n {len(self.errors_ms)}, {self.missing} not measured, {told}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--entries", type=int)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--ramp-s", type=float)
    given = parser.parse_args()
    bar_ms = response_resolution_s(calibration_note("smallwebrtc")) * 1000
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; calibrated bar {bar_ms:.1f} ms")
    with tempfile.TemporaryDirectory() as scratch:
        rounds = []
        for number in range(given.rounds):
            rounds.append(one_round(Path(scratch) / str(number), given))
            print(f"round {number + 1}: {rounds[-1].told()}", flush=True)
        # To listen takes the cores, too: not beside calls.
        for one in rounds:
            one.listen()
            print(f"timing: {one.timing()}", flush=True)
    print(
        f"median of {len(rounds)}: {np.median([one.stood for one in rounds]):.0f} at once; frames late p95: "
        f"median call {np.median([np.median(one.late_ms) for one in rounds]):.1f}, worst call "
        f"{np.median([max(one.late_ms) for one in rounds]):.1f}, worst process "
        f"{np.median([_median(one.paced_ms) for one in rounds]):.1f} ms; faults "
        f"{np.median([one.faults for one in rounds]):.0f}; timing p95 "
        f"{np.median([_p95(one.errors_ms) for one in rounds]):.2f} ms (bar {bar_ms:.1f}); cores: "
        + ", ".join(
            f"{role} {np.median([one.cores.get(role, 0.0) for one in rounds]):.2f}"
            for role in sorted({role for one in rounds for role in one.cores})
        )
    )


def one_round(scratch: Path, given: argparse.Namespace) -> Round:
    scratch.mkdir()
    port = free_port()
    peer = subprocess.Popen([sys.executable, "-m", "bench._answering_peer", str(port)])
    try:
        wait_for_peer(port)
        watched = _run(scratch, f"http://127.0.0.1:{port}", peer.pid, given)
        log = httpx.get(f"http://127.0.0.1:{port}/log", timeout=60.0).json()
        return _read(log, watched)
    finally:
        peer.terminate()
        peer.wait()


def _run(scratch: Path, agent: str, peer: int, given: argparse.Namespace) -> Watched:
    entries = given.entries or given.calls
    plan: dict[str, Any] = {
        "name": "capacity",
        "agent": agent,
        "calls": [_call(f"load-{number:03d}", given.turns) for number in range(entries)],
    }
    if given.ramp_s:
        plan["load"] = {"from": 1, "to": given.calls, "over_s": given.ramp_s}
    else:
        plan["parallel"] = given.calls
    return watched_run(scratch, plan, peer=peer, processes=given.processes)


def _call(name: str, turns: int) -> dict[str, Any]:
    lines = [
        {"say": LINES[number % len(LINES)], "pause_s": 0.3 if number else 1.0} for number in range(turns)
    ]
    return {
        "id": name,
        "script": {"wait_for_greeting": False, "lines": lines},
        "request_data": {"name": name},
    }


def _read(log: dict[str, Any], watched: Watched) -> Round:
    store, placings = RunStore(watched.folder), read_placings(watched.folder)
    records = list(store.records())
    stood = max(one.standing for one in placings if one.what == "dialled")
    return Round(
        store=store,
        records=records,
        log=log,
        placed=len(records),
        stood=stood,
        statuses=Counter(str(record.status) for record in records),
        late_ms=[record.pacing.late_p95_ms for record in records if record.pacing is not None],
        paced_ms=[
            one.late_p95_ms
            for one in placings
            if one.what == "pacing" and one.standing == stood and one.late_p95_ms is not None
        ],
        cores=watched.shares(),
        took_s=watched.took_s,
    )


def _errors_ms(store: RunStore, record: CallRecord, truth: dict[str, Any]) -> Iterator[float | None]:
    """Of each answer: what was measured less what the peer's socket saw; None where nothing was measured."""
    audio = store.read_audio(record.plan.call_id)
    assert audio is not None
    sent, received = store.read_packets(record.plan.call_id)
    timing = measure_timing(
        agent_audio=audio[:, 1],
        utterances=record.utterances,
        gaps=record.gaps,
        sent=sent,
        received=received,
        interruption_resolution_s=0.02,
        end_s=record.duration_s,
    )
    heard = np.array(truth["heard"], dtype=np.int64)
    # Media times of the two ends begin anywhere; the last packet of ours is the last that the peer got.
    ticks = (heard[:, 0] - heard[-1, 0] + 2**31) % 2**32 - 2**31
    behind_ns = heard[:, 1] - ticks * 1_000_000_000 // CLOCK_HZ
    ours = np.round((sent.media_s - sent.media_s[-1]) * CLOCK_HZ).astype(np.int64)
    place = {int(tick): at for at, tick in enumerate(ticks)}
    ends = {one.index: one.end_s for one in record.utterances}
    for latency, answer in zip(timing.latencies, truth["answers"], strict=False):
        if latency.latency_s is None:
            yield None
            continue
        end_s = ends[latency.index]
        frame = int(np.searchsorted(sent.due_s, end_s, side="right")) - 1
        at = place.get(int(ours[frame]))
        if at is None:
            yield None
            continue
        within_ns = (end_s - float(sent.due_s[frame])) * 1e9
        due_ns = int(np.min(behind_ns)) + int(ticks[at]) * 1_000_000_000 // CLOCK_HZ
        spoke = _either(answer["due_ns"], answer["wire_ns"])
        stopped = _either(due_ns, int(heard[at, 1]))
        truths_ms = [(one - other - within_ns) / 1e6 for one in spoke for other in stopped]
        yield min((latency.latency_s * 1000 - one for one in truths_ms), key=abs)


def _either(due_ns: int, wire_ns: int) -> list[int]:
    """When something was on the wire: by its clock; where its packet was late, by that packet as well."""
    return [due_ns, *([wire_ns] if wire_ns - due_ns > LATE_MS * 1e6 else [])]


def _median(values: Sequence[float]) -> float:
    return float(np.median(values)) if values else float("nan")


def _p95(values: Sequence[float]) -> float:
    return float(np.percentile(values, 95)) if values else float("nan")


if __name__ == "__main__":
    main()
