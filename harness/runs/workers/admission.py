"""When one more call may be dialled: by how punctual those that stand are, measured while they do.

A call's figures are worth something only where our own sender kept time. So a host does not take as many
calls as it is asked for but as many as it carries: it dials one after the other and looks at what that did.
Where frames have been later than :data:`HOLD_MS` for :data:`SUSTAINED_S`, and not because calls are being
prepared, it has found its number: those that stand, or one less (later than :data:`CLOSE_MS`); the others
wait until it keeps time again and one has ended.
The same where callers understand the agent later than ``UNDERSTOOD_WITHIN_S`` after its end.
What took the time may have been somebody else: every :data:`TRY_AGAIN_S` without trouble one more is tried.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.calls.voice.pace.understanding import UNDERSTOOD_WITHIN_S
from harness.plans.run import Load

STAGGER_S = 0.12
"""Between two dials: one holds up a process by some milliseconds."""
REACTION_S = 1.0
"""So long after a dial its cost shows in the lateness of the others."""
UNDERSTANDING_S = 5.0
"""The same for how soon words are understood: an agent speaks every few seconds."""
HOLD_MS = 3.0
"""Frames later than this (p95): nobody is dialled, since one more may be too many."""
CLOSE_MS = 5.0
"""Later than this: so many is too many. Half of what voids a call."""
CALM_MS = 1.5
"""No later than this: a few may be dialled at a time."""
SUSTAINED_S = 2.5
"""Longer than one hiccup of the machine stays in what a process tells (two seconds)."""
FEW = 4
"""So many calls are dialled one after the other without waiting for the last one's effect: at first, and as
long as all is calm."""
SHARE_AT_A_TIME = 8
"""Of so many that stand, one more may be dialled before the effect of the last is known."""
PREPARING_MOST_S = 30.0
"""Trouble that lasts so long counts, also where calls are prepared meanwhile: that takes some seconds."""
TOLD_OVER_S = 2.0
"""So long frames that were late stay in what a host tells."""
UNDERSTOOD_TOLD_OVER_S = 15.0
"""The same for words that were."""
TRY_AGAIN_S = 15.0
CANNOT_S = 20.0
"""A host that has been over the bound for so long, with one call or none, cannot keep time at all."""
WORST_P95_MS = 10.0
"""The bound of a call (``harness.calls.voice.sent``)."""


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a host told of its worst process, and when.

    Attributes:
        late_p95_ms: Lateness of its frames (p95).
        understood_p95_s: How long after an agent's end its words were there (p95); 0 where nobody needs any.
    """

    at_s: float
    late_p95_ms: float
    understood_p95_s: float = 0.0

    @property
    def over(self) -> bool:
        """Whether one more may be too many."""
        return self.late_p95_ms > HOLD_MS or self.understood_p95_s > UNDERSTOOD_WITHIN_S

    @property
    def told(self) -> str:
        """What was over, for people."""
        if self.late_p95_ms > HOLD_MS or self.understood_p95_s <= UNDERSTOOD_WITHIN_S:
            return f"its frames were {self.late_p95_ms:.1f} ms late (p95)"
        return f"words were understood {self.understood_p95_s:.1f} s after the agent's end (p95)"


class Admission:
    """Of one host; times are seconds of any one steady clock.

    Args:
        most: So many calls may stand at once, whatever the host could carry.
        load: A ramp in place of that.
    """

    def __init__(self, most: int, *, load: Load | None = None) -> None:
        self._most = most
        self._load = load
        self._first_dial_s: float | None = None
        self._dials: list[float] = []
        """Whose effect is not known yet."""
        self._last_dial_s = float("-inf")
        self._heard: Heard | None = None
        self._ceiling: int | None = None
        self._ceiling_since_s = 0.0
        self._over_since_s: float | None = None
        self._preparing_s = float("-inf")
        """When calls were last being prepared."""
        self._alone_since_s: float | None = None

    @property
    def found(self) -> int | None:
        """The number of calls that the host was found to carry; None while it has not met its limit."""
        return self._ceiling

    def wanted(self, now_s: float) -> int:
        """How many are asked for now."""
        if self._load is None:
            return self._most
        return self._load.wanted(0.0 if self._first_dial_s is None else now_s - self._first_dial_s)

    def hear(self, heard: Heard, *, standing: int, preparing: bool = False) -> None:
        """The host has told how punctual it is, with so many calls standing.

        Args:
            preparing: Whether its processes prepare calls: what is late by that is not late by those that
                stand, and passes.
        """
        self._heard = heard
        if preparing:
            self._preparing_s = heard.at_s
        shows_after_s = UNDERSTANDING_S if heard.understood_p95_s else REACTION_S
        self._dials = [dial for dial in self._dials if heard.at_s < dial + shows_after_s]
        self._note_alone(heard, standing)
        if not heard.over or standing == 0:
            self._over_since_s = None
            return
        if self._over_since_s is None:
            self._over_since_s = heard.at_s
        told_over_s = TOLD_OVER_S if heard.late_p95_ms > HOLD_MS else UNDERSTOOD_TOLD_OVER_S
        own_since_s = max(self._over_since_s, self._preparing_s + told_over_s)
        over_s = heard.at_s - self._over_since_s
        if heard.at_s - own_since_s < SUSTAINED_S and over_s < PREPARING_MOST_S:
            return
        # Those that stand will end: until then there is nothing to take back but the next one.
        self._ceiling_since_s = heard.at_s
        too_many = heard.late_p95_ms > CLOSE_MS or heard.understood_p95_s > UNDERSTOOD_WITHIN_S
        carries = max(1, standing - 1 if too_many else standing)
        # With fewer than it was found to carry it is something else that takes the time.
        if self._ceiling is None or self._ceiling > carries >= self._ceiling - 1:
            self._ceiling = carries
            self._over_since_s = heard.at_s

    def may_dial(self, now_s: float, *, standing: int) -> bool:
        """Whether one more may be dialled now, with so many dialled and not ended yet."""
        if standing >= self.wanted(now_s) or now_s - self._last_dial_s < STAGGER_S:
            return False
        if standing == 0:
            return True
        heard = self._heard
        calm = heard is not None and heard.late_p95_ms <= CALM_MS and not heard.understood_p95_s
        least = FEW if calm else 1
        if standing >= FEW and len(self._dials) >= max(least, standing // SHARE_AT_A_TIME):
            return False
        if self._heard is not None and self._heard.over:
            return False
        return self._ceiling is None or standing < self._raised(now_s)

    def dialled(self, now_s: float) -> None:
        """One was."""
        if self._first_dial_s is None:
            self._first_dial_s = now_s
        self._last_dial_s = now_s
        self._dials.append(now_s)

    def cannot_keep_time(self) -> str:
        """Why figures from here would be nobody's; empty where it can."""
        if self._heard is None or self._alone_since_s is None:
            return ""
        if self._heard.at_s - self._alone_since_s < CANNOT_S:
            return ""
        late = f"{self._heard.late_p95_ms:.0f} ms late (p95; bound {WORST_P95_MS:g} ms)"
        return f"its frames are {late} with one call standing"

    def _note_alone(self, heard: Heard, standing: int) -> None:
        if heard.late_p95_ms <= WORST_P95_MS or standing != 1:
            self._alone_since_s = None
        elif self._alone_since_s is None:
            self._alone_since_s = heard.at_s

    def _raised(self, now_s: float) -> int:
        """The number that was found, and one more for each while without trouble since."""
        assert self._ceiling is not None
        return self._ceiling + int((now_s - self._ceiling_since_s) / TRY_AGAIN_S)
