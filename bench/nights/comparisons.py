"""How often a family of relative gates is right: planted slowdowns, planted rates, and nothing planted."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from bench.nights.agents import night_pair, rate_pair
from harness.plans.checks.gates import Gate
from harness.scoring.comparison.decide import gate_changes, judged
from harness.scoring.comparison.pairs import Pairing
from metrics.comparison.paired import Effort
from metrics.intervals import wilson

EFFORT = Effort(swaps=799, resamples=600)
FAMILY = (
    "response_latency_ms: not worse by 30",
    "response_rate: not worse by 0.05",
)
RATE = ("response_rate: not worse by 0.05",)
CHUNK = 25


@dataclass(frozen=True, kw_only=True)
class Planted:
    """What is simulated, and the gates."""

    label: str
    gates: tuple[str, ...]
    calls: int
    turns: int = 12
    slower_ms: float = 0.0
    rates: tuple[float, float] | None = None

    def pairing(self, rng: np.random.Generator) -> Pairing:
        if self.rates is not None:
            return rate_pair(rng, self.calls, *self.rates)
        return night_pair(rng, self.calls, self.turns, self.slower_ms)


@dataclass(kw_only=True)
class Found:
    """Over all pairs: how often the family was red, green, neither; what the first gate could have seen."""

    words: Counter[str] = field(default_factory=Counter)
    first: Counter[str] = field(default_factory=Counter)
    detectable: list[float] = field(default_factory=list)
    needed: list[int] = field(default_factory=list)
    changed: int = 0

    @property
    def n(self) -> int:
        return self.words.total()

    def add(self, other: Found) -> None:
        self.words += other.words
        self.first += other.first
        self.detectable += other.detectable
        self.needed += other.needed
        self.changed += other.changed

    def share(self, word: str) -> str:
        interval = wilson(self.words[word], self.n)
        return f"{self.words[word] / self.n:.3f} ({interval.low:.3f}-{interval.high:.3f})"


def tried(planted: Planted, pairs: int, *, seed: int = 1, workers: int = 2) -> Found:
    """So many simulated pairs of nights."""
    jobs = [(planted, min(CHUNK, pairs - begin), seed + begin) for begin in range(0, pairs, CHUNK)]
    found = Found()
    if workers == 1:
        for job in jobs:
            found.add(_chunk(job))
        return found
    with ProcessPoolExecutor(workers) as pool:
        for some in pool.map(_chunk, jobs):
            found.add(some)
    return found


def _chunk(job: tuple[Planted, int, int]) -> Found:
    planted, pairs, seed = job
    rng = np.random.default_rng(seed)
    found = Found()
    gates = [Gate.model_validate(text) for text in planted.gates]
    for _ in range(pairs):
        pairing = planted.pairing(rng)
        seen = gate_changes(gates, pairing, effort=EFFORT)
        results = judged(gates, seen)
        words = [one.result for one in results]
        red = "failed" in words
        found.words["red" if red else "green" if set(words) == {"passed"} else "inconclusive"] += 1
        found.first[words[0]] += 1
        change = seen[0]
        # What an 80 % chance means: the test of this figure alone, at 5 % on the bad side.
        found.changed += change.p is not None and change.p <= 0.05
        if change.detectable is not None:
            found.detectable.append(change.detectable)
        if results[0].calls_needed is not None:
            found.needed.append(results[0].calls_needed)
    return found
