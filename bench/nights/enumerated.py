"""How often one gate on a rate is green, over every table that so many pairs of calls can make: no seed.

The two sides of a pair have nothing to do with each other, and each call has one verdict.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import multinomial

from harness.plans.checks.gates import Gate
from harness.records.comparison import FigureChange
from harness.scoring.comparison.decide import judged
from metrics.comparison.rates import Pairs, compare_rates

LEAST_CHANCE = 1e-9
"""Tables that are rarer are left out: together they cannot change what is printed."""


def green_share(rates: tuple[float, float], calls: int, gate: Gate) -> float:
    """The chance that ``gate`` is green where the baseline's rate and the candidate's are ``rates``."""
    one, two = rates
    share = [one * two, one * (1 - two), (1 - one) * two, (1 - one) * (1 - two)]
    found = 0.0
    for lost in range(calls + 1):
        for won in range(calls - lost + 1):
            # Which of the other pairs both sides answered changes neither the estimate nor its interval.
            alike = calls - lost - won
            chance = multinomial.pmf([alike, lost, won], calls, [share[0] + share[3], share[1], share[2]])
            if chance >= LEAST_CHANCE and _green(alike, lost, won, gate):
                found += float(np.asarray(chance))
    return found


def _green(alike: int, lost: int, won: int, gate: Gate) -> bool:
    pairs = Pairs(both=alike, baseline_only=lost, candidate_only=won, neither=0)
    told = compare_rates(pairs)
    change = FigureChange(
        figure=gate.figure,
        part=gate.part,
        label=gate.figure,
        unit="ratio",
        lower_is_better=False,
        baseline=told.baseline,
        candidate=told.candidate,
        estimate=told.estimate,
        low=told.low,
        high=told.high,
        p=told.p_lower,
        p_better=told.p_higher,
        pairs=pairs.n,
        groups=pairs.n,
        grouped_by="call",
        word="no difference seen",
        method=told.method,
    )
    return judged([gate], [change])[0].result == "passed"
