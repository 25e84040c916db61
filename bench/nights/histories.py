"""How often the history finds a step that was planted, and one that was not."""

from __future__ import annotations

import numpy as np

from metrics.comparison.change_points import change_points

NIGHTS, FIRST = 60, 39
"""Night 40, counted from 0, is the first of the new level."""
NEAR = 1


def planted_steps(series: int, step: float, *, seed: int = 3) -> tuple[float, float, float, float]:
    """Shares of histories: the step is found by night 43, by 50, by 60; some other one stands at the end."""
    rng = np.random.default_rng(seed)
    found = [0, 0, 0]
    false = 0
    for _ in range(series):
        values = rng.normal(0.0, 1.0, NIGHTS)
        values[FIRST:] += step
        for place, until in enumerate((43, 50, 60)):
            steps = [one.at for one in change_points(values[:until])]
            found[place] += step > 0 and any(abs(at - FIRST) <= NEAR for at in steps)
        far = 3 if step else 0
        false += any(abs(at - FIRST) > far or not step for at in steps)
    return found[0] / series, found[1] / series, found[2] / series, false / series
