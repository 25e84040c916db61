"""Fits the logistic regression of one language, and sets its thresholds on the development set."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from bench.understanding.evidence import Truth
from harness.selfcheck.understanding.figures import (
    AS_MEANT_AT_LEAST,
    FALSE_AT_MOST,
    Share,
    as_meant,
    false,
    try_lines,
)
from harness.selfcheck.understanding.labelled import Labelled
from voice_sim.person.examples import Item
from voice_sim.understanding.examples.evidence import NAMES, Evidence
from voice_sim.understanding.examples.understander import Odds, meant
from voice_sim.understanding.examples.weights import Weights

SHRINKAGE = 1e-4
CURVE = tuple(round(0.3 + 0.05 * step, 2) for step in range(11))
ALSO_FROM = 0.85
BESIDE_FROM = 0.3


@dataclass(frozen=True, kw_only=True)
class Point:
    """What a threshold comes to on the development set.

    Attributes:
        clearance: From the nearer of both bars, in standard errors; negative where one is missed.
    """

    taken_from: float
    as_meant: float
    false: float
    clearance: float


def fitted(evidence: Evidence, truth: Truth) -> tuple[float, dict[str, float]]:
    """Bias and weights of least cross-entropy, by columns of equal spread, a little shrunk."""
    middle, spread = evidence.mean(axis=0), evidence.std(axis=0) + 1e-9
    columns = (evidence - middle) / spread

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        bias, weights = values[0], values[1:]
        odds = bias + columns @ weights
        likely = 1 / (1 + np.exp(-odds))
        entropy = float(np.mean(np.logaddexp(0, odds) - truth * odds) + SHRINKAGE * weights @ weights)
        slope = (likely - truth) / len(truth)
        return entropy, np.concatenate([[slope.sum()], columns.T @ slope + 2 * SHRINKAGE * weights])

    found = minimize(loss, np.zeros(columns.shape[1] + 1), jac=True, method="L-BFGS-B")
    weights = found.x[1:] / spread
    bias = float(found.x[0] - weights @ middle)
    return bias, dict(zip(NAMES, map(float, weights), strict=True))


def with_threshold(
    weights: Weights, lines: Sequence[Labelled], odds: Mapping[tuple[str, str], Odds]
) -> tuple[Weights, list[Point]]:
    """The weights with the threshold that is clearest of both bars on these lines, and the curve.

    Args:
        odds: Of each line, by entry and text.
    """
    curve = []
    for threshold in CURVE:
        tried_weights = replace(weights, taken_from=threshold)

        def takes(line: Labelled, using: Weights = tried_weights) -> frozenset[Item]:
            return frozenset(one.item for one in meant(odds[line.entry, line.says], using))

        tried = try_lines(lines, takes)
        meant_share, false_share = as_meant(tried), false(tried)
        curve.append(
            Point(
                taken_from=threshold,
                as_meant=meant_share.value or 0.0,
                false=false_share.value or 0.0,
                clearance=min(_beyond(meant_share, AS_MEANT_AT_LEAST), -_beyond(false_share, FALSE_AT_MOST)),
            )
        )
    chosen = max(curve, key=lambda point: point.clearance)
    return replace(weights, taken_from=chosen.taken_from), curve


def unset(bias: float, of: dict[str, float]) -> Weights:
    """Weights whose threshold is still to be set."""
    return Weights(
        version="unset", bias=bias, of=of, taken_from=0.5, also_from=ALSO_FROM, beside_from=BESIDE_FROM
    )


def write(
    weights: Weights, curve: Sequence[Point], path: Path, *, queries: int, language: Literal["en", "zh"]
) -> None:
    """As ``voice_sim`` reads it; the version is a digest of the numbers."""
    content = {
        "bias": round(weights.bias, 4),
        "weights": {name: round(value, 4) for name, value in weights.of.items()},
        "taken_from": weights.taken_from,
        "also_from": weights.also_from,
        "beside_from": weights.beside_from,
    }
    version = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]
    notes = {
        "language": language,
        "pairs_of_line_and_item": queries,
        "development_curve": [
            [point.taken_from, round(point.as_meant, 4), round(point.false, 4)] for point in curve
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"version": version} | content | notes, indent=1) + "\n", encoding="utf-8")


def _beyond(share: Share, bar: float) -> float:
    """By how many standard errors (of a share at the bar) a share is above it."""
    return ((share.value or 0.0) - bar) / float(np.sqrt(bar * (1 - bar) / max(1, share.n)))
