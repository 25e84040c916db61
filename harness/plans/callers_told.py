"""Who plays the callers of a run and how they understand, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from harness.plans.call import CallPlan


def callers_told(plans: Iterable[CallPlan]) -> list[str]:
    """A line for each way, the commonest first; with several, how many calls are played so.

    Fixed lines are played by nobody: they are left out.
    """
    ways = Counter(plan.caller_told for plan in plans if plan.policy != "script")
    if len(ways) == 1:
        return list(ways)
    return [f"{way} ({n} call{'' if n == 1 else 's'})" for way, n in ways.most_common()]
