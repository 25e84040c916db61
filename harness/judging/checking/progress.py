"""How far the judging of a set has come: questions done, failures by reason, about how long it will take."""

from __future__ import annotations

import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable

_LAST = 20
"""So many last answers say how fast it goes: kept ones, which cost nothing, are soon forgotten."""


class JudgeProgress:
    """Counts questions.

    Attributes:
        total, done: Questions.
        failures: Reason (:func:`failure_kind`) -> questions that have at least one verdict failed for it.
    """

    def __init__(self, total: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.done = 0
        self.failures: Counter[str] = Counter()
        self._clock = clock
        self._ends_s = deque([clock()], maxlen=_LAST + 1)

    def finished(self, reasons: Iterable[str]) -> None:
        """One question is done; ``reasons``: of its failed verdicts."""
        self.done += 1
        self.failures.update({failure_kind(reason) for reason in reasons})
        self._ends_s.append(self._clock())

    @property
    def left_s(self) -> float | None:
        """Estimated from the last answers; None before the first."""
        if not self.done:
            return None
        each_s = (self._ends_s[-1] - self._ends_s[0]) / (len(self._ends_s) - 1)
        return each_s * (self.total - self.done)

    def told(self) -> str:
        """One line: ``12 of 30, about 3 min left; failed: the answer was cut off 2``."""
        text = f"{self.done} of {self.total}"
        if self.left_s is not None and self.done < self.total:
            text += f", about {duration(self.left_s)} left"
        if self.failures:
            text += f"; failed: {told_failures(self.failures)}"
        return text


def failure_kind(reason: str) -> str:
    """A reason without what belongs to one case: what was said, quoted, counted or sent.

    ``quotes words that turn 4 does not have: "..."`` -> ``quotes words that turn N does not have``
    """
    kind = re.split(r"[:;(]", reason, maxsplit=1)[0].strip()
    return re.sub(r"\d+", "N", kind)[:100] or "no reason given"


def told_failures(failures: Counter[str]) -> str:
    """Most frequent first."""
    return ", ".join(f"{kind} {count}" for kind, count in sorted(failures.items(), key=lambda one: -one[1]))


def duration(seconds: float) -> str:
    """``40 s``, ``12 min`` or ``2.5 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
