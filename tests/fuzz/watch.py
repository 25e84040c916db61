"""Watches a process that fuzzes: its memory, and whether it moves on. Starts it anew where it was ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.fuzz.child import CURRENT, TOLD
from tests.fuzz.findings import BIG_MB, HANGS_S, ROOT, SLOW_S, Finding, keep, read_findings

LOOK_EACH_S = 0.02
STARTS_S = 400.0
"""Loading everything, on a machine however busy."""


@dataclass(kw_only=True)
class Fuzzed:
    """What came of one target; figures are over all processes that it took."""

    target: str
    inputs: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    most_mb: float = 0.0
    found: list[Finding] | None = None
    by_coverage: int = 0
    """Inputs that reached something new, where coverage led."""


def fuzz(
    target: str,
    *,
    seconds: float,
    seeds: Path,
    work: Path,
    seed: int = 1,
    package: str = "tests.fuzz.targets",
    by_chance: bool = False,
) -> Fuzzed:
    """Fuzzes one target for so long, whatever it does to its process."""
    seeds.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    fuzzed = Fuzzed(target=target)
    until = time.monotonic() + seconds
    starts = 0
    while (left_s := until - time.monotonic()) > 0.5 or not starts:
        arguments = [
            "--seconds",
            f"{max(1.0, left_s):.1f}",
            "--seed",
            str(seed + starts),
            "--package",
            package,
        ]
        starts += 1
        began = _watched(
            [target, *arguments, *(["--by-chance"] if by_chance else [])],
            fuzzed,
            seeds=seeds,
            work=work,
            until=until,
        )
        if starts == 1:
            # Loading takes its time, and is not counted as fuzzing.
            until += began
    fuzzed.found = read_findings(work / "findings")
    fuzzed.by_coverage = sum(1 for _ in (work / "corpus").glob("*"))
    return fuzzed


def _watched(arguments: list[str], fuzzed: Fuzzed, *, seeds: Path, work: Path, until: float) -> float:
    """One process until it ends or has to be ended; how long it took until its first input."""
    current, told = work / CURRENT, work / TOLD
    current.unlink(missing_ok=True)
    told.unlink(missing_ok=True)
    findings = work / "findings"
    command = [sys.executable, "-m", "tests.fuzz.child", *arguments]
    began_s = time.monotonic()
    loaded_s = 0.0
    with (work / "said.txt").open("ab") as said:
        process = subprocess.Popen(
            [*command, "--work", str(work), "--findings", str(findings), "--seeds", str(seeds)],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
    watched = psutil.Process(process.pid)
    end: tuple[str, str] | None = None
    most_mb, loaded_mb = 0.0, 0.0
    tried, tried_s, tried_cpu_s = 0, began_s, 0.0
    try:
        while process.poll() is None:
            time.sleep(LOOK_EACH_S)
            now_s = time.monotonic()
            at_work = current.exists()
            if at_work and not loaded_s:
                loaded_s = now_s - began_s
            try:
                mb = watched.memory_info().rss / 1e6
            except psutil.NoSuchProcess:
                break
            if not at_work:
                loaded_mb = mb
                if now_s - began_s > STARTS_S:
                    end = ("hangs", f"tried nothing within {STARTS_S:g} s")
            else:
                most_mb = max(most_mb, mb)
                if (number := _number(current)) != tried:
                    tried, tried_s, tried_cpu_s = number, now_s, _cpu_s(watched)
                if mb > BIG_MB:
                    end = ("big", f"{mb:.0f} MB, of which {loaded_mb:.0f} MB before the first input")
                elif (waited_s := now_s - tried_s) > HANGS_S and (
                    # On a machine that is busy with other things it may just not have had its turn.
                    _cpu_s(watched) - tried_cpu_s > 5 * SLOW_S or waited_s > 4 * HANGS_S
                ):
                    end = ("hangs", f"not done after {waited_s:.0f} s")
                elif now_s > until + loaded_s + 5 * HANGS_S:
                    break
            if end is not None:
                break
    finally:
        process.kill()
        process.wait()
    if end is None and process.returncode not in (0, -9):
        end = ("died", f"the process ended with {process.returncode}: {_tail(work / 'said.txt')}")
    if end is not None:
        data = current.read_bytes() if current.exists() else b""
        keep(findings, target=fuzzed.target, kind=end[0], cause=end[0], told=end[1], data=data)
    fuzzed.most_mb = max(fuzzed.most_mb, most_mb)
    if told.exists():
        figures = json.loads(told.read_text(encoding="utf-8"))
        fuzzed.inputs += figures["inputs"]
        fuzzed.refused += figures["refused"]
        fuzzed.slowest_s = max(fuzzed.slowest_s, figures["slowest_s"])
    return loaded_s


def _number(path: Path) -> int:
    """What differs whenever a file has been written anew."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _cpu_s(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


def _tail(path: Path, characters: int = 1500) -> str:
    return path.read_text(encoding="utf-8", errors="replace")[-characters:]
