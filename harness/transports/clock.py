"""One monotonic clock per call: every time in the harness is seconds since that call began."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class CallClock:
    """The clock of one call; its zero is the moment at which dialling began."""

    zero_ns: int = field(default_factory=time.monotonic_ns)

    def now_s(self) -> float:
        return self.at_s(time.monotonic_ns())

    def at_s(self, monotonic_ns: int) -> float:
        """Call time of a ``time.monotonic_ns()`` reading."""
        return (monotonic_ns - self.zero_ns) / 1e9

    def monotonic_ns(self, t_s: float) -> int:
        """The ``time.monotonic_ns()`` reading at a call time."""
        return self.zero_ns + round(t_s * 1e9)
