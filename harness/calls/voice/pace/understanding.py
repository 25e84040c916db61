"""How soon callers in this process understand an agent that has stopped speaking, over all calls that stand.

Words are worked out beside the calls, by one process for all of them. With too many calls a caller answers
late, or not at all, and what the agent then does is our fault: whoever decides whether one more call may be
dialled has to know it.
"""

from __future__ import annotations

UNDERSTOOD_WITHIN_S = 1.5
"""From the agent's last voiced sample to its words; the quiet in between by which its end is told (0.8 s)
is part of it."""


class _Understood:
    def __init__(self) -> None:
        self._after_s: list[float] = []

    def note(self, after_s: float) -> None:
        self._after_s.append(after_s)

    def take(self) -> list[float]:
        taken, self._after_s = self._after_s, []
        return taken


_UNDERSTOOD = _Understood()


def note_understood(after_s: float) -> None:
    """The words of a stretch of speech are there, so long after its end."""
    _UNDERSTOOD.note(after_s)


def new_understood_s() -> list[float]:
    """What has been noted since this was last asked."""
    return _UNDERSTOOD.take()
