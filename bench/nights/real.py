"""``python -m bench.nights.real hold FOLDER``, then ``tell FOLDER``: real nights with a planted slowdown.

The calibration agent is called for real; its latencies are drawn as in the simulation
(:mod:`bench.nights.agents`): log-normal, with 150 ms between calls and 250 ms between turns. Nights are held
without being scored, so that ``hold`` can have the machine to itself for a few minutes; ``tell`` scores them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.nights.agents import BETWEEN_CALLS_MS, BETWEEN_TURNS_MS, MEAN_MS, latencies
from harness.plans.checks.gates import Gate
from harness.scoring.comparison.runs import compare_runs
from harness.selfcheck.reference_agents import serving

LINES = (
    "Could you tell me what this is about?",
    "I see. Please go on.",
    "When was that?",
    "All right, and what happens now?",
    "Thank you. Is there anything else?",
)
QUIET_MS = 200
SAY = {"clip": "goodbye"}
GATES = ("response_latency_ms: not worse by 30", "response_rate: not worse by 0.05")


def plan(calls: int, slower_ms: float, seed: int) -> dict[str, Any]:
    """A night: the callers are those of every other night, the agent's latencies are drawn anew."""
    waits = latencies(np.random.default_rng(seed), calls, len(LINES), slower_ms)
    written = []
    for number, row in enumerate(waits):
        after_ms = [max(QUIET_MS + 50.0, round(float(wait), 1)) for wait in row]
        behaviour = {
            "greeting": {"after_ms": 300, "say": SAY},
            "turns": [{"answer_after_ms": wait, "say": SAY} for wait in after_ms],
            "quiet_ms": QUIET_MS,
        }
        script = {"lines": [{"say": line} for line in LINES], "hang_up_after_s": 0.3}
        written.append({"id": f"c{number:02}", "script": script, "request_data": {"behaviour": behaviour}})
    return {"name": "real", "calls": written}


def outboundeval(*words: str) -> str:
    """What the command printed."""
    command = [sys.executable, "-m", "harness.cli", *words, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stdout.strip() or ran.stderr[-400:]


def hold(folder: Path, *, calls: int, parallel: int, nights: list[tuple[str, float, int]]) -> None:
    """Places the calls of each night: its name, how much slower it is, and its seed."""
    folder.mkdir(parents=True, exist_ok=True)
    with serving("calibration") as address:
        for name, slower_ms, seed in nights:
            path = folder / f"{name}.yaml"
            # JSON is YAML, and has no anchors for what is the same.
            path.write_text(json.dumps(plan(calls, slower_ms, seed)), encoding="utf-8")
            began = time.monotonic()
            more = ("--no-score", "--parallel", str(parallel), "--out", str(folder / name))
            told = outboundeval("run", str(path), "--agent", address, *more)
            print(f"{name}: {told}, {time.monotonic() - began:.0f} s", flush=True)


def tell(folder: Path) -> None:
    """Scores the nights of a folder, and compares each with the first of its set."""
    print(f"around {MEAN_MS:g} ms; {BETWEEN_CALLS_MS:g} ms between calls, {BETWEEN_TURNS_MS:g} between turns")
    print("| night | planted, ms | estimate | 90 % interval | could have seen | gates |")
    print("|---|---|---|---|---|---|")
    gates = [Gate.model_validate(text) for text in GATES]
    for path in sorted(folder.glob("night-*-*.yaml")):
        run, first = folder / path.stem, folder / f"night-{path.stem.split('-')[1]}-first"
        for one in (first, run):
            if not (one / "summary.json").is_file():
                outboundeval("score", str(one), "--only", "timing")
        if run == first:
            continue
        found = compare_runs(first, run, gates=gates)
        change = next(one for one in found.figures if one.figure == "response_latency_ms" and not one.part)
        words = ", ".join(one.result for one in found.gates)
        shown = [change.estimate, change.low, change.high, change.detectable]
        estimate, low, high, seen = ("open" if one is None else f"{one:+.1f}" for one in shown)
        planted = path.stem.rpartition("-")[2]
        told = f"{words} ({found.pairs} pairs)"
        print(f"| {path.stem} | {planted} | {estimate} | {low} to {high} | {seen} | {told} |")
        if found.instruments or found.left_out:
            print(json.dumps({"instruments": found.instruments, "left out": found.left_out}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("hold", "tell"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pair", type=int, default=1, help="number of the set of nights: its seed")
    parser.add_argument("--calls", type=int, default=30)
    parser.add_argument("--parallel", type=int, default=15)
    parser.add_argument("--slower", type=float, nargs="*", default=[0.0, 80.0, 150.0])
    arguments = parser.parse_args()
    if arguments.what == "tell":
        tell(arguments.folder)
        return
    pair = arguments.pair
    nights = [(f"night-{pair}-first", 0.0, 1000 * pair)]
    nights += [(f"night-{pair}-{ms:g}", ms, 1000 * pair + n + 1) for n, ms in enumerate(arguments.slower)]
    hold(arguments.folder, calls=arguments.calls, parallel=arguments.parallel, nights=nights)


if __name__ == "__main__":
    main()
