"""Calls placed by ``outboundeval run``, with an eye on who has the cores."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from harness.records.placed.placings import read_placings

ROLES = {
    "unit_process": "calls",
    "ears_worker": "ears",
    "words_worker": "words",
    "meaning_worker": "meaning",
    "live_voice_worker": "voice",
    "line_maker": "lines",
    "_answering_peer": "peer",
    "harness.cli": "run",
}


@dataclass(kw_only=True)
class Watched:
    """A run, and who had the cores while most of its calls stood."""

    folder: Path
    took_s: float = 0.0
    samples: list[tuple[float, int, dict[str, float]]] = field(default_factory=list)

    def take(self, pids: Sequence[int]) -> None:
        standing = next((one.standing for one in reversed(read_placings(self.folder)) if one.standing), 0)
        self.samples.append((time.monotonic(), standing, _cpu(pids)))

    def shares(self) -> dict[str, float]:
        """Role -> cores that it had, in the stretch in which most calls stood."""
        most = max(standing for _, standing, _ in self.samples)
        inside = [one for one in self.samples if one[1] == most]
        (began_s, _, before), (ended_s, _, after) = inside[0], inside[-1]
        if ended_s <= began_s:
            return {}
        return {role: (after[role] - before.get(role, 0.0)) / (ended_s - began_s) for role in sorted(after)}


def watched_run(scratch: Path, plan: Mapping[str, Any], *, peer: int, processes: int) -> Watched:
    """Runs a plan in so many processes, without scores.

    Args:
        peer: Process of the agent.

    Raises:
        SystemExit: The run could not be held; with what it told.
    """
    written = scratch / "plan.yaml"
    written.write_text(yaml.safe_dump(dict(plan)), encoding="utf-8")
    watched, began_s = Watched(folder=scratch / "run"), time.monotonic()
    command = [sys.executable, "-P", "-m", "harness.cli", "run", str(written), "--out", str(watched.folder)]
    command += ["--no-score", "--processes", str(processes)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with (scratch / "told").open("wb") as told:
        running = subprocess.Popen(command, stdout=told, stderr=told, env=environment)
        try:
            while running.poll() is None:
                time.sleep(1.0)
                watched.take([peer, *family(running.pid)])
        finally:
            if running.poll() is None:
                running.terminate()
                running.wait()
    watched.took_s = time.monotonic() - began_s
    if running.returncode not in (0, 1):
        raise SystemExit((scratch / "told").read_text(encoding="utf-8")[-2000:])
    return watched


def family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            children = (task / "children").read_text(encoding="ascii").split()
        except OSError:
            continue
        for child in children:
            found += family(int(child))
    return found


def _cpu(pids: Sequence[int]) -> dict[str, float]:
    """Role -> seconds of processor time so far; ``machine`` is all that was not idle."""
    tick = os.sysconf("SC_CLK_TCK")
    used: dict[str, float] = {}
    for pid in pids:
        try:
            command = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            continue
        role = next((role for part, role in ROLES.items() if part in command), "other")
        used[role] = used.get(role, 0.0) + (int(fields[11]) + int(fields[12])) / tick
    user, nice, system, _, _, irq, softirq, *_ = map(
        int, Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:]
    )
    return used | {"machine": (user + nice + system + irq + softirq) / tick}
