"""Calls of simulated agents, in the form in which comparisons read them.

Latencies are log-normal, around 1,000 ms, with 150 ms between calls and 250 ms between the turns of a call.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from harness.records.scores import CallScores, TurnTiming
from harness.scoring.comparison.pairs import Pairing
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status

_SCORES = CallScores.model_construct(call_id="", turns=[], interruptions=[], scores=[], clips=[])
_TURN = TurnTiming.model_construct(index=0)
"""Copied for every call and turn: to find out the defaults of each anew takes most of a simulation's time."""

MEAN_MS, BETWEEN_CALLS_MS, BETWEEN_TURNS_MS = 1000.0, 150.0, 250.0


def log_normal(rng: np.random.Generator, mean: Any, sd: float, size: Any) -> Any:
    """Of that mean and standard deviation."""
    variance = np.log1p((sd / mean) ** 2)
    return rng.lognormal(np.log(mean) - variance / 2, np.sqrt(variance), size)


def latencies(rng: np.random.Generator, calls: int, turns: int, slower_ms: float = 0.0) -> Any:
    """A row a call."""
    means = log_normal(rng, MEAN_MS, BETWEEN_CALLS_MS, calls)
    return np.stack([log_normal(rng, mean, BETWEEN_TURNS_MS, turns) for mean in means]) + slower_ms


def call_of(name: str, waits_ms: Any, answered: Any = True) -> Any:
    """A call with these latencies; where ``answered`` is False its turns have none."""
    turns = [
        _TURN.model_copy(
            update={
                "index": index,
                "outcome": TurnOutcome.ANSWERED if ok else TurnOutcome.NOT_ANSWERED,
                "latency_ms": float(wait) if ok else None,
                "waited_ms": None if ok else 15_000.0,
                "status": Status.MEASURED if ok else Status.NOT_APPLICABLE,
            }
        )
        for index, (wait, ok) in enumerate(
            zip(waits_ms, np.broadcast_to(answered, len(waits_ms)), strict=True)
        )
    ]
    scores = _SCORES.model_copy(update={"call_id": name, "turns": turns})
    return SimpleNamespace(id=name, files=SimpleNamespace(scores=scores))


def pairing_of(baseline: list[Any], candidate: list[Any]) -> Pairing:
    """Each call a group by itself."""
    pairs = tuple(zip(baseline, candidate, strict=True))
    return Pairing(pairs=pairs, groups={pair[0].id: [pair] for pair in pairs})


def night_pair(rng: np.random.Generator, calls: int, turns: int, slower_ms: float) -> Pairing:
    """Two nights of one agent, the second slower by so much."""
    sides = [latencies(rng, calls, turns), latencies(rng, calls, turns, slower_ms)]
    return pairing_of(*([call_of(f"c{n}", row) for n, row in enumerate(side)] for side in sides))


def rate_pair(rng: np.random.Generator, calls: int, baseline: float, candidate: float) -> Pairing:
    """Two nights of calls with one turn each, answered with these probabilities."""
    sides = [
        [call_of(f"c{n}", [900.0], rng.random() < rate) for n in range(calls)]
        for rate in (baseline, candidate)
    ]
    return pairing_of(*sides)
