"""Network impairment at our own socket: seeded loss, delay, jitter, reordering, duplicates and outages.

Of media packets only: signalling and connectivity checks are left alone. Both directions draw from generators
of their own, so that a run with the same seed drops, delays, holds back and doubles the same packets (by
order), whatever the other direction does. What is asked for together is drawn apart: a share of duplicates
moves no loss, and no delay depends on the loss rate. An outage is the one thing that goes by the clock: it
takes what passes while it lasts, in both directions.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from harness.plans.call import ConditionsPlan, JitterShape
from harness.transports.clock import CallClock

_MINUTES_PLANNED = 240
"""As long as a call can be recorded."""


@dataclass(frozen=True, kw_only=True)
class Outages:
    """When the line is dead, both ways.

    Attributes:
        clock: Of the call; what is past on it is what the recording shows.
        starts_s: Call times, in order.
    """

    clock: CallClock
    starts_s: tuple[float, ...]
    length_s: float

    def down(self, monotonic_ns: int) -> bool:
        """Whether a packet that passes then is lost."""
        t_s = self.clock.at_s(monotonic_ns)
        last = bisect.bisect_right(self.starts_s, t_s) - 1
        return last >= 0 and t_s < self.starts_s[last] + self.length_s


@dataclass(kw_only=True)
class Impairment:
    """What the network does to packets of one direction.

    Attributes:
        loss: Share of packets dropped.
        loss_burst: Mean number of packets lost in a row, by Gilbert's model: Gilbert-Elliott's two states,
            of which the bad one loses all and the good one nothing. It is left with probability
            1 / ``loss_burst`` after each packet. None: each packet is lost or not independently.
        delay_s: Mean extra delay.
        jitter_s: Half width of the spread around ``delay_s``; delay never falls below 0.
        jitter_shape: ``uniform`` over the spread, or ``normal`` with half of ``jitter_s`` as its standard
            deviation, cut off at ``jitter_s``.
        reorder: Share of packets held back, each independently, by ``reorder_s`` more: whatever is sent in
            that time overtakes it.
        duplicates: Share of packets that come twice, each copy with a delay of its own.
        outages: Shared by both directions.
        dropped, held_back, doubled: How many packets that was so far.
    """

    loss: float = 0.0
    loss_burst: float | None = None
    delay_s: float = 0.0
    jitter_s: float = 0.0
    jitter_shape: JitterShape = "uniform"
    reorder: float = 0.0
    reorder_s: float = 0.05
    duplicates: float = 0.0
    outages: Outages | None = None
    seed: int = 0
    dropped: int = 0
    held_back: int = 0
    doubled: int = 0
    _random: Random = field(init=False, repr=False)
    _bad: bool = field(init=False, repr=False, default=False)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        self._normal = Random(f"{self.seed} normal jitter")
        self._reordering = Random(f"{self.seed} reordering")
        self._doubling = Random(f"{self.seed} duplicates")

    @property
    def active(self) -> bool:
        return (
            max(self.loss, self.delay_s, self.jitter_s, self.reorder, self.duplicates) > 0
            or self.outages is not None
        )

    def meet(self, monotonic_ns: int = 0) -> tuple[float, ...]:
        """What becomes of the next packet.

        Args:
            monotonic_ns: When it passes; only an outage asks.

        Returns:
            The delay of each copy that arrives, in seconds: none where it is lost, two where it is doubled.
        """
        # All numbers are drawn for every packet, so that none depends on what became of another. These two
        # come first and from one generator: so they were drawn before there was more to draw.
        lost = self._is_lost(self._random.random())
        delay_s = self._delay_s(self._random.uniform(-self.jitter_s, self.jitter_s))
        held_back = self._reordering.random() < self.reorder
        doubled = self._doubling.random() < self.duplicates
        copy_delay_s = self._delay_s(self._doubling.uniform(-self.jitter_s, self.jitter_s))
        if lost or (self.outages is not None and self.outages.down(monotonic_ns)):
            self.dropped += 1
            return ()
        self.held_back += held_back
        self.doubled += doubled
        if held_back:
            delay_s += self.reorder_s
        return (delay_s, copy_delay_s) if doubled else (delay_s,)

    def _is_lost(self, drawn: float) -> bool:
        if self.loss_burst is None:
            return drawn < self.loss
        # The share of time in the bad state is begin / (begin + end), which shall be the loss.
        end = 1 / self.loss_burst
        begin = end * self.loss / (1 - self.loss) if self.loss < 1 else 1.0
        self._bad = drawn >= end if self._bad else drawn < begin
        return self._bad

    def _delay_s(self, uniform_s: float) -> float:
        spread_s = uniform_s
        if self.jitter_shape == "normal":
            spread_s = self.jitter_s * _cut_off(lambda: self._normal.gauss(0.0, 0.5))
        return max(0.0, self.delay_s + spread_s)


def impairments(conditions: ConditionsPlan, *, seed: int, clock: CallClock) -> tuple[Impairment, Impairment]:
    """What a call's conditions do to what comes in and to what goes out.

    Args:
        seed: Of the call.
        clock: Of the call: outages are told in its time.
    """
    starts_s = outage_starts(conditions.outage_at_s, conditions.outages_per_minute, seed=seed)
    outages = Outages(clock=clock, starts_s=starts_s, length_s=conditions.outage_ms / 1000)
    inbound, outbound = (
        Impairment(
            loss=conditions.loss,
            loss_burst=conditions.loss_burst,
            delay_s=conditions.delay_ms / 1000,
            jitter_s=conditions.jitter_ms / 1000,
            jitter_shape=conditions.jitter_shape,
            reorder=conditions.reorder,
            reorder_s=conditions.reorder_ms / 1000,
            duplicates=conditions.duplicates,
            outages=outages if starts_s else None,
            seed=seed * 2 + direction,
        )
        for direction in (0, 1)
    )
    return inbound, outbound


def outbound_delays_s(conditions: ConditionsPlan, *, seed: int, packets: int) -> list[tuple[float, ...]]:
    """What :func:`impairments` draws for the first packets that go out, in their order: the delay of each
    copy, none where a packet is dropped. Without outages, which go by the clock.

    Args:
        seed: Of the call.
    """
    by_draws = conditions.model_copy(update={"outage_at_s": (), "outages_per_minute": 0.0})
    _, outbound = impairments(by_draws, seed=seed, clock=CallClock(zero_ns=0))
    return [outbound.meet() for _ in range(packets)]


def outage_starts(at_s: tuple[float, ...], per_minute: float, *, seed: int) -> tuple[float, ...]:
    """Call times at which the line goes dead: those given, and ``per_minute`` of them in each minute, one in
    every ``60 / per_minute`` seconds at a random moment."""
    random = Random(f"{seed} outages")
    every_s = 60 / per_minute if per_minute > 0 else 0.0
    drawn = [(number + random.random()) * every_s for number in range(round(_MINUTES_PLANNED * per_minute))]
    return tuple(sorted([*at_s, *drawn]))


def _cut_off(draw: Callable[[], float]) -> float:
    """The first number drawn that lies within -1..1."""
    while abs(drawn := draw()) > 1:
        pass
    return drawn
