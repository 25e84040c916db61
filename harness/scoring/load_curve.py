"""What the agent did by how many calls stood at the same time: latency, answers and faults along a ramp.

A turn belongs to the number of calls that stood when its caller stopped speaking (``RUN/placings.jsonl``); a
call to the largest number that stood while it did. Calls in which our own sender was late, or our own caller
at fault, are counted, and no figure is made of them: where only such calls are there is none.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from harness.analysis.measures.conversation.turns import waited_for
from harness.records.call import CallStatus
from harness.records.placed.placings import Placing
from harness.runs.reader import CallFiles
from harness.scoring.summary import UNMEASURED_STATUSES
from metrics.survival import CensoredDistribution, Waited, summarize_censored

STEPS = 8
"""A curve of so many points at most."""
FEW_TURNS = 5
"""Of fewer no percentile is drawn."""


@dataclass(frozen=True, kw_only=True)
class LoadStep:
    """One point of the curve.

    Attributes:
        low, high: Calls that stood, from and to.
        calls: By status, of the calls at whose worst moment so many stood.
        due, answered: Turns; of measured calls alone.
        latency: Response latency in ms; None of fewer than ``FEW_TURNS`` turns.
        late_p95_ms: Our own frames meanwhile: the worst half second. None where nothing was told.
    """

    low: int
    high: int
    calls: Counter[CallStatus]
    due: int
    answered: int
    latency: CensoredDistribution | None
    late_p95_ms: float | None

    @property
    def faults(self) -> int:
        """Calls that say nothing about the agent, by our own fault."""
        return self.calls[CallStatus.HARNESS_FAULT]

    @property
    def failed(self) -> int:
        """Calls that did not come about."""
        return self.calls[CallStatus.SETUP_FAILED] + self.calls[CallStatus.NOT_ANSWERED]


@dataclass(kw_only=True)
class _Start:
    """One start of a run: how many stood when, and when each call was dialled."""

    times_s: list[float] = field(default_factory=lambda: [0.0])
    standing: list[int] = field(default_factory=lambda: [0])
    dialled_s: dict[str, float] = field(default_factory=dict)
    ended_s: dict[str, float] = field(default_factory=dict)
    up: set[str] = field(default_factory=set)
    pacing: list[tuple[int, float]] = field(default_factory=list)

    def note(self, placing: Placing) -> None:
        if placing.what == "dialled":
            self.dialled_s[placing.call] = placing.t_s
            self.up.add(placing.call)
            self._step(placing.t_s, 1)
        elif placing.what in ("over", "ended", "lost") and placing.call in self.up:
            self.up.discard(placing.call)
            self.ended_s[placing.call] = placing.t_s
            self._step(placing.t_s, -1)
        elif placing.what == "pacing" and placing.late_p95_ms is not None:
            # Of one host of several: how many stand altogether is known here.
            self.pacing.append((self.standing[-1], placing.late_p95_ms))

    def _step(self, t_s: float, change: int) -> None:
        self.times_s.append(t_s)
        self.standing.append(max(0, self.standing[-1] + change))

    def at(self, t_s: float) -> int:
        return self.standing[max(0, bisect.bisect_right(self.times_s, t_s) - 1)]

    def most_during(self, call: str) -> int:
        first = bisect.bisect_left(self.times_s, self.dialled_s[call])
        last = bisect.bisect_right(self.times_s, self.ended_s.get(call, self.times_s[-1]))
        return max(self.standing[first:last], default=1)


def load_curve(
    calls: Sequence[CallFiles], placings: Sequence[Placing], *, guilty: Collection[str] = ()
) -> list[LoadStep]:
    """The curve; empty where never more than one call stood.

    Args:
        guilty: Calls in which our own caller was at fault: they stood, and no figure is made of them.
    """
    starts = list(_starts(placings))
    most = max((max(start.standing) for start in starts), default=0)
    if most < 2:
        return []
    width = -(-most // STEPS)
    ended: dict[int, Counter[CallStatus]] = {}
    waited: dict[int, dict[str, list[Waited]]] = {}
    due: Counter[int] = Counter()
    answered: Counter[int] = Counter()
    for call in calls:
        # The last start that placed it is the one that its record is of.
        start = next((one for one in reversed(starts) if call.call_id in one.dialled_s), None)
        if start is None or call.record is None:
            continue
        step = (start.most_during(call.call_id) - 1) // width
        ended.setdefault(step, Counter())[call.record.status] += 1
        if call.record.status in UNMEASURED_STATUSES or call.scores is None or call.call_id in guilty:
            continue
        began_s = start.dialled_s[call.call_id]
        for turn in call.scores.turns:
            if not turn.outcome.due:
                continue
            at = (max(1, start.at(began_s + turn.user_end_s)) - 1) // width
            due[at] += 1
            answered[at] += turn.outcome.replied
            if (one := waited_for(turn)) is not None:
                waited.setdefault(at, {}).setdefault(call.call_id, []).append(one)
    late: dict[int, float] = {}
    for standing, late_ms in (one for start in starts for one in start.pacing):
        if standing:
            step = (standing - 1) // width
            late[step] = max(late.get(step, 0.0), late_ms)
    return [
        LoadStep(
            low=step * width + 1,
            high=min(most, (step + 1) * width),
            calls=ended.get(step, Counter()),
            due=due[step],
            answered=answered[step],
            latency=_latency(waited.get(step, {})),
            late_p95_ms=late.get(step),
        )
        for step in range(-(-most // width))
    ]


def _latency(by_call: dict[str, list[Waited]]) -> CensoredDistribution | None:
    if sum(map(len, by_call.values())) < FEW_TURNS:
        return None
    return summarize_censored(by_call, seed=0)


def _starts(placings: Sequence[Placing]) -> Iterator[_Start]:
    start: _Start | None = None
    for placing in placings:
        if placing.what == "began":
            if start is not None:
                yield start
            start = _Start()
        elif start is not None:
            start.note(placing)
    if start is not None:
        yield start
