"""What a soak samples, and what is said of it: whether anything grows, and how punctual our sender was."""

from __future__ import annotations

import contextlib
import json
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench._trend import Trend, trend
from harness.transports.base import MediaLog

MAX_MB_A_MINUTE = 1.0
MAX_GROWN = 8.0
"""Handles, threads and tasks: what twenty calls, each in another stage, differ by."""
LATE_MS = 20.0
"""A frame later than its own length."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One moment of the soak. Memory is resident, in MB; shares are of one core, since the sample before."""

    at_s: float
    memory_mb: float
    children_mb: float
    handles: int
    threads: int
    tasks: int
    calls: int
    ended: int
    late_p95_ms: float | None
    late_frames: int
    frames: int
    cpu: float
    agents_cpu: float

    @property
    def both_mb(self) -> float:
        return self.memory_mb + self.children_mb


@dataclass
class Pacing:
    """The logs of the calls that stand, each with how much of it has been looked at."""

    calls: int = 0
    """How many sent anything between the last two looks."""
    _logs: list[tuple[weakref.ref[MediaLog], int]] = field(default_factory=list)

    def watch(self, log: MediaLog) -> None:
        self._logs.append((weakref.ref(log), 0))

    @property
    def kept(self) -> int:
        """How many calls' logs are in memory, of calls that stand and of calls that are over."""
        return sum(reference() is not None for reference, _ in self._logs)

    def late_ms(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Of every frame that was handed over since the last time; a call's last ones may be missing."""
        new: list[float] = []
        kept = []
        self.calls = 0
        for reference, seen in self._logs:
            log = reference()
            if log is not None:
                new += log.lateness_s[seen:]
                self.calls += len(log.lateness_s) > seen
                kept.append((reference, len(log.lateness_s)))
        self._logs = kept
        return np.array(new) * 1000


HEADER = (
    "  min   RSS MB  children  handles  threads  tasks  calls  ended"
    "   late p95 (ms)  over 20 ms   frames   core  agents' core"
)


def row(sample: Sample) -> str:
    """A sample as a line of the table."""
    late = "           —" if sample.late_p95_ms is None else f"{sample.late_p95_ms:12.2f}"
    return (
        f"{sample.at_s / 60:5.1f}  {sample.memory_mb:7.1f}  {sample.children_mb:8.1f}  {sample.handles:7d}"
        f"  {sample.threads:7d}  {sample.tasks:5d}  {sample.calls:5d}  {sample.ended:5d}"
        f"  {late}  {sample.late_frames:12d}  {sample.frames:7d}  {sample.cpu:5.0%}"
        f"  {sample.agents_cpu:12.0%}"
    )


def verdict(samples: list[Sample], *, warm_up_min: float, stated: list[str]) -> bool:
    """Whether nothing grows after the warm-up; says the figures into ``stated``."""
    settled = [one for one in samples if one.at_s >= warm_up_min * 60]
    first, last = (settled[0], settled[-1]) if settled else (None, None)
    stated.append(f"after the first {warm_up_min:g} minutes ({len(settled)} samples):")
    good = True
    for name, unit, of in (
        ("memory, ours", "MB", lambda one: one.memory_mb),
        ("memory, children", "MB", lambda one: one.children_mb),
        ("memory, both", "MB", lambda one: one.both_mb),
        ("file handles", "", lambda one: one.handles),
        ("threads", "", lambda one: one.threads),
        ("asyncio tasks", "", lambda one: one.tasks),
    ):
        found = trend([one.at_s for one in settled], [of(one) for one in settled])
        if found is None or first is None or last is None:
            stated.append(f"  {name}: too few samples to say")
            good = False
            continue
        holds = found.per_minute <= MAX_MB_A_MINUTE if unit else not found.grows_by(MAX_GROWN)
        good = good and holds
        stated.append(_stated(name, unit, found, of(first), of(last)) + ("" if holds else "  <- GROWS"))
    late = [one.late_p95_ms for one in settled if one.late_p95_ms is not None]
    if late:
        frames, over = sum(one.frames for one in settled), sum(one.late_frames for one in settled)
        stated.append(
            f"  pacing: p95 of ten seconds, median {np.median(late):.2f} ms, worst {max(late):.2f} ms; "
            f"{over} of {frames} frames later than {LATE_MS:g} ms"
        )
        stated.append(
            f"  of a core: ours {np.mean([one.cpu for one in settled]):.0%}, "
            f"the agents' {np.mean([one.agents_cpu for one in settled]):.0%}"
        )
    return good


def _stated(name: str, unit: str, found: Trend, first: float, last: float) -> str:
    return (
        f"  {name}: {found.per_minute:+.3f} {unit} a minute (95 % interval {found.low:+.3f} to "
        f"{found.high:+.3f}), first {first:g}, last {last:g}"
    ).replace("  a minute", " a minute")


def read_samples(path: Path) -> list[Sample]:
    """The samples of a file; a torn last line is left out."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        with contextlib.suppress(ValueError, TypeError):
            found.append(Sample(**json.loads(line)))
    return found
