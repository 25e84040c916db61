"""The port between a run and its conversations: prepared, held, and what is left of them.

By voice and in text alike a run prepares a unit and lets the conversation be held; how that is done is the
medium's affair (:mod:`harness.calls.voice.medium`, :mod:`harness.calls.text.medium`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from harness.calls.voice.hearing.words_for_watchers import WatchedWords
from harness.calls.voice.recorder import Recording
from harness.plans.call import CallPlan
from harness.plans.unit import Unit
from harness.records.call import CallRecord, Event
from harness.transports.clock import CallClock


@dataclass(frozen=True, kw_only=True)
class Held:
    """A conversation that was held, whatever came of it.

    Attributes:
        recording: Of a call by voice; None where no media session stood.
        clock: Of a call by voice: what its times are counted on. Of one in text nothing is.
        late_ms: Lateness of every frame that we sent.
        broken_off: We were told to stop when it was over and not yet kept: it is whole, and the last one.
    """

    record: CallRecord
    events: list[Event]
    recording: Recording | None = None
    clock: CallClock = field(default_factory=CallClock)
    late_ms: Sequence[float] = ()
    broken_off: bool = False


@dataclass(kw_only=True)
class Watcher:
    """What to tell a person while a run goes on; each callback must return quickly."""

    on_complete_before: Callable[[int], None] = lambda count: None
    """So many calls are complete from an earlier start."""
    on_preparing: Callable[[CallPlan, int, int], None] = lambda plan, done, total: None
    """A call is taken up: how many were before it, and how many there are."""
    on_waiting: Callable[[CallPlan, str], None] = lambda plan, address: None
    """A call is ready, and waits for the agent to place it, at that address."""
    on_spoken: Callable[[CallPlan, int, int], None] = lambda plan, done, total: None
    """How many lines of the next call are spoken and encoded, and how many there are. From another thread."""
    on_event: Callable[[CallPlan, Event], None] = lambda plan, event: None
    on_held: Callable[[Held], None] = lambda held: None
    words_for: Callable[[CallPlan], WatchedWords | None] = lambda plan: None
    """Whisper beside a call, for a person who watches it; None for runs whose figures must not be touched.
    Not asked for calls whose caller understands the agent by itself."""


class Conversation(Protocol):
    """One that is prepared: everything that it needs is at hand, and nothing is looked up any more."""

    async def hold(self) -> Held:
        """Holds it and returns what is left of it. Never raises for what the agent does.

        Cancelled (Ctrl-C) it still returns what there is by then, as ``interrupted``.
        """
        ...


class Medium(Protocol):
    """A way of holding conversations. An async context manager: what they share is open while in it."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    def check(self, unit: Unit) -> None:
        """Finds out before the first conversation what would stop a later one.

        Raises:
            UserError: The plan asks for something that is not to be had.
        """
        ...

    async def prepare(self, unit: Unit, watcher: Watcher) -> Conversation:
        """Everything that the unit's conversation needs.

        Raises:
            UserError: The plan asks for something that is not to be had.
        """
        ...

    def versions(self) -> dict[str, str]:
        """Libraries and models, by name."""
        ...
