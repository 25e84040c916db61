"""How many calls of scenario people this machine carries at once: ears, words, meaning and voice beside each.

``python -m bench.people_at_once [4 6 8]``: for each number, that many people of the benchmark call a peer on
this machine (``bench._answering_peer``) by ``outboundeval run``, each for :data:`CALL_S`. Told is how long
after the agent's end its words were understood (p50, p95 over all stretches; goal: 1.5 s), how late frames
left, who failed, and who had the cores. ``--admission N`` asks for N and lets ``run`` find its number.

Lines are made by ``run`` ahead of the calls, and kept: the first start of this takes longer than the next.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from bench.parts.watched_run import Watched, watched_run
from bench.simultaneous_calls import wait_for_peer
from harness.models.served_process import free_port
from harness.plans.entries import find_entries
from harness.records.placed.placings import read_placings
from harness.runs.store import RunStore

CALL_S = 45.0
PEOPLE = "*/cooperative"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("counts", type=int, nargs="*", default=[4, 6, 8])
    parser.add_argument("--admission", type=int)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    rounds = [(count, count) for count in given.counts]
    if given.admission:
        rounds.append((given.admission, given.admission))
    for asked, people in rounds:
        port = free_port()
        peer = subprocess.Popen([sys.executable, "-m", "bench._answering_peer", str(port)])
        try:
            wait_for_peer(port)
            with tempfile.TemporaryDirectory() as scratch:
                one_round(Path(scratch), f"http://127.0.0.1:{port}", peer.pid, asked, people, given.processes)
        finally:
            peer.terminate()
            peer.wait()


def one_round(scratch: Path, agent: str, peer: int, asked: int, people: int, processes: int) -> None:
    plan: dict[str, Any] = {
        "name": "people",
        "agent": agent,
        "parallel": asked,
        "defaults": {"voice": {"engine": "piper", "name": "joe"}, "limits": {"call_s": CALL_S}},
        "scenarios": [entry.id for entry in find_entries([PEOPLE], [])[:people]],
    }
    _print(watched_run(scratch, plan, peer=peer, processes=processes), asked)


def _print(watched: Watched, asked: int) -> None:
    store, placings = RunStore(watched.folder), read_placings(watched.folder)
    records = list(store.records())
    stood = max(one.standing for one in placings if one.what == "dialled")
    first_s = min(one.t_s for one in placings if one.what == "dialled")
    after_s = [
        event.t - float(event.data["end_s"])
        for record in records
        for event in store.read_events(record.plan.call_id)
        if event.kind == "agent-words"
    ]
    late = [record.pacing.late_p95_ms for record in records if record.pacing is not None]
    limits = [f"{one.standing} ({one.detail})" for one in placings if one.what == "limit"]
    shares = ", ".join(f"{role} {share:.2f}" for role, share in watched.shares().items())
    p50, p95 = np.percentile(after_s, [50, 95]) if after_s else (np.nan, np.nan)
    print(
        f"{asked} asked, {stood} at once, {len(records)} placed in {watched.took_s:.0f} s, the first after "
        f"{first_s:.0f} s: understood p50 {p50:.2f}, p95 {p95:.2f}, max {max(after_s, default=np.nan):.2f} s "
        f"(n {len(after_s)}); frames late p95: worst call {max(late, default=np.nan):.1f} ms; "
        f"{dict(Counter(str(record.status) for record in records))}; cores: {shares}"
        + (f"; limits: {', '.join(limits)}" if limits else ""),
        flush=True,
    )


if __name__ == "__main__":
    main()
