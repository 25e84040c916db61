"""Kill -9 at random moments of a run, then resume: finished calls lost, calls placed twice.

``python -m bench.kills [--times 100] [--seed 1] [--at-once 4]``: small plans of short calls to a light agent
that logs every call placed with it. Each run is killed some times, gone on with each time, and completed in
the end:

* ``run``: the process of ``outboundeval run``: while it begins, while it calls, or within half a second of a
  call's end, when its recording is decoded and written;
* ``worker``: only the processes beside the calls; the run is to go on by itself;
* ``score``: the process of ``outboundeval score`` on a run that is complete.

A call is finished once its ``call.json`` is there. It is **lost** where that file, its timeline, its
recording or its packets are not the same afterwards, byte for byte, and **placed twice** where the agent's
log has it again. A call that was cut off has no record and is placed anew: that is counted, and no fault.
Also counted as faults: tracebacks, a folder that a killed process keeps closed to the next, a run that cannot
be completed, processes left behind.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from bench._killed_run import KILLS, KilledRun
from harness.models.served_process import free_port, serving_command

KILLS_A_RUN = 4
SHARES = {"run": 0.2, "worker": 0.4, "score": 0.4}
"""Of the last kill of each run; those before it are all of ``run``."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.kills", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--times", type=int, default=100, help="kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=4, help="runs beside each other")
    parser.add_argument("--keep", type=Path, help="keep the runs in this folder")
    given = parser.parse_args()
    # As with Ctrl-C: the agents are to end with us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="kills-") as temporary:
        found = kill_many(
            given.keep or Path(temporary), times=given.times, seed=given.seed, at_once=given.at_once
        )
    print(table(found))
    return 1 if faults(found) else 0


def kill_many(folder: Path, *, times: int, seed: int, at_once: int) -> list[KilledRun]:
    """Kills runs in folders of their own until ``times`` kills have been done, or a few more."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "agent.jsonl"
    log.touch()
    port = free_port()
    command = [sys.executable, "-m", "bench._talking_agent", "--port", str(port), "--log", str(log)]
    began = time.monotonic()
    with (
        serving_command(command, name="the agent", port=port, ready="/status") as agent,
        ThreadPoolExecutor(at_once) as threads,
    ):
        runs: list[KilledRun] = []
        under_way: set[Future[KilledRun]] = set()
        while (done := sum(run.killed.total() for run in runs)) < times or under_way:
            while done < times and len(under_way) < at_once:
                number = len(runs)
                kinds = random.Random(f"{seed}/{number}").choices(*zip(*SHARES.items(), strict=True), k=1)
                runs.append(
                    KilledRun(
                        folder=folder / f"run-{number}",
                        agent=agent,
                        log=log,
                        kinds=["run"] * KILLS_A_RUN + kinds,
                        seed=seed * 1000 + number,
                    )
                )
                under_way.add(threads.submit(_lived, runs[-1]))
            ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in ended:
                run = future.result()
                kills, took_s = sum(run.killed.total() for run in runs), time.monotonic() - began
                told = "".join(f"; {fault}" for fault in run.faults)
                print(
                    f"{kills:4d} kills after {took_s:5.0f} s; {run.folder.name}: {dict(run.killed)}{told}",
                    flush=True,
                )
    return runs


def faults(runs: list[KilledRun]) -> list[str]:
    return [f"{run.folder.name}: {fault}" for run in runs for fault in run.faults]


def table(runs: list[KilledRun]) -> str:
    """What was killed and what became of the calls."""
    killed: Counter[str] = sum((run.killed for run in runs), Counter())
    counts: Counter[str] = sum((run.counts for run in runs), Counter())
    kinds: Counter[str] = sum((Counter(run.fault_kinds) for run in runs), Counter())
    lines = [
        f"kills: {killed.total()} in {len(runs)} runs: "
        f"{', '.join(f'{kind} {killed[kind]}' for kind in KILLS)}",
        f"calls: {counts['calls']}, of which complete in the end: {counts['complete']}",
        f"finished before a kill: {counts['finished']} (counted at each kill)",
        f"finished calls lost: {kinds['lost']}",
        f"calls placed twice: {kinds['placed twice']}",
        f"cut off and placed anew: {counts['cut off']}, of which hung up but not yet written: "
        f"{counts['cut off unwritten']}",
        f"other faults: {len(faults(runs)) - kinds['lost'] - kinds['placed twice']}",
    ]
    return "\n".join([*lines, *(f"  {fault}" for fault in faults(runs))])


def _lived(run: KilledRun) -> KilledRun:
    run.live()
    return run


if __name__ == "__main__":
    sys.exit(main())
