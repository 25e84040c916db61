"""Which entry of a plan a ring is for: by the number that was called, by a header, or in turn.

An entry is to come, waits to be rung, has a call, or is served. A ring for one that is to come rings until
somebody waits; every other ring that nobody waits for is refused, and counted by what it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from enum import Enum

from harness.plans.call import CallPlan
from harness.plans.reach.answer import AnswerPlan
from harness.records.placed.rings import RingStatus
from harness.transports.sip.answering.ring import Ring

OnRefused = Callable[[Ring, RingStatus, str, str], None]
"""A ring, what it was, the entry that it was for (empty: none), and for people."""


class _State(Enum):
    TO_COME, WAITING, BUSY, SERVED = range(4)


class Switchboard:
    """See the module's docstring.

    Args:
        entries: Of the run, in order; each has an ``answer``.
        on_refused: Called with each ring that comes to nothing here.
    """

    def __init__(self, entries: Sequence[CallPlan], *, on_refused: OnRefused) -> None:
        self._answers = {plan.call_id: answer_of(plan) for plan in entries}
        self._states = dict.fromkeys(self._answers, _State.TO_COME)
        self._waiting: dict[str, asyncio.Future[Ring]] = {}
        self._calls: dict[str, Ring] = {}
        self._early: list[tuple[Ring, tuple[str, ...]]] = []
        self._on_refused = on_refused

    async def wait_for(self, entry: str, within_s: float) -> Ring | None:
        """The ring for an entry; None where none came in time."""
        self._states[entry] = _State.WAITING
        future: asyncio.Future[Ring] = asyncio.get_running_loop().create_future()
        self._waiting[entry] = future
        self._connect_early(entry)
        try:
            async with asyncio.timeout(within_s):
                return await future
        except TimeoutError:
            # It may have been put through at that very moment.
            return future.result() if future.done() and not future.cancelled() else None
        finally:
            self._waiting.pop(entry, None)
            if self._states[entry] is _State.WAITING:
                self._states[entry] = _State.SERVED

    def served(self, entry: str) -> None:
        """Nobody can be put through to it any more: its call is over, or it had none."""
        self._states[entry] = _State.SERVED

    def again(self, entry: str) -> None:
        """It is to be called once more."""
        self._states[entry] = _State.TO_COME

    def put_through(self, ring: Ring) -> None:
        """Finds whom a ring is for."""
        meant = self._meant(ring)
        if not meant:
            self._refuse(ring, 404, RingStatus.UNKNOWN_NUMBER, "", "no entry has that number, or that header")
            return
        for entry in meant:
            if self._states[entry] is _State.WAITING:
                self._give(entry, ring)
                return
        if any(self._states[entry] is _State.TO_COME for entry in meant):
            if self._early_for(meant):
                self._refuse(ring, 486, RingStatus.TWO_AT_ONCE, "", "another one rings already")
            elif any(self._is_busy(entry) for entry in meant):
                self._refuse_as_busy(ring, meant)
            else:
                ring.rings()
                self._early.append((ring, meant))
            return
        if any(self._is_busy(entry) for entry in meant):
            self._refuse_as_busy(ring, meant)
            return
        entry = meant[0] if len(meant) == 1 else ""
        self._refuse(ring, 486, RingStatus.RANG_TWICE, entry, "every entry that it could be for was served")

    def close(self) -> None:
        """Whoever still rings is sent away."""
        for ring, _ in self._early:
            if ring.gone.done():
                self._on_refused(ring, RingStatus.HUNG_UP_RINGING, "", ring.gone.result())
            else:
                self._refuse(ring, 480, RingStatus.RANG_TWICE, "", "every entry was served")
        self._early.clear()

    def _is_busy(self, entry: str) -> bool:
        """Whether its call rings or stands; one that is over may be written still."""
        return self._states[entry] is _State.BUSY and not self._calls[entry].over

    def _meant(self, ring: Ring) -> tuple[str, ...]:
        by_name = [entry for entry, answer in self._answers.items() if _names(answer, ring)]
        in_turn = [entry for entry, answer in self._answers.items() if not answer.is_meant_by_name]
        return tuple(by_name or in_turn)

    def _connect_early(self, entry: str) -> None:
        for ring, meant in list(self._early):
            if entry not in meant and not ring.gone.done():
                continue
            self._early.remove((ring, meant))
            if ring.gone.done():
                ring.forget()
                self._on_refused(ring, RingStatus.HUNG_UP_RINGING, "", ring.gone.result())
            else:
                self._give(entry, ring)
                return

    def _early_for(self, meant: tuple[str, ...]) -> bool:
        return any(not ring.gone.done() and set(of) & set(meant) for ring, of in self._early)

    def _give(self, entry: str, ring: Ring) -> None:
        self._states[entry] = _State.BUSY
        self._calls[entry] = ring
        self._waiting.pop(entry).set_result(ring)

    def _refuse_as_busy(self, ring: Ring, meant: tuple[str, ...]) -> None:
        busy = next(entry for entry in meant if self._is_busy(entry))
        self._refuse(ring, 486, RingStatus.TWO_AT_ONCE, busy, "another call for it rings or stands")

    def _refuse(self, ring: Ring, code: int, status: RingStatus, entry: str, why: str) -> None:
        ring.refuse(code)
        self._on_refused(ring, status, entry, why)


def answer_of(plan: CallPlan) -> AnswerPlan:
    """How a call is answered that we are to answer."""
    assert plan.answer is not None, f"{plan.call_id} is a call that we place"
    return plan.answer


def _names(answer: AnswerPlan, ring: Ring) -> bool:
    """Whether a ring says that it is for an entry."""
    if not answer.is_meant_by_name:
        return False
    if answer.number is not None and answer.number not in ring.numbers:
        return False
    return all(ring.header(name).strip() == value for name, value in answer.header.items())
