"""From evidence to a probability: a logistic regression, one for each language.

Fitted by ``python -m bench.understanding`` on the example lines themselves, each tried on the lines of the
other authors; the threshold stands where a development set by others wants it. ``weights/LANGUAGE.json`` has
both, with the figures that they came to.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from voice_sim.understanding.examples.evidence import NAMES, Evidence

FOLDER = Path(__file__).parent / "weights"


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The regression of one language.

    Attributes:
        version: Of evidence, weights and thresholds together; it stands in plans.
        bias, of: Log odds with no evidence, and what each unit of evidence adds, by its name.
        taken_from: Probability from which the likeliest item is taken to be meant.
        also_from: The same for further items beside it.
        beside_from: The same for one that goes with it: a fact that is asked for may bring up an obstacle.
    """

    version: str
    bias: float
    of: dict[str, float]
    taken_from: float
    also_from: float
    beside_from: float

    def log_odds(self, evidence: Evidence) -> NDArray[np.float64]:
        """One for each row."""
        weights = np.array([self.of[name] for name in NAMES])
        odds: NDArray[np.float64] = self.bias + evidence @ weights
        return odds


@cache
def weights_for(language: Literal["en", "zh"]) -> Weights:
    """The weights that come along."""
    content = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return Weights(
        version=content["version"],
        bias=content["bias"],
        of=content["weights"],
        taken_from=content["taken_from"],
        also_from=content["also_from"],
        beside_from=content["beside_from"],
    )
